/** Long repeats of a text as references to where it said the same before: gzip's window of 32 KB is too short to see them. */

/** Characters of a repeat at least; every so many places of the text are looked up. */
const LEAST = 32
const STEP = 8
const KEY = LEAST - STEP + 1
/** Begins a reference; a text of JSON has no control characters. */
const MARK = "\x01"
/** Numbers are written in 47 signs that go on and 47 others for the last one. */
const BASE = 47
const GOES_ON = 0x21
const LAST = GOES_ON + BASE

/** @param {number} value @returns {string} */
function number(value) {
  let written = String.fromCharCode(LAST + (value % BASE))
  for (let rest = Math.floor(value / BASE); rest; rest = Math.floor(rest / BASE)) written = String.fromCharCode(GOES_ON + (rest % BASE)) + written
  return written
}

/** @param {string} text @param {number} at @returns {boolean} whether a character of two halves would be cut there */
const cuts = (text, at) => (text.charCodeAt(at) & 0xfc00) === 0xdc00

/**
 * The longest repeat around two places where the same begins.
 * @param {string} text @param {number} from @param {number} at @param {number} least where the repeat may begin
 */
function repeat(text, from, at, least) {
  let length = KEY
  while (at > least && from > 0 && text[at - 1] === text[from - 1]) at--, from--, length++
  while (text[at + length] !== undefined && text[at + length] === text[from + length]) length++
  length = Math.min(length, at - from)
  if (cuts(text, at)) at++, from++, length--
  if (cuts(text, at + length)) length--
  return { from, at, length }
}

/** Takes a text piece by piece. */
export class Folder {
  #text = ""
  /** @type {Map<string, number>} */
  #seen = new Map()
  #indexed = 0

  /** @param {string} piece without control characters @returns {string} the same, shorter where it repeats what came before */
  fold(piece) {
    let done = this.#text.length
    const text = (this.#text += piece)
    let folded = ""
    for (let at = done; at + KEY <= text.length; ) {
      for (; this.#indexed + KEY <= at; this.#indexed += STEP) this.#note(text.slice(this.#indexed, this.#indexed + KEY))
      const seen = this.#seen.get(text.slice(at, at + KEY))
      const found = seen === undefined ? null : repeat(text, seen, at, done)
      if (found && found.length >= LEAST) {
        folded += text.slice(done, found.at) + MARK + number(found.from) + number(found.length)
        at = done = found.at + found.length
      } else at++
    }
    return folded + text.slice(done)
  }

  /** What is said for the third time is the first one again, so that references to it are alike. @param {string} key */
  #note(key) {
    if (!this.#seen.has(key)) this.#seen.set(key, this.#indexed)
  }
}

/**
 * @param {string} folded
 * @param {number} length of the text
 * @returns {string} the text; what is no folded text of that length throws
 */
export function unfold(folded, length) {
  const text = new Uint16Array(length)
  let [at, end] = [0, 0]
  const readNumber = () => {
    let value = 0
    for (;;) {
      const sign = folded.charCodeAt(at++) - GOES_ON
      if (!(sign >= 0 && sign < 2 * BASE)) throw new RangeError("no number")
      value = value * BASE + (sign % BASE)
      if (sign >= BASE) return value
    }
  }
  while (at < folded.length) {
    if (folded[at] === MARK) {
      at++
      const [from, size] = [readNumber(), readNumber()]
      if (from + size > end || end + size > length) throw new RangeError("no such repeat")
      text.copyWithin(end, from, from + size)
      end += size
    } else text[end++] = folded.charCodeAt(at++)
  }
  if (end !== length) throw new RangeError("another length")
  return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(text)
}
