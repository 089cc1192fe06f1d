/**
 * Python for a model in the reader's page: a frame of opaque origin with a policy of its own and a worker inside it. The page hands
 * in bytes and a program, takes out text and figures, and ends both by taking the frame away.
 */
import { fetchCached, open as openCache, unpacked } from "../worker/cache.js"

/** @typedef {import("../protocol.js").News} News */
/**
 * How a run ended, as `askbook.core.pytool.outcome` takes it.
 * @typedef {object} Run
 * @property {string} stdout
 * @property {"" | "time" | "output" | "crash" | "stopped" | "refused"} limit
 * @property {string} error
 * @property {Figure[]} figures
 *
 * @typedef {{type: string, data: string}} Figure data in base64
 *
 * Where the files are, and what the site allows.
 * @typedef {object} SandboxSettings
 * @property {string} base address of this package's folder
 * @property {string} runtime address of the folder with `runtime.json`
 * @property {Record<string, string[]>} packages name to its archives, relative to `base`
 * @property {{seconds: number, characters: number, memory: number, file: number, starting: number}} limits
 */

export const LIMITS = { seconds: 15, characters: 8_000, memory: 512 * 2 ** 20, file: 8 * 2 ** 20, starting: 60 }
const IMPORT = /^[ \t]*(?:import|from)[ \t]+([\w.]+(?:[ \t]*(?:as[ \t]+\w+)?[ \t]*,[ \t]*[\w.]+)*)/gm

/**
 * Names of the packages a program imports, as far as it can be seen.
 * @param {string} code
 * @param {string[]} known
 */
export function imported(code, known) {
  const names = [...code.matchAll(IMPORT)].flatMap((match) => match[1].split(",").map((name) => name.trim().split(/[.\s]/)[0]))
  return known.filter((name) => names.includes(name))
}

/** A run of one program, until it ends by itself or is ended. */
class Running {
  stdout = ""
  /** @type {(run: Run) => void} */
  #settle = () => {}
  /** @type {Promise<Run>} */
  done = new Promise((settle) => {
    this.#settle = settle
  })
  #timer = 0
  #limits
  #begun = false
  /** @type {(bytes: Uint8Array) => void} */
  oncompiled = () => {}

  /** @param {SandboxSettings["limits"]} limits */
  constructor(limits) {
    this.#limits = limits
    this.#timer = window.setTimeout(() => this.#end({ error: `Python did not start within ${limits.starting} seconds` }), limits.starting * 1000)
  }

  /** @param {Partial<Run>} how */
  #end(how) {
    clearTimeout(this.#timer)
    this.#settle({ stdout: this.stdout, limit: "", error: "", figures: [], ...how })
  }

