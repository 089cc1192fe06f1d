/**
 * How often a growing answer is drawn: as often as something comes while that costs the page little, more seldom where it costs
 * more, so that an answer costs about the same, whatever it is made of, and a slow one no more than a small share of its time.
 */

/** What the page may spend in advance, so that an answer begins fluently. */
const START_MS = 50
/** What it may spend for each character that came. */
const CHARACTER_MS = 0.014
/** What it may spend for each millisecond since the answer began, so that one that comes slowly is not shown in lumps. */
const TIME_MS = 0.012
/** No reader waits longer for what has come. */
const LONGEST_MS = 500
/** What a drawing costs beside what can be measured: the message, the timer, handing over to the compositor. */
const DRAWING_MS = 0.6

/** Decides when to draw, and keeps account of what that cost. */
export class Pace {
  #draw
  #timer = 0
  #spent = 0
  #came = 0
  #began = 0
  #drawn = -Infinity
  #frame = 0

  /** @param {() => void} draw what came since the last time */
  constructor(draw) {
    this.#draw = draw
  }

  /** An answer begins. */
  begin() {
    clearTimeout(this.#timer)
    this.#timer = this.#spent = this.#came = 0
    this.#drawn = -Infinity
    this.#began = performance.now()
  }

  /** Something came. @param {number} characters @param {boolean} urgent whether it is drawn at once */
  came(characters, urgent) {
    this.#came += characters
    const now = performance.now()
    const may = START_MS + this.#came * CHARACTER_MS + (now - this.#began) * TIME_MS
    const wait = urgent || this.#spent <= may ? 0 : this.#drawn + LONGEST_MS - now
    if (wait <= 0) this.now()
    else this.#timer ||= window.setTimeout(() => this.now(), wait)
  }

  /** Draw without waiting. */
  now() {
    clearTimeout(this.#timer)
    this.#timer = 0
    const began = (this.#drawn = performance.now())
    this.#draw()
    this.#spent += performance.now() - began + DRAWING_MS
    if (!document.hidden) this.#frame ||= requestAnimationFrame(() => this.#watch())
  }

  /** Adds what style, layout and painting of this frame cost. */
  #watch() {
    this.#frame = 0
    const began = performance.now()
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      this.#spent += performance.now() - began
      port1.close()
    }
    port2.postMessage(0)
  }
}
