/** The threads of one book in this browser: listed without being read, packed when they rest, never lost while an answer runs. */
import { nextTask } from "./breath.js"
import { isQuota, openDatabase } from "./database.js"
import { Journal } from "./journal.js"
import { densify, isSame, pack, sizeOf, unpack } from "./pack.js"
import { byDate, isRunning, joinTurns, readLine, recordOf, threadOf } from "./records.js"
import { MOST_TURNS, newId, readThread, slim, textOf } from "./threads.js"

/** @typedef {import("./database.js").Area} Area */
/** @typedef {import("./database.js").Entry} Entry */
/** @typedef {import("./reducer.js").Answer} Answer */
/** @typedef {import("./records.js").Line} Line */
/** @typedef {import("./threads.js").Thread} Thread */
/** @typedef {import("./threads.js").Turn} Turn */

/** Threads kept; the oldest unpinned one goes first. */
const MOST = 200
/** Turns a thread may have that are not packed, before it is left. */
const MOST_LOOSE = 8
/** Bytes all packed turns may take before the oldest are packed denser: of the ten million a book's threads are to take, or the five that storage of text has. */
const ROOM = { indexed: 8_000_000, local: 3_000_000, memory: 8_000_000 }
/** How long a running answer may be silent in storage before it counts as one whose page is gone. */
const GONE_MS = 600_000

/** Reads and writes threads; a thread in hand is an object its page goes on changing. */
export class ThreadStore {
  /** @type {ReturnType<typeof openDatabase>} */
  #open
  #prefix
  #room
  #journal
  /** Which page writes; two tabs must not overwrite each other. */
  #writer = newId()
  /** @type {Map<Thread, object>} threads with something that is not stored yet, and the latest change of each */
  #unsaved = new Map()
  /** @type {WeakMap<Turn, Answer>} turns that are packed, and the answers they are packed with */
  #packed = new WeakMap()
  /** @type {Set<string>} threads this page has in hand */
  #inHand = new Set()
  damaged = 0
  /** @type {(news: "full" | "full-kept" | "damaged" | "many") => void} */
  onnews = () => {}

  /** @param {string} prefix `askbook:<site path>:<col>:<book>` @param {number} [room] bytes packed turns may take before they are packed denser; else what suits the storage */
  constructor(prefix, room) {
    this.#prefix = prefix
    this.#room = room
    this.#journal = new Journal(prefix)
    this.#open = this.#begin()
  }

  async #begin() {
    const opened = await openDatabase("askbook")
    for (const entry of this.#journal.entries()) await this.#takeOver(opened.area, entry)
    return opened
  }

