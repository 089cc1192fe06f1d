/** A worker that fetches the runtime while the panel itself is still on its way; the connection takes it over. */
import { scriptUrl } from "./trusted.js"

const BASE = new URL("../", import.meta.url)

/** @type {Worker | null} */
let waiting = null

/** A fresh worker. @returns {Worker} */
const newWorker = () => new Worker(scriptUrl(new URL("worker/worker.js", BASE)), { type: "module", name: "askbook" })

/** Longest time the panel's many small files wait, so that the few large ones are asked for first. */
const PRECEDENCE_MS = 500

/**
 * Start fetching, unless the reader wants few data or there is nothing to fetch.
 * @param {Pick<import("../protocol.js").Site, "runtime" | "first"> & {root?: string}} site
 * @returns {Promise<unknown> | undefined} settled when the files have been asked for, or soon
 */
export function fetchAhead({ runtime, first, root = "../../" }) {
  if (!runtime || location.protocol === "file:" || wantsFewData(`askbook:${new URL(root, BASE).pathname}`)) return
  const folder = new URL(runtime, BASE).href
  const coming = first && mayCompile() ? begin(new URL(first, folder).href) : undefined
  const worker = newWorker()
  worker.addEventListener("error", () => {
    if (waiting === worker) waiting = null
  })
  void prepare(worker, folder, coming)
  waiting = worker
  return new Promise((resolve) => {
    setTimeout(resolve, PRECEDENCE_MS)
    for (const sign of ["message", "error"]) worker.addEventListener(sign, resolve, { once: true })
  })
}

/** Whether this page may use what would be fetched; its worker's policy is the same on most sites. */
function mayCompile() {
  try {
    return Boolean(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])))
  } catch {
    return false
  }
}

/** Ask for the largest file before the worker can. @param {string} url @returns {Promise<import("../worker/boot.js").First | undefined>} */
async function begin(url) {
  try {
    if (await caches.match(url)) return
  } catch {
    // nothing is kept here
  }
  const { ok, body } = await fetch(url).catch(() => Response.error())
  return ok && body ? { url, body } : undefined
}

/**
 * Tell the worker what to fetch, and hand over what comes already; the list of it comes while the worker's own scripts do.
 * @param {Worker} worker
 * @param {string} runtime
 * @param {ReturnType<typeof begin>} [coming]
 */
async function prepare(worker, runtime, coming) {
  const listed = fetch(new URL("runtime.json", runtime), { cache: "no-cache" }).then((response) => response.json()).catch(() => undefined)
  const [manifest, first] = await Promise.all([listed, coming])
  /** @type {import("../protocol.js").Prepare} */
  const message = { kind: "prepare", runtime, manifest }
  try {
    worker.postMessage({ ...message, first }, first ? [first.body] : [])
  } catch {
    void first?.body.cancel() // this browser hands no streams over, so the worker asks anew
    worker.postMessage(message)
  }
}

/** Whether this reader, or the browser, wants few data; read by itself, so that nothing has to come first. @param {string} prefix */
function wantsFewData(prefix) {
  const saves = Boolean(/** @type {any} */ (navigator).connection?.saveData)
  try {
    return JSON.parse(localStorage.getItem(`${prefix}:choices`) ?? "null")?.reducedData ?? saves
  } catch {
    return saves
  }
}

/** The worker that has begun to fetch, once; otherwise a fresh one. @returns {Worker} */
export function takeWorker() {
  const taken = waiting ?? newWorker()
  waiting = null
  return taken
}
