/** The threads in hand: the one that is shown, the one that is asked in, and how they come from storage and go back. */
import { frames } from "./breath.js"
import { recall, remember } from "./memory.js"
import { sourcePrefix } from "./source-list.js"
import { newThread } from "./threads.js"
import { typesetReady } from "./typeset.js"

/** @typedef {import("./threads.js").Thread} Thread */
/** @typedef {import("./turn.js").TurnView} TurnView */

const CURRENT = "askbook:thread:"
/** Turns that are drawn at once where a thread is opened, the latest; earlier ones follow above them. */
const AT_ONCE = 2
/** How long the earlier ones wait for these to be drawn: what is on the page already makes it slower. */
const LATEST_MS = 1500

/** Threads of one panel. */
export class OpenThreads {
  #panel
  /** Where a tab of the browser remembers which thread it shows. */
  #current
  shown = newThread()
  /** The thread of the latest question: it may be kept after another one was opened. */
  asking = this.shown
  /** @type {TurnView | null} the turn whose question is written anew */
  editing = null
  /** What was being written when that was begun. @type {import("./composer.js").Draft | null} */
  #aside = null
  #wanted = ""
  /** What is drawn of threads shares its pieces of time. */
  #breath = frames()
  /** @type {Promise<void>} */
  #queue = Promise.resolve()
  /** What draws earlier turns now, if anything. @type {object | null} */
  #drawing = null

  /** @param {import("./panel.js").Panel} panel */
  constructor(panel) {
    this.#panel = panel
    this.#current = CURRENT + panel.name
  }

