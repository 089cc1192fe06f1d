/** Starts Python in this worker: fetch, count, check, cache, and never wait for ever. */
import { fetchCached, keepOnly } from "./cache.js"
import { readSnapshot, snapshotName } from "./snapshots.js"
import { isSlower, keepMeasured, keptWith, readMeasured } from "./tiers.js"

/** @typedef {import("../protocol.js").Progress} Progress */
/** @typedef {import("../protocol.js").StartFault} StartFault */
/** @typedef {typeof import("pyodide")} PyodideModule */
/** @typedef {Awaited<ReturnType<PyodideModule["loadPyodide"]>>} Pyodide */
/**
 * @typedef {object} Manifest
 * @property {{folder: string, info: any, wasm: Packed}} pyodide
 * @property {Packed} stdlib
 * @property {Packed} app
 */
/**
 * @typedef {{path: string, bytes: number}} Packed a packed file of the runtime
 */

/** Longest time without any progress before the reader is told. */
const SILENCE_MS = 10_000
/** Longest time Python itself may take to start, when nothing can be counted. */
const STARTING_MS = 60_000
const APP = "/lib/askbook.zip"
/** Longest time the largest file comes alone where the panel does not start Python. */
const ALONE_MS = 1_500
/** Bytes of the wasm that are still to come when our own code is asked for: Python starts in the time it takes. */
const OVERLAP = 1 << 17
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

/** @param {any} manifest @returns {Manifest} */
function checked(manifest) {
  if (manifest?.format !== "askbook-runtime/2") throw new StartError("runtime-broken", "runtime.json is of another format")
  return manifest
}

