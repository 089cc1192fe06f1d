/** Bits by their odds: several guesses at the next bit are mixed into one, learn from what it was, and a coder writes what they missed. */

/** Guesses at each bit, and places each of them may be kept in. */
export const GUESSES = 5
export const PLACES = 1 << 18
/** Mixtures to choose from. */
export const MIXTURES = 256
/** How sure a mixture may be, in natural logarithms, and steps of the tables from one logarithm to the next. */
const SUREST = 8
const STEPS = 256
const MOST_SURE = SUREST - 1 / STEPS
/** How fast a mixture learns, and what each guess counts for before. */
const LEARNING = 0.005
const WEIGHT = 0.25
/** A place has seen at most so many bits: one that forgets soon, and one that keeps long. */
const SEEN = Uint8Array.of(5, 120, 255, 255, 60)
const EVEN = 1 << 15

/** From odds as logarithms to a share: made by additions and products alone, so that every browser makes the same. */
const SHARES = shares()
/** And from a share of 4096 back. */
const ODDS = odds(SHARES)
/** How far a place goes towards a bit it has seen so many others before. */
const PACES = Int32Array.from({ length: 256 }, (_, seen) => Math.floor(65_536 / (seen + 1.6)))

function shares() {
  let root = 1
  for (let at = 1, term = 1; at < 16; at++) root += term /= STEPS * at
  const half = SUREST * STEPS
  const made = new Float64Array(2 * half + 1)
  for (let at = 0, power = 1; at <= half; at++, power *= root) {
    made[half + at] = power / (1 + power)
    made[half - at] = 1 / (1 + power)
  }
  return made
}

/** @param {Float64Array} known */
function odds(known) {
  const made = new Float64Array(4096)
  let at = 0
  for (let share = 0; share < 4096; share++) {
    const wanted = (share + 0.5) / 4096
    while (at < known.length - 2 && known[at + 1] < wanted) at++
    made[share] = (at + (wanted - known[at]) / (known[at + 1] - known[at])) / STEPS - SUREST
  }
  return made
}

/** What is guessed of each next bit; `places` says where each guess is kept. */
export class Odds {
  places = new Int32Array(GUESSES)
  #shares = new Uint16Array(GUESSES * PLACES).fill(EVEN)
  #seen = new Uint8Array(GUESSES * PLACES)
  #weights = new Float64Array(GUESSES * MIXTURES).fill(WEIGHT)
  #guesses = new Float64Array(GUESSES)
  #from = 0
  #share = 0.5

  /** @param {number} mixture that weighs the guesses @returns {number} how likely the next bit is a one */
  guess(mixture) {
    const from = (this.#from = mixture * GUESSES)
    let sum = 0
    for (let at = 0; at < GUESSES; at++) {
      const guess = (this.#guesses[at] = ODDS[this.#shares[at * PLACES + this.places[at]] >> 4])
      sum += this.#weights[from + at] * guess
    }
    const sure = sum > MOST_SURE ? MOST_SURE : sum < -MOST_SURE ? -MOST_SURE : sum
    return (this.#share = SHARES[Math.floor((sure + SUREST) * STEPS)])
  }

  /** @param {number} bit that came */
  learn(bit) {
    const missed = (bit - this.#share) * LEARNING
    for (let at = 0; at < GUESSES; at++) {
      this.#weights[this.#from + at] += missed * this.#guesses[at]
      const place = at * PLACES + this.places[at]
      const share = this.#shares[place]
      this.#shares[place] = share + (((bit ? 65_535 - share : -share) * PACES[this.#seen[place]]) >> 16)
      if (this.#seen[place] < SEEN[at]) this.#seen[place]++
    }
  }
}

/** Takes bits and writes bytes. */
export class BitWriter {
  #low = 0
  #high = 0xffffffff
  #bytes = new Uint8Array(1 << 16)
  #length = 0

  /** @param {number} bit @param {number} share how likely a one was @returns {number} the bit */
  code(bit, share) {
    const middle = this.#low + Math.floor((this.#high - this.#low) * share)
    if (bit) this.#high = middle
    else this.#low = middle + 1
    for (; (this.#low ^ this.#high) >>> 24 === 0; this.#low = (this.#low << 8) >>> 0, this.#high = ((this.#high << 8) | 255) >>> 0) this.#write(this.#high >>> 24)
    return bit
  }

  /** @param {number} byte */
  #write(byte) {
    if (this.#length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#length)
      longer.set(this.#bytes)
      this.#bytes = longer
    }
    this.#bytes[this.#length++] = byte
  }

  /** @returns {Uint8Array<ArrayBuffer>} all that was written */
  end() {
    for (let left = 4; left; left--, this.#low = (this.#low << 8) >>> 0) this.#write(this.#low >>> 24)
    return this.#bytes.slice(0, this.#length)
  }
}

/** Takes bytes and gives bits. */
export class BitReader {
  #low = 0
  #high = 0xffffffff
  #value = 0
  #bytes
  #at = 0

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes
    for (let left = 4; left; left--) this.#value = this.#next()
  }

  #next() {
    return ((this.#value << 8) | (this.#bytes[this.#at++] ?? 0)) >>> 0
  }

  /** @param {number} _ is not known @param {number} share how likely a one is @returns {number} the bit */
  code(_, share) {
    const middle = this.#low + Math.floor((this.#high - this.#low) * share)
    const bit = this.#value <= middle ? 1 : 0
    if (bit) this.#high = middle
    else this.#low = middle + 1
    for (; (this.#low ^ this.#high) >>> 24 === 0; this.#low = (this.#low << 8) >>> 0, this.#high = ((this.#high << 8) | 255) >>> 0) this.#value = this.#next()
    return bit
  }
}
