/** Formulas by KaTeX, loaded with the first one; a formula that was typeset once is copied from then on. */
import { painted } from "./breath.js"
import { sheetOf, wear } from "./styles.js"

const KATEX = new URL("../vendor/katex/", import.meta.url)
/** The fonts that nearly all of its formulas have something of. */
const MAIN = "KaTeX_Main"
const USUAL = [MAIN, "KaTeX_Math"]
/** Environments that would count their lines, beside the numbers of the book. */
const NUMBERED = /\\(begin|end)\{(align|alignat|equation|gather)\}/g
const BUDGET = 8
/** Milliseconds for all drawings of one task, however many they are. */
const TASK = 24
const KEPT = 500
/** What failed to load is not tried again sooner. */
const AGAIN_MS = 1000
/** Letters and numbers with indices and powers, in a line: browsers set them well by themselves, at a third of the cost. */
const NAMES = String.raw`\\(?:alpha|beta|gamma|delta|varepsilon|epsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|varphi|phi|chi|psi|omega|leq?|geq?|neq?|in|to|times|cdot|infty|subset|subseteq|cup|cap|mid)(?![A-Za-z])`
/** All digits of a number belong together, so that no number can be read in a thousand ways. */
const SIGN = String.raw`[A-Za-z]|\d+(?!\d)|[()=<>+\-,'|*/!:]|${NAMES}`
const SCRIPT = String.raw`[_^](?:[A-Za-z0-9*]|${NAMES}|\{[A-Za-z0-9]{1,8}(?:_[A-Za-z0-9])?\})`
/** So short that it fits into a phone's column: what is longer KaTeX sets, which can break it. */
const SHORT = 24
const SIMPLE = new RegExp(String.raw`^(?=.{1,${SHORT}}$)(?: ?(?:\\[{},]|(?:${SIGN})(?:${SCRIPT})*)){1,16}$`)
const MATHML = "MathMLElement" in globalThis
/** Hostile formulas may neither link, load, style nor grow. */
const OPTIONS = { trust: false, throwOnError: false, strict: "ignore", maxSize: 20, maxExpand: 1000, output: "htmlAndMathml" }

/** @type {{render: (tex: string, element: Element, options: object) => void} | undefined} */
let katex
/** @type {Promise<unknown> | undefined} */
let loading
/** @type {Map<string, Element>} */
const made = new Map()
/** @type {Set<HTMLElement>} */
const later = new Set()
let timer = 0
let taskEnds = 0

/**
 * Typeset the formulas of a drawing that is about to be shown; what does not fit into one frame, or has no KaTeX yet, follows.
 * @param {ParentNode} drawing
 * @param {HTMLElement} place where it will stand
 */
export function typeset(drawing, place) {
  const formulas = [.../** @type {NodeListOf<HTMLElement>} */ (drawing.querySelectorAll(".math:not(.typeset)"))]
  if (!formulas.length) return
  prepare(place)
  const until = budget()
  for (const formula of formulas) if (!put(formula, katex && performance.now() < until)) postpone(formula)
}

/** The same when there is time for it. @param {HTMLElement} drawing that is shown */
export function typesetLater(drawing) {
  prepare(drawing)
  for (const formula of /** @type {NodeListOf<HTMLElement>} */ (drawing.querySelectorAll(".math:not(.typeset)"))) postpone(formula)
}

/** When formulas can be set and their fonts are there: whatever comes of these lays out anew all that stands on the page. */
export async function typesetReady() {
  await loading
  if (loading) await Promise.race([document.fonts.ready, new Promise((resolve) => setTimeout(resolve, AGAIN_MS))])
}

/** @returns {number} until when formulas are typeset in this task */
function budget() {
  const now = performance.now()
  if (!taskEnds) queueMicrotask(() => (taskEnds = 0))
  taskEnds ||= now + TASK
  return Math.min(now + BUDGET, taskEnds)
}

/** @param {HTMLElement} formula @param {unknown} may typeset it now if there is no copy @returns {boolean} */
function put(formula, may) {
  const display = formula.classList.contains("display")
  const tex = formula.dataset.tex ?? formula.textContent ?? ""
  const key = `${display ? "$$" : "$"}${tex}`
  let drawn = made.get(key)
  if (!drawn) {
    if (!may || !katex) return false
    drawn = make(tex, display)
    made.set(key, drawn)
    if (made.size > KEPT) made.delete(/** @type {string} */ (made.keys().next().value))
  }
  formula.dataset.tex = tex
  formula.replaceChildren(...[...drawn.childNodes].map((node) => node.cloneNode(true)))
  formula.classList.add("typeset", ...drawn.classList)
  return true
}