/** @param {string} runtime @returns {Promise<Manifest>} */
async function readManifest(runtime) {
  const response = await fetchCached(new URL("runtime.json", runtime).href, { fresh: true })
  if (!response.ok) throw new StartError("runtime-missing", `runtime.json: ${response.status}`)
  return checked(await response.json().catch(() => null))
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
 * @typedef {object} Booted
 * @property {Pyodide} pyodide
 * @property {"compiled" | "snapshot"} tier
 * @property {Manifest} manifest
 * @property {() => Promise<unknown>} measure keeps how long it took, called when our code is there
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

/**
 * Begin to fetch what a start will need.
 * @param {string} runtime
 * @param {Manifest} [manifest] where the page has read it already
 * @returns {Promise<unknown>} settled when the largest files have been asked for
 */
export function prepare(runtime, manifest) {
  const fetched = requireWasm().then(() => fetchAll(runtime, manifest)) // no byte where it cannot be used
  prepared.set(runtime, fetched)
  fetched.then(({ files }) => setTimeout(files.go, ALONE_MS), () => {}) // whoever starts Python hears of it
  return fetched.then(({ files }) => files.asked).catch(() => {})
}

/** @param {string} runtime @param {Manifest} [known] */
async function fetchAll(runtime, known) {
  const manifest = known ? checked(known) : await readManifest(runtime)
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
  files.go()
  let starting = false
  let began = 0
  files.tell((loaded) => {
    watchdog.feed(starting ? STARTING_MS : SILENCE_MS)
    if (!starting) report({ step: "runtime", loaded: Math.min(loaded, files.total), total: files.total })
  })
  files.whole.then(() => {
    starting = true
    began = performance.now()
    watchdog.feed(STARTING_MS)
    report({ step: "python", loaded: files.total, total: files.total })
  }, () => {}) // what went wrong is thrown below
  const name = snapshotName(runtime, manifest)
  const memory = snapshot === "use" ? await worthwhile(name) : null
  /** @type {(error: unknown) => void} */
  let refuse = () => {}
  const refused = new Promise((_, reject) => {
    refuse = (error) => reject(new StartError(error instanceof TypeError ? lost() : "wasm-broken", String(error)))
  })
  const { addresses } = files
  const restore = intercept(new Map([[`${files.indexURL}pyodide.asm.wasm`, files.wasm], [addresses.stdlib, files.stdlib]]), refuse)
  try {
    const [{ loadPyodide }, { default: createPyodideModule }] = await files.ready
    const loading = loadPyodide({
      ...settings(manifest, files, createPyodideModule),
      ...(memory && { _loadSnapshot: memory }),
      ...(snapshot === "make" && { _makeSnapshot: true }),
    })
    const pyodide = await Promise.race([refused, loading])
    pyodide.FS.writeFile(APP, new Uint8Array(await files.app))
    if (memory) pyodide.pyimport("random").seed()
    else findOurs(pyodide)
    void keepOnly(runtime, [...Object.values(addresses), ...keptWith(name)])
    const tier = memory ? "snapshot" : "compiled"
    return { pyodide, tier, manifest, measure: () => keepMeasured(name, tier, performance.now() - (began || performance.now())) }
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

/** The snapshot, if there is one and it has not been found slower here. @param {string} name */
async function worthwhile(name) {
  const measured = await readMeasured(name)
  if (!isSlower(measured)) return readSnapshot(name)
  console.info("askbook: starting without the snapshot, which is no faster here:", JSON.stringify(measured))
  return null
}

/** Let Python find our code, and use what was computed while it was packed. @param {Pyodide} pyodide */
function findOurs(pyodide) {
  pyodide.pyimport("sys").path.insert(0, APP)
  pyodide.pyimport("askbook.reader.noted").begin()
}

/**
 * Fetch what Python needs to start, and count: the largest file at once and alone, so that the panel's many small ones find room
 * beside it; the others when told to go; our own code last, while Python starts.
 * @param {string} runtime
 * @param {Manifest} manifest
 */
function fetchFiles(runtime, manifest) {
  const total = manifest.pyodide.wasm.bytes + manifest.stdlib.bytes + manifest.app.bytes
  let loaded = 0
  /** @type {(loaded: number) => void} */
  let told = () => {}
  /** @param {(loaded: number) => void} listener hears of all bytes so far, now and whenever more have come */
  const tell = (listener) => {
    told = listener
    told(loaded)
  }
  /**
   * @param {Packed} file
   * @param {{watch?: (loaded: number) => void, sent?: () => void}} [hears] of the bytes of this file, and that it is asked for
   */
  const get = async ({ path, bytes }, { watch = () => {}, sent = () => {} } = {}) => {
    let own = 0
    const count = (/** @type {number} */ more) => {
      told((loaded += more))
      watch((own += more))
    }
    const response = await fetchCached(new URL(path, runtime).href, { count, size: bytes, sent })
    if (!response.ok) throw new StartError("runtime-missing", `${path}: ${response.status}`)
    return response
  }
  const indexURL = new URL(manifest.pyodide.folder, runtime).href
  const [nearly, proceed] = signal()
  const [asked, sent] = signal()
  const [received, receive] = signal()
  const { bytes } = manifest.pyodide.wasm
  const watch = (/** @type {number} */ own) => {
    if (own > bytes - OVERLAP) proceed()
    if (own >= bytes) receive()
  }
  const wasm = get(manifest.pyodide.wasm, { sent, watch })
  const [rest, go] = signal()
  const modules = rest.then(() => Promise.all([import(`${indexURL}pyodide.js`), import(`${indexURL}pyodide.asm.js`)]))
  const stdlib = rest.then(() => get(manifest.stdlib)).then(async (response) => new Response(await response.arrayBuffer(), response))
  const app = Promise.all([nearly, stdlib]).then(async () => (await get(manifest.app)).arrayBuffer()).catch(failed)
  const ready = Promise.all([modules, wasm, stdlib]).then(([both]) => both).catch(failed)
  const whole = Promise.all([ready, received])
  wasm.catch(proceed)
  for (const each of [ready, whole, app]) each.catch(() => {}) // whoever starts Python hears of it
  const addresses = { wasm: new URL(manifest.pyodide.wasm.path, runtime).href, stdlib: new URL(manifest.stdlib.path, runtime).href, app: new URL(manifest.app.path, runtime).href }
  return { total, tell, indexURL, addresses, wasm, stdlib, app, ready, whole, asked, go }
}

/** @returns {[Promise<unknown>, (value?: unknown) => void]} a promise, and what keeps it */
function signal() {
  /** @type {(value?: unknown) => void} */
  let give = () => {}
  const given = new Promise((resolve) => {
    give = resolve
  })
  return [given, give]
}

/** @param {unknown} error @returns {never} */
function failed(error) {
  throw error instanceof StartError ? error : new StartError(error instanceof TypeError ? lost() : "wasm-broken", String(error))
}

/**
 * @param {Manifest} manifest
 * @param {ReturnType<typeof fetchFiles>} files
 * @param {unknown} createPyodideModule
 */
function settings(manifest, { indexURL, addresses }, createPyodideModule) {
  return {
    indexURL,
    stdLibURL: addresses.stdlib,
    createPyodideModule,
    lockFileContents: { info: manifest.pyodide.info, packages: {} },
    packageBaseUrl: indexURL,
    enableRunUntilComplete: false,
    env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
  }
}