  /** What was open on the page before. */
  async restore() {
    const { tabs, store } = this.#panel
    const id = recall(this.#current) ?? ""
    const kept = await Promise.all([...new Set([...(tabs?.kept ?? []), id])].map((one) => store.get(one)))
    const threads = /** @type {Thread[]} */ (kept.filter((thread) => thread?.turns.length))
    for (const thread of threads) tabs?.show(thread)
    const current = threads.find((thread) => thread.id === id)
    await (current ? this.open(current) : tabs?.show(this.shown))
  }

  /** A new thread. @param {{stay?: boolean}} [how] `stay`: whatever view is shown stays */
  start({ stay = false } = {}) {
    const { exchange, tabs, conversation, composer, views } = this.#panel
    if (exchange?.running) exchange.stop()
    this.#show(newThread())
    tabs?.show(this.shown)
    conversation?.clear()
    remember(this.#current, "")
    if (stay) return
    views.conversation()
    composer?.focus()
  }

  /** @param {string} id of a thread of the history */
  async openStored(id) {
    this.#wanted = id
    const thread = await this.#panel.store.get(id)
    if (thread && this.#wanted === id) await this.open(thread)
  }

  /** @param {Thread} thread */
  async open(thread) {
    const { exchange, tabs, conversation, views } = this.#panel
    const running = exchange?.running ?? null
    if (running && thread.id === this.asking.id) thread = this.asking
    this.#show(thread)
    tabs?.show(thread)
    conversation?.clear()
    remember(this.#current, thread.id)
    if (!conversation) return
    const drawing = (this.#drawing = {})
    const earlier = thread.turns.slice(0, -AT_ONCE)
    const latest = thread.turns.slice(-AT_ONCE).map((data) => this.#restore(conversation.add(data, data === running?.data ? running : null), running))
    views.conversation()
    conversation.stick()
    await Promise.race([Promise.all(latest).then(typesetReady), new Promise((resolve) => setTimeout(resolve, LATEST_MS))])
    void this.#drawEarlier(earlier, running, drawing)
  }

  /** A long thread is drawn upwards, piece by piece, as long as it is shown. @param {import("./threads.js").Turn[]} turns @param {TurnView | null} running @param {object} drawing */
  async #drawEarlier(turns, running, drawing) {
    const { conversation } = this.#panel
    for (const data of turns.reverse()) {
      if (!conversation || this.#drawing !== drawing || !this.shown.turns.includes(data)) return
      const turn = conversation.addBefore(data, data === running?.data ? running : null)
      if (turn === running) continue
      await this.#draw(turn, [])
      void this.#redraw(turn)
    }
  }

  /** @param {TurnView} turn @param {TurnView | null} running which draws itself */
  async #restore(turn, running) {
    if (turn === running) return
    await this.#draw(turn, [])
    await this.#redraw(turn)
  }

  /** One turn after the other, so that no frame has more than one piece of them. @param {TurnView} turn @param {{part: number, blocks: string[]}[]} drawn */
  #draw(turn, drawn) {
    const steps = turn.restore(drawn)
    const draw = () => this.#drawPieces(turn, steps)
    return (this.#queue = this.#queue.then(draw, draw))
  }

  /** Piece by piece, as long as the turn is shown. @param {TurnView} turn @param {Iterable<void>} steps */
  async #drawPieces(turn, steps) {
    for (const _ of steps) {
      await this.#breath()
      if (!this.#panel.conversation?.turns.includes(turn)) return
    }
  }

  /** @param {Thread} thread instead of the one before, which may be packed now */
  #show(thread) {
    const { status, connection, exchange, composer } = this.#panel
    const before = this.shown
    composer?.drop("edit")
    exchange?.drop()
    if (before.id !== thread.id && connection.ready && !exchange?.running) status?.say("") // which spoke of the one before
    this.shown = thread
    this.#drawing = null
    this.editing = null
    this.#wanted = ""
    if (before.id !== thread.id) void this.#panel.store.rest(before)
  }

  /** As the worker draws it. @param {TurnView} turn */
  async #redraw(turn) {
    const { connection, conversation } = this.#panel
    const parts = turn.answer.parts.filter(({ kind }) => kind === "text" || kind === "plan").map(({ part, text }) => ({ part, text }))
    if (!parts.length) return
    const drawn = await connection.call("draw", { parts, answer: turn.answer, page: location.href, prefix: sourcePrefix(turn.data.id) }).catch(() => null)
    const now = new Map(turn.answer.parts.map(({ part, text }) => [part, text]))
    if (drawn) await this.#draw(turn, drawn.filter((/** @type {any} */ _, /** @type {number} */ at) => now.get(parts[at].part) === parts[at].text)) // not what has gone on since
    else connection.addEventListener("ready", () => void (conversation?.turns.includes(turn) && this.#redraw(turn)), { once: true }) // of another worker
    conversation?.follow()
  }

  /** A tab was closed; its thread stays in the history. @param {Thread} thread @param {Thread | undefined} next to be shown */
  closed(thread, next) {
    if (thread === this.asking && !this.#panel.exchange?.waiting) this.#panel.exchange?.stop() // what waits is stopped no second time: it goes with its own thread
    if (next) void this.open(next)
    else if (thread === this.shown) this.start()
    else void this.#panel.store.rest(thread)
    const { tabs, conversation } = this.#panel
    const lost = !(/** @type {ShadowRoot | undefined} */ (tabs?.element.getRootNode())?.activeElement)
    if (lost && tabs?.element.hidden) conversation?.log.focus() // what was pressed is gone
  }

  /** A question goes back into the field. @param {TurnView} turn */
  edit(turn) {
    const { composer } = this.#panel
    if (!composer) return
    if (!this.editing) this.#aside = composer.draft
    this.editing = turn
    const { question, selection, chapter } = turn.data
    composer.draft = { value: question, chips: [{ kind: "edit", label: question, value: turn.data.id }] }
    composer.about(selection)
    if (chapter) composer.addChip({ kind: "chapter", label: chapter.title, value: chapter.url })
    composer.focus()
  }

  /** What was being written before comes back. */
  endEdit() {
    const { composer } = this.#panel
    this.editing = null
    if (this.#aside && composer) composer.draft = this.#aside
    this.#aside = null
  }

  /** Goes on from before a turn in a thread of its own; the old one stays in the history. @param {TurnView} turn */
  fork(turn) {
    const { conversation, tabs } = this.#panel
    const before = this.shown
    const at = before.turns.indexOf(turn.data)
    this.editing = null
    if (at < 0) return
    const drawing = this.#drawing
    this.#show({ ...newThread(), title: at ? before.title : "", turns: before.turns.slice(0, at) })
    this.#drawing = drawing // its earlier turns are those of the old one
    tabs?.show(this.shown, before)
    const stays = new Set(this.shown.turns)
    for (const gone of conversation?.turns.filter(({ data }) => !stays.has(data)) ?? []) conversation?.remove(gone)
  }

  /** Write the thread that is asked in. */
  async keep() {
    const thread = this.asking
    if (thread === this.shown) remember(this.#current, thread.id)
    if ((await this.#panel.store.put(thread)) !== "copied") return
    this.#panel.status?.note("otherTab")
    this.#panel.tabs?.draw()
    if (thread === this.shown) remember(this.#current, thread.id)
  }
}