  /** @param {News} news what the worker says, or what pretends to be it */
  take(news) {
    switch (news?.kind) {
      case "compiled":
        if (!this.#begun && news.bytes instanceof Uint8Array) this.oncompiled(news.bytes)
        break
      case "started":
        this.#begun = true
        clearTimeout(this.#timer)
        this.#timer = window.setTimeout(() => this.#end({ limit: "time" }), this.#limits.seconds * 1000)
        break
      case "out":
        this.stdout += String(news.text).slice(0, this.#limits.characters + 1 - this.stdout.length)
        if (this.stdout.length > this.#limits.characters) this.#end({ limit: "output" })
        break
      case "ended":
        this.#end(read(news.json))
        break
      case "broke":
        this.#end(/memory|RangeError/i.test(news.detail) ? { error: "MemoryError: the sandbox has no more memory" } : { limit: "crash", error: String(news.detail) })
        break
    }
  }

  stop() {
    this.#end({ limit: "stopped" })
  }
}

/** @param {string} json @returns {Partial<Run>} */
function read(json) {
  try {
    const { error, figures } = JSON.parse(json)
    return { error: String(error ?? ""), figures: Array.isArray(figures) ? figures : [] }
  } catch {
    return { limit: "crash" }
  }
}

/** Runs programs, one at a time. */
export class Sandbox {
  /** @type {Promise<any> | undefined} */
  #files
  /** @type {Running | null} */
  #running = null
  /** @type {Map<string, ArrayBuffer>} */
  #compiled = new Map()
  #settings

  /** @param {SandboxSettings} settings */
  constructor(settings) {
    this.#settings = settings
  }

  /** Fetches what a run needs, so that the first one need not wait. */
  prepare() {
    this.#files ??= this.#fetch().catch((error) => {
      this.#files = undefined
      throw error
    })
    return this.#files
  }

  async #fetch() {
    const { runtime, base } = this.#settings
    const manifest = JSON.parse(new TextDecoder().decode(await this.#bytes(new URL("runtime.json", runtime).href, { fresh: true, keeps: false })))
    const folder = new URL(manifest.pyodide.folder, runtime).href
    const addresses = {
      loader: `${folder}pyodide.js`,
      module: `${folder}pyodide.asm.js`,
      wasm: new URL(manifest.pyodide.wasm.path, runtime).href,
      stdlib: new URL(manifest.sandbox.path, runtime).href,
      app: new URL(manifest.app.path, runtime).href,
      script: new URL("worker/sandbox.js", base).href,
    }
    const fetched = await Promise.all(Object.entries(addresses).map(async ([name, url]) => [name, await this.#bytes(url, { fresh: name === "script" })]))
    const { script, ...files } = Object.fromEntries(fetched)
    return { script, files, info: manifest.pyodide.info }
  }

  /** @param {string} url @param {{fresh?: boolean, keeps?: boolean}} [how] @returns {Promise<ArrayBuffer>} */
  async #bytes(url, how = {}) {
    const response = await fetchCached(url, how)
    if (!response.ok) throw new Error(`${new URL(url).pathname}: ${response.status}`)
    return unpacked(await response.arrayBuffer())
  }

  /** @param {string} url @returns {Promise<ArrayBuffer | null>} bytecode an earlier run made of packages */
  async #kept(url) {
    if (this.#compiled.has(url)) return this.#compiled.get(url) ?? null
    const found = await openCache().then((cache) => cache?.match(url)).catch(() => undefined)
    return found ? found.arrayBuffer() : null
  }

  /** @param {string} url @param {Uint8Array} bytes */
  async #keep(url, bytes) {
    this.#compiled.set(url, /** @type {ArrayBuffer} */ (bytes.slice().buffer))
    const cache = await openCache()
    await cache?.put(url, new Response(/** @type {BodyInit} */ (bytes))).catch(() => {})
  }

  /**
   * Runs a program.
   * @param {string} code
   * @param {string} input JSON
   * @returns {Promise<Run>}
   */
  async run(code, input) {
    this.stop()
    const { limits, packages, base } = this.#settings
    const running = (this.#running = new Running(limits))
    /** @type {HTMLIFrameElement | undefined} */
    let frame
    /** @param {MessageEvent} event */
    const heard = ({ source, data }) => {
      if (frame && source === frame.contentWindow) running.take(data)
    }
    addEventListener("message", heard)
    try {
      const names = imported(code, Object.keys(packages))
      const { script, files, info } = await this.prepare()
      const archives = [...new Set(names.flatMap((name) => packages[name]))].map((path) => new URL(path, base).href)
      const loaded = await Promise.all(archives.map((url) => this.#bytes(url)))
      const compiled = new URL(`packages/${names.join("-")}.compiled?${archives.map((url) => url.slice(-16, -4)).join("-")}`, base).href
      const kept = names.length ? await this.#kept(compiled) : null
      running.oncompiled = (bytes) => void this.#keep(compiled, bytes)
      frame = await openFrame(new URL("worker/sandbox.html", base).href)
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => running.take(data)
      frame.contentWindow?.postMessage({ script, program: { port: port2, files, info, packages: kept ? [...loaded, kept] : loaded, names, code, input, limits } }, "*", [port2])
      return await running.done
    } catch (error) {
      return { stdout: "", limit: "", error: `Python could not start: ${error instanceof Error ? error.message : error}`, figures: [] }
    } finally {
      removeEventListener("message", heard)
      frame?.remove()
      if (this.#running === running) this.#running = null
    }
  }

  /** Ends what runs. */
  stop() {
    this.#running?.stop()
  }
}

/** @param {string} url @returns {Promise<HTMLIFrameElement>} a frame that can do nothing but run scripts */
async function openFrame(url) {
  const frame = document.createElement("iframe")
  frame.setAttribute("sandbox", "allow-scripts")
  frame.setAttribute("aria-hidden", "true")
  frame.tabIndex = -1
  frame.title = "Python"
  frame.hidden = true
  frame.referrerPolicy = "no-referrer"
  frame.allow = ""
  const loaded = new Promise((resolve, reject) => {
    frame.addEventListener("load", resolve, { once: true })
    frame.addEventListener("error", () => reject(new Error("the frame did not load")), { once: true })
  })
  frame.src = url
  document.body.append(frame)
  await loaded
  return frame
}
