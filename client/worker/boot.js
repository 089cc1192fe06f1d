/** Starts Python in this worker: fetch, count, check, cache, and never wait for ever. */
import { fetchCached, keepOnly, unpacked } from "./cache.js"
import { readSnapshot, snapshotName } from "./snapshots.js"

/** @typedef {import("../protocol.js").Progress} Progress */
/** @typedef {import("../protocol.js").StartFault} StartFault */
/** @typedef {typeof import("pyodide")} PyodideModule */
/** @typedef {Awaited<ReturnType<PyodideModule["loadPyodide"]>>} Pyodide */
/**
 * @typedef {object} Manifest
 * @property {{version: string, folder: string, info: any, bytes: {loader: number, module: number, wasm: number}}} pyodide
 * @property {{path: string, bytes: number}} stdlib
 * @property {{path: string, bytes: number}} app
 */

/** Longest time without any progress before the reader is told. */
const SILENCE_MS = 10_000
/** Longest time Python itself may take to start, when nothing can be counted. */
const STARTING_MS = 60_000
const APP = "/lib/askbook.zip"
const SMALLEST_WASM = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])

/** What kept Python from starting, by a code the page has words for. */
export class StartError extends Error {
  /** @param {StartFault} fault @param {string} detail */
  constructor(fault, detail) {
    super(detail)
    this.fault = fault
  }
}

/** Why a file did not come to its end. @returns {StartFault} */
const lost = () => (navigator.onLine ? "network" : "offline")

/** Ends with an error when nothing is reported for too long. */
class Watchdog {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  /** @type {(error: StartError) => void} */
  #bark = () => {}
  /** @type {Promise<never>} */
  barked = new Promise((_, reject) => {
    this.#bark = reject
  })

  constructor() {
    this.barked.catch(() => {})
  }

  /** @param {number} patience milliseconds until the next sign must come */
  feed(patience) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#bark(new StartError("stalled", `nothing happened for ${patience / 1000} s`)), patience)
  }

  rest() {
    clearTimeout(this.#timer)
  }
}

/** Refuses at once where the page's policy forbids WebAssembly; `loadPyodide` would wait for ever. */
async function requireWasm() {
  if (typeof WebAssembly !== "object") throw new StartError("no-wasm", "this browser has no WebAssembly")
  try {
    await WebAssembly.compile(SMALLEST_WASM)
  } catch (error) {
    throw new StartError("wasm-blocked", String(error))
  }
}

/** @param {string} runtime @returns {Promise<Manifest>} */
async function readManifest(runtime) {
  const response = await fetchCached(new URL("runtime.json", runtime).href, { fresh: true })
  if (!response.ok) throw new StartError("runtime-missing", `runtime.json: ${response.status}`)
  const manifest = await response.json().catch(() => null)
  if (manifest?.format !== "askbook-runtime/1") throw new StartError("runtime-broken", "runtime.json is of another format")
  return manifest
}

/**
 * Let `loadPyodide` have its two files from the downloads already under way, and see why WebAssembly refuses.
 * @param {Map<string, Promise<Response>>} ready
 * @param {(error: unknown) => void} refused
 * @returns {() => void} puts everything back
 */
function intercept(ready, refused) {
  const { fetch } = self
  const { instantiateStreaming } = WebAssembly
  self.fetch = (input, init) => ready.get(String(input instanceof Request ? input.url : input)) ?? fetch(input, init)
  WebAssembly.instantiateStreaming = async (source, imports) => {
    try {
      return await instantiateStreaming(source, imports)
    } catch (error) {
      refused(error)
      throw error
    }
  }
  return () => {
    self.fetch = fetch
    WebAssembly.instantiateStreaming = instantiateStreaming
  }
}

/**
 * Give a file the type a browser asks of wasm, whatever the host called it.
 * @param {Response} response
 */
function asWasm(response) {
  if (response.headers.get("content-type")?.startsWith("application/wasm")) return response
  return new Response(response.body, { headers: { "content-type": "application/wasm" } })
}

/**
 * @typedef {object} Booted
 * @property {Pyodide} pyodide
 * @property {"compiled" | "snapshot"} tier
 * @property {Manifest} manifest
 */

/**
 * Starts Python with our code on its path.
 * @param {string} runtime address of the folder with `runtime.json`
 * @param {(progress: Progress) => void} report
 * @param {{snapshot?: "use" | "make" | "no"}} [options] `make`: start so that a snapshot can be taken
 * @returns {Promise<Booted>}
 */
export async function boot(runtime, report, { snapshot = "no" } = {}) {
  const watchdog = new Watchdog()
  watchdog.feed(SILENCE_MS)
  try {
    return await Promise.race([start(runtime, report, watchdog, snapshot), watchdog.barked])
  } finally {
    watchdog.rest()
  }
}

/** @type {Map<string, ReturnType<typeof fetchAll>>} what was asked for before Python is to start, by runtime */
const prepared = new Map()

/** Begin to fetch what a start will need. @param {string} runtime */
export function prepare(runtime) {
  const fetched = fetchAll(runtime)
  fetched.catch(() => {})
  prepared.set(runtime, fetched)
}

