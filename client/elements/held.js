/** What came of an answer and is not drawn yet: given out in slices, each of them little enough for one frame. */

/** @typedef {import("../protocol.js").Patch} Patch */

/** Characters of HTML that one frame draws; more frames would cost more in all … */
const SLICE = 9_000
/** … of which a formula is worth so many. */
const FORMULA = 200
/** In so many frames everything is shown that was waiting at most, even if a frame then takes longer. */
export const FRAMES = 30
const FORMULAS = /class="math/g

/** Events and patches in the order they came. */
export class Held {
  /** @type {any[]} */
  #events = []
  /** @type {Patch[]} */
  #patches = []
  #weight = 0
  /** The most it was worth since it was last empty. */
  #peak = 0

  /** @param {any[]} events @param {Patch[]} patches */
  add(events, patches) {
    for (const event of events) if (event.type === "part-end" && event.state === "aborted" && event.value === null) this.#forget(event.part)
    this.#events.push(...events)
    for (const patch of patches) this.#join(patch)
    this.#peak = Math.max(this.#peak, this.#weight)
  }

  /** An attempt was taken back. @param {number} gone */
  #forget(gone) {
    this.#patches = this.#patches.filter(({ part }) => part !== gone)
    this.#weight = sum(this.#patches)
  }

  /** Text that goes on with text is added with it. @param {Patch} patch */
  #join(patch) {
    this.#weight += weight(patch)
    const last = this.#patches.at(-1)
    if (last?.text && patch.text && last.part === patch.part && last.block === patch.block) this.#patches[this.#patches.length - 1] = { ...last, text: last.text + patch.text }
    else this.#patches.push(patch)
  }

  /**
   * @param {boolean} [hurried] as little at a time as there may be, since nothing waits for frames
   * @returns {{events: any[], patches: Patch[], more: boolean}} what is drawn next; the end of the answer comes with the last of it, other events at once
   */
  take(hurried = false) {
    const count = this.#fitting(hurried ? 0 : this.#peak / FRAMES)
    const patches = this.#patches.splice(0, count)
    const more = this.#patches.length > 0
    this.#weight -= sum(patches)
    if (!more) this.#peak = 0
    const kept = (/** @type {any} */ event) => more && event.type === "exchange-end"
    const events = this.#events.filter((event) => !kept(event))
    this.#events = this.#events.filter(kept)
    return { events, patches, more }
  }

  /** @param {number} share of it that is drawn even if that is more than a slice @returns {number} how many patches a task draws */
  #fitting(share) {
    let [count, drawn] = [0, 0]
    while (count < this.#patches.length) {
      const next = weight(this.#patches[count])
      if (count && drawn >= share && drawn + next > SLICE) break
      drawn += next
      count++
    }
    return count
  }
}

/** @param {{html?: string, text?: string}} patch @returns {number} characters of HTML it is worth */
function weight({ html = "", text = "" }) {
  return text.length + html.length + FORMULA * (html.match(FORMULAS)?.length ?? 0)
}

/** @param {Patch[]} patches */
const sum = (patches) => patches.reduce((all, patch) => all + weight(patch), 0)
