/** The sources under an answer: numbered cards, each a link to its paragraph. */
import { h } from "./dom.js"

/** @typedef {import("./reducer.js").Answer} Answer */

/** Prefix of the ids of one answer's cards, so that marks of different answers never meet. @param {string} turn */
export const sourcePrefix = (turn) => `askbook-${turn}`

/**
 * @param {Answer} answer
 * @param {string} turn
 * @param {import("./words.js").Words} words
 */
export function sourceList(answer, turn, words) {
  const title = `${sourcePrefix(turn)}-title`
  const cited = new Set(answer.citations.map((citation) => citation.n))
  const items = answer.sources.filter((source) => cited.size === 0 || cited.has(source.n)).map((source) => {
    const citation = answer.citations.find((one) => one.n === source.n && one.quote)
    const quote = citation?.quote || source.text || ""
    return h(
      "li", { id: `${sourcePrefix(turn)}-${source.n}`, class: "source", value: source.n },
      h("a", { href: citation?.url || source.url, class: "source-link" },
        h("span", { class: "source-n", "aria-hidden": "true" }, String(source.n)), h("span", { class: "source-title", dir: "auto" }, source.title)),
      quote ? h("p", { class: "source-quote", dir: "auto" }, quote.length > 220 ? `${quote.slice(0, 219)}…` : quote) : null,
    )
  })
  return h("div", { class: "sources" }, h("h4", { id: title }, words.sources), h("ol", { "aria-labelledby": title }, ...items))
}
