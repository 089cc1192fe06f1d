/**
 * Python for a model, in a worker of an opaque frame. Its origin has no storage and no cookies, its policy no network, and the
 * runtime comes in as bytes; what is taken away below only makes failures plain. It is told one program, runs it, and is ended.
 */

/** @typedef {import("../protocol.js").Program} Program */
/** @typedef {import("../protocol.js").News} News */

"use strict"

/** An address that no request can reach; the runtime asks for its files under it. */
const NOWHERE = "https://sandbox.invalid/"
const APP = "/lib/askbook.zip"
const PAGE_BYTES = 65_536
const TAKEN = [
  "fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "importScripts", "indexedDB", "caches", "cookieStore",
  "BroadcastChannel", "Worker", "SharedWorker", "RTCPeerConnection", "Notification", "postMessage", "close", "FileReaderSync",
]

/** @param {number} place */
const archive = (place) => `/lib/package-${place}.zip`
/** @param {ArrayBuffer} bytes */
const script = (bytes) => import(URL.createObjectURL(new Blob([bytes], { type: "text/javascript" })))

/** Refuse to let a memory grow over a limit; Python sees it as a `MemoryError`. @param {number} most bytes */
function boundMemory(most) {
  const { grow } = WebAssembly.Memory.prototype
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + Number(pages) * PAGE_BYTES > most) throw new RangeError("the sandbox has no more memory")
    return grow.call(this, pages)
  }
}

/** Take away what would reach out of the worker. */
function seal() {
  for (let scope = /** @type {any} */ (self); scope && scope !== Object.prototype; scope = Object.getPrototypeOf(scope)) {
    for (const name of TAKEN) {
      if (Object.hasOwn(scope, name)) Reflect.defineProperty(scope, name, { value: undefined, writable: false, configurable: false }) || Reflect.deleteProperty(scope, name)
    }
  }
}

/** @param {Program} program */
async function start({ files, info, packages }) {
  self.importScripts = () => {
    throw new Error("not here") // the runtime takes a worker that has it for one without modules
  }
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([script(files.loader), script(files.module)])
  /** @type {Record<string, [ArrayBuffer, string]>} */
  const served = { "pyodide.asm.wasm": [files.wasm, "application/wasm"], "stdlib.zip": [files.stdlib, "application/zip"] }
  self.fetch = async (asked) => {
    const [body, type] = served[String(asked).slice(NOWHERE.length)] ?? []
    return body ? new Response(body, { headers: { "content-type": type ?? "" } }) : Response.error()
  }
  return loadPyodide({
    indexURL: NOWHERE,
    stdLibURL: `${NOWHERE}stdlib.zip`,
    createPyodideModule,
    lockFileContents: { info, packages: {} },
    packageBaseUrl: NOWHERE,
    enableRunUntilComplete: false,
    jsglobals: Object.create(null),
    env: { HOME: "/home/pyodide", PYTHONPATH: APP, PYTHONHASHSEED: "0" },
    /** @param {{writeFile(path: string, data: Uint8Array): void}} FS */
    fsInit: async (FS) => {
      FS.writeFile(APP, new Uint8Array(files.app))
      packages.forEach((bytes, place) => FS.writeFile(archive(place), new Uint8Array(bytes)))
    },
  })
}

/** @param {Program} program */
async function run(program) {
  const { port, code, input, limits } = program
  /** @param {News} news */
  const tell = (news) => port.postMessage(news)
  try {
    boundMemory(limits.memory)
    const pyodide = await start(program)
    const python = pyodide.pyimport("askbook.reader.sandbox")
    seal()
    if (program.names.length) {
      const made = python.prepare(JSON.stringify(program.packages.map((_, place) => archive(place))), JSON.stringify(program.names))
      const bytes = made.toJs()
      made.destroy()
      if (bytes.length) tell({ kind: "compiled", bytes })
    }
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
    tell({ kind: "ended", json: python.run(code, input, handOn) })
  } catch (error) {
    tell({ kind: "broke", detail: String(error instanceof Error ? error.message : error).slice(0, 2000) })
  }
}

addEventListener("message", ({ data }) => void run(data), { once: true })
