/** An answer that was cut and is gone on with: its last text goes on, whatever else comes stands behind it. */

/** @typedef {import("./reducer.js").Answer} Answer */

/** Numbers of the endpoint, as far as it tells them. @param {number | null | undefined} a @param {number | null | undefined} b */
const sum = (a, b) => (a == null ? (b ?? null) : a + (b ?? 0))

/** What an answer has before an exchange goes on with it. */
export class Earlier {
  /** @type {string[]} its texts, the last of which goes on */
  texts
  #first
  #last
  #usage

  /** @param {Answer} answer */
  constructor(answer) {
    const texts = answer.parts.filter((part) => part.kind === "text")
    this.texts = texts.map((part) => part.text)
    this.#first = Math.max(-1, ...answer.parts.map((part) => part.part)) + 1
    this.#last = texts.at(-1)?.part ?? 0
    this.#usage = answer.usage
  }

  /** @param {number} part of the exchange; below zero, what goes on with the last text @returns {number} of the answer */
  number(part) {
    return part < 0 ? this.#last : part + this.#first
  }

  /** @param {any} event of the exchange @returns {any} the same, as the whole answer takes it */
  join(event) {
    if (event.type === "exchange-end") return { ...event, usage: this.#joinUsage(event.usage), message: null } // it holds the continuation alone
    if (typeof event.part !== "number") return event
    const placed = { ...event, part: this.number(event.part) }
    if (event.part >= 0) return placed
    if (event.type === "part-start") return { ...placed, type: "part-resume" }
    if (event.type !== "part-end") return placed
    const takenBack = event.value === null // the first half stands as it did
    return { ...placed, state: takenBack ? "completed" : event.state, value: { type: "text", text: this.texts.at(-1) + (event.value?.text ?? "") } }
  }

  /** @param {Answer["usage"]} told */
  #joinUsage(told) {
    const before = this.#usage
    return before || told ? { input: sum(before?.input, told?.input), output: sum(before?.output, told?.output) } : null
  }
}
