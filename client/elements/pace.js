/**
 * How often a growing answer is drawn: as often as something comes while that costs the page little, more seldom where it costs
 * more, so that an answer costs about the same, whatever it is made of, and a slow one no more than a small share of its time.
 */

/** What the page may spend in advance, so that an answer begins fluently. */
const START_MS = 40
/** What it may spend for each character that came … */
const CHARACTER_MS = 0.016
/** … or, where that is more, for each millisecond since the answer began, so that one that comes slowly is not shown in lumps. */
const TIME_MS = 0.0075
/** No reader waits longer for what has come, whatever it costs. */
const LONGEST_MS = 500
/** What a drawing costs beside what can be measured: the message, the timer, handing over to the compositor. */
const DRAWING_MS = 0.3
/** What is too much for one frame goes on in the next. */
const FRAME_MS = 16

/** Decides when to draw, and keeps account of what that cost. */
export class Pace {
  #draw
  #timer = 0
  #spent = 0
  #came = 0
  #began = 0
  #more = false
  #posted = false
  #drawn = -Infinity
  #frame = 0
  #framed = 0
  #after = new MessageChannel()
  #next = new MessageChannel()

  /** @param {() => "" | "a frame" | "a task"} draw what came since the last time, or as much as fits into a task; tells what the rest waits for, if any is left */
  constructor(draw) {
    this.#draw = draw
    this.#next.port1.onmessage = () => {
      this.#posted = false
      if (this.#more) this.now()
    }
    this.#after.port1.onmessage = () => (this.#spent += performance.now() - this.#framed)
  }

  /** An answer begins. */
  begin() {
    clearTimeout(this.#timer)
    this.#timer = this.#spent = this.#came = 0
    this.#more = false
    this.#drawn = -Infinity
    this.#began = performance.now()
  }

  /** Something came. @param {number} characters @param {"at once" | "in time" | "never"} when it is to be drawn */
  came(characters, when) {
    this.#came += characters
    if (when === "never") return
    if (this.#more && when === "in time") return // the next frame draws it
    const now = performance.now()
    const may = START_MS + Math.max(this.#came * CHARACTER_MS, (now - this.#began) * TIME_MS)
    const wait = when === "at once" || this.#spent <= may ? 0 : this.#drawn + LONGEST_MS - now
    if (wait <= 0) this.now()
    else this.#timer ||= window.setTimeout(() => this.now(), wait)
  }

  /** Draw without waiting, and go on with the next frames or tasks until all is drawn. */
  now() {
    clearTimeout(this.#timer)
    const began = (this.#drawn = performance.now())
    const left = this.#draw()
    this.#more = left !== ""
    this.#timer = left === "a frame" ? window.setTimeout(() => this.now(), FRAME_MS) : 0
    if (left === "a task" && !this.#posted) this.#next.port2.postMessage((this.#posted = true)) // no timer of a hidden page is as fast
    this.#spent += performance.now() - began + DRAWING_MS
    if (!document.hidden) this.#frame ||= requestAnimationFrame(() => this.#watch())
  }

  /** Adds what style, layout and painting of this frame cost. */
  #watch() {
    this.#frame = 0
    this.#framed = performance.now()
    this.#after.port2.postMessage(0)
  }
}
