/** The sources under an answer: what was cited first, what else was read behind “also read”. */
import { h, icon } from "./dom.js"
import { bestCitation, groundingText, sourceCard } from "./source-card.js"
import { fill } from "./words.js"

/** @typedef {import("./reducer.js").Answer} Answer */

/** Prefix of the ids of one answer's cards, so that marks of different answers never meet. @param {string} turn */
export const sourcePrefix = (turn) => `askbook-${turn}`

/**
 * @param {Answer} answer
 * @param {string} turn
 * @param {import("./words.js").Words} words
 * @returns {HTMLElement}
 */
export function sourceList(answer, turn, words) {
  const prefix = sourcePrefix(turn)
  const cited = answer.sources.filter((source) => answer.citations.some((citation) => citation.n === source.n))
  const others = answer.sources.filter((source) => !cited.includes(source))
  const card = (/** @type {import("./reducer.js").SourceInfo} */ source) => sourceCard(source, bestCitation(answer.citations, source.n), `${prefix}-${source.n}`, words)
  if (!cited.length) return folded("sources found", `${prefix}-title`, fill(words.passagesFound, { n: others.length }), others.map(card))
  const list = h("ol", { "aria-labelledby": `${prefix}-title`, class: "cards", tabindex: "0" }, ...cited.map(card))
  const grounding = groundingText(answer.grounding, words)
  return h(
    "div", { class: "sources" },
    h("h4", { id: `${prefix}-title` }, words.sources), grounding ? h("p", { class: "grounding" }, grounding) : null, list,
    others.length ? folded("also-read", `${prefix}-also`, fill(words.alsoRead, { n: others.length }), others.map(card)) : null,
  )
}

/** @param {string} name @param {string} id @param {string} label @param {HTMLElement[]} cards */
function folded(name, id, label, cards) {
  return h("details", { class: name }, h("summary", { id }, icon("book"), h("span", {}, label), icon("chevron")), h("ol", { "aria-labelledby": id, class: "cards", tabindex: "0" }, ...cards))
}
