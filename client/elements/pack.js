/** Turns of a thread as few bytes: repeats folded, then gzip; where room is short, denser and slower; as they are where a browser cannot. */
import { breaths } from "./breath.js"
import { Folder, unfold } from "./repeats.js"

/**
 * @typedef {{form: "plain", turns: unknown[]}} Plain
 * @typedef {{form: "utf-8" | "utf-16le" | "dense", length: number, sum?: number, bytes: Uint8Array | string}} Folded `length` of the text; `sum`
 *   of the folded one, where its form has none; bytes as base64 where storage takes text only
 * @typedef {Plain | Folded} Packed
 */

/** @param {BlobPart} bytes @param {ReadableWritablePair} transform @returns {Promise<Uint8Array<ArrayBuffer>>} */
const piped = async (bytes, transform) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer())

/** @param {string} text @returns {Uint16Array<ArrayBuffer>} */
function units(text) {
  const made = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) made[at] = text.charCodeAt(at)
  return made
}

/** Chinese takes a tenth less in two bytes a character than in three. @param {string} text @returns {"utf-8" | "utf-16le"} */
const formOf = (text) => ((text.match(/[\u0800-\uffff]/g)?.length ?? 0) * 4 > text.length ? "utf-16le" : "utf-8")

/** @param {Uint8Array} bytes */
const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))

/** @param {string} text */
const fromBase64 = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

/** Goes through the steps of long work, with pauses. @template T @param {Generator<void, T>} steps @returns {Promise<T>} */
async function paced(steps) {
  const breath = breaths()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await breath()
  }
}

/**
 * @param {readonly unknown[]} turns JSON values
 * @param {{asText?: boolean}} [how] `asText`: for storage that takes text only, where it is shorter so
 * @returns {Promise<Packed>}
 */
export async function pack(turns, { asText = false } = {}) {
  /** @type {Plain} */
  const plain = { form: "plain", turns: [...turns] }
  if (!globalThis.CompressionStream) return plain
  const folder = new Folder()
  const breath = breaths()
  let [folded, length] = ["", 0]
  for (const turn of turns) {
    const line = `${JSON.stringify(turn)}\n`
    length += line.length
    folded += folder.fold(line)
    await breath()
  }
  const form = formOf(folded)
  const bytes = await piped(form === "utf-8" ? new TextEncoder().encode(folded) : units(folded), new CompressionStream("gzip"))
  if (!asText) return { form, length, bytes }
  const text = toBase64(bytes)
  return text.length < length ? { form, length, bytes: text } : plain
}

/** @param {any} packed @returns {number} bytes it takes, as far as it is folded */
export const sizeOf = (packed) => packed?.bytes?.length ?? 0

/** @param {any} one @param {any} other @returns {boolean} whether both are packed to the same bytes */
export function isSame(one, other) {
  const [bytes, others] = [one?.bytes ?? "", other?.bytes ?? ""]
  if (one?.form !== other?.form || one?.length !== other?.length || bytes.length !== others.length) return false
  return typeof bytes === "string" ? bytes === others : bytes.every((/** @type {number} */ byte, /** @type {number} */ at) => byte === others[at])
}

/**
 * The same in less room, read once to see that it is the same.
 * @param {any} packed
 * @returns {Promise<Packed | null>} null for what takes no less, or does not come back; damage throws
 */
export async function densify(packed) {
  if (packed.form === "plain" || packed.form === "dense") return null
  const { squeeze, sumOf } = await import("./dense.js")
  const folded = await unzip(packed)
  const bytes = await paced(squeeze(folded))
  const { length } = packed
  const made = { form: /** @type {const} */ ("dense"), length, sum: sumOf(folded), bytes: typeof packed.bytes === "string" ? toBase64(bytes) : bytes }
  return sizeOf(made) < sizeOf(packed) && (await unzip(made).catch(() => null)) === folded ? made : null
}

/** @param {any} packed @returns {Promise<string>} the folded text; damage throws */
async function unzip({ form, length, sum, bytes }) {
  const known = typeof bytes === "string" ? fromBase64(bytes) : bytes
  if (form !== "dense") return new TextDecoder(form, { ignoreBOM: true, fatal: true }).decode(await piped(known, new DecompressionStream("gzip")))
  const { release, sumOf } = await import("./dense.js")
  const folded = await paced(release(known, length))
  if (sumOf(folded) !== sum) throw new RangeError("another text")
  return folded
}

/**
 * @param {any} packed
 * @returns {Promise<unknown[]>} the turns; damage throws
 */
export async function unpack(packed) {
  if (packed.form === "plain") return [...packed.turns]
  const folded = await unzip(packed)
  const breath = breaths()
  const lines = unfold(folded, packed.length).split("\n").slice(0, -1)
  const turns = []
  for (const line of lines) {
    await breath()
    turns.push(JSON.parse(line))
  }
  return turns
}
