/** The page's end of the worker: starts it once, sends messages, hands news to whoever asked. */
import { takeWorker } from "./ahead.js"
import { scriptUrl } from "./trusted.js"

/** @typedef {import("../protocol.js").FromWorker} FromWorker */
/** @typedef {import("../protocol.js").ToWorker} ToWorker */
/** @typedef {import("../protocol.js").Question} Question */
/** @typedef {import("../protocol.js").FrameContent} FrameContent */
/** @typedef {import("../protocol.js").CallName} CallName */

/** Longest time a worker may stay silent after its start before it counts as one that never ran. */
const SILENCE_MS = 9_000

/** A worker that is started on first need, and again after a failure. */
export class Connection extends EventTarget {
  /** @type {Worker | null} */
  #worker = null
  /** @type {ToWorker[]} */
  #sent = []
  /** @type {Map<string, (content: FrameContent) => void>} who draws what comes, by attempt */
  #frames = new Map()
  /** @type {Map<string, string>} exchanges that run, and which attempt at each it is: nothing of an earlier one counts as part of it */
  #attempts = new Map()
  /** @type {Map<string, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
  #replies = new Map()
  /** @type {Map<string, ToWorker>} what was asked and nothing has come of yet: a worker that takes the place of another is asked it too */
  #waiting = new Map()
  #next = 0
  #ready = false
  /** @type {import("../protocol.js").StartFault | ""} */
  failed = ""
  #silence = 0
  #making = false
  /** @type {Worker | null} */
  #maker = null
  #left = false
  /** @type {(code: string, input: string) => Promise<unknown>} runs a model's program */
  onpython = async () => ({ stdout: "", limit: "refused", error: "", figures: [] })
  /** @type {(asked: {id: string, body: string}) => void} asks the browser's own model */
  onprompt = () => {}
  /** @type {(id: string) => void} */
  onunprompt = () => {}
  /** @type {"" | import("../protocol.js").Tier} */
  tier = ""
  /** @type {import("../protocol.js").Start} */
  #start

  /** @param {import("../protocol.js").Start} start @param {Connection} [before] whose keys go along @param {AbortSignal} [gone] */
  constructor(start, before, gone) {
    super()
    this.#start = start
    if (before) this.#sent = [...before.#sent]
    addEventListener("pagehide", (event) => event.persisted || this.close(), { signal: gone })
  }

  get ready() {
    return this.#ready
  }

  get started() {
    return this.#worker !== null
  }

