/** A worker that fetches the runtime while the panel itself is still on its way; the connection takes it over. */
import { ChoiceStore } from "./choices.js"
import { scriptUrl } from "./trusted.js"

const BASE = new URL("../", import.meta.url)

/** @type {Worker | null} */
let waiting = null

/** A fresh worker. @returns {Worker} */
const newWorker = () => new Worker(scriptUrl(new URL("worker/worker.js", BASE)), { type: "module", name: "askbook" })

/**
 * Start fetching, unless the reader wants few data or there is nothing to fetch.
 * @param {import("../protocol.js").Site} site
 */
export function fetchAhead(site) {
  const prefix = `askbook:${new URL(site.root, BASE).pathname}`
  if (!site.runtime || location.protocol === "file:" || new ChoiceStore(prefix).value.reducedData) return
  const worker = newWorker()
  worker.addEventListener("error", () => {
    if (waiting === worker) waiting = null
  })
  /** @type {import("../protocol.js").Prepare} */
  const message = { kind: "prepare", runtime: new URL(site.runtime, BASE).href }
  worker.postMessage(message)
  waiting = worker
}

/** The worker that has begun to fetch, once; otherwise a fresh one. @returns {Worker} */
export function takeWorker() {
  const taken = waiting ?? newWorker()
  waiting = null
  return taken
}
