/** What a click inside the panel leads to: a mark to its source, a source to its paragraph, without losing a running answer. */
import { jump } from "./jump.js"

/** @param {MouseEvent} event @param {import("./panel.js").Panel} panel */
export function follow(event, panel) {
  const link = event.composedPath().find((element) => element instanceof HTMLAnchorElement)
  if (!(link instanceof HTMLAnchorElement)) return
  if (link.classList.contains("cite-ref")) {
    event.preventDefault()
    showSource(link)
  } else if (!event.metaKey && !event.ctrlKey && !event.shiftKey && link.href.startsWith(panel.root.href)) {
    event.preventDefault()
    jump(link.href, link.dataset.quote ?? "", (href) => (panel.onvisit(href), visit(href, panel.frame?.place === "sheet" ? panel : undefined)), () => panel.status?.note("indexOld"))
  }
}

/** @type {{card: Element, mark: Element} | undefined} what the last click pointed at; a second one goes there */
let pointed

/** Bring the card of a mark into view and point at it. @param {HTMLAnchorElement} mark */
function showSource(mark) {
  const root = /** @type {ShadowRoot} */ (mark.getRootNode())
  const card = root.getElementById(mark.hash.slice(1))
  if (!card) return
  const folded = /** @type {HTMLDetailsElement | null} */ (card.closest("details"))
  if (folded) folded.open = true
  if (card === pointed?.card && mark === pointed.mark) return card.querySelector("a")?.click()
  pointed = { card, mark }
  card.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" })
  card.classList.remove("pointed")
  void card.offsetWidth
  card.classList.add("pointed")
  card.querySelector("a")?.focus({ preventScroll: true })
}

/**
 * Go to a page of the site by a link of the page itself, so that instant navigation, where the theme has it, keeps the panel.
 * @param {string} href
 * @param {import("./panel.js").Panel} [covers] the page, and closes
 */
export function visit(href, covers) {
  covers?.close()
  const link = document.createElement("a")
  link.href = href
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}
