/** What the database has not committed yet: written at once when a page goes away, and taken over by the page that comes next. */

/** @typedef {import("./threads.js").Thread} Thread */
/** @typedef {{base: number, count: number, thread: Thread}} Entry `base`: when the thread was last stored, as far as its page knew; `count` of all its turns */

/** Characters of one entry; a browser gives a site about five million in all. */
const MOST = 400_000

/**
 * The newest turns of a thread that fit, the last one always.
 * @param {Thread} thread
 * @param {number} [most] characters
 * @returns {Thread}
 */
export function tailOf(thread, most = MOST) {
  let room = most
  const first = thread.turns.findLastIndex((turn) => (room -= JSON.stringify(turn).length) < 0)
  return first < 0 ? thread : { ...thread, turns: thread.turns.slice(Math.min(first + 1, thread.turns.length - 1)) }
}

/** The entries of one book, in the only storage that is written before a page is gone. */
export class Journal {
  #prefix

  /** @param {string} prefix `askbook:<site path>:<col>:<book>` */
  constructor(prefix) {
    this.#prefix = `${prefix}:journal:`
  }

  /** @param {Entry} entry */
  write({ base, count, thread }) {
    try {
      localStorage.setItem(this.#prefix + thread.id, JSON.stringify({ base, count, thread: tailOf(thread) }))
    } catch {
      // full or forbidden: what the database has is what is left
    }
  }

  /** @returns {any[]} entries as they were found */
  entries() {
    return this.#keys().map((key) => {
      try {
        return JSON.parse(localStorage.getItem(key) ?? "null")
      } catch {
        return null
      }
    })
  }

  /** @param {string} id of a thread that is stored, or wanted no more */
  drop(id) {
    try {
      localStorage.removeItem(this.#prefix + id)
    } catch {
      // nothing was kept
    }
  }

  clear() {
    for (const key of this.#keys()) localStorage.removeItem(key)
  }

  /** @returns {string[]} */
  #keys() {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(this.#prefix))
    } catch {
      return []
    }
  }
}
