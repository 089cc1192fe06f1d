/** Memory snapshots of a started Python, made in the reader's browser and kept beside the other files. */
import { open as openCache } from "./cache.js"

/** @typedef {import("./boot.js").Manifest} Manifest */

/**
 * The name a snapshot is kept under: it fits one runtime, one library and one application only.
 * @param {string} runtime
 * @param {Manifest} manifest
 */
export function snapshotName(runtime, { pyodide, stdlib, app }) {
  const fits = [pyodide.folder, stdlib.path, app.path].map((path) => /-([0-9a-f]{12})/.exec(path)?.[1] ?? "")
  return new URL(`snapshot-${fits.join("")}.bin.gz`, runtime).href
}

/** @param {string} name @returns {Promise<Uint8Array | null>} null where there is none, or none that can be read */
export async function readSnapshot(name) {
  const cache = await openCache()
  try {
    const kept = await cache?.match(name)
    if (!kept?.body) return null
    return new Uint8Array(await new Response(kept.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer())
  } catch {
    await dropSnapshot(name)
    return null
  }
}

/** @param {string} name @returns {Promise<boolean>} */
export async function hasSnapshot(name) {
  const cache = await openCache()
  return Boolean(await cache?.match(name).catch(() => undefined))
}

/** @param {string} name @param {Uint8Array<ArrayBuffer>} memory */
export async function keepSnapshot(name, memory) {
  const cache = await openCache()
  const packed = new Response(new Blob([memory]).stream().pipeThrough(new CompressionStream("gzip")))
  await cache?.put(name, new Response(await packed.blob()))
}

/** @param {string} name */
export async function dropSnapshot(name) {
  const cache = await openCache()
  await cache?.delete(name).catch(() => false)
}
