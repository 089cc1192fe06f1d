/** Model tokens used today, held against the limit a reader has set. */

/** @param {Date} now @returns {string} the reader's own day */
const dayOf = (now) => `${now.getFullYear()}-${now.getMonth() + 1}-${now.getDate()}`

/** Characters that make a token, taken as few since Chinese has one to two. */
const CHARACTERS = 2

/**
 * What an answer may have taken, where its endpoint does not say.
 * @param {import("./reducer.js").Answer} answer
 * @param {number} context characters of the book sent along, 0 for as many as there were
 * @returns {{input: number, output: number} | null} null where no model was asked, or none heard the question
 */
export function estimated({ mode, state, estimate, parts, sources }, context) {
  if (mode === "extractive" || mode === "" || estimate || (state === "error" && !parts.length)) return null
  const length = (/** @type {unknown} */ value) => JSON.stringify(value ?? "").length
  const output = parts.reduce((sum, part) => sum + part.text.length, 0)
  const found = parts.reduce((sum, part) => sum + length(part.result), 0)
  const input = (context || length(sources)) + found
  return { input: Math.ceil(input / CHARACTERS), output: Math.ceil(output / CHARACTERS) }
}

/** The tokens of one site in this browser; where nothing can be stored, of this page. */
export class Allowance {
  #name
  #now
  /** @type {{day: string, tokens: number}} */
  #used = { day: "", tokens: 0 }

  /** @param {string} prefix `askbook:<site path>` @param {() => Date} [now] */
  constructor(prefix, now = () => new Date()) {
    this.#name = `${prefix}:used`
    this.#now = now
  }

  /** Tokens used today. */
  get used() {
    try {
      const stored = JSON.parse(localStorage.getItem(this.#name) ?? "null")
      if (typeof stored?.day === "string" && Number.isFinite(stored.tokens)) this.#used = stored
    } catch {
      // unreadable or forbidden: what this page knows
    }
    return this.#used.day === dayOf(this.#now()) ? this.#used.tokens : 0
  }

  /** @param {{input: number | null, output: number | null} | null} usage of an answer, as the endpoint reported it */
  add(usage) {
    this.#used = { day: dayOf(this.#now()), tokens: this.used + (usage?.input ?? 0) + (usage?.output ?? 0) }
    try {
      localStorage.setItem(this.#name, JSON.stringify(this.#used))
    } catch {
      // counted for this page
    }
  }

  /** @param {number} limit 0 for none @returns {boolean} whether the model may be asked once more */
  allows(limit) {
    return limit === 0 || this.used < limit
  }

  forget() {
    this.#used = { day: "", tokens: 0 }
    try {
      localStorage.removeItem(this.#name)
    } catch {
      // nothing was kept
    }
  }
}
