/** The panel: what the reader sees, put together; opened, closed, and kept over pages. */
import { Allowance } from "./allowance.js"
import { ChoiceStore } from "./choices.js"
import { Composer } from "./composer.js"
import { Connection } from "./connection.js"
import { Conversation } from "./conversation.js"
import { h, iconButton } from "./dom.js"
import { Exchange, historyOf, sourcesOf } from "./exchange.js"
import { follow } from "./follow.js"
import { arrive } from "./jump.js"
import { Frame } from "./frame.js"
import { Keys } from "./keys.js"
import { recall, remember } from "./memory.js"
import { modelChoice } from "./modelchoice.js"
import { chapters, followUps, greet, suggest } from "./offers.js"
import { ownModelOf } from "./ownmodel.js"
import { bookOfPage, inScript, pageContext } from "./place.js"
import { pythonOf } from "./python.js"
import { copy, saveRecording } from "./save.js"
import { selected } from "./selection.js"
import { sourcePrefix } from "./source-list.js"
import { Status } from "./status.js"
import { followTheme } from "./theme.js"
import { ThreadTabs } from "./threadtabs.js"
import { ThreadStore, newThread, newTurn } from "./threads.js"
import { fill, loadWords } from "./words.js"
import { bookName } from "../protocol.js"

/** @typedef {import("../protocol.js").Site} Site */
/** @typedef {import("./turn.js").TurnView} TurnView */
/** @typedef {import("./threads.js").Thread} Thread */

const BASE = new URL("../", import.meta.url)
const OPEN = "askbook:open"
const CURRENT = "askbook:thread:"
const TABS = "askbook:tabs:"
/** Idle time after the first answer before a snapshot is made for the next visit. */
const SNAPSHOT_MS = 4000
const STYLES = ["panel.css", "pages.css", "prose.css", "python.css"]

/** Everything behind the button. */
export class Panel {
  #host
  /** Where a tab of the browser remembers which thread it shows. */
  #current
  /** @type {Promise<void>} */
  #built
  thread = newThread()
  /** The thread of the latest question: it may be kept after another one was opened. */
  #asking = this.thread
  /** @type {TurnView | null} */
  #editing = null
  /** @type {import("./history.js").History | undefined} */
  history
  /** @type {import("./settings.js").Settings | undefined} */
  settings

  /** @param {import("../main.js").AskBook} host @param {Site} site @param {import("./words.js").Language} language of the page */
  constructor(host, site, language) {
    this.#host = host
    this.root = new URL(site.root, BASE)
    this.#current = CURRENT + this.root.pathname
    const prefix = `askbook:${this.root.pathname}`
    const { endpoint = "", place } = site.options ?? {}
    this.choices = new ChoiceStore(prefix, place && place !== "auto" ? { place } : {})
    this.allowance = new Allowance(prefix)
    this.proposed = { endpoint, model: site.options?.model ?? "", provider: site.options?.provider ?? "" }
    this.book = bookOfPage(site.books, document.documentElement.lang)
    this.proposedQuestions = inScript(site.options?.questions ?? [], this.book.main?.lang ?? document.documentElement.lang)
    this.language = this.choices.value.language || language
    const runtime = site.runtime ? new URL(site.runtime, BASE).href : ""
    const { books } = this.book
    this.connection = new Connection({
      kind: "start", runtime, site: this.root.href, snapshot: !this.choices.value.reducedData,
      books: books.map((book) => ({ name: bookName(book), url: new URL(book.index, this.root).href })),
    })
    this.python = pythonOf(this, site, runtime)
    this.own = ownModelOf(this)
    this.keys = new Keys(prefix, (origin, key) => this.connection.send({ kind: "key", origin, key }))
    this.store = new ThreadStore(`${prefix}:${this.book.main ? `${this.book.main.col}:${this.book.main.book}` : "none:none"}`)
    this.#built = this.#build()
  }

