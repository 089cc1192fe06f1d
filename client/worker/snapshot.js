/** A second, short-lived worker: starts Python once more at leisure, imports the core, and keeps its memory for the next visit. */
import { boot } from "./boot.js"
import { hasSnapshot, keepSnapshot, snapshotName } from "./snapshots.js"
import { isSlower, readMeasured, whyNotMake } from "./tiers.js"

/** @param {string} runtime @returns {Promise<string>} what came of it, for the console */
async function make(runtime) {
  const reason = await whyNotMake(/** @type {any} */ (navigator))
  if (reason) return `not made: ${reason}`
  const { pyodide, manifest } = await boot(runtime, () => {}, { snapshot: "make" })
  const name = snapshotName(runtime, manifest)
  if (await hasSnapshot(name)) return "there was one already"
  if (isSlower(await readMeasured(name))) return "not made: it was no faster here"
  pyodide.pyimport("askbook.reader.warm")
  const heap = /** @type {any} */ (pyodide)._module
  const free = heap.HEAPU8.length - heap._sbrk(0)
  const memory = /** @type {any} */ (pyodide).makeMemorySnapshot()
  await keepSnapshot(name, memory)
  return `${memory.length} bytes kept, ${free} of them still free`
}

addEventListener("message", ({ data }) => {
  make(data.runtime)
    .then((outcome) => postMessage({ outcome }), (error) => postMessage({ outcome: `not made: ${error}` }))
    .finally(() => close())
})
