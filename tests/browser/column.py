"""What of a text lies beside its column, where no reader gets to see it."""

from __future__ import annotations

from playwright.sync_api import Locator

BESIDE = """place => {
  const column = place.getBoundingClientRect()
  const beside = box => box.width > 0 && (box.left < column.left - 2 || box.right > column.right + 2)
  const around = element => element.parentElement ?? element.getRootNode().host
  const scroller = element => (!element ? document.scrollingElement : sideways(element) ? element : scroller(around(element)))
  const reached = box => {
    const view = scroller(around(place))
    return box.right - view.getBoundingClientRect().left <= view.scrollWidth + 2
  }
  const sideways = element => /auto|scroll/.test(getComputedStyle(element).overflowX)
  const scrolls = element => element !== place && (sideways(element) || scrolls(element.parentElement))
  const boxes = node => {
    if (node.nodeType === Node.ELEMENT_NODE) return [node.getBoundingClientRect()]
    const range = new Range()
    range.selectNodeContents(node)
    return [...range.getClientRects()]
  }
  const found = []
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const within = node.parentElement
    if (within.closest(".katex-mathml") || scrolls(within)) continue
    const lost = within.closest(".math") || node.classList?.contains("math") ? box => beside(box) && !reached(box) : beside
    if (boxes(node).some(lost)) found.push((node.outerHTML ?? node.data).slice(0, 80))
  }
  return found
}"""


def beside(text: Locator) -> list[str]:
    """Elements and words of a text that its column does not hold, and that nothing scrolls to; words have to stay in it."""
    found: list[str] = text.evaluate(BESIDE)
    return found
