/** The sources under an answer: numbered cards, each a link to its paragraph. */
import { h, icon } from "./dom.js"
import { fill } from "./words.js"

/** @typedef {import("./reducer.js").Answer} Answer */

/** Prefix of the ids of one answer's cards, so that marks of different answers never meet. @param {string} turn */
export const sourcePrefix = (turn) => `askbook-${turn}`

/** @param {string} url @returns {string | undefined} the address, if it is one of a web page */
function address(url) {
  try {
    const found = new URL(url, location.href)
    return found.protocol === "https:" || found.protocol === "http:" ? found.href : undefined
  } catch {
    return undefined
  }
}

/**
 * The passages an answer names; those that were found but not named are folded away.
 * @param {Answer} answer
 * @param {string} turn
 * @param {import("./words.js").Words} words
 * @returns {HTMLElement}
 */
export function sourceList(answer, turn, words) {
  const cited = new Set(answer.citations.map((citation) => citation.n))
  const named = answer.sources.filter((source) => cited.has(source.n))
  const title = `${sourcePrefix(turn)}-title`
  const list = h("ol", { "aria-labelledby": title }, ...(named.length ? named : answer.sources).map((source) => item(answer, source, turn)))
  if (named.length) return h("div", { class: "sources" }, h("h4", { id: title }, words.sources), list)
  const folded = h("summary", { id: title }, icon("book"), h("span", {}, fill(words.passagesFound, { n: answer.sources.length })), icon("chevron"))
  return h("details", { class: "sources found" }, folded, list)
}

/** @param {Answer} answer @param {import("./reducer.js").SourceInfo} source @param {string} turn */
function item(answer, source, turn) {
  const citation = answer.citations.find((one) => one.n === source.n && one.quote)
  const quote = String(citation?.quote || source.text || "")
  return h(
    "li", { id: `${sourcePrefix(turn)}-${source.n}`, class: "source", value: source.n },
    h("a", { href: address(citation?.url || source.url), class: "source-link" },
      h("span", { class: "source-n", "aria-hidden": "true" }, String(source.n)), h("span", { class: "source-title", dir: "auto" }, source.title)),
    quote ? h("p", { class: "source-quote", dir: "auto" }, quote.length > 220 ? `${quote.slice(0, 219)}…` : quote) : null,
  )
}
