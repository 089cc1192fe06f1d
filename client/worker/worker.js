/** The worker: boots Python, brings it the books, and carries JSON text between it and the page. */
import { boot, prepare, StartError } from "./boot.js"
import { asMeant, fetchCached, forget, keepLast, keepOnly } from "./cache.js"
import { isTooDeep } from "./depth.js"
import { OwnModel } from "./ownmodel.js"
import { pump } from "./pump.js"
import "./snapshots.js" // named here, as the next, so that it is fetched beside the file that needs it
import "./tiers.js"

/** @typedef {import("../protocol.js").ToWorker} ToWorker */
/** @typedef {import("../protocol.js").FromWorker} FromWorker */
/** @typedef {import("../protocol.js").BookFault} BookFault */

/**
 * The Python side, `worker.py`: JSON text in, JSON text out.
 * @typedef {object} Reader
 * @property {(site: string, fetch: (url: string, options?: RequestInit) => Promise<Response>, pump: (body: ReadableStream<Uint8Array>) => import("./pump.js").Pump) => void} begin
 * @property {(name: string, data: ArrayBuffer) => string} open_book
 * @property {(name: string, side: string, data: ArrayBuffer) => void} attach
 * @property {(id: string, question: string, post: (json: string) => void, python: (code: string, input: string) => Promise<string>) => Promise<void>} ask
 * @property {(id: string) => void} stop
 * @property {(origin: string, key: string) => void} set_key
 * @property {(name: string, argument: string) => Promise<string>} call
 */

/** Bytes at an index's end that hold the list of its other files. */
const SIDES_WITHIN = 8192

/** Why Python cannot run here at all, so that keywords have to do. */
const WITHOUT_PYTHON = new Set(["wasm-blocked", "no-wasm"])

let started = false
/** @type {Promise<Reader>} */
let reader
/** @type {Promise<unknown>} settled when every book is open or has failed */
let books = Promise.resolve()
/** @type {Map<string, string>} keys that came before Python did */
const keys = new Map()

/** @param {FromWorker} message */
const post = (message) => postMessage(message)

const ownModel = new OwnModel(post)

/** A book that cannot be opened, and why. */
class BookError extends Error {
  /** @param {BookFault} fault @param {string} detail */
  constructor(fault, detail) {
    super(detail)
    this.fault = fault
  }
}

/** Bytes of all books so far. */
let came = 0

/**
 * @param {string} url
 * @param {{fresh?: boolean, keeps?: boolean}} [options]
 * @returns {Promise<ArrayBuffer>}
 */
async function bytesOf(url, { fresh = false, keeps = true } = {}) {
  const response = await fetchCached(url, {
    fresh,
    keeps,
    count: (bytes) => {
      came += bytes
      post({ kind: "progress", step: "book", loaded: came, total: 0 })
    },
  }).catch((error) => {
    throw new BookError(navigator.onLine ? "network" : "offline", String(error))
  })
  if (!response.ok) throw new BookError(response.status === 404 ? "missing" : "network", `${response.status} ${new URL(url).pathname}`)
  const body = await response.arrayBuffer().then(asMeant).catch((error) => {
    throw new BookError("network", String(error))
  })
  if (isTooDeep(body)) throw new BookError("broken", "nested too deeply")
  return body
}

/**
 * Open one book: its index and, side by side, the files that go with it.
 * @param {string} name
 * @param {string} url
 */
async function openBook(name, url) {
  /** @type {string[]} */
  let sides = []
  try {
    const data = await bytesOf(url, { fresh: !new URL(url).search, keeps: false })
    const bodies = sidesOf(data).map((side) => /** @type {const} */ ([side, bytesOf(new URL(side, url).href)]))
    sides = bodies.map(([side]) => new URL(side, url).href)
    for (const [, body] of bodies) body.catch(() => {})
    const python = await reader
    const info = read(() => python.open_book(name, data))
    for (const [side, coming] of bodies) {
      const body = await coming
      read(() => python.attach(name, side, body))
    }
    void keepLast(url, data).then(() => keepOnly(new URL(`${name}.`, url).href, sides))
    post({ kind: "book", name, info, fault: "", detail: "" })
  } catch (error) {
    if (error instanceof StartError) return
    if (!(error instanceof BookError) || error.fault === "broken") await forget(sides) // one of them may be what cannot be read
    const fault = error instanceof BookError ? error.fault : "broken"
    post({ kind: "book", name, info: "", fault, detail: String(error instanceof Error ? error.message : error) })
  }
}

/**
 * The files that go with an index, seen without reading it, so that they come while Python starts.
 * @param {ArrayBuffer} data
 * @returns {string[]}
 */