/** @param {string} runtime */
async function fetchAll(runtime) {
  const manifest = await readManifest(runtime)
  return { manifest, files: fetchFiles(runtime, manifest) }
}

/**
 * @param {string} runtime
 * @param {(progress: Progress) => void} report
 * @param {Watchdog} watchdog
 * @param {"use" | "make" | "no"} snapshot
 * @returns {Promise<Booted>}
 */
async function start(runtime, report, watchdog, snapshot) {
  const fetching = prepared.get(runtime) ?? fetchAll(runtime)
  prepared.delete(runtime)
  const [{ manifest, files }] = await Promise.all([fetching, requireWasm()])
  files.tell((loaded) => {
    watchdog.feed(SILENCE_MS)
    report({ step: "runtime", loaded: Math.min(loaded, files.total), total: files.total })
  })
  const memory = snapshot === "use" ? await readSnapshot(snapshotName(runtime, manifest)) : null
  /** @type {(error: unknown) => void} */
  let refuse = () => {}
  const refused = new Promise((_, reject) => {
    refuse = (error) => reject(new StartError(error instanceof TypeError ? lost() : "wasm-broken", String(error)))
  })
  const restore = intercept(new Map([[files.wasmURL, files.wasm], [files.stdLibURL, files.stdlib]]), refuse)
  try {
    const [{ loadPyodide }, { default: createPyodideModule }] = await files.ready
    watchdog.feed(STARTING_MS)
    report({ step: "python", loaded: files.total, total: files.total })
    const loading = loadPyodide({
      ...settings(manifest, files, createPyodideModule),
      ...(memory && { _loadSnapshot: memory }),
      ...(snapshot === "make" && { _makeSnapshot: true }),
    })
    const pyodide = await Promise.race([refused, loading])
    if (memory) pyodide.pyimport("random").seed()
    void keepOnly(runtime, [files.wasmURL, files.stdLibURL, files.appURL, snapshotName(runtime, manifest)])
    return { pyodide, tier: memory ? "snapshot" : "compiled", manifest }
  } catch (error) {
    if (memory) {
      console.warn("askbook: the snapshot does not fit, starting without it:", error)
      return start(runtime, report, watchdog, "no")
    }
    throw error instanceof StartError ? error : new StartError("core-broken", String(error))
  } finally {
    restore()
  }
}

/**
 * Fetch all at once, and count.
 * @param {string} runtime
 * @param {Manifest} manifest
 */
function fetchFiles(runtime, manifest) {
  const total = manifest.pyodide.bytes.wasm + manifest.stdlib.bytes + manifest.app.bytes
  let loaded = 0
  /** @type {(loaded: number) => void} */
  let told = () => {}
  /** @param {number} bytes */
  const count = (bytes) => told((loaded += bytes))
  /** @param {(loaded: number) => void} listener hears of all bytes so far, now and whenever more have come */
  const tell = (listener) => {
    told = listener
    told(loaded)
  }
  const indexURL = new URL(manifest.pyodide.folder, runtime).href
  const wasmURL = `${indexURL}pyodide.asm.wasm`
  const stdLibURL = new URL(manifest.stdlib.path, runtime).href
  const appURL = new URL(manifest.app.path, runtime).href
  /** @param {string} url */
  const get = async (url) => {
    const response = await fetchCached(url, { count })
    if (!response.ok) throw new StartError("runtime-missing", `${url.slice(runtime.length)}: ${response.status}`)
    return response
  }
  const wasm = get(wasmURL).then(asWasm)
  /** @param {string} url */
  const archive = async (url) => unpacked(await (await get(url)).arrayBuffer())
  const stdlib = archive(stdLibURL).then((content) => new Response(content, { headers: { "content-type": "application/zip" } }))
  const app = archive(appURL)
  const modules = Promise.all([import(`${indexURL}pyodide.js`), import(`${indexURL}pyodide.asm.js`)])
  const ready = Promise.all([modules, wasm, stdlib, app])
    .then(([both]) => both)
    .catch((error) => {
      throw error instanceof StartError ? error : new StartError(lost(), String(error))
    })
  ready.catch(() => {}) // whoever starts Python hears of it
  return { total, tell, indexURL, wasmURL, stdLibURL, appURL, wasm, stdlib, app, ready }
}

/**
 * @param {Manifest} manifest
 * @param {ReturnType<typeof fetchFiles>} files
 * @param {unknown} createPyodideModule
 */
function settings(manifest, { indexURL, stdLibURL, app }, createPyodideModule) {
  return {
    indexURL,
    stdLibURL,
    createPyodideModule,
    lockFileContents: { info: manifest.pyodide.info, packages: {} },
    packageBaseUrl: indexURL,
    enableRunUntilComplete: false,
    env: { HOME: "/home/pyodide", PYTHONPATH: APP, PYTHONHASHSEED: "0" },
    /** @param {{writeFile(path: string, data: Uint8Array): void}} FS */
    fsInit: async (FS) => FS.writeFile(APP, new Uint8Array(await app)),
  }
}
