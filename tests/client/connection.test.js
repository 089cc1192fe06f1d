import assert from "node:assert/strict"
import { test } from "node:test"

/** A worker that only remembers what it is sent. */
class FakeWorker extends EventTarget {
  /** @type {FakeWorker[]} */
  static made = []
  /** @type {any[]} */
  sent = []
  ended = false

  constructor() {
    super()
    FakeWorker.made.push(this)
  }

  /** @param {any} message */
  postMessage(message) {
    this.sent.push(message)
  }

  terminate() {
    this.ended = true
  }

  /** @param {any} message what it tells the page */
  tell(message) {
    this.dispatchEvent(new MessageEvent("message", { data: message }))
  }

  break() {
    this.dispatchEvent(Object.assign(new Event("error"), { message: "out of memory" }))
  }

  /** @param {string} kind */
  last(kind) {
    return this.sent.findLast((message) => message.kind === kind)
  }
}

Object.assign(globalThis, { Worker: FakeWorker, window: globalThis, location: new URL("https://example.org/book/"), addEventListener() {}, document: {} })
const { Connection } = await import("../../client/elements/connection.js")
process.on("unhandledRejection", () => {}) // the sanitizer, which wants a document

/** @returns {[InstanceType<typeof Connection>, FakeWorker, string[]]} a connection whose worker is ready, that worker, and what is told of faults */
function connected() {
  const connection = new Connection({ kind: "start", runtime: "", site: "", books: [], snapshot: false })
  /** @type {string[]} */
  const faults = []
  connection.addEventListener("failed", (event) => faults.push(/** @type {CustomEvent} */ (event).detail.fault))
  connection.start()
  const worker = /** @type {FakeWorker} */ (FakeWorker.made.at(-1))
  worker.tell({ kind: "ready", milliseconds: 1, tier: "compiled" })
  return [connection, worker, faults]
}

const QUESTION = /** @type {any} */ ({ question: "q" })
const frame = (/** @type {string} */ id, /** @type {string} */ text) => ({ kind: "frame", id, json: JSON.stringify({ events: [text], patches: [] }) })

test("a worker that breaks while it answers is told of, and the next attempt is another one's", () => {
  const [connection, worker, faults] = connected()
  connection.send({ kind: "key", origin: "https://a.example", key: "k" })
  connection.ask("turn", QUESTION, () => {})
  worker.break()
  assert.deepEqual([faults, worker.ended, connection.started], [["died"], true, false])
  connection.ask("turn", QUESTION, () => {})
  assert.deepEqual(FakeWorker.made.at(-1)?.sent.map(({ kind }) => kind), ["start", "key", "ask"])
  connection.close()
})

test("a worker that breaks while nobody waits is replaced with the next question, and nothing is said", () => {
  const [connection, worker, faults] = connected()
  worker.break()
  assert.deepEqual([faults, worker.ended], [[], true])
  connection.ask("turn", QUESTION, () => {})
  assert.notEqual(FakeWorker.made.at(-1), worker)
  connection.close()
})

test("what an earlier attempt says is no part of the answer, and a stop means the attempt that runs", () => {
  const [connection, worker] = connected()
  /** @type {any[]} */
  const drawn = []
  const draw = (/** @type {any} */ { events }) => drawn.push(...events)
  connection.ask("turn", QUESTION, draw)
  const first = worker.last("ask").id
  connection.ask("turn", QUESTION, draw)
  const second = worker.last("ask").id
  worker.tell(frame(first, "late"))
  worker.tell(frame(second, "new"))
  connection.stop("turn")
  assert.deepEqual([drawn, worker.last("stop").id], [["new"], second])
  connection.forget("turn")
  worker.tell(frame(second, "after the end"))
  assert.deepEqual(drawn, ["new"])
})

test("how a program ended is told to the worker that asked for it alone", async () => {
  const [connection, worker] = connected()
  /** @type {(run: any) => void} */
  let end = () => {}
  connection.onpython = () => new Promise((resolve) => (end = resolve))
  worker.tell({ kind: "python", id: "program-1", code: "", input: "{}" })
  connection.restart()
  end({ stdout: "late" })
  await new Promise((resolve) => setTimeout(resolve))
  assert.equal(FakeWorker.made.at(-1)?.last("ran"), undefined)
  const next = /** @type {FakeWorker} */ (FakeWorker.made.at(-1))
  next.tell({ kind: "python", id: "program-1", code: "", input: "{}" })
  end({ stdout: "own" })
  await new Promise((resolve) => setTimeout(resolve))
  assert.deepEqual(next.last("ran"), { kind: "ran", id: "program-1", json: '{"stdout":"own"}' })
  next.tell({ kind: "progress", step: "python", loaded: 0, total: 0 })
  connection.close()
})
