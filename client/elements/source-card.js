/** A source under an answer: what it is, the sentence the answer rests on, and whether the book really says so. */
import { h } from "./dom.js"
import { beginning, blocks } from "./passage.js"
import { typesetLater } from "./typeset.js"
import { fill } from "./words.js"

/** @typedef {import("./reducer.js").SourceInfo} SourceInfo */
/** @typedef {"quoted" | "loose" | "missing" | "unchecked"} Support */
/** @typedef {{n: number, support: Support, quote: string, url: string, sentence: string}} CitationInfo */

const SIGNS = { quoted: "✓", loose: "≈", missing: "✗", unchecked: "" }
const SHOWN = 320
const SET_OFF = /(\$\$[^]+?\$\$|\$[^$\n]+\$|`[^`\n]+`)/
/** Best first. @type {Support[]} */
const ORDER = ["quoted", "loose", "unchecked", "missing"]

/**
 * The best of what an answer says with one source.
 * @param {CitationInfo[]} citations @param {number} n @returns {CitationInfo | undefined}
 */
export function bestCitation(citations, n) {
  return citations.filter((citation) => citation.n === n).sort((a, b) => ORDER.indexOf(a.support) - ORDER.indexOf(b.support))[0]
}

/** @param {string} url @returns {string | undefined} the address, if it is one of a web page */
export function webAddress(url) {
  try {
    const found = new URL(url, location.href)
    return found.protocol === "https:" || found.protocol === "http:" ? found.href : undefined
  } catch {
    return undefined
  }
}

/**
 * Part a text at the words that were matched.
 * @param {string} text @param {readonly string[]} words
 * @returns {{text: string, matched: boolean}[]}
 */
export function parted(text, words) {
  const spelled = [...new Set(words.filter((word) => word.trim()))].sort((a, b) => b.length - a.length)
  if (!spelled.length) return [{ text, matched: false }]
  const any = spelled.map((word) => {
    const literal = word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    return /^\w/.test(word) ? `(?<![\\p{L}\\p{N}])${literal}[\\p{L}]*` : literal
  })
  const found = []
  let done = 0
  for (const hit of text.matchAll(new RegExp(any.join("|"), "giu"))) {
    if (hit.index > done) found.push({ text: text.slice(done, hit.index), matched: false })
    found.push({ text: hit[0], matched: true })
    done = hit.index + hit[0].length
  }
  if (done < text.length) found.push({ text: text.slice(done), matched: false })
  return found
}

/**
 * @param {SourceInfo} source
 * @param {CitationInfo | undefined} citation
 * @param {string} id
 * @param {import("./words.js").Words} words
 * @returns {HTMLLIElement}
 */
export function sourceCard(source, citation, id, words) {
  const quote = beginning(blocks(citation?.quote || source.text || ""), SHOWN)
  const support = citation?.support ?? "unchecked"
  const sign = SIGNS[support]
  const kind = kindOf(source, words)
  return h(
    "li", { id, class: "source", value: source.n, "data-support": support },
    h("a", { href: webAddress(citation?.url || source.url), class: "source-link", "data-quote": citation?.quote || null },
      h("span", { class: "source-n", "aria-hidden": "true" }, String(source.n)),
      h("span", { class: "source-title", dir: "auto" }, kind ? h("span", { class: "source-kind" }, kind, " ") : null, source.title),
      sign ? h("span", { class: "source-support", role: "img", "aria-label": words.support[support], title: words.support[support] }, sign) : null),
    quote.length ? h("div", { class: "source-quote", dir: "auto" }, ...quote.map((block) => drawn(block, source.matched ?? []))) : null,
  )
}

/** A block of the book: code as code; in prose formulas are typeset and what was matched is set off. @param {import("./passage.js").Block} block @param {readonly string[]} words */
function drawn(block, words) {
  if (block.code) return h("pre", { class: "source-code", dir: "ltr" }, h("code", {}, block.text))
  const made = h("p", {})
  for (const piece of block.text.split(SET_OFF)) {
    if (piece.startsWith("$") && piece.length > 2) made.append(h("span", { class: "math inline" }, piece.replace(/^\$+|\$+$/g, "")))
    else if (piece.startsWith("`") && piece.length > 2) made.append(h("code", {}, ...marked(piece.slice(1, -1), words)))
    else made.append(...marked(piece, words))
  }
  if (made.querySelector(".math")) requestAnimationFrame(() => typesetLater(made)) // once it stands in the page
  return made
}

/** @param {string} text @param {readonly string[]} words */
const marked = (text, words) => parted(text, words).map((part) => (part.matched ? h("mark", {}, part.text) : part.text))

/** @param {SourceInfo} source @param {import("./words.js").Words} words @returns {string} kind and number, unless the title says them, in whatever language */
export function kindOf(source, words) {
  const at = source.number ? source.title.indexOf(source.number) : 0
  if (at > 0 && !/\d/.test(source.title.slice(0, at))) return ""
  const kinds = /** @type {Record<string, string>} */ (words.kinds)
  const kind = kinds[source.kind] ?? (source.kind === "section" ? "" : titled(source.kind))
  const said = source.title.toLowerCase()
  return [kind && !said.startsWith(kind.toLowerCase()) ? kind : "", source.number && !said.includes(source.number) ? source.number : ""].filter(Boolean).join(" ")
}

/** A kind of the author's own, as a word. @param {string} kind */
const titled = (kind) => kind.replace(/[-_]+/g, " ").replace(/^./, (letter) => letter.toUpperCase())

/** @param {number | null} grounding @param {import("./words.js").Words} words @returns {string} */
export const groundingText = (grounding, words) => (grounding === null ? "" : fill(words.grounding, { percent: Math.round(grounding * 100) }))
