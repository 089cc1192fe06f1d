/** Turns of a thread as few bytes: repeats folded, then gzip; as they are where a browser cannot. */
import { breaths } from "./breath.js"
import { Folder, unfold } from "./repeats.js"

/**
 * @typedef {{form: "plain", turns: unknown[]}} Plain
 * @typedef {{form: "utf-8" | "utf-16le", length: number, bytes: Uint8Array | string}} Gzipped `length` of the text; bytes as base64 where
 *   storage takes text only
 * @typedef {Plain | Gzipped} Packed
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
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
  return text.length < length ? { form, length, bytes: text } : plain
}

/**
 * @param {any} packed
 * @returns {Promise<unknown[]>} the turns; damage throws
 */
export async function unpack(packed) {
  if (packed.form === "plain") return [...packed.turns]
  const { form, length, bytes } = packed
  const gzipped = typeof bytes === "string" ? Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0)) : bytes
  const folded = new TextDecoder(form, { ignoreBOM: true, fatal: true }).decode(await piped(gzipped, new DecompressionStream("gzip")))
  const breath = breaths()
  const lines = unfold(folded, length).split("\n").slice(0, -1)
  const turns = []
  for (const line of lines) {
    await breath()
    turns.push(JSON.parse(line))
  }
  return turns
}