  /** Starts the worker; harmless when it runs. */
  start() {
    if (this.#worker || this.#left) return
    this.failed = ""
    if (location.protocol === "file:") return this.#fail("no-worker", "file:")
    /** @type {Worker} */
    let worker
    try {
      worker = this.#worker = takeWorker()
    } catch (error) {
      return this.#fail("no-worker", String(error))
    }
    worker.addEventListener("message", (event) => this.#worker === worker && this.#take(event.data, worker))
    worker.addEventListener("error", (event) => this.#worker === worker && this.#broke(event.message ?? "worker error"))
    this.#silence = window.setTimeout(() => this.#fail("stalled", "the worker is silent"), SILENCE_MS)
    worker.postMessage(this.#start)
    for (const message of [...this.#sent, ...this.#waiting.values()]) worker.postMessage(message)
    void import("./insert.js").then(({ prepare }) => prepare()) // the sanitizer, before the first answer wants it
  }

  /** Makes the memory snapshot the next visit starts from; in a worker of its own, when nothing else is to be done. */
  makeSnapshot() {
    const { snapshot, runtime } = this.#start
    if (!snapshot || this.tier !== "compiled" || this.#making) return
    this.#making = true
    const maker = (this.#maker = new Worker(scriptUrl(new URL("../worker/snapshot.js", import.meta.url)), { type: "module", name: "askbook-snapshot" }))
    maker.addEventListener("message", (event) => {
      console.info("askbook: snapshot:", event.data.outcome)
      this.dispatchEvent(new CustomEvent("snapshot", { detail: event.data }))
    })
    maker.postMessage({ runtime })
  }

  /** Makes none any more; what is being made is not kept. */
  endSnapshots() {
    this.#making = true
    this.#maker?.terminate()
  }

  /** Ends the worker; the next question starts another. */
  close() {
    clearTimeout(this.#silence)
    this.#worker?.terminate()
    this.#worker = null
    this.#ready = false
  }

  /** Nobody asks it any more. */
  leave() {
    this.#left = true
    this.tier = ""
    this.#abandon("left")
  }

  /** Puts another worker in the place of one that hears nothing any more; the keys go along, and nobody waits for the old one's replies. */
  restart() {
    this.#abandon("restarted")
    this.start()
  }

  /** @param {string} why */
  #abandon(why) {
    this.close()
    for (const { reject } of this.#replies.values()) reject(new Error(why))
    this.#replies.clear()
    this.#waiting.clear()
    this.dispatchEvent(new CustomEvent("gone"))
  }

  /** A worker that has an error may hear nothing any more: whoever waits for it is told, and what comes next is asked of another one. @param {string} detail */
  #broke(detail) {
    if (!this.#ready) this.#fail("core-broken", detail)
    else if (this.#frames.size) this.#fail("died", detail)
    else this.#abandon(detail)
  }

  /** @param {ToWorker} message kept and sent again when the worker is started anew, if it is a key */
  send(message) {
    if (message.kind === "key") {
      this.#sent = this.#sent.filter((sent) => sent.kind !== "key" || sent.origin !== message.origin)
      this.#sent.push(message)
      if (!this.#worker) return
    }
    this.start()
    this.#worker?.postMessage(message)
  }

  /**
   * Ask; frames come until one holds the exchange's end.
   * @param {string} id
   * @param {Question} question
   * @param {(content: FrameContent) => void} draw
   */
  ask(id, question, draw) {
    this.forget(id)
    const attempt = `${id}/${++this.#next}`
    this.#attempts.set(id, attempt)
    this.#frames.set(attempt, draw)
    this.#put(attempt, { kind: "ask", id: attempt, question })
  }

  /** @param {string} id */
  stop(id) {
    const attempt = this.#attempts.get(id)
    if (attempt) this.send({ kind: "stop", id: attempt })
  }

  /** Whether the worker has answered something to a question; else another worker may be asked the same. @param {string} id @returns {boolean} */
  begun(id) {
    const attempt = this.#attempts.get(id) ?? ""
    return this.#frames.has(attempt) && !this.#waiting.has(attempt)
  }

  /** @param {string} id */
  forget(id) {
    const attempt = this.#attempts.get(id) ?? ""
    this.#frames.delete(attempt)
    this.#waiting.delete(attempt)
    this.#attempts.delete(id)
  }

  /**
   * Call one of the worker's functions.
   * @param {CallName} name
   * @param {unknown} argument
   * @returns {Promise<any>}
   */
  call(name, argument) {
    if (this.#left) return Promise.reject(new Error("left"))
    const id = `call-${++this.#next}`
    return new Promise((resolve, reject) => {
      this.#replies.set(id, { resolve, reject })
      this.#put(id, { kind: "call", id, name, argument: JSON.stringify(argument) })
    })
  }

  /** @param {string} id @param {ToWorker} message to which something will come */
  #put(id, message) {
    this.send(message)
    if (this.#worker) this.#waiting.set(id, message)
  }

  /** @param {FromWorker} message @param {Worker} worker it is from */
  #take(message, worker) {
    clearTimeout(this.#silence)
    switch (message.kind) {
      case "frame":
        this.#waiting.delete(message.id)
        this.#frames.get(message.id)?.(JSON.parse(message.json))
        return
      case "reply": {
        const waiting = this.#replies.get(message.id)
        this.#replies.delete(message.id)
        this.#waiting.delete(message.id)
        if (message.error) waiting?.reject(new Error(message.error))
        else waiting?.resolve(JSON.parse(message.json))
        return
      }
      case "python":
        void this.onpython(message.code, message.input).then((run) => this.#worker === worker && worker.postMessage({ kind: "ran", id: message.id, json: JSON.stringify(run) }))
        return
      case "prompt":
        this.onprompt(message)
        return
      case "unprompt":
        this.onunprompt(message.id)
        return
      case "failed":
        this.#fail(message.fault, message.detail)
        return
      case "ready":
        this.#ready = true
        this.tier = message.tier
    }
    this.dispatchEvent(new CustomEvent(message.kind, { detail: message }))
  }

  /** @param {import("../protocol.js").StartFault} fault @param {string} detail */
  #fail(fault, detail) {
    this.#abandon(fault)
    this.failed = fault
    this.dispatchEvent(new CustomEvent("failed", { detail: { kind: "failed", fault, detail } }))
  }
}