/** @param {string} tex @param {boolean} display @returns {Element} what shows it */
function make(tex, display) {
  const holder = document.createElement("span")
  const mathml = MATHML && !display && SIMPLE.test(tex)
  try {
    katex?.render(tex.replace(NUMBERED, "\\$1{$2*}"), holder, { ...OPTIONS, displayMode: display, ...(mathml ? { output: "mathml" } : {}) })
    if (mathml) bare(holder)
    else if (!display && holder.querySelector(".katex-html")) holder.className = "whole"
  } catch {
    holder.textContent = tex
  }
  return holder
}

/** Leave of a formula that the browser sets only that, without what says again how it was written. @param {Element} holder */
function bare(holder) {
  const math = holder.querySelector("math")
  const said = math?.querySelector("semantics > :first-child")
  if (!math || !said) return
  math.replaceChildren(...(said.localName === "mrow" ? said.childNodes : [said]))
  math.setAttribute("class", "katex simple")
  holder.replaceChildren(math)
}

/** @param {HTMLElement} formula */
function postpone(formula) {
  later.add(formula)
  if (katex) timer ||= window.setTimeout(work, 0)
}

/** Typeset what waits, a few milliseconds for each frame. */
function work() {
  timer = 0
  const until = performance.now() + BUDGET
  for (const formula of later) {
    later.delete(formula)
    if (formula.isConnected) put(formula, true)
    if (performance.now() >= until) break
  }
  if (!later.size) return
  timer = -1
  void painted().then(work) // what is laid out at once stays little
}

/** Where the panel is, also for an answer that grows while another thread is shown. @type {ShadowRoot | undefined} */
let panel

/** Load KaTeX and its style. @param {HTMLElement} place */
function prepare(place) {
  const root = place.getRootNode()
  if (root instanceof ShadowRoot) panel = root
  const holder = panel ?? document
  loading ??= load(holder).catch(() => window.setTimeout(() => (loading = undefined), AGAIN_MS)) // the next formula tries again
  void style(holder)
  addFonts()
}

/** @param {ShadowRoot | Document} holder */
async function load(holder) {
  const [module] = await Promise.all([import("../vendor/katex/katex.js"), style(holder)])
  katex = module.default
  timer ||= window.setTimeout(work, 0)
}

/** @type {WeakMap<Node, Promise<void>>} */
const styled = new WeakMap()

/** @param {ShadowRoot | Document} holder @returns {Promise<void>} when the style is there */
function style(holder) {
  const known = styled.get(holder)
  if (known) return known
  const there = sheetOf(new URL("katex.css", KATEX).href).then((sheet) => {
    const found = takeFonts(sheet)
    fonts ??= found
    addFonts()
    wear(holder, [sheet])
  }).catch(() => void window.setTimeout(() => styled.delete(holder), AGAIN_MS))
  styled.set(holder, there)
  return there
}

/** KaTeX's, until the page needs them. @type {FontFace[] | undefined} */
let fonts

/**
 * Fonts are known to the document alone. New ones make the browser lay out all of its page, so that a page with KaTeX's own keeps those,
 * and else it is done in this task, which has nothing beside it to do.
 */
function addFonts() {
  if (!fonts?.length || [...document.fonts].some(({ family, status }) => nameOf(family) === MAIN && status === "loaded")) return
  for (const font of fonts.splice(0)) document.fonts.add(font)
  for (const font of USUAL) document.fonts.load(`16px ${font}`).catch(() => {}) // while KaTeX itself is read
  void document.documentElement.offsetHeight
}

/** @param {CSSStyleSheet} sheet what of it is fonts @returns {FontFace[]} */
function takeFonts(sheet) {
  const found = []
  for (let at = sheet.cssRules.length - 1; at >= 0; at--) {
    const rule = sheet.cssRules[at]
    if (!(rule instanceof CSSFontFaceRule)) continue
    const [family, source, weight, style] = ["font-family", "src", "font-weight", "font-style"].map((name) => rule.style.getPropertyValue(name))
    const absolute = source.replace(/url\("?([^")]+)"?\)/g, (_, address) => `url("${new URL(address, KATEX).href}")`)
    found.push(new FontFace(nameOf(family), absolute, { weight, style, display: "block" }))
    sheet.deleteRule(at)
  }
  return found
}

/** @param {string} family as it stands in a style @returns {string} */
const nameOf = (family) => family.replace(/["']/g, "")
