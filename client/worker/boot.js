/** Starts Python in this worker: fetch, count, check, cache, and never wait for ever. */
import { DECODER, fetchCached, forget, keepLast, keepOnly } from "./cache.js"
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
 * @typedef {{url: string, body: ReadableStream}} First the largest file, which the page has asked for
 */

/** Longest time without any progress before the reader is told. */
const SILENCE_MS = 10_000
/** Longest time Python itself may take to start, when nothing can be counted. */
const STARTING_MS = 60_000
const APP = "/lib/askbook.zip"
/** Longest time the largest file comes alone where the panel does not start Python. */
const ALONE_MS = 1_500
/** A file is asked for this long before the one ahead of it is there, so that the line never waits and the first comes first. */
const LEAD_MS = 200
const SMALLEST_WASM = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])

/** What kept Python from starting, by a code the page has words for. */
export class StartError extends Error {
  /** @param {StartFault} fault @param {string} detail */
  constructor(fault, detail) {
    super(detail)
    this.fault = fault
  }
}

/** What files may be to blame for that came to their end. */
const BROKEN = new Set(["wasm-broken", "core-broken"])

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

/** @param {string} runtime */
const manifestOf = (runtime) => new URL("runtime.json", runtime).href

/** @param {string} runtime @returns {Promise<Manifest>} */
async function readManifest(runtime) {
  const response = await fetchCached(manifestOf(runtime), { fresh: true, keeps: false }).catch((error) => {
    throw new StartError(navigator.onLine ? "network" : "offline", String(error))
  })
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
 * @param {{manifest?: Manifest, first?: First}} [before] what the page has asked for already
 * @returns {Promise<unknown>} settled when the largest files have been asked for
 */
export function prepare(runtime, { manifest, first } = {}) {
  const fetched = requireWasm().then(() => fetchAll(runtime, manifest, first)) // no byte where it cannot be used
  fetched.catch(() => first?.body.cancel().catch(() => {}))
  prepared.set(runtime, fetched)
  fetched.then(({ files }) => setTimeout(files.go, ALONE_MS), () => {}) // whoever starts Python hears of it
  return fetched.then(({ files }) => files.asked).catch(() => {})
}

/** @param {string} runtime @param {Manifest} [known] @param {First} [first] */
async function fetchAll(runtime, known, first) {
  const manifest = known ? checked(known) : await readManifest(runtime)
  return { manifest, files: fetchFiles(runtime, manifest, first) }
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
    const pyodide = await Promise.race([refused, loading, files.stdlib.then(() => loading)])
    pyodide.FS.writeFile(APP, new Uint8Array(await files.app))
    if (memory) pyodide.pyimport("random").seed()
    else findOurs(pyodide)
    void keepLast(manifestOf(runtime), JSON.stringify(manifest)).then(() => keepOnly(runtime, [...Object.values(addresses), ...keptWith(name)]))
    const tier = memory ? "snapshot" : "compiled"
    return { pyodide, tier, manifest, measure: () => keepMeasured(name, tier, performance.now() - (began || performance.now())) }
  } catch (error) {
    if (memory) {
      console.warn("askbook: the snapshot does not fit, starting without it:", error)
      return start(runtime, report, watchdog, "no")
    }
    const told = error instanceof StartError ? error : new StartError("core-broken", String(error))
    const fault = (told.fault === "network" && (await missing(files.scripts))) || told
    if (BROKEN.has(fault.fault)) await forget(Object.values(addresses))
    throw fault
  } finally {
    restore()
  }
}

/** What a browser does not say of a script that did not come: that the site does not have it. @param {string[]} scripts @returns {Promise<StartError | null>} */
async function missing(scripts) {
  const answers = await Promise.all(scripts.map((url) => fetch(url).catch(() => null)))
  const gone = answers.find((answer) => answer && !(answer.ok && /javascript/.test(answer.headers.get("content-type") ?? "")))
  return gone ? new StartError("runtime-missing", `${gone.url}: ${gone.status}`) : null
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
 * beside it, and is compiled while it comes; the scripts when told to go; then the library, while the machine is set up; our own code
 * last, while Python starts.
 * @param {string} runtime
 * @param {Manifest} manifest
 * @param {First} [first]
 */
function fetchFiles(runtime, manifest, first) {
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
   * @param {{watch?: (loaded: number) => void, sent?: () => void, turn?: Promise<unknown>, coming?: ReadableStream}} [hears] of the bytes
   *   of this file, and that it is asked for
   */
  const get = async ({ path, bytes }, { watch = () => {}, sent, turn, coming } = {}) => {
    let own = 0
    const count = (/** @type {number} */ more) => {
      told((loaded += more))
      bothCome(loaded)
      watch((own += more))
    }
    const response = await fetchCached(new URL(path, runtime).href, { count, size: bytes, sent, turn, coming })
    if (!response.ok) throw new StartError("runtime-missing", `${path}: ${response.status}`)
    return response
  }
  const indexURL = new URL(manifest.pyodide.folder, runtime).href
  const addresses = { wasm: new URL(manifest.pyodide.wasm.path, runtime).href, stdlib: new URL(manifest.stdlib.path, runtime).href, app: new URL(manifest.app.path, runtime).href }
  if (first && first.url !== addresses.wasm) void first.body.cancel().catch(() => {})
  const [asked, sent] = signal()
  const [received, receive] = signal()
  const [libraryTurn, wasmComes] = nearing(manifest.pyodide.wasm.bytes)
  const [ownTurn, bothCome] = nearing(manifest.pyodide.wasm.bytes + manifest.stdlib.bytes)
  const watch = (/** @type {number} */ own) => {
    wasmComes(own)
    if (own >= manifest.pyodide.wasm.bytes) receive()
  }
  const wasm = get(manifest.pyodide.wasm, { sent, watch, coming: first?.url === addresses.wasm ? first.body : undefined })
  const [rest, go] = signal()
  const scripts = [`${indexURL}pyodide.js`, `${indexURL}pyodide.asm.js`, DECODER]
  const modules = rest.then(() => Promise.all([import(scripts[0]), import(scripts[1])]))
  const stdlib = get(manifest.stdlib, { turn: Promise.all([rest, libraryTurn, wasm]) }).then(async (response) => new Response(await response.arrayBuffer(), response)).catch(failed)
  const app = get(manifest.app, { turn: Promise.all([rest, ownTurn, wasm]) }).then((response) => response.arrayBuffer()).catch(failed)
  const ready = Promise.all([modules, wasm]).then(([both]) => both).catch(failed)
  const whole = Promise.all([ready, stdlib, received])
  for (const each of [ready, whole, stdlib, app]) each.catch(() => {}) // whoever starts Python hears of it
  return { total, tell, indexURL, scripts, addresses, wasm, stdlib, app, ready, whole, asked, go }
}

/**
 * @param {number} bytes of a file, or of some that come one after the other
 * @returns {[Promise<unknown>, (own: number) => void]} settled when the rest of it will be there soon, and what hears how much there is
 */
function nearing(bytes) {
  let began = 0
  const [near, come] = signal()
  return [
    near,
    (own) => {
      began ||= performance.now()
      if (own * 2 > bytes && (bytes - own) * (performance.now() - began) <= own * LEAD_MS) come()
    },
  ]
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
