/** Conversations of one book: kept small, read with care, never lost while an answer runs. */
import { isQuota, openDatabase } from "./database.js"
import { Journal, mergeThread } from "./journal.js"
import { emptyAnswer } from "./reducer.js"

/** @typedef {import("./reducer.js").Answer} Answer */
/** @typedef {{id: string, question: string, selection: string, page: {url: string, title: string}, answer: Answer, asked: number, interrupted: boolean, model: string}} Turn */
/** @typedef {{version: 1, id: string, title: string, created: number, updated: number, pinned: boolean, writer: string, turns: Turn[], python?: boolean}} Thread `python`: whether its models may run programs */
/** @typedef {{id: string, title: string, updated: number, pinned: boolean, turns: number, found: string}} ThreadLine */

export const VERSION = 1
/** Threads kept; the oldest unpinned one goes first. */
const MOST = 200
/** Messages kept of one thread. */
const MOST_TURNS = 30
/** Characters kept of a passage beside its address: of one that is cited, and of the others. */
const QUOTE = 100
const GLIMPSE = 40
const RESULT = 400

/** @returns {string} */
export const newId = () => `${Date.now().toString(36)}-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`

/** @returns {Thread} */
export function newThread() {
  const now = Date.now()
  return { version: VERSION, id: newId(), title: "", created: now, updated: now, pinned: false, writer: "", turns: [] }
}

/**
 * @param {string} question
 * @param {{selection?: string, page: {url: string, title: string}, model: string}} about
 * @returns {Turn}
 */
export function newTurn(question, { selection = "", page, model }) {
  return { id: newId(), question, selection, page, answer: emptyAnswer(), asked: Date.now(), interrupted: false, model }
}

/**
 * What is written to disk: passages shrink to a quote, results to their beginning, so that 200 threads stay small.
 * @param {Thread} thread
 * @returns {Thread}
 */
export function slim(thread) {
  return {
    ...thread,
    turns: thread.turns.slice(-MOST_TURNS).map((turn) => ({
      ...turn,
      answer: {
        ...turn.answer,
        sources: slimSources(turn.answer),
        parts: turn.answer.parts.map((part) => (part.result ? { ...part, result: { ...part.result, content: clipJson(part.result.content) } } : part)),
        message: null,
      },
    })),
  }
}

/** What is not cited shrinks to a line. @param {Answer} answer */
function slimSources({ sources, citations }) {
  const cited = new Set(citations.map((citation) => citation.n))
  return sources.map((source) => ({ ...source, text: clip(source.text, cited.has(source.n) ? QUOTE : GLIMPSE), matched: source.matched.slice(0, 3) }))
}

/** @param {string} text @param {number} length */
const clip = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** @param {unknown} value */
function clipJson(value) {
  const text = JSON.stringify(value) ?? "null"
  return text.length > RESULT ? { cut: `${text.slice(0, RESULT)}…` } : value
}

/**
 * Read what was stored; null for what is no thread, or of a version yet unknown.
 * @param {any} value
 * @returns {Thread | null}
 */
export function readThread(value) {
  if (value?.version !== VERSION || typeof value.id !== "string" || !Array.isArray(value.turns)) return null
  const turns = value.turns.filter((/** @type {any} */ turn) => typeof turn?.question === "string" && typeof turn?.answer === "object" && turn.answer)
  return {
    version: VERSION, id: value.id, title: String(value.title ?? ""), created: Number(value.created) || 0, updated: Number(value.updated) || 0,
    pinned: Boolean(value.pinned), writer: String(value.writer ?? ""),
    turns: turns.map((/** @type {any} */ turn) => readTurn(turn)),
  }
}

/** @param {any} turn @returns {Turn} an answer that was running when the page went away is one that was interrupted */
function readTurn(turn) {
  const answer = { ...emptyAnswer(), ...turn.answer }
  for (const name of ["parts", "sources", "citations", "notices"]) if (!Array.isArray(answer[name])) answer[name] = []
  const running = answer.state === "running" || answer.state === "pending"
  if (running) {
    answer.state = "aborted"
    for (const part of answer.parts) if (part.state === "running" || part.state === "pending") part.state = "aborted"
  }
  return {
    id: String(turn.id ?? newId()), question: turn.question, selection: String(turn.selection ?? ""), page: { url: String(turn.page?.url ?? ""), title: String(turn.page?.title ?? "") },
    answer, asked: Number(turn.asked) || 0, interrupted: Boolean(turn.interrupted) || running, model: String(turn.model ?? ""),
  }
}

/** The threads of one book in this browser. */
export class ThreadStore {
  /** @type {Promise<{area: import("./database.js").Area, kind: string}>} */
  #open
  #prefix
  #journal
  /** Which page writes; two tabs must not overwrite each other. */
  #writer = newId()
  /** @type {Map<Thread, object>} threads with something that is not stored yet, and the latest change of each */
  #unsaved = new Map()
  damaged = 0
  /** @type {(news: "full" | "full-kept") => void} */
  onnews = () => {}

  /** @param {string} prefix `askbook:<site path>:<col>:<book>` */
  constructor(prefix) {
    this.#prefix = `${prefix}:thread:`
    this.#journal = new Journal(prefix)
    this.#open = this.#begin()
  }

