/**
 * The one door through which HTML comes into the panel: the core's drawing of an answer is sanitized, its formulas are typeset,
 * its code is coloured, and only then it is put into the page. Everything else is text.
 */
import { colour } from "./code.js"
import { isOwnAddress, isSafeAddress } from "./addresses.js"
import { graft } from "./graft.js"
import { nodes } from "./nodes.js"
import { policy } from "./trusted.js"
import { typeset } from "./typeset.js"

/** @typedef {import("../protocol.js").Patch} Patch */

const TAGS = [
  "a", "blockquote", "br", "code", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "img", "li", "mark", "ol", "p", "pre", "s", "span",
  "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
]
const ATTRIBUTES = ["alt", "class", "data-n", "data-support", "href", "loading", "rel", "src", "start", "target", "title"]

/** What the core's own drawing may be made of, without going through the sanitizer. */
const ALLOWED = { tags: new Set(TAGS), attributes: new Set(ATTRIBUTES), fits: (/** @type {Element} */ element) => !element.hasAttribute("href") || isSafeAddress(element.getAttribute("href") ?? "") }

/** @type {{sanitize: (html: string, config: object) => DocumentFragment} | undefined} */
let purifier
/** @type {Promise<void> | undefined} */
let loading
/** @type {(() => void)[]} */
const waiting = []

/** Load the sanitizer; what is to be drawn before it is there waits. @returns {Promise<void>} */
export function prepare() {
  loading ??= load()
  return loading
}

async function load() {
  try {
    const made = (await import("../vendor/dompurify/purify.js")).default
    made.addHook("afterSanitizeAttributes", checkAddresses)
    purifier = made
  } catch (fault) {
    console.error("askbook: the sanitizer is missing, answers are shown as text", fault)
    purifier = { sanitize: (html) => asText(html) }
  }
  for (const draw of waiting.splice(0)) draw()
}

/** Do what a patch says to one block of an answer. @param {HTMLElement} place holds the answer @param {Patch} patch */
export function applyPatch(place, patch) {
  whenReady(() => {
    while (place.children.length <= patch.block) place.append(Object.assign(document.createElement("div"), { className: "block" }))
    const block = /** @type {HTMLElement} */ (place.children[patch.block])
    if (patch.text) addText(block, patch.text)
    else {
      draw(block, patch.html ?? "", patch.at)
      const before = /** @type {HTMLElement | null} */ (block.previousElementSibling)
      if (before) colour(before)
    }
  })
}

/**
 * Show a whole answer, as a growing one stands there at its end.
 * @param {HTMLElement} place @param {string[]} blocks drawn by the core
 * @returns {Generator<void, void>} a block a step
 */
export function* showBlocks(place, blocks) {
  place.replaceChildren()
  for (const html of blocks) {
    const block = Object.assign(document.createElement("div"), { className: "block" })
    place.append(block)
    whenReady(() => {
      draw(block, html)
      colour(block)
    })
    yield
  }
}

/** An answer is whole: colour the code at its end. @param {HTMLElement} place */
export function finishDrawing(place) {
  whenReady(() => colour(place))
}

/** @param {() => void} act */
function whenReady(act) {
  if (purifier) act()
  else {
    waiting.push(act)
    void prepare()
  }
}

/** @param {HTMLElement} block @param {string} html @param {number[]} [at] where it begins, if not at the start */
function draw(block, html, at) {
  const fragment = clean(html)
  typeset(fragment, block)
  if (at) graft(block, fragment, at)
  else block.replaceChildren(fragment)
}

/** HTML as nodes that can do nothing. @param {string} html @returns {DocumentFragment} */
export function clean(html) {
  return own(html) ?? sanitized(html)
}

/** What the core has drawn, and nothing else. @param {string} html @returns {DocumentFragment | null} */
export function own(html) {
  return nodes(html, ALLOWED)
}

/** Whatever it is, made harmless. @param {string} html @returns {DocumentFragment} */
export function sanitized(html) {
  if (!purifier) return asText(html)
  return purifier.sanitize(html, {
    ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ATTRIBUTES, ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false, RETURN_DOM_FRAGMENT: true, TRUSTED_TYPES_POLICY: policy,
  })
}

/** The second wall behind the core's link policy. @param {Element} element */
function checkAddresses(element) {
  const href = element.getAttribute("href")
  if (href !== null && !isSafeAddress(href)) element.removeAttribute("href")
  if (element.localName === "img" && !isOwnAddress(element.getAttribute("src") ?? "")) element.replaceWith(element.getAttribute("alt") ?? "")
}

/** @param {string} html @returns {DocumentFragment} its text alone */
function asText(html) {
  const fragment = document.createDocumentFragment()
  fragment.append(html.replace(/<[^>]*>/g, "").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&amp;/g, "&"))
  return fragment
}

/** @param {HTMLElement} block @param {string} text goes on where its last text ends */
function addText(block, text) {
  const walker = document.createTreeWalker(block)
  let node = /** @type {Node | null} */ (block)
  while (walker.lastChild()) node = walker.currentNode
  while (node && !(node instanceof Text && node.data.trim())) node = walker.previousNode()
  if (node instanceof Text) node.appendData(text)
  else block.append(text)
}