  /** Where the record of a thread is, and where its packed turns are. @param {string} id @returns {[string, string]} */
  #names(id) {
    return [`${this.#prefix}:thread:${id}`, `${this.#prefix}:packed:${id}`]
  }

  /** What a page noted when it went away comes into the database. @param {Area} area @param {any} entry */
  async #takeOver(area, entry) {
    const noted = readThread(entry?.thread)
    if (!noted) return
    const taken = area.change([this.#names(noted.id)[0]], ([value]) => {
      const stored = readLine(value)
      const own = !stored || stored.writer === noted.writer || stored.updated <= entry.base
      if (stored && own && stored.updated >= noted.updated) return []
      const thread = own ? { ...noted, turns: joinTurns(stored?.turns ?? [], noted.turns) } : { ...noted, id: newId() }
      const { packed = 0, size = 0, dense = false, count = 0 } = (own && stored) || {}
      const record = recordOf(thread, { turns: thread.turns, packed, size, dense })
      return [[this.#names(thread.id)[0], { ...record, count: Math.max(count, record.count, Number(entry.count) || 0) }]]
    })
    await taken.then(() => this.#journal.drop(noted.id), () => {})
  }

  /** Where threads are kept. */
  async kind() {
    return (await this.#open).kind
  }

  /** @returns {Promise<Line[]>} pinned before the others, then the newest first */
  async lines() {
    const { area } = await this.#open
    const entries = await area.all(this.#names("")[0]).catch(() => [])
    const lines = entries.map(([, value]) => readLine(value)).filter((line) => line !== null)
    this.damaged = entries.length - lines.length
    return lines.sort(byDate)
  }

  /** @param {string} id @returns {Promise<Thread | null>} what can be read of a thread; the reader is told where that is not all */
  async get(id) {
    const { thread, damaged } = await this.#read(id)
    if (damaged) this.onnews("damaged")
    return thread
  }

  /** @param {string} id @returns {Promise<{thread: Thread | null, damaged: boolean}>} as this page has it where that could not be stored; of a damaged one what is not packed, under a new id, so that nothing is overwritten */
  async #read(id) {
    const { area } = await this.#open
    for (const thread of this.#unsaved.keys()) if (thread.id === id) return { thread, damaged: false }
    const [value, packed] = await area.read(this.#names(id)).catch(() => [])
    const line = readLine(value)
    if (!line) return { thread: null, damaged: value !== undefined }
    try {
      const thread = threadOf(line, line.packed ? await unpack(packed) : [])
      const loose = new Set(line.turns.map((turn) => turn.id))
      for (const turn of thread.turns) if (!loose.has(turn.id)) this.#packed.set(turn, turn.answer)
      return { thread, damaged: false }
    } catch {
      return { thread: line.turns.length ? { ...threadOf(line, []), id: newId(), writer: "" } : null, damaged: true }
    }
  }

  /** What can be read of every thread, one after the other. @param {(line: Line) => boolean} [which] of those that are stored */
  async *all(which = () => true) {
    const stored = (await this.lines()).filter(which).map(({ id }) => id)
    const unsaved = [...this.#unsaved.keys()].map(({ id }) => id)
    for (const id of new Set([...stored, ...unsaved])) {
      const { thread, damaged } = await this.#read(id)
      if (damaged) this.damaged += 1
      if (thread) yield thread
    }
  }

  /**
   * What a search looks through, thread by thread; the page may do something else in between.
   * @param {boolean} dense those that take long to read, or the others
   * @returns {AsyncGenerator<[string, string]>} ids and texts
   */
  async *texts(dense) {
    for await (const thread of this.all((line) => line.dense === dense)) {
      yield [thread.id, textOf(thread)]
      await nextTask()
    }
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
      const count = Math.min(thread.turns.length, MOST_TURNS)
      this.#journal.write({ base: thread.updated, count, thread: slim({ ...thread, writer: this.#writer, updated }) })
    }
  }

  /**
   * Write a thread; when another tab wrote it since, this one goes on as a copy under a new id.
   * @param {Thread} thread changed in place: `updated`, `writer`, and `id` for a copy
   * @returns {Promise<"kept" | "copied" | "lost">}
   */
  async put(thread) {
    const change = this.touch(thread)
    const { area } = await this.#open
    const { id } = thread
    this.#inHand.add(id)
    if (!(await this.#write(area, thread))) return "lost"
    if (this.#unsaved.get(thread) === change) {
      this.#unsaved.delete(thread)
      this.#journal.drop(id)
    }
    if (thread.id === id && this.#loose(thread).length > MOST_LOOSE) void this.rest(thread)
    return thread.id === id ? "kept" : "copied"
  }

  /** @param {Area} area @param {Thread} thread @returns {Promise<boolean>} whether it is stored */
  async #write(area, thread) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        let first = false
        await area.change([this.#names(thread.id)[0]], ([value]) => {
          first = value === undefined
          return [this.#next(thread, readLine(value))]
        })
        if (first) void this.#trim()
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

  /** @param {Thread} thread @param {Line | null} stored @returns {Entry} */
  #next(thread, stored) {
    const foreign = stored !== null && stored.writer !== "" && stored.writer !== this.#writer && stored.updated > thread.updated
    if (foreign) thread.id = newId()
    else if (stored) Object.assign(thread, { title: stored.title || thread.title, pinned: stored.pinned })
    thread.writer = this.#writer
    thread.updated = Math.max(Date.now(), thread.updated + 1)
    const { packed = 0, size = 0, dense = false } = (!foreign && stored) || {}
    const record = recordOf(thread, { turns: packed ? this.#loose(thread) : thread.turns, packed, size, dense })
    return [this.#names(thread.id)[0], record]
  }

  /** @param {Thread} thread @returns {Turn[]} what is not packed, or was changed since */
  #loose({ turns }) {
    for (const turn of turns) if (isRunning(turn)) this.#packed.delete(turn)
    return turns.filter((turn) => this.#packed.get(turn) !== turn.answer)
  }

  /**
   * Pack a thread nobody is answering in; it stays as it is where it changed meanwhile.
   * @param {Thread} thread as it is stored
   */
  async rest(thread) {
    const { updated, writer, turns } = thread
    if (this.#unsaved.has(thread) || turns.some(isRunning) || !this.#loose(thread).length) return
    const { area, kind } = await this.#open
    const answers = turns.map((turn) => /** @type {const} */ ([turn, turn.answer]))
    const packed = await pack(slim(thread).turns, { asText: kind === "local" })
    const [name, beside] = this.#names(thread.id)
    let done = false
    await area.change([name], ([value]) => {
      const stored = readLine(value)
      done = stored !== null && stored.updated === updated && stored.writer === writer
      if (!stored || !done) return []
      const record = recordOf({ ...thread, title: stored.title, pinned: stored.pinned, updated, writer }, { turns: [], packed: Math.min(turns.length, MOST_TURNS), size: sizeOf(packed) })
      return [[beside, packed], [name, record]]
    }).catch(() => (done = false))
    if (done) for (const [turn, answer] of answers) this.#packed.set(turn, answer)
  }

  /**
   * Threads of a file come in with their own dates, pinned and newest ones first, as far as there is room: nothing goes for them.
   * @param {Thread[]} threads
   * @returns {Promise<{taken: number, over: number, full: number, unread: number}>} how many came in, were more than are kept, found no
   *   room in storage, could not be read
   */
  async adopt(threads) {
    const { area, kind } = await this.#open
    const now = Date.now()
    const told = { taken: 0, over: 0, full: 0, unread: 0 }
    let room = MOST - (await this.lines()).filter((line) => !line.pinned).length
    for (const thread of threads.map((one) => ({ ...one, updated: Math.min(one.updated || one.created || now, now) })).sort(byDate)) {
      const how = !thread.pinned && room < 1 ? "over" : told.full ? "full" : await this.#adoptOne(area, kind, thread)
      told[how] += 1
      if (how === "taken" && !thread.pinned) room -= 1
    }
    return told
  }

  /** @param {Area} area @param {string} kind @param {Thread} thread @returns {Promise<"taken" | "full" | "unread">} */
  async #adoptOne(area, kind, thread) {
    const names = this.#names(thread.id)
    /** @type {Entry[]} */
    let entries
    try {
      const { turns } = slim(thread)
      const packed = await pack(turns, { asText: kind === "local" })
      entries = [[names[1], packed], [names[0], recordOf(thread, { turns: [], packed: turns.length, size: sizeOf(packed) })]]
    } catch {
      return "unread"
    }
    try {
      await area.change([], () => entries)
      return "taken"
    } catch {
      await area.change([], () => names.map((one) => [one, undefined])).catch(() => {})
      return "full"
    }
  }

  /** Pack what other visits left as it was, also what an earlier version wrote. */
  async tidy() {
    const { area, kind } = await this.#open
    const prefix = this.#names("")[0]
    for (const name of await area.names(prefix).catch(() => [])) {
      const line = readLine((await area.read([name]).catch(() => []))[0])
      if (line?.packed && !line.size && !line.dense) await this.#measure(area, line.id)
      const answering = line?.turns.some((turn) => turn.interrupted) && Math.abs(Date.now() - line.updated) < GONE_MS
      if (!line?.turns.length || answering || this.#inHand.has(line.id)) continue
      const { thread, damaged } = await this.#read(line.id)
      if (thread && !damaged) await this.rest(thread)
    }
    await this.#densify(area, this.#room ?? ROOM[kind])
  }

  /** An earlier version did not say what packed turns take. @param {Area} area @param {string} id */
  async #measure(area, id) {
    const names = this.#names(id)
    await area.change(names, ([value, packed]) => {
      const stored = readLine(value)
      const size = sizeOf(packed)
      return stored?.packed && !stored.size ? [[names[0], { ...value, size, dense: !size }]] : []
    }).catch(() => {})
  }

  /** Where there is too little room for all, the oldest threads take less of it. @param {Area} area @param {number} room */
  async #densify(area, room) {
    const lines = (await this.lines()).filter((line) => line.packed)
    let taken = lines.reduce((sum, { size }) => sum + size, 0)
    for (const line of lines.sort((a, b) => a.updated - b.updated)) {
      if (taken <= room) return
      if (line.dense || line.turns.length || this.#inHand.has(line.id)) continue
      const [name, beside] = this.#names(line.id)
      const [before] = await area.read([beside]).catch(() => [])
      const packed = await densify(before).catch(() => null)
      const size = packed ? sizeOf(packed) : line.size
      await area.change([name, beside], ([value, now]) => {
        const stored = readLine(value)
        if (stored?.updated !== line.updated || stored.writer !== line.writer || stored.turns.length || !isSame(now, before)) return []
        taken += size - line.size
        return [...(packed ? [/** @type {Entry} */ ([beside, packed])] : []), [name, { ...value, size, dense: true }]]
      }).catch(() => {})
    }
  }

  /** Rename a thread, or pin it; its turns stay untouched. @param {string} id @param {{title?: string, pinned?: boolean}} change */
  async amend(id, change) {
    const { area } = await this.#open
    await area.change([this.#names(id)[0]], ([value]) => (readLine(value) ? [[this.#names(id)[0], { ...value, ...change }]] : [])).catch(() => {})
  }

  /** @param {string} id @returns {Promise<Entry[]>} what was deleted, to be given back */
  async take(id) {
    this.#forget((thread) => thread.id === id)
    this.#journal.drop(id)
    const { area } = await this.#open
    const names = this.#names(id)
    const values = await area.read(names).catch(() => [])
    await area.change(names, () => names.map((name) => [name, undefined])).catch(() => {})
    return names.map((name, at) => /** @type {Entry} */ ([name, values[at]])).filter(([, value]) => value !== undefined)
  }

  /** What has gone on in another tab since stays as it is there. @param {Entry[]} taken */
  async giveBack(taken) {
    const { area } = await this.#open
    const names = taken.map(([name]) => name)
    await area.change(names, (stored) => (stored.some((value) => value !== undefined) ? [] : taken)).catch(() => this.onnews("full-kept"))
  }

  /** @param {string} except @returns {Promise<boolean>} whether there was one to drop */
  async #dropOldest(except) {
    const oldest = (await this.lines()).reverse().find((line) => line.id !== except && !line.pinned)
    if (oldest) await this.take(oldest.id)
    return Boolean(oldest)
  }

  /** Lets go of more threads than are kept. */
  async #trim() {
    const lines = await this.lines()
    const gone = lines.filter((line) => !line.pinned).slice(MOST)
    for (const { id } of gone) await this.take(id)
    if (gone.length) this.onnews("many")
  }

  /** Forgets every thread of this book, readable or not. */
  async clear() {
    this.#forget(() => true)
    this.#journal.clear()
    const { area } = await this.#open
    for (const prefix of this.#names("")) {
      const names = await area.names(prefix).catch(() => [])
      await area.change([], () => names.map((name) => [name, undefined])).catch(() => {})
    }
  }

  /** @param {(thread: Thread) => boolean} gone */
  #forget(gone) {
    for (const thread of [...this.#unsaved.keys()].filter(gone)) this.#unsaved.delete(thread)
  }
}
