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

const OUTCOME = "/dev/outcome"
const OUTCOME_BYTES = 4 * 2 ** 20
const PROGRAM = "/lib/program.json"
/** Files and folders a program may make. */
const NODES = 10_000
const PATH_BYTES = 4_096
/** What Python compiles for calls through C is small and seldom. */
const MODULE_BYTES = 1_024
const MODULES = 1_000
const BEYOND = "RuntimeError: the program reached for JavaScript, which is not there; use Python alone"
const ENOSPC = 51
const EFBIG = 22
const ENAMETOOLONG = 37
const ENOSYS = 52
/** What the C library has of promises, timers, requests, sound and pictures: they are JavaScript's, too. */
const HOARDERS = /^_?(emscripten_(promise|set_|async|wget|fetch|websocket|idb|webgl|gl)|SDL|IMG|Mix|TTF|gl[A-Z]|egl|al[A-Z]|glfw|glut)/

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

/**
 * The way from Python to JavaScript: what the interpreter imports that takes or gives a JavaScript value has an `e` in its signature.
 * Once closed, no value passes any more, so that a program has no memory but Python's own; who tries is told of, and ended.
 */
class Bridge {
  #closed = false
  #refused = () => {}
  #module = WebAssembly.Module
  /** @type {Record<string, any>} */
  #imports = {}