function sidesOf(data) {
  const end = new TextDecoder().decode(data.slice(Math.max(0, data.byteLength - SIDES_WITHIN)))
  const [, found = "{}"] = /"sides":(\{[^{}]*\})/.exec(end) ?? []
  return Object.keys(JSON.parse(found))
}

/** @template T @param {() => T} take @returns {T} */
function read(take) {
  try {
    return take()
  } catch (error) {
    throw new BookError("broken", lastLine(error))
  }
}

/** @param {unknown} error @returns {string} what a Python traceback ends with */
function lastLine(error) {
  const lines = String(error instanceof Error ? error.message : error).trim().split("\n")
  return lines[lines.length - 1].replace(/^[\w.]+: /, "")
}

/** @param {import("../protocol.js").Start} start */
function begin({ runtime, site, books: wanted, snapshot }) {
  const began = performance.now()
  started = true
  /** @type {import("../protocol.js").Tier} */
  let tier = "compiled"
  const python = boot(runtime, (progress) => post({ kind: "progress", ...progress }), { snapshot: snapshot ? "use" : "no" }).then((booted) => {
    const { pyodide } = booted
    tier = booted.tier
    try {
      /** @type {Reader} */
      const python = pyodide.pyimport("askbook.reader.worker")
      python.begin(site, ownModel.fetch, pump)
      for (const [origin, key] of keys) python.set_key(origin, key)
      void booted.measure()
      return python
    } catch (error) {
      throw new StartError("core-broken", String(error))
    }
  })
  reader = python.catch(async (error) => {
    if (!(error instanceof StartError) || !WITHOUT_PYTHON.has(error.fault)) throw error
    const { Limited } = await import("./limited.js")
    post({ kind: "limited", fault: error.fault, detail: error.message })
    const limited = new Limited()
    limited.begin(site)
    tier = "keywords"
    return limited
  })
  books = Promise.all(wanted.map(({ name, url }) => openBook(name, url)))
  reader.then(
    () => books.then(() => post({ kind: "ready", milliseconds: performance.now() - began, tier })),
    (error) => post({ kind: "failed", fault: error instanceof StartError ? error.fault : "core-broken", detail: String(error?.message ?? error) }),
  )
}

/** @type {Map<string, (json: string) => void>} programs the page runs for us */
const programs = new Map()
let program = 0

/** @param {string} code @param {string} input @returns {Promise<string>} how it ended, as JSON */
function runPython(code, input) {
  const id = `program-${++program}`
  return new Promise((resolve) => {
    programs.set(id, resolve)
    post({ kind: "python", id, code, input })
  })
}

/** @type {Map<string, object>} questions that wait for Python or the books, by exchange */
const waiting = new Map()

/** @param {Extract<ToWorker, {kind: "ask"}>} message */
async function ask({ id, question }) {
  const turn = {}
  waiting.set(id, turn)
  const python = await reader
  await books
  if (waiting.get(id) !== turn) return // stopped before it was asked
  waiting.delete(id)
  try {
    await python.ask(id, JSON.stringify(question), (json) => post({ kind: "frame", id, json }), runPython)
  } catch (error) {
    const part = { fault: "internal", message: lastLine(error), status: null, retry: true, retry_after: null, detail: String(error) }
    const end = { type: "exchange-end", state: "error", error: part, usage: null, message: null }
    post({ kind: "frame", id, json: JSON.stringify({ events: [end], patches: [] }) })
  }
}

/** @param {Extract<ToWorker, {kind: "call"}>} message */
async function call({ id, name, argument }) {
  try {
    const python = await reader
    await books
    post({ kind: "reply", id, json: await python.call(name, argument), error: "" })
  } catch (error) {
    post({ kind: "reply", id, json: "null", error: lastLine(error) || "error" })
  }
}

addEventListener("message", ({ data }) => {
  /** @type {ToWorker} */
  const message = data
  switch (message.kind) {
    case "prepare":
      if (started) {
        void message.first?.body.cancel().catch(() => {}) // the panel was faster
        break
      }
      void prepare(message.runtime, message).then(() => post({ kind: "progress", step: "runtime", loaded: 0, total: 0 }))
      break
    case "start":
      begin(message)
      break
    case "ask":
      ask(message).catch(() => {}) // where Python does not start, the page hears of that
      break
    case "stop":
      if (!waiting.delete(message.id)) reader.then((python) => python.stop(message.id)).catch(() => {})
      break
    case "key":
      keys.set(message.origin, message.key)
      if (reader) void reader.then((python) => python.set_key(message.origin, message.key)).catch(() => {})
      break
    case "ran":
      programs.get(message.id)?.(message.json)
      programs.delete(message.id)
      break
    case "prompted":
      ownModel.take(message)
      break
    case "call":
      void call(message)
      break
  }
})
