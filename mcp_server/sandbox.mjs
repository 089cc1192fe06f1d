/**
 * Runs a model's Python in Pyodide under Node: started by `node.py` with a request on standard input, without permission for files
 * beyond the runtime, for processes, workers, or code from strings. Before Python starts, everything of Node is taken off the
 * global object, so that the runtime takes this for a browser's worker and never learns of files and processes. News go to
 * standard output, one JSON a line.
 */
import { readFileSync, writeSync } from "node:fs"

const NOWHERE = "https://sandbox.invalid/"
const APP = "/lib/askbook.zip"
const PAGE_BYTES = 65_536
const KEPT = new Set(
  (
    "globalThis Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error " +
    "AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError JSON Math Intl ArrayBuffer Atomics Uint8Array Int8Array " +
    "Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt " +
    "Set WeakMap WeakSet WeakRef Proxy Reflect FinalizationRegistry decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape " +
    "isFinite isNaN console WebAssembly TextEncoder TextDecoder URL URLSearchParams setTimeout clearTimeout setInterval clearInterval " +
    "queueMicrotask structuredClone performance crypto AbortController AbortSignal Event EventTarget " +
    "SharedArrayBuffer eval DOMException"
  ).split(" "),
)

const { exit } = process
const request = JSON.parse(readFileSync(0, "utf8"))
const { files, info, code, input, limits } = request
const { decompress } = await import(`data:text/javascript;base64,${readFileSync(files.unpacker).toString("base64")}`)
const bytes = Object.fromEntries(Object.entries(files).map(([name, path]) => [name, path.endsWith(".zst") ? decompress(readFileSync(path)) : readFileSync(path)]))

/** @param {object} news */
function tell(news) {
  const line = new TextEncoder().encode(`${JSON.stringify(news)}\n`)
  for (let sent = 0; sent < line.length; ) sent += writeSync(1, line, sent)
}


/** Take Node away and leave what a worker of a browser has. */
function becomeWorker() {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!KEPT.has(name)) Reflect.deleteProperty(globalThis, name)
  }
  class WorkerGlobalScope {}
  Object.setPrototypeOf(globalThis, WorkerGlobalScope.prototype)
  Object.assign(globalThis, { WorkerGlobalScope, self: globalThis, location: new URL(`${NOWHERE}worker.js`), navigator: { userAgent: "" } })
  globalThis.importScripts = () => {
    throw new Error("not here")
  }
  const quiet = () => {}
  globalThis.console = /** @type {any} */ ({ log: quiet, info: quiet, warn: quiet, error: quiet, debug: quiet })
}

/** @param {number} most bytes */
function boundMemory(most) {
  const { grow } = WebAssembly.Memory.prototype
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + Number(pages) * PAGE_BYTES > most) throw new RangeError("the sandbox has no more memory")
    return grow.call(this, pages)
  }
}

/** What the runtime reads of an answer. @param {Uint8Array} content */
const served = (content) => /** @type {any} */ ({ ok: true, status: 200, arrayBuffer: async () => new Uint8Array(content).buffer })

const loader = Buffer.from(bytes.loader).toString("base64")
const module = Buffer.from(bytes.module).toString("base64")
try {
  becomeWorker()
  boundMemory(limits.memory)
  const { loadPyodide } = await import(`data:text/javascript;base64,${loader}`)
  const { default: createPyodideModule } = await import(`data:text/javascript;base64,${module}`)
  globalThis.fetch = async (asked) => served(String(asked).endsWith(".wasm") ? bytes.wasm : bytes.stdlib)
  WebAssembly.instantiateStreaming = async (source, imports) => WebAssembly.instantiate(await (await source).arrayBuffer(), imports)
  const pyodide = await loadPyodide({
    indexURL: NOWHERE,
    stdLibURL: `${NOWHERE}stdlib.zip`,
    createPyodideModule,
    lockFileContents: { info, packages: {} },
    packageBaseUrl: NOWHERE,
    enableRunUntilComplete: false,
    jsglobals: Object.create(null),
    env: { HOME: "/home/pyodide", PYTHONPATH: APP, PYTHONHASHSEED: "0" },
    fsInit: async (FS) => FS.writeFile(APP, bytes.app),
  })
  const python = pyodide.pyimport("askbook.reader.sandbox")
  Reflect.deleteProperty(globalThis, "fetch")
  tell({ kind: "started" })
  let left = limits.characters + 1
  const handOn = (/** @type {string} */ text) => {
    if (left > 0) tell({ kind: "out", text: text.slice(0, left) })
    left -= text.length
  }
  for (const set of [pyodide.setStdout, pyodide.setStderr]) {
    const decoder = new TextDecoder()
    const write = (/** @type {Uint8Array} */ bytes) => {
      handOn(decoder.decode(bytes, { stream: true }))
      return bytes.length
    }
    set({ write }) // what goes past Python's own streams
  }
  tell({ kind: "ended", json: python.run(code, JSON.stringify(input ?? null), handOn) })
} catch (error) {
  tell({ kind: "broke", detail: String(error?.message ?? error).slice(0, 2000) })
}
exit(0)