  constructor() {
    const { instantiate, instantiateStreaming } = WebAssembly
    WebAssembly.instantiate = /** @type {any} */ ((/** @type {any} */ source, /** @type {any} */ imports) => instantiate(source, this.#watch(imports)))
    WebAssembly.instantiateStreaming = (source, imports) => instantiateStreaming(source, this.#watch(imports))
  }

  /** @param {any} imports */
  #watch(imports) {
    if (this.#closed) throw new Error(BEYOND)
    if (!imports?.env) return imports // a small module of the loader's own
    this.#imports = imports.env
    for (const [name, call] of Object.entries(imports.env)) {
      if (typeof call === "function" && call.sig?.includes("e")) imports.env[name] = this.#gate(call)
    }
    return imports
  }

  /** @param {any} call */
  #gate(call) {
    const passes = (/** @type {any} */ value) => value === null || value === undefined || typeof value === "number"
    const gated = (/** @type {any[]} */ ...given) => {
      if (this.#closed && !given.every(passes)) this.#refuse()
      const found = call(...given)
      if (this.#closed && !passes(found)) this.#refuse()
      return found
    }
    return Object.assign(gated, call)
  }

  #refuse() {
    this.#refused()
    throw new Error(BEYOND)
  }

  /** From here on nothing passes. @param {() => void} refused @param {Uint8Array[]} libraries compiled modules that may still be loaded */
  close(refused, libraries) {
    this.#closed = true
    this.#refused = refused
    let small = 0
    const same = (/** @type {Uint8Array} */ one, /** @type {Uint8Array} */ other) => one.length === other.length && one.every((byte, place) => byte === other[place])
    WebAssembly.Module = /** @type {any} */ (new Proxy(this.#module, {
      construct: (/** @type {any} */ made, /** @type {any} */ [bytes]) => {
        const known = bytes.length > MODULE_BYTES ? libraries.some((library) => same(library, bytes)) : ++small <= MODULES
        return known ? new made(bytes) : this.#refuse()
      },
    }))
    if (libraries.length) return
    for (const [name, call] of Object.entries(this.#imports)) {
      if (typeof call === "function" && HOARDERS.test(name)) this.#imports[name] = Object.assign(() => this.#refuse(), { sig: call.sig })
    }
  }
}

/** What files hold in memory. @param {any} FS */
function held(FS) {
  const nodes = new Set(FS.streams.map((/** @type {any} */ stream) => stream?.node))
  for (let node of FS.nameTable) for (; node; node = node.name_next) nodes.add(node)
  let bytes = 0
  for (const node of nodes) if (ArrayBuffer.isView(node?.contents)) bytes += node.contents.byteLength
  return { bytes, nodes }
}

/** Bound files as on a server: a largest file, twice as much in all; also names, pipes and terminals. @param {any} module @param {number} most bytes */
function boundFiles(module, most) {
  const { FS, MEMFS, PIPEFS, TTY, SYSCALLS } = module
  const fail = (/** @type {number} */ code) => {
    throw new FS.ErrnoError(code)
  }
  const before = held(FS)
  const room = before.bytes + 2 * most
  let [bytes, nodes] = [before.bytes, before.nodes.size]
  const bound = (/** @type {any} */ owner, /** @type {string} */ name, /** @type {(node: any, ...given: any[]) => number} */ size) => {
    const call = owner[name]
    owner[name] = (/** @type {any} */ target, /** @type {any[]} */ ...given) => {
      const node = target.node ?? target
      if (node !== target && (node.usedBytes || given[3])) return call.call(owner, target, ...given) // not the first write: it expands
      const [had, wanted] = [node.contents.length, size(target, ...given)]
      if (wanted > had && wanted > most) fail(EFBIG)
      if (wanted > had && bytes + wanted - had > room && (bytes = held(FS).bytes) + wanted - had > room) fail(ENOSPC)
      try {
        return call.call(owner, target, ...given)
      } finally {
        bytes += node.contents.length - had
      }
    }
  }
  bound(MEMFS, "expandFileStorage", (_node, wanted) => wanted)
  bound(MEMFS, "resizeFileStorage", (_node, wanted) => wanted)
  bound(MEMFS.ops_table.file.stream, "write", (_stream, _buffer, _offset, length) => length)
  const { hashAddNode, hashRemoveNode } = FS
  FS.hashAddNode = (/** @type {any} */ node) => {
    if (nodes >= before.nodes.size + NODES) fail(ENOSPC)
    nodes += 1
    hashAddNode(node)
  }
  FS.hashRemoveNode = (/** @type {any} */ node) => {
    nodes -= 1
    hashRemoveNode(node)
  }
  const { getStr } = SYSCALLS
  SYSCALLS.getStr = (/** @type {number} */ place) => {
    const end = module.HEAPU8.indexOf(0, place)
    return end - place > PATH_BYTES ? fail(ENAMETOOLONG) : getStr(place)
  }
  PIPEFS.createPipe = () => fail(ENOSYS)
  for (const terminal of [TTY.default_tty_ops, TTY.default_tty1_ops]) terminal.put_char = () => {}
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
  /** @type {any} */
  let module
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
  const pyodide = await loadPyodide({
    indexURL: NOWHERE,
    stdLibURL: `${NOWHERE}stdlib.zip`,
    createPyodideModule: (/** @type {any} */ settings) => createPyodideModule((module = settings)),
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
  return { pyodide, module }
}

/** A device that keeps what is written to it. @param {any} FS */
function outcomeDevice(FS) {
  let text = ""
  const decoder = new TextDecoder()
  const kind = FS.makedev(64, 0)
  FS.registerDevice(kind, {
    write: (/** @type {any} */ _stream, /** @type {Uint8Array} */ buffer, /** @type {number} */ offset, /** @type {number} */ length) => {
      if (text.length + length > OUTCOME_BYTES) throw new FS.ErrnoError(EFBIG)
      text += decoder.decode(buffer.subarray(offset, offset + length), { stream: true })
      return length
    },
  })
  FS.mkdev(OUTCOME, kind)
  return () => text
}

/** The compiled parts of the site's own packages, as they came. @param {any} FS @returns {Uint8Array[]} */
const libraries = (FS) => [...held(FS).nodes].filter((node) => node?.name?.endsWith(".so") && ArrayBuffer.isView(node.contents)).map((node) => node.contents.slice(0, node.usedBytes))

/** @param {Program} program */
async function run(program) {
  const { port, code, input, limits } = program
  /** @param {News} news */
  const tell = (news) => port.postMessage(news)
  try {
    boundMemory(limits.memory)
    const bridge = new Bridge()
    const { pyodide, module } = await start(program)
    const python = pyodide.pyimport("askbook.reader.sandbox")
    seal()
    if (program.names.length) {
      const made = python.prepare(JSON.stringify(program.packages.map((_, place) => archive(place))), JSON.stringify(program.names))
      const bytes = made.toJs()
      made.destroy()
      if (bytes.length) tell({ kind: "compiled", bytes })
    }
    python.leave_bridge()
    let left = limits.characters + 1
    for (const set of [pyodide.setStdout, pyodide.setStderr]) {
      const decoder = new TextDecoder()
      const write = (/** @type {Uint8Array} */ bytes) => {
        const text = decoder.decode(bytes.subarray(0, 4 * Math.max(left, 0)), { stream: true })
        if (left > 0) tell({ kind: "out", text: text.slice(0, left) })
        left -= text.length
        return bytes.length
      }
      set({ write }) // Python's own streams, and what goes past them
    }
    const outcome = outcomeDevice(pyodide.FS)
    pyodide.FS.writeFile(PROGRAM, JSON.stringify([code, input, OUTCOME]))
    const first = module.stringToNewUTF8(`import askbook.reader.sandbox as sandbox; sandbox.run_file(${JSON.stringify(PROGRAM)})`)
    boundFiles(module, limits.file)
    bridge.close(() => tell({ kind: "ended", json: JSON.stringify({ error: BEYOND, figures: [] }) }), libraries(pyodide.FS))
    tell({ kind: "started" })
    module._PyRun_SimpleString(first)
    tell({ kind: "ended", json: outcome() })
  } catch (error) {
    tell({ kind: "broke", detail: String(error instanceof Error ? error.message : error).slice(0, 2000) })
  }
}

addEventListener("message", ({ data }) => void run(data), { once: true })
