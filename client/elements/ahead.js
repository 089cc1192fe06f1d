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
 * @param {import("../protocol.js").Site} site
 * @returns {Promise<unknown> | undefined} settled when the files have been asked for, or soon
 */
export function fetchAhead(site) {
  if (!site.runtime || location.protocol === "file:" || wantsFewData(`askbook:${new URL(site.root, BASE).pathname}`)) return
  const worker = newWorker()
  worker.addEventListener("error", () => {
    if (waiting === worker) waiting = null
  })
  void prepare(worker, new URL(site.runtime, BASE).href)
  waiting = worker
  return new Promise((resolve) => {
    setTimeout(resolve, PRECEDENCE_MS)
    for (const sign of ["message", "error"]) worker.addEventListener(sign, resolve, { once: true })
  })
}

/** Tell the worker what to fetch; the list of it comes while the worker's own scripts do. @param {Worker} worker @param {string} runtime */
async function prepare(worker, runtime) {
  const manifest = await fetch(new URL("runtime.json", runtime), { cache: "no-cache" }).then((response) => response.json()).catch(() => undefined)
  /** @type {import("../protocol.js").Prepare} */
  const message = { kind: "prepare", runtime, manifest }
  worker.postMessage(message)
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
