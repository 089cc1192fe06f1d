/** An answer that was cut and is gone on with: what comes is part of it, and what it had stays as it was. */

/** @typedef {import("./reducer.js").Answer} Answer */

/** @param {any[]} citations how many of them were checked */
const checked = (citations) => citations.filter(({ support }) => support !== "unchecked").length

/** Numbers of the endpoint, as far as it tells them. @param {number | null | undefined} a @param {number | null | undefined} b */
const sum = (a, b) => (a == null ? (b ?? null) : a + (b ?? 0))

/** What an answer has before an exchange goes on with it. */
export class Earlier {
  /** Number of the first part that is new. */
  first
  #citations
  #grounding
  #usage

  /** @param {Answer} answer */
  constructor(answer) {
    this.first = Math.max(-1, ...answer.parts.map((part) => part.part)) + 1
    this.#citations = answer.citations
    this.#grounding = answer.grounding
    this.#usage = answer.usage
  }

  /** @param {any} event of the exchange @returns {any} the same, as the whole answer takes it */
  join(event) {
    const placed = typeof event.part === "number" ? { ...event, part: event.part + this.first } : event
    if (event.type === "citations") return { ...placed, ...this.#joinCitations(event) }
    if (event.type === "exchange-end") return { ...placed, usage: this.#joinUsage(event.usage), message: null } // it holds the continuation alone
    return placed
  }

  /** Marks are counted anew from the first new part on, which each new citation therefore names. @param {{citations: any[], grounding: number | null}} told */
  #joinCitations({ citations, grounding }) {
    const joined = [...this.#citations, ...citations.map((citation) => ({ ...citation, from: this.first }))]
    const [before, after] = [checked(this.#citations), checked(citations)]
    return { citations: joined, grounding: before + after ? ((this.#grounding ?? 0) * before + (grounding ?? 0) * after) / (before + after) : null }
  }

  /** @param {Answer["usage"]} told */
  #joinUsage(told) {
    const before = this.#usage
    return before || told ? { input: sum(before?.input, told?.input), output: sum(before?.output, told?.output) } : null
  }
}

/**
 * The citation of each mark, stretch by stretch: an answer that was gone on with has several, and marks are counted in each by itself.
 * @template T
 * @param {Answer["citations"]} citations
 * @param {{part: number, marks: T[]}[]} texts in their order
 * @returns {[T, any][]}
 */
export function citationsOfMarks(citations, texts) {
  const starts = [...new Set([0, ...citations.map(({ from = 0 }) => from)])].sort((a, b) => b - a)
  /** @type {Map<number, T[]>} */
  const stretches = new Map()
  for (const { part, marks } of texts) {
    const start = starts.find((one) => one <= part) ?? 0
    stretches.set(start, [...(stretches.get(start) ?? []), ...marks])
  }
  return citations.flatMap((citation) => {
    const mark = stretches.get(citation.from ?? 0)?.[citation.mark]
    return mark === undefined ? [] : [/** @type {[T, any]} */ ([mark, citation])]
  })
}
