/** Reads a response for Python: what comes within a tenth of a second is handed over in one piece, for handing over costs more than reading. */

/** Least time between two pieces; an answer is drawn no more often. */
const APART_MS = 100
/** So many bytes are held at most, some 300 deltas: a stream that floods in faster waits, and leaves the processors to whoever presses Stop. */
const MOST = 65_536

/** One body, read to its end. */
export class Pump {
  #reader
  #streams
  /** @type {Uint8Array[]} */
  #pieces = []
  #size = 0
  #over = false
  /** @type {unknown} what broke it off */
  #fault
  #given = -Infinity
  #wake = () => {}
  #room = () => {}

  /** @param {ReadableStream<Uint8Array>} body @param {boolean} streams whether each piece of it is work, and not only the whole */
  constructor(body, streams) {
    this.#reader = body.getReader()
    this.#streams = streams
    void this.#run()
  }

  async #run() {
    try {
      for (;;) {
        const { value, done } = await this.#reader.read()
        if (done) break
        this.#pieces.push(value)
        this.#size += value.length
        this.#wake()
        if (this.#size >= MOST) await new Promise((resolve) => (this.#room = () => resolve(null)))
      }
    } catch (fault) {
      this.#fault = fault
    }
    this.#over = true
    this.#wake()
  }

  /**
   * The next piece, empty at the end.
   * @param {number} patience milliseconds
   * @returns {Promise<Uint8Array | null>} null where nothing came for so long
   */
  async read(patience) {
    if (!(await this.#until(() => this.#size > 0 || this.#over, patience))) return null
    await this.#until(() => this.#over || (!this.#streams && this.#size >= MOST), this.#given + APART_MS - performance.now())
    if (!this.#size && this.#fault !== undefined) throw this.#fault
    this.#given = performance.now()
    return this.#take()
  }

  /** @param {() => boolean} met @param {number} longest milliseconds @returns {Promise<boolean>} whether it was met */
  #until(met, longest) {
    if (met() || longest <= 0) return Promise.resolve(met())
    return new Promise((resolve) => {
      const end = (/** @type {boolean} */ well) => {
        clearTimeout(timer)
        this.#wake = () => {}
        resolve(well)
      }
      const timer = setTimeout(end, longest, false)
      this.#wake = () => {
        if (met()) end(true)
      }
    })
  }

  #take() {
    const whole = this.#pieces.length === 1 ? this.#pieces[0] : new Uint8Array(this.#size)
    let at = 0
    if (this.#pieces.length > 1) for (const piece of this.#pieces) whole.set(piece, at), (at += piece.length)
    this.#pieces = []
    this.#size = 0
    this.#room()
    return whole
  }

  /** Nobody reads on. */
  close() {
    this.#room()
    void this.#reader.cancel().catch(() => {})
  }
}

/** @param {ReadableStream<Uint8Array>} body @param {boolean} [streams] */
export const pump = (body, streams = true) => new Pump(body, streams)
