/** How a thread stands in storage: a small record, which is all a list needs, and beside it its older turns packed. */
import { MOST_TURNS, readThread, slim } from "./threads.js"

/** @typedef {import("./threads.js").Thread} Thread */
/** @typedef {import("./threads.js").Turn} Turn */
/**
 * @typedef {object} Line a thread as a list shows it
 * @property {string} id
 * @property {string} title
 * @property {number} created
 * @property {number} updated
 * @property {boolean} pinned
 * @property {string} writer
 * @property {number} count turns in all
 * @property {number} packed of them packed; 0 where nothing is
 * @property {number} size bytes they take packed
 * @property {boolean} dense whether they take as few as can be
 * @property {Turn[]} turns that are not packed, or newer than packed
 */

/** Version 1 has all turns in the record; it is read, and written anew as 2. */
const VERSION = 2

/** @param {any} value @returns {Line | null} null for what is no thread, or of a version yet unknown */
export function readLine(value) {
  const thread = readThread(value?.version === VERSION ? { ...value, version: 1 } : value)
  if (!thread) return null
  const packed = value.version === VERSION ? Number(value.packed) || 0 : 0
  return { ...thread, packed, size: Number(value.size) || 0, dense: value.dense === true, count: Math.max(thread.turns.length, packed, Number(value.count) || 0) }
}

/**
 * @param {Thread} thread
 * @param {{turns: readonly Turn[]} & Pick<Line, "packed"> & Partial<Pick<Line, "size" | "dense">>} stands the turns to write plainly, how many are packed, and how
 */
export function recordOf(thread, { turns, packed, size = 0, dense = false }) {
  const { python: _, ...kept } = slim({ ...thread, turns: [...turns] })
  return { ...kept, version: VERSION, packed, size, dense, count: Math.min(thread.turns.length, MOST_TURNS) }
}

/** @param {Line} line @param {readonly unknown[]} packed turns as they were packed @returns {Thread} */
export function threadOf(line, packed) {
  const { packed: _, count: __, size: ___, dense: ____, ...head } = line
  const older = /** @type {Thread} */ (readThread({ ...head, version: 1, turns: packed })).turns
  return { ...head, version: 1, turns: joinTurns(older, line.turns).slice(-MOST_TURNS) }
}

/** @param {readonly Turn[]} older @param {readonly Turn[]} newer @returns {Turn[]} all turns, each as the newer say it where they have it */
export function joinTurns(older, newer) {
  const changed = new Map(newer.map((turn) => [turn.id, turn]))
  const known = new Set(older.map((turn) => turn.id))
  return [...older.map((turn) => changed.get(turn.id) ?? turn), ...newer.filter((turn) => !known.has(turn.id))]
}

/** @param {Turn} turn */
export const isRunning = ({ answer }) => answer.state === "running" || answer.state === "pending"

/** @typedef {Pick<Line, "pinned" | "updated">} Dated @param {Dated} a @param {Dated} b pinned before the others, then the newest first */
export const byDate = (a, b) => Number(b.pinned) - Number(a.pinned) || b.updated - a.updated