  async #build() {
    const words = await loadWords(/** @type {any} */ (this.language))
    this.words = words
    const root = /** @type {ShadowRoot} */ (this.#host.shadowRoot)
    const styles = STYLES.map((name) => h("link", { rel: "stylesheet", href: new URL(`elements/${name}`, BASE).href }))
    const styled = Promise.all(styles.map((link) => new Promise((resolve) => link.addEventListener("load", resolve, { once: true }) ?? link.addEventListener("error", resolve, { once: true }))))
    followTheme(this.#host)
    this.#host.lang = this.language
    const { place, width } = this.choices.value
    this.frame = new Frame(this.#host, words, { wanted: place, width, remember: ({ wanted, width: kept }) => this.choices.set({ place: wanted, width: kept }) })
    this.conversation = new Conversation(words, {
      retry: (turn) => this.ask(turn), continue: (turn) => this.ask(turn, { continues: true }), edit: (turn) => this.#edit(turn),
      copy: (turn) => this.#copy(turn), addKey: () => void this.showSettings(), record: (turn, form) => saveRecording(this.connection, turn.data.id, form), long: (turn, long) => this.ask(turn, { long }), ask: (question) => this.send(question),
    })
    this.composer = new Composer(words)
    this.composer.tools.append(modelChoice(words, this.choices, () => void this.showSettings(), this.own))
    this.tabs = new ThreadTabs(words, TABS + this.root.pathname, this.conversation.element)
    this.status = new Status(words, this.connection, this.book.books)
    this.exchange = new Exchange(this.connection, (when) => (when === "now" ? void this.#keep(this.#asking) : this.store.touch(this.#asking)))
    this.#listen()
    this.frame.region.append(this.#head(), this.tabs.element, this.conversation.element, this.status.element, this.composer.element)
    root.append(...styles, this.frame.region)
    greet(this, this.proposedQuestions)
    await Promise.race([styled, new Promise((resolve) => window.setTimeout(resolve, 1500))])
  }

  #head() {
    const words = /** @type {import("./words.js").Words} */ (this.words)
    const dock = iconButton("dock", words.dock, () => {
      if (this.frame) this.frame.wanted = this.frame.wanted === "docked" ? "floating" : "docked"
      dock.setAttribute("aria-pressed", String(this.frame?.wanted === "docked"))
    }, { class: "icon-button place-button", "aria-pressed": String(this.choices.value.place === "docked") })
    this.historyButton = iconButton("clock", words.history, () => void this.showHistory(), { "aria-expanded": "false" })
    this.settingsButton = iconButton("sliders", words.settings, () => void this.showSettings(), { "aria-expanded": "false" })
    return h(
      "div", { class: "head" }, h("h2", { dir: "auto" }, this.book.main?.title ?? words.ask),
      iconButton("add", words.newThread, () => this.startThread()), this.historyButton, this.settingsButton, dock, iconButton("close", words.close, () => this.close()),
    )
  }

  #listen() {
    const { frame, composer, exchange, status, conversation, tabs } = this
    if (!frame || !composer || !exchange || !status || !conversation || !tabs) return
    tabs.show(this.thread)
    tabs.onopen = (thread) => void this.openThread(thread)
    tabs.onclose = (thread, next) => this.#closed(thread, next)
    composer.onsend = (text) => this.send(text)
    composer.onstop = () => exchange.stop()
    composer.oneditlast = () => {
      const last = conversation.turns.at(-1)
      if (last) this.#edit(last)
    }
    composer.ondraft = () => this.#warmSoon()
    composer.chapters = (typed) => chapters(this, typed)
    frame.region.addEventListener("keydown", (event) => this.#key(event))
    frame.region.addEventListener("click", (event) => follow(event, this))
    void arrive(() => status.note("indexOld"))
    exchange.onstart = () => {
      composer.busy = true
      status.asked()
    }
    exchange.ongrown = (turn, event) => this.python?.grown(turn, event)
    exchange.onstop = () => this.python?.stop()
    exchange.onprogress = (turn, events) => status.progress(turn.answer, events)
    exchange.onend = (turn) => {
      composer.busy = false
      status.ended(turn.answer)
      this.allowance.add(turn.answer.usage)
      conversation.follow()
      if (conversation.turns.includes(turn)) followUps(this, turn)
      window.setTimeout(() => this.connection.makeSnapshot(), SNAPSHOT_MS)
    }
    this.connection.addEventListener("ready", () => void suggest(this))
    status.onretry = () => this.#restart()
    this.store.onnews = (news) => status.note(news === "full" ? "storageFull" : "storageFullKept")
    void this.store.kind().then((kind) => kind === "memory" && status.note("storageOff"))
    addEventListener("pagehide", () => this.store.note())
    addEventListener("visibilitychange", () => document.hidden && this.store.note())
  }

  /** @param {string} [question] filled in @param {{selection?: string}} [about] */
  async open(question, about) {
    await this.#built
    const composer = /** @type {Composer} */ (this.composer)
    const early = this.#host.sketch?.end()
    if (early?.closed) return
    this.frame?.open(early?.before)
    remember(OPEN, "1")
    if (question || early?.text) composer.value = question || early?.text || ""
    composer.about(about?.selection ?? selected())
    this.showConversation()
    composer.focus()
    this.#warmSoon()
    if (early?.send) this.send(composer.value.trim())
  }

  /** The panel was open on the page before. */
  async restore() {
    await this.#built
    this.frame?.open()
    const id = recall(this.#current) ?? ""
    const kept = await Promise.all([...new Set([...(this.tabs?.kept ?? []), id])].map((one) => this.store.get(one)))
    const threads = /** @type {Thread[]} */ (kept.filter((thread) => thread?.turns.length))
    for (const thread of threads) this.tabs?.show(thread)
    const current = threads.find((thread) => thread.id === id)
    await (current ? this.openThread(current) : this.tabs?.show(this.thread))
    this.#warmSoon()
  }

  close() {
    remember(OPEN, "")
    this.frame?.close(this.#host.button)
  }

  /** A reader is about to want it: fetch, build, and let Python start. */
  async warm() {
    await this.#built
    if (!this.choices.value.reducedData) this.#startWorker()
  }

  #warmSoon() {
    if (this.choices.value.reducedData && !this.composer?.value) return
    const soon = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => window.setTimeout(run, 50))
    soon(() => this.#startWorker(), { timeout: 400 })
  }

  #startWorker() {
    if (!this.connection.started && !this.connection.failed) this.connection.start()
  }

  #restart() {
    const last = this.conversation?.turns.at(-1)
    if (last?.answer.error?.fault.startsWith("start-")) this.ask(last)
    else this.connection.start()
  }

  /** @param {string} text */
  send(text) {
    const { composer, conversation, exchange } = this
    if (!composer || !conversation || !exchange || exchange.running || this.#capped()) return
    if (this.#editing) this.#fork(this.#editing)
    const [selection, chapter] = [composer.chip("selection"), composer.chip("chapter")]
    const model = this.choices.model
    const data = newTurn(text, { selection, page: { url: location.href, title: document.title }, model: model?.model ?? "" })
    this.thread.turns.push(data)
    if (!this.thread.title) this.thread.title = text.replace(/\s+/g, " ").slice(0, 60)
    const turn = conversation.add(data)
    this.tabs?.draw()
    composer.clear()
    conversation.stick()
    this.ask(turn, { chapter })
  }

  /** @param {TurnView} turn @param {{continues?: boolean, chapter?: string, long?: "yes" | "no"}} [how] */
  ask(turn, { continues = false, chapter, long } = {}) {
    const { choices } = this
    if (this.exchange?.running || this.#capped()) return
    this.#asking = this.thread
    const before = this.thread.turns.slice(0, this.thread.turns.indexOf(turn.data) + (continues ? 1 : 0))
    const { mode, passages, contextLimit, answerLimit, temperature } = choices.value
    const model = choices.model
    this.exchange?.ask(turn, {
      question: turn.data.question, mode, model: model && { provider: model.provider, endpoint: model.endpoint, model: model.model, protocol: model.protocol },
      books: this.book.books.map(bookName), history: historyOf(before), sources: sourcesOf(before), page: pageContext(), lang: this.language,
      passages, contextLimit, answerLimit, temperature, selection: turn.data.selection, chapter, continues, long,
      python: this.python?.packages ?? null,
    })
  }

  /** @returns {boolean} whether today's limit is reached; then the reader is told */
  #capped() {
    const { dailyCap } = this.choices.value
    if (!this.choices.model || this.allowance.allows(dailyCap)) return false
    this.status?.say(fill(/** @type {import("./words.js").Words} */ (this.words).dailyReached, { n: dailyCap }), "bad")
    return true
  }

  /** @param {TurnView} turn its question goes back into the field */
  #edit(turn) {
    if (this.exchange?.running) return
    this.#editing = turn
    const composer = /** @type {Composer} */ (this.composer)
    composer.value = turn.data.question
    composer.about(turn.data.selection)
    composer.focus()
  }

  /** Goes on from before a turn in a thread of its own; the old one stays in the history. @param {TurnView} turn */
  #fork(turn) {
    this.#editing = null
    const at = this.thread.turns.indexOf(turn.data)
    if (at < 0) return
    const before = this.thread
    this.thread = { ...newThread(), title: at ? before.title : "", turns: before.turns.slice(0, at) }
    this.tabs?.show(this.thread, before)
    for (const gone of this.conversation?.turns.slice(at) ?? []) this.conversation?.remove(gone)
  }

  /** @param {TurnView} turn */
  async #copy(turn) {
    const { answerToMarkdown } = await import("./export.js")
    await copy(answerToMarkdown(turn.data, /** @type {any} */ (this.words), this.root.href), [...turn.body.querySelectorAll(".text")].map((part) => part.innerHTML).join(""))
  }

  /** @param {{stay?: boolean}} [how] `stay`: whatever view is shown stays */
  startThread({ stay = false } = {}) {
    if (this.exchange?.running) this.exchange.stop()
    this.thread = newThread()
    this.tabs?.show(this.thread)
    this.#editing = null
    this.conversation?.clear()
    remember(this.#current, "")
    if (stay) return
    this.showConversation()
    this.composer?.focus()
  }

  /** A tab was closed; its thread stays in the history. @param {Thread} thread @param {Thread | undefined} next to be shown */
  #closed(thread, next) {
    if (thread === this.#asking) this.exchange?.stop()
    if (next) void this.openThread(next)
    else if (thread === this.thread) this.startThread()
  }

  /** @param {Thread} thread */
  async openThread(thread) {
    const running = this.exchange?.running ?? null
    if (running && thread.id === this.#asking.id) thread = this.#asking
    this.thread = thread
    this.tabs?.show(thread)
    this.#editing = null
    this.conversation?.clear()
    remember(this.#current, thread.id)
    for (const data of thread.turns) {
      const turn = this.conversation?.add(data, data === running?.data ? running : null)
      if (turn === running) continue
      turn?.restore([])
      const parts = data.answer.parts.filter((part) => part.kind === "text" || part.kind === "plan").map((part) => ({ part: part.part, text: part.text }))
      if (parts.length) void this.#redraw(/** @type {TurnView} */ (turn), parts)
    }
    this.showConversation()
    this.conversation?.stick()
  }

  /** @param {TurnView} turn @param {{part: number, text: string}[]} parts */
  async #redraw(turn, parts) {
    const drawn = await this.connection.call("draw", { parts, answer: turn.answer, page: location.href, prefix: sourcePrefix(turn.data.id) }).catch(() => null)
    if (drawn) turn.restore(drawn)
    this.conversation?.follow()
  }

  /** @param {Thread} thread */
  async #keep(thread) {
    if (thread === this.thread) remember(this.#current, thread.id)
    const outcome = await this.store.put(thread)
    if (outcome === "kept") void this.store.trim()
    if (outcome !== "copied") return
    this.status?.note("otherTab")
    this.tabs?.draw()
    if (thread === this.thread) remember(this.#current, thread.id)
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Escape" || event.isComposing) return
    event.preventDefault()
    if (this.exchange?.running) this.exchange.stop()
    else if (this.view !== "conversation") this.showConversation()
    else this.close()
  }

  view = "conversation"
  #next = ""

  /** @param {"conversation" | "history" | "settings"} name @param {HTMLElement} [element] */
  #show(name, element) {
    if (this.view !== name && !this.exchange?.running && this.connection.ready) this.status?.say("")
    this.view = name
    const { conversation, composer, frame } = this
    if (!conversation || !composer || !frame) return
    for (const page of frame.region.querySelectorAll(".page")) /** @type {HTMLElement} */ (page).hidden = page !== element
    if (this.tabs) this.tabs.shown = name === "conversation"
    conversation.element.hidden = composer.element.hidden = name !== "conversation"
    this.historyButton?.setAttribute("aria-expanded", String(name === "history"))
    this.settingsButton?.setAttribute("aria-expanded", String(name === "settings"))
  }

  showConversation() {
    const before = this.view
    this.#show("conversation")
    if (before === "settings") this.settingsButton?.focus()
    if (before === "history") this.historyButton?.focus()
  }

  async showHistory() {
    if (this.view === "history") return this.showConversation()
    this.#next = "history"
    const history = (this.history ??= (await import("./setup.js")).makeHistory(this))
    if (this.#next !== "history") return
    this.#show("history", history.element)
    await history.open()
    history.search.focus()
  }

  async showSettings() {
    if (this.view === "settings") return this.showConversation()
    this.#next = "settings"
    const settings = (this.settings ??= (await import("./setup.js")).makeSettings(this))
    if (this.#next !== "settings") return
    this.#show("settings", settings.element)
    settings.open()
    settings.element.querySelector("button")?.focus()
  }
}
