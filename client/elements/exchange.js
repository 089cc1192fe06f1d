/** Asking: a turn goes to the worker, grows with what comes back, and is kept while it grows. */
import { Earlier } from "./continued.js"
import { Held } from "./held.js"
import { Pace } from "./pace.js"
import { answerText, emptyAnswer, grow } from "./reducer.js"
import { sourcePrefix } from "./source-list.js"

/** @typedef {import("./threads.js").Thread} Thread */
/** @typedef {import("./threads.js").Turn} Turn */
/** @typedef {import("./turn.js").TurnView} TurnView */
/** @typedef {import("../protocol.js").Question} Question */
/** @typedef {{act: () => void, drop: () => void}} Waiting */

const KEEP_MS = 1500
/** How long a worker may take to end what was stopped, before it is ended itself. */
const STOP_MS = 4000

/**
 * The thread so far as messages of the core: what was asked, and what was answered as far as it came.
 * @param {Turn[]} turns
 */
export function historyOf(turns) {
  return turns.flatMap((turn) => {
    const asked = { role: "user", parts: [{ type: "text", text: turn.question }], state: "completed" }
    const text = answerText(turn.answer)
    if (!text || turn.answer.mode === "extractive") return []
    return [asked, turn.answer.message ?? { role: "assistant", parts: [{ type: "text", text }], state: "completed" }]
  })
}

/** @param {Turn[]} turns every source of the thread once, by number */
export function sourcesOf(turns) {
  return [...new Map(turns.filter((turn) => turn.answer.mode !== "extractive").flatMap((turn) => turn.answer.sources).map((source) => [source.n, source])).values()]
}

/** How an exchange ends that its worker does not end. */
const ABORTED = Object.freeze({ type: "exchange-end", state: "aborted", error: null, usage: null, message: null })

/** Runs one exchange at a time. */
export class Exchange {
  /** @type {TurnView | null} */
  running = null
  #connection
  #keep
  #lastKept = 0
  #pace = new Pace(() => this.#draw())
  /** What came and is not drawn yet. */
  #held = new Held()
  /** @type {Earlier | null} what the answer had before it was gone on with */
  #earlier = null
  /** Tokens of this exchange alone. @type {import("./reducer.js").Answer["usage"]} */
  #spent = null
  #stopped = false
  /** All of it has come. */
  #ended = false
  /** What is left is drawn without waiting for frames. */
  #hurried = false
  #lastResort = 0
  #ending = 0
  /** @type {Waiting | null} what the reader asked between the stop and the end */
  #next = null
  /** @type {(turn: TurnView) => void} */
  onstart = () => {}
  /** @type {(turn: TurnView, events: any[]) => void} */
  onprogress = () => {}
  /** @type {(turn: TurnView, event: any) => void} after an event is part of the answer */
  ongrown = () => {}
  /** @type {() => void} */
  onstop = () => {}
  /** @type {() => void} all of the answer has come, and not all of it is drawn yet */
  onwhole = () => {}
  /** @type {(turn: TurnView, spent: import("./reducer.js").Answer["usage"]) => void} */
  onend = () => {}

