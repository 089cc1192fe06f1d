/** A text in as few bytes as can be made of it within a reader's patience: its signs are sorted by what follows them, then guessed. */
import { BitReader, BitWriter, MIXTURES, Odds, PLACES } from "./odds.js"
import { backward, forward } from "./sorting.js"

/** Signs in one step. */
const STEP = 400
/** Places of guesses that are chosen by what a sign may be, in front of those chosen by how often signs came again. */
const AGAIN = PLACES / 2

/** @typedef {BitWriter | BitReader} Coder */

/** @param {number} a @param {number} b @returns {number} a place that is seldom another's */
function hashed(a, b) {
  let mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return (mixed ^ (mixed >>> 13)) & (PLACES - 1)
}

/** Signs that are sorted by what follows them: most of them are one of the last three. */
class Signs {
  #odds = new Odds()
  #coder
  #width
  /** The last three that came, each of them once. @type {number} */
  #one
  /** @type {number} */
  #two
  /** @type {number} */
  #three
  /** Which of the last signs those were that came, two bits each; and how often the last one has come again. */
  #history = 0
  #run = 0

  /** @param {Coder} coder @param {number} count of different signs */
  constructor(coder, count) {
    this.#coder = coder
    this.#width = 32 - Math.clz32(count)
    ;[this.#one, this.#two, this.#three] = [count + 1, count + 2, count + 3]
  }

  /** @param {number} sign what is written; anything where signs are read @returns {number} the sign */
  code(sign) {
    if (this.#isAgain(0, sign === this.#one)) {
      this.#run++
      this.#history = (this.#history << 2) & 0xfff
      return this.#one
    }
    const again = this.#isAgain(1, sign === this.#two) ? 1 : this.#isAgain(2, sign === this.#three) ? 2 : 3
    const found = again === 1 ? this.#two : again === 2 ? this.#three : this.#fresh(sign)
    this.#run = 0
    this.#history = ((this.#history << 2) | again) & 0xfff
    if (again > 1) this.#three = this.#two
    this.#two = this.#one
    this.#one = found
    return found
  }

  /** @param {number} nth of the last signs @param {boolean} is it @returns {number} whether it came again */
  #isAgain(nth, is) {
    const { places } = this.#odds
    const [one, two, near] = [this.#one, this.#two, this.#history & 63]
    places[0] = AGAIN + near * 4 + nth
    places[1] = AGAIN + this.#history * 4 + nth
    places[2] = hashed(one * 4 + nth, 1)
    places[3] = hashed(one * 4 + nth, two * 8 + 2 + (this.#history & 3))
    places[4] = AGAIN + (Math.min(this.#run, 40) * 64 + near) * 4 + nth
    return this.#bit(is ? 1 : 0, nth * 16 + Math.min(this.#run, 15))
  }

  /** @param {number} sign @returns {number} one that was none of the last */
  #fresh(sign) {
    const { places } = this.#odds
    const [one, two, near] = [this.#one, this.#two, this.#history & 15]
    let node = 1
    for (let bit = this.#width - 1; bit >= 0; bit--) {
      places[0] = places[1] = node % AGAIN
      places[2] = hashed(node, one * 2 + 3)
      places[3] = hashed(node, one * 8192 + two + 7)
      places[4] = (node * 16 + near) % AGAIN
      node = node * 2 + this.#bit((sign >> bit) & 1, 64 + Math.min(this.#width - 1 - bit, 11) * 16 + near)
    }
    return node - (1 << this.#width)
  }

  /** @param {number} bit @param {number} mixture @returns {number} */
  #bit(bit, mixture) {
    const coded = this.#coder.code(bit, this.#odds.guess(mixture % MIXTURES))
    this.#odds.learn(coded)
    return coded
  }
}

/** A number by its length and its bits. @param {Coder} coder @param {number} value @returns {number} */
function number(coder, value) {
  const length = 32 - Math.clz32(value)
  let found = 0
  while (coder.code(found < length ? 1 : 0, 0.75) && found < 32) found++
  let read = found ? 1 : 0
  for (let bit = found - 2; bit >= 0; bit--) read = read * 2 + coder.code((value >>> bit) & 1, 0.5)
  return read
}

/** @param {string} text @returns {number} by which a text is known again */
export function sumOf(text) {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}

/** @param {string} text @returns {Generator<void, Uint8Array<ArrayBuffer>>} in steps */
export function* squeeze(text) {
  const codes = units(text)
  const alphabet = [...new Set(codes)].sort((a, b) => a - b)
  const places = new Map(alphabet.map((code, at) => [code, at + 1]))
  const sorted = yield* forward(Int32Array.from(codes, (code) => /** @type {number} */ (places.get(code))))
  const coder = new BitWriter()
  for (const head of [text.length, sorted.end, alphabet.length]) number(coder, head)
  alphabet.forEach((code, at) => number(coder, code - (alphabet[at - 1] ?? -1)))
  const signs = new Signs(coder, alphabet.length)
  for (let at = 0; at < codes.length; at++) {
    signs.code(sorted.signs[at])
    if (at % STEP === 0) yield
  }
  return coder.end()
}

/** @param {string} text @returns {Uint16Array} */
function units(text) {
  const made = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) made[at] = text.charCodeAt(at)
  return made
}

/**
 * @param {Uint8Array} bytes
 * @param {number} most characters there may be
 * @returns {Generator<void, string>} in steps; what is no such text throws
 */
export function* release(bytes, most) {
  const coder = new BitReader(bytes)
  const [length, end, count] = [number(coder, 0), number(coder, 0), number(coder, 0)]
  if (length > most || end > length || count > 0x10000) throw new RangeError("no such text")
  const alphabet = new Uint16Array(count + 1)
  for (let at = 1, code = -1; at <= count; at++) alphabet[at] = code += number(coder, 0)
  const signs = new Signs(coder, count)
  const sorted = new Int32Array(length)
  for (let at = 0; at < length; at++) {
    sorted[at] = signs.code(0)
    if (sorted[at] < 1 || sorted[at] > count) throw new RangeError("no such sign")
    if (at % STEP === 0) yield
  }
  const text = Uint16Array.from(backward(sorted, end), (sign) => alphabet[sign])
  return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(text)
}