  async #begin() {
    const opened = await openDatabase("askbook")
    for (const entry of this.#journal.entries()) await this.#takeOver(opened.area, entry)
    return opened
  }

  /** What a page noted when it went away comes into the database. @param {import("./database.js").Area} area @param {any} entry */
  async #takeOver(area, entry) {
    const noted = readThread(entry?.thread)
    if (!noted) return
    const taken = area.change(this.#prefix + noted.id, (value) => {
      const stored = readThread(value)
      const own = !stored || stored.writer === noted.writer || stored.updated <= entry.base
      if (stored && own && stored.updated >= noted.updated) return null
      const thread = own ? mergeThread(stored, noted) : { ...noted, id: newId() }
      return [this.#prefix + thread.id, thread]
    })
    await taken.then(() => this.#journal.drop(noted.id), () => {})
  }

  /** Where threads are kept. */
  async kind() {
    return (await this.#open).kind
  }

  /** @returns {Promise<Thread[]>} newest first, pinned before the others */
  async all() {
    const { area } = await this.#open
    const entries = await area.all(this.#prefix).catch(() => [])
    const threads = []
    this.damaged = 0
    for (const [, value] of entries) {
      const thread = readThread(value)
      if (thread) threads.push(thread)
      else this.damaged += 1
    }
    return threads.sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.updated - a.updated)
  }

  /** @param {string} id @returns {Promise<Thread | null>} */
  async get(id) {
    const { area } = await this.#open
    return readThread(await area.get(this.#prefix + id).catch(() => null))
  }

  /** Something of a thread changed that is not stored yet. @param {Thread} thread @returns {object} this change */
  touch(thread) {
    const change = {}
    this.#unsaved.set(thread, change)
    return change
  }

  /** The page may be about to go, and the database is too slow for that: note at once what it does not have. */
  note() {
    const now = Date.now()
    for (const thread of this.#unsaved.keys()) {
      const updated = Math.max(now, thread.updated + 1)
      this.#journal.write({ base: thread.updated, thread: slim({ ...thread, writer: this.#writer, updated }) })
    }
  }

  /**
   * Write a thread; when another tab wrote it since, this one goes on as a copy under a new id.
   * @param {Thread} thread changed in place: `updated`, and `id` for a copy
   * @returns {Promise<"kept" | "copied" | "lost">}
   */
  async put(thread) {
    const change = this.touch(thread)
    const { area } = await this.#open
    const { id } = thread
    if (!(await this.#write(area, thread))) return "lost"
    this.#journal.drop(id)
    if (this.#unsaved.get(thread) === change) this.#unsaved.delete(thread)
    return thread.id === id ? "kept" : "copied"
  }

  /** @param {import("./database.js").Area} area @param {Thread} thread @returns {Promise<boolean>} whether it is stored */
  async #write(area, thread) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await area.change(this.#prefix + thread.id, (value) => this.#next(thread, readThread(value)))
        return true
      } catch (error) {
        if (!isQuota(error) || attempt > 40 || !(await this.#dropOldest(thread.id))) {
          this.onnews("full-kept")
          return false
        }
        this.onnews("full")
      }
    }
  }

  /** @param {Thread} thread @param {Thread | null} stored @returns {[string, Thread]} */
  #next(thread, stored) {
    const foreign = stored !== null && stored.writer !== "" && stored.writer !== this.#writer && stored.updated > thread.updated
    if (foreign) thread.id = newId()
    thread.writer = this.#writer
    thread.updated = Math.max(Date.now(), thread.updated + 1)
    return [this.#prefix + thread.id, slim(thread)]
  }

  /** @param {string} except @returns {Promise<boolean>} whether there was one to drop */
  async #dropOldest(except) {
    const oldest = (await this.all()).reverse().find((thread) => thread.id !== except && !thread.pinned)
    if (oldest) await this.delete(oldest.id)
    return Boolean(oldest)
  }

  /** Lets go of more threads than are kept. */
  async trim() {
    const threads = await this.all()
    for (const thread of threads.filter((one) => !one.pinned).slice(MOST)) await this.delete(thread.id)
  }

  /** @param {string} id */
  async delete(id) {
    this.#forget((thread) => thread.id === id)
    this.#journal.drop(id)
    const { area } = await this.#open
    await area.delete(this.#prefix + id).catch(() => {})
  }

  /** Forgets every thread of this book, readable or not. */
  async clear() {
    this.#forget(() => true)
    this.#journal.clear()
    const { area } = await this.#open
    for (const [key] of await area.all(this.#prefix).catch(() => [])) await area.delete(key).catch(() => {})
  }

  /** @param {(thread: Thread) => boolean} gone */
  #forget(gone) {
    for (const thread of [...this.#unsaved.keys()].filter(gone)) this.#unsaved.delete(thread)
  }
}

/**
 * Threads that hold every word asked for.
 * @param {Thread[]} threads
 * @param {string} asked
 * @returns {Thread[]}
 */
export function findThreads(threads, asked) {
  const wanted = asked.toLowerCase().split(/\s+/).filter(Boolean)
  if (!wanted.length) return threads
  return threads.filter((thread) => {
    const text = [thread.title, ...thread.turns.flatMap((turn) => [turn.question, ...turn.answer.parts.filter((part) => part.kind === "text").map((part) => part.text)])].join("\n").toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