  /** @param {import("./connection.js").Connection} connection @param {(when: "now" | "later") => void} keep writes the thread, or hears that it is to be written */
  constructor(connection, keep) {
    this.#connection = connection
    this.#keep = keep
    connection.addEventListener("failed", (event) => this.#broke(/** @type {CustomEvent} */ (event).detail))
  }

  /**
   * @param {TurnView} turn
   * @param {Question} question
   */
  ask(turn, question) {
    if (!question.continues) turn.data.answer = emptyAnswer()
    turn.recorded = false
    const { answer } = turn
    this.#earlier = question.continues ? new Earlier(answer) : null
    this.#spent = null
    const notices = answer.notices.filter(({ code }) => code !== "incomplete")
    Object.assign(answer, { state: "running", error: null, finish: "", notices })
    turn.data.interrupted = false
    turn.reset()
    turn.update([])
    this.#pace.begin()
    this.#stopped = this.#ended = this.#hurried = false
    this.#next = null
    this.#held = new Held()
    this.running = turn
    this.onstart(turn)
    this.#keep("now")
    const id = turn.data.id
    this.#connection.ask(id, { ...question, begun: this.#earlier?.texts, prefix: sourcePrefix(id) }, (frame) => this.#take(turn, frame))
  }

  /** What comes is part of the answer at once, and drawn when it is time. @param {TurnView} turn @param {import("../protocol.js").FrameContent} frame */
  #take(turn, { events, patches }) {
    if (this.running !== turn) return
    const { answer } = turn
    const now = Date.now()
    const joined = events.map((event) => this.#earlier?.join(event) ?? event)
    for (const event of joined) {
      grow(answer, event, now)
      this.ongrown(turn, event)
    }
    const end = events.find((event) => event.type === "exchange-end")
    const ends = (this.#ended = end !== undefined)
    if (ends) this.#spent = end.usage ?? null
    this.#grown(ends, now)
    const earlier = this.#earlier
    this.#held.add(joined, earlier ? patches.map((patch) => ({ ...patch, part: earlier.number(patch.part) })) : patches)
    if (this.#stopped && !ends) return // a reader who has stopped it sees nothing move any more
    this.#pace.came(joined.reduce((sum, { type, text }) => sum + (type === "part-delta" ? text.length : 0), 0), due(joined, patches, answer))
    if (ends && !this.#next) this.onwhole()
  }

  /** Draw what fits into a task. @returns {"" | "a frame" | "a task"} what the rest waits for, if anything is left */
  #draw() {
    const turn = this.running
    if (!turn || (this.#stopped && !this.#ended)) return ""
    const hurried = this.#hurried || document.hidden // frames of a hidden page are seconds apart
    const { events, patches, more } = this.#held.take(hurried)
    const ends = events.some((event) => event.type === "exchange-end")
    turn.update(patches, !ends && !more ? turn.answer.state : this.#stopped ? "aborted" : "running")
    this.onprogress(turn, events)
    if (ends && patches.length) this.#ending = window.setTimeout(() => this.#end(turn)) // a task of its own: what came last may be long
    else if (ends) this.#end(turn)
    return more ? (hurried ? "a task" : "a frame") : ""
  }

  /** An end is kept before it is seen; what comes before it every now and then. @param {boolean} ended @param {number} now */
  #grown(ended, now) {
    const due = ended || now - this.#lastKept > KEEP_MS
    if (due) this.#lastKept = now
    this.#keep(due ? "now" : "later")
  }

  /** @param {TurnView} turn */
  #end(turn) {
    if (this.running !== turn) return
    this.running = null
    clearTimeout(this.#lastResort)
    clearTimeout(this.#ending)
    this.#connection.forget(turn.data.id)
    turn.recorded = this.#connection.ready && turn.answer.mode !== ""
    turn.finish()
    this.onend(turn, this.#spent)
    const next = this.#next
    this.#next = null
    next?.act()
  }

  /** What is left of an answer that has come to its end, as soon as may be. */
  #rest() {
    this.#hurried = true
    this.#pace.now()
  }

  /** Whether nothing can be asked: an answer grows, or a question waits for one that was stopped. */
  get busy() {
    return this.running !== null && (this.#next !== null || !(this.#stopped || this.#ended))
  }

  /** Whether a question waits for the end of an answer that was stopped. */
  get waiting() {
    return this.#next !== null
  }

  /**
   * Whether a question has to wait: it is asked once a stopped answer has come to its end, and not at all while one grows.
   * @param {() => void} act @param {() => void} drop it is not asked after all @returns {boolean}
   */
  waits(act, drop) {
    const turn = this.running
    if (turn && !this.busy) {
      this.#next = { act, drop }
      if (this.#ended) this.#rest()
      return true
    }
    return this.running !== null
  }

  /** What waits is not asked any more. */
  drop() {
    this.#next?.drop()
    this.#next = null
  }

  /** Stops the running answer, and shows that at once; what came stays. Of one that has come to its end the rest is shown. */
  stop() {
    const turn = this.running
    if (!turn) return
    this.drop()
    if (this.#ended) return this.#rest()
    if (this.#stopped) return this.onstop()
    this.#hurried = true
    this.#connection.stop(turn.data.id)
    this.onstop()
    this.#stopped = true
    turn.showStopped()
    if (!this.#connection.ready) return this.#finishWith(turn, ABORTED)
    clearTimeout(this.#lastResort)
    this.#lastResort = window.setTimeout(() => this.#force(turn), STOP_MS)
  }

  /** The worker hears nothing any more: another one takes its place, and the answer ends with what it has. @param {TurnView} turn */
  #force(turn) {
    if (this.running !== turn) return
    this.#connection.restart()
    this.#finishWith(turn, ABORTED)
  }

  /** Nothing more comes: the answer ends with what it has. */
  leave() {
    const turn = this.running
    if (!turn) return
    this.drop()
    if (this.#ended) return this.#rest()
    this.onstop()
    this.#stopped = true
    this.#finishWith(turn, ABORTED)
  }

  /** The running answer is not wanted any more, and nothing of it is written. */
  abandon() {
    const turn = this.running
    if (!turn) return
    this.#connection.stop(turn.data.id)
    this.#connection.forget(turn.data.id)
    this.onstop()
    clearTimeout(this.#lastResort)
    clearTimeout(this.#ending)
    this.running = this.#next = null
    grow(turn.answer, this.#earlier?.join(ABORTED) ?? ABORTED, Date.now())
    this.onend(turn, null)
  }

  /** @param {{fault: string, detail: string}} failure the worker did not start or died */
  #broke({ fault, detail }) {
    const turn = this.running
    if (!turn) return
    this.#finishWith(turn, { type: "exchange-end", state: "error", error: { fault: `start-${fault}`, message: detail, status: null, retry: true, retry_after: null }, usage: null, message: null })
  }

  /** @param {TurnView} turn @param {any} event */
  #finishWith(turn, event) {
    const now = Date.now()
    const end = this.#earlier?.join(event) ?? event
    grow(turn.answer, end, now)
    this.#grown(true, now)
    this.#ended = this.#hurried = true
    this.#held.add([end], [])
    this.#pace.now()
  }
}

/**
 * @param {any[]} events @param {import("../protocol.js").Patch[]} patches what came in one message
 * @param {import("./reducer.js").Answer} answer
 * @returns {"at once" | "in time" | "never"} when it is drawn: a text is drawn by its patches alone, other parts by what they say
 */
function due(events, patches, answer) {
  if (events.some(({ type }) => type !== "part-delta")) return "at once"
  const says = (/** @type {any} */ event) => answer.parts.some(({ part, kind }) => part === event.part && kind !== "text")
  return patches.length || events.some(says) ? "in time" : "never"
}
