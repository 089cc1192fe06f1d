/** Which way of starting Python pays in this browser: by the connection, the room for files, and how long the ways have taken. */
import { open as openCache } from "./cache.js"

/** Room there has to be before a snapshot is made: it takes about 6 MB, and other things must fit as well. */
export const LEAST_ROOM = 64 << 20
/** Share of the compiled start a snapshot may take and still be worth it. */
const WORTH = 0.9

/** @typedef {"compiled" | "snapshot"} Way */
/** @typedef {Partial<Record<Way, number>>} Measured milliseconds of the fastest start of each way, from files to core */

/**
 * Why no snapshot is made; empty where one may be.
 * @param {{connection?: {saveData?: boolean}, storage?: {estimate?: () => Promise<{quota?: number, usage?: number}>}}} browser its `navigator`
 * @returns {Promise<string>}
 */
export async function whyNotMake(browser) {
  if (browser.connection?.saveData) return "this browser asks for few data"
  const { quota, usage = 0 } = (await browser.storage?.estimate?.().catch(() => undefined)) ?? {}
  if (quota !== undefined && quota - usage < LEAST_ROOM) return `too little room: ${quota - usage} bytes`
  return ""
}

/** @param {Measured} measured @returns {boolean} whether a snapshot has been no faster here */
export const isSlower = ({ compiled, snapshot }) => compiled !== undefined && snapshot !== undefined && snapshot > compiled * WORTH

/** @param {string} snapshot the name it is kept under */
const nameOf = (snapshot) => snapshot.replace(/\.bin\.gz$/, ".json")

/** @param {string} snapshot @returns {Promise<Measured>} */
export async function readMeasured(snapshot) {
  const kept = await (await openCache())?.match(nameOf(snapshot)).catch(() => undefined)
  return (await kept?.json().catch(() => null)) ?? {}
}

/**
 * Keep how long a start took, where it was the fastest of its way.
 * @param {string} snapshot
 * @param {Way} way
 * @param {number} milliseconds
 * @returns {Promise<Measured>} what is known now
 */
export async function keepMeasured(snapshot, way, milliseconds) {
  const measured = await readMeasured(snapshot)
  if (milliseconds < (measured[way] ?? Infinity)) {
    measured[way] = Math.round(milliseconds)
    await (await openCache())?.put(nameOf(snapshot), new Response(JSON.stringify(measured))).catch(() => {})
  }
  return measured
}

/** Both files that belong to a snapshot. @param {string} snapshot */
export const keptWith = (snapshot) => [snapshot, nameOf(snapshot)]
