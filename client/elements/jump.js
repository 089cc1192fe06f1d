/** From a source to its sentence: open the page at the paragraph, and set the sentence off there without touching the page. */
import { bare, fragment, pieces } from "./quote.js"

const NAME = "askbook-sentence"
const PENDING = "askbook:jump"
const PATIENCE = 8000
const SKIPPED = "script, style, noscript, template, textarea, ask-book, ask-book-button, [hidden]"

/**
 * @typedef {{path: string, hash: string, quote: string}} Target
 */

/**
 * Lead the reader to a sentence.
 * @param {string} href of the paragraph, with its anchor
 * @param {string} quote the sentence, as the book has it
 * @param {(href: string) => void} visit goes to another page
 * @param {() => void} [lost] hears that the page does not have the paragraph: the index is not of this page
 */
export function jump(href, quote, visit, lost = () => {}) {
  const url = new URL(href, location.href)
  const target = { path: url.pathname + url.search, hash: url.hash, quote }
  if (target.path === location.pathname + location.search) {
    if (url.hash && url.hash !== location.hash) history.pushState(history.state, "", url.hash)
    if (place(target)) show(target)
    else lost()
    return
  }
  remember(target)
  void arrive(lost)
  const directive = quote && !staysOnPage() ? fragment(quote) : ""
  visit(url.href.replace(/:~:.*$/, "") + (url.hash || !directive ? "" : "#") + directive)
}

/** Whether the theme changes pages in place: then the page sets the sentence off itself, and a directive would cost an entry in the history. */
function staysOnPage() {
  return document.getElementById("__config")?.textContent?.includes('"navigation.instant"') ?? false
}

/** On the page a jump led to: set its sentence off, once the page is there. @param {() => void} [lost] @returns {Promise<boolean>} whether there was one */
export async function arrive(lost = () => {}) {
  const target = recall()
  if (!target) return false
  const until = performance.now() + PATIENCE
  while (performance.now() < until) {
    if (here() === target.path && document.readyState !== "loading" && place(target)) {
      forget()
      await pause(60)
      return show(target)
    }
    await pause(80)
  }
  if (target.path === here() && recall()?.hash === target.hash) {
    forget()
    lost()
  }
  return false
}

const here = () => location.pathname + location.search

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => window.setTimeout(resolve, milliseconds))

/** The element an anchor names, or the page's main part. @param {Target} target @returns {HTMLElement | null} */
function place(target) {
  const id = decodeURIComponent(target.hash.slice(1).replace(/:~:.*$/, ""))
  if (id) return document.getElementById(id)
  return document.querySelector("main, [role=main], article") ?? document.body
}

/** @param {Target} target @returns {boolean} whether the sentence itself was found */
function show(target) {
  const element = place(target)
  if (!element) return false
  const range = target.quote ? find(element, target.quote) : null
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches
  const block = range ? closestBlock(range.startContainer) : element
  block.scrollIntoView({ block: range ? "center" : "start", behavior: calm ? "auto" : "smooth" })
  if (range && "highlights" in CSS) {
    style()
    CSS.highlights.set(NAME, new Highlight(range))
    document.addEventListener("pointerdown", clear, { once: true })
  } else if (target.hash || range) flash(block)
  return Boolean(range)
}

function clear() {
  CSS.highlights?.delete(NAME)
}

/** @param {Node} node @returns {HTMLElement} */
function closestBlock(node) {
  const element = node instanceof HTMLElement ? node : /** @type {HTMLElement} */ (node.parentElement)
  return element.closest("p, li, dd, dt, td, th, pre, blockquote, h1, h2, h3, h4, h5, h6, figure, section, div") ?? element
}

/** A passing light where text cannot be set off. @param {HTMLElement} element */
function flash(element) {
  element.animate?.([{ backgroundColor: "#ffd24d80" }, { backgroundColor: "transparent" }], { duration: 2400, easing: "ease-out" })
}

let styled = false

function style() {
  if (styled) return
  styled = true
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`::highlight(${NAME}) { background-color: #ffd24d; color: #1b1b1b }`)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

/**
 * Find a sentence on the page: from an element on first, then from the start of the page.
 * @param {HTMLElement} from @param {string} quote @returns {Range | null}
 */
export function find(from, quote) {
  const main = /** @type {HTMLElement} */ (from.closest("main, [role=main], article") ?? document.body)
  const text = pageText(main)
  const begin = text.nodes.findIndex(({ node }) => from.contains(node) || from.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING)
  const first = begin < 0 ? 0 : text.nodes[begin].start
  const wanted = pieces(quote).map((piece) => bare(piece).letters)
  return wanted.length ? locate(text, wanted, first) ?? locate(text, wanted, 0) : null
}

/**
 * @typedef {{letters: string, nodes: {node: Text, start: number, places: number[]}[]}} PageText
 */

/** @param {HTMLElement} main @returns {PageText} */
function pageText(main) {
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest(SKIPPED) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT)
  const nodes = []
  let letters = ""
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const made = bare(/** @type {Text} */ (node).data)
    if (!made.letters) continue
    nodes.push({ node: /** @type {Text} */ (node), start: letters.length, places: made.places })
    letters += made.letters
  }
  return { letters, nodes }
}

/** @param {PageText} text @param {string[]} wanted pieces in order @param {number} from @returns {Range | null} */
function locate(text, wanted, from) {
  const hits = []
  let at = from
  for (const piece of wanted) {
    const hit = text.letters.indexOf(piece, at)
    if (hit < 0 || (hits.length && hit - at > 400)) continue
    hits.push([hit, hit + piece.length])
    at = hit + piece.length
  }
  if (!hits.length) return null
  const range = document.createRange()
  const [start, end] = [point(text, hits[0][0]), point(text, hits[hits.length - 1][1] - 1)]
  range.setStart(start.node, start.offset)
  range.setEnd(end.node, Math.min(end.offset + 1, end.node.length))
  return range
}

/** @param {PageText} text @param {number} letter @returns {{node: Text, offset: number}} */
function point(text, letter) {
  let low = 0
  for (let high = text.nodes.length - 1; low < high; ) {
    const middle = (low + high + 1) >> 1
    if (text.nodes[middle].start <= letter) low = middle
    else high = middle - 1
  }
  const { node, start, places } = text.nodes[low]
  return { node, offset: places[letter - start] }
}

/** @type {Target | null} */
let pending = null

/** @param {Target} target */
function remember(target) {
  pending = target
  try {
    sessionStorage.setItem(PENDING, JSON.stringify(target))
  } catch {
    // without storage the target lives as long as the page, which instant navigation keeps
  }
}

/** @returns {Target | null} */
function recall() {
  if (pending) return pending
  try {
    const kept = sessionStorage.getItem(PENDING)
    return kept ? JSON.parse(kept) : null
  } catch {
    return null
  }
}

function forget() {
  pending = null
  try {
    sessionStorage.removeItem(PENDING)
  } catch {
    // nothing was kept
  }
}
