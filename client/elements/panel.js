/** The panel: what the reader sees, put together; opened, closed, and kept over pages. */
import { Allowance, estimated } from "./allowance.js"
import { nextTask } from "./breath.js"
import { ChoiceStore } from "./choices.js"
import { Composer } from "./composer.js"
import { Connection } from "./connection.js"
import { Conversation } from "./conversation.js"
import { h, iconButton, single } from "./dom.js"
import { Exchange, historyOf, sourcesOf } from "./exchange.js"
import { follow } from "./follow.js"
import { arrive } from "./jump.js"
import { Frame } from "./frame.js"
import { Keys } from "./keys.js"
import { recall, remember } from "./memory.js"
import { modelChoice } from "./modelchoice.js"
import { askOffered, chapters, followUps, greet, suggest } from "./offers.js"
import { OpenThreads } from "./openthreads.js"
import { ownModelOf } from "./ownmodel.js"
import { inScript, pageContext, written } from "./place.js"
import { originOf } from "./presets.js"
import { pythonOf } from "./python.js"
import { copy, saveRecording } from "./save.js"
import { selected } from "./selection.js"
import { Status } from "./status.js"
import { dress } from "./styles.js"
import { ThreadStore } from "./store.js"
import { ThreadTabs } from "./threadtabs.js"
import { newTurn } from "./threads.js"
import { Views } from "./views.js"
import { fill, loadWords } from "./words.js"
import { bookName } from "../protocol.js"

/** @typedef {import("../protocol.js").Site} Site */
/** @typedef {import("./turn.js").TurnView} TurnView */

const BASE = new URL("../", import.meta.url)
const OPEN = "askbook:open"
const TABS = "askbook:tabs:"
const DRAFT = "askbook:draft:"
/** Time after the start before storage is tidied, and after an answer before a snapshot is made for the next visit. */
const IDLE_MS = 4000
/** What is said of what storage has to tell. */
const NEWS = /** @type {const} */ ({ full: "storageFull", "full-kept": "storageFullKept", damaged: "damagedThread", many: "manyThreads" })

/** Everything behind the button, for one book. */
export class Panel {
  #host
  #gone = new AbortController()
  /** Whether its conversations are still to be shown: it took the place of a closed one. */
  #waits = false
  /** @type {Promise<void>} when all of it is there */
  built
  views = new Views(this)
  /** @type {ChoiceStore} */
  choices
  /** @type {(href: string) => void} a source of the conversation leads to a page */
  onvisit = () => {}

  /**
   * @param {import("../main.js").AskBook} host
   * @param {Site} site
   * @param {{book: {main: import("../protocol.js").SiteBook | null, books: import("../protocol.js").SiteBook[]}, language: import("./words.js").Language}} page the book of the page, and its language
   * @param {Panel} [before] whose place it takes
   */
  constructor(host, site, { book, language }, before) {
    this.#host = host
    this.root = new URL(site.root, BASE)
    this.book = book
    const prefix = `askbook:${this.root.pathname}`
    const { endpoint = "", place } = site.options ?? {}
    this.choices = new ChoiceStore(prefix, place && place !== "auto" ? { place } : {}, this.#gone.signal)
    this.choices.onforgotten = () => void import("./forget.js").then(({ forgottenElsewhere }) => forgottenElsewhere(this))
    if (before) this.choices.value = before.choices.value
    this.allowance = before?.allowance ?? new Allowance(prefix)
    this.proposed = { endpoint, model: site.options?.model ?? "", provider: site.options?.provider ?? "" }
    this.proposedQuestions = inScript(site.options?.questions ?? [], this.book.main?.lang ?? document.documentElement.lang)
    this.language = this.choices.value.language || language
    const runtime = site.runtime ? new URL(site.runtime, BASE).href : ""
    const { books } = this.book
    this.connection = new Connection({
      kind: "start", runtime, site: this.root.href, snapshot: !this.choices.value.reducedData,
      books: books.map((book) => ({ name: bookName(book), url: new URL(book.index, this.root).href })),
    }, before?.connection, this.#gone.signal)
    this.python = pythonOf(this, site, runtime)
    this.own = ownModelOf(this)
    this.line = before?.line ?? { connection: this.connection }
    this.line.connection = this.connection
    this.keys = before?.keys ?? new Keys(prefix, (origin, key) => this.line.connection.send({ kind: "key", origin, key }))
    this.name = `${prefix}:${this.book.main ? `${this.book.main.col}:${this.book.main.book}` : "none:none"}`
    this.threads = new OpenThreads(this)
    this.store = new ThreadStore(this.name)
    this.built = this.#build()
  }

  async #build() {
    const words = await loadWords(/** @type {any} */ (this.language))
    this.words = words
    const root = /** @type {ShadowRoot} */ (this.#host.shadowRoot)
    const dressed = dress(root)
    this.#host.lang = this.language
    const { place, width } = this.choices.value
    this.frame = new Frame(this.#host, words, { wanted: place, width, remember: ({ wanted, width: kept }) => this.choices.set({ place: wanted, width: kept }) }, this.#gone.signal)
    this.conversation = new Conversation(words, {
      retry: (turn) => this.ask(turn), continue: (turn) => this.ask(turn, { continues: true }), mayContinue: () => this.choices.model !== null, edit: (turn) => this.exchange?.busy || this.threads.edit(turn),
      copy: (turn) => this.#copy(turn), addKey: () => void this.views.settings(), record: (turn, form) => saveRecording(this.connection, turn.data.id, form), long: (turn, long) => this.ask(turn, { long }), ask: (question) => askOffered(this, question),
    })
    const offer = () => this.conversation?.turns.forEach((turn) => turn.offerContinue())
    this.choices.listen(offer)
    void this.own.look().then(offer)
    this.composer = new Composer(words)
    this.composer.tools.append(modelChoice(words, this.choices, () => void this.views.settings({ adds: true }), this.own))
    this.tabs = new ThreadTabs(words, TABS + this.name, this.conversation.element)
    this.status = new Status(words, this.connection, this.book.books, this.#gone.signal)
    this.exchange = new Exchange(this.connection, (when) => (when === "now" ? void this.threads.keep() : this.store.touch(this.threads.asking)))
    this.#listen()
    const { lang } = document.documentElement
    this.frame.region.lang = written(lang) === written(this.language) ? lang : this.language // the page's fonts; `all: initial` takes them from the host
    this.frame.region.append(this.#head(), this.tabs.element, this.conversation.element, this.status.element, this.composer.element)
    root.append(this.frame.region)
    greet(this, this.proposedQuestions)
    await dressed
    await nextTask()
  }

  #head() {
    const words = /** @type {import("./words.js").Words} */ (this.words)
    const dock = iconButton("dock", words.dock, () => {
      if (this.frame) this.frame.wanted = this.frame.wanted === "docked" ? "floating" : "docked"
      dock.setAttribute("aria-pressed", String(this.frame?.wanted === "docked"))
    }, { class: "icon-button place-button", "aria-pressed": String(this.choices.value.place === "docked") })
    const folded = { "aria-expanded": "false", onpointerenter: () => void this.views.fetch() }
    this.historyButton = iconButton("clock", words.history, single(() => void this.views.history()), folded)
    this.settingsButton = iconButton("sliders", words.settings, single(() => void this.views.settings()), folded)
    return h(
      "div", { class: "head" }, h("h2", { dir: "auto", title: this.book.main?.title }, this.book.main?.title ?? words.ask),
      iconButton("add", words.newThread, () => this.threads.start()), this.historyButton, this.settingsButton, dock, iconButton("close", words.close, () => this.close()),
    )
  }

  #listen() {
    const { frame, composer, exchange, status, conversation, tabs, threads } = this
    if (!frame || !composer || !exchange || !status || !conversation || !tabs) return
    tabs.show(threads.shown)
    tabs.onopen = (thread) => void threads.open(thread)
    tabs.onclose = (thread, next) => threads.closed(thread, next)
    composer.onsend = (text) => this.send(text)
    composer.onstop = () => exchange.stop()
    composer.oneditlast = () => {
      const last = conversation.turns.at(-1)
      if (last && !exchange.busy) threads.edit(last)
    }
    composer.ondraft = () => this.#warmSoon()
    composer.onremove = ({ kind }) => kind === "edit" && threads.endEdit()
    composer.chapters = (typed) => chapters(this, typed)
    frame.region.addEventListener("keydown", (event) => this.#key(event))
    frame.region.addEventListener("click", (event) => follow(event, this))
    void arrive(() => status.note("indexOld"))
    exchange.onstart = () => {
      composer.busy = true
      status.asked()
    }
    exchange.ongrown = (turn, event) => this.python?.grown(turn, event)
    exchange.onstop = () => {
      composer.busy = false
      this.python?.stop()
    }
    exchange.onwhole = () => (composer.busy = false)
    exchange.onprogress = (turn, events) => status.progress(turn.answer, events)
    exchange.onend = (turn, spent) => {
      composer.busy = false
      status.ended(turn.answer)
      this.allowance.add(spent ?? estimated(turn.answer, this.choices.value.contextLimit))
      conversation.follow()
      if (conversation.turns.includes(turn)) followUps(this, turn)
      window.setTimeout(() => this.connection.makeSnapshot(), IDLE_MS)
    }
    this.connection.addEventListener("ready", () => void suggest(this))
    this.connection.addEventListener("ready", () => this.#settle())
    status.onretry = (anew) => this.#restart(anew)
    this.store.onnews = (news) => status.note(NEWS[news])
    void this.store.kind().then((kind) => kind === "memory" && status.note("storageOff"))
    const { signal } = this.#gone
    addEventListener("pagehide", () => this.#left(), { signal })
    addEventListener("visibilitychange", () => document.hidden && this.store.note(), { signal })
  }

  /** @param {string} [question] filled in @param {{selection?: string}} [about] */
  async open(question, about) {
    await this.built
    const composer = /** @type {Composer} */ (this.composer)
    if (!this.frame?.isOpen) {
      this.frame?.makeRoom()
      await nextTask()
    }
    const early = this.#host.sketch?.end()
    if (early?.closed) return this.frame?.arrange()
    const selection = about?.selection ?? selected() // before anything has changed that would be laid out for it
    this.frame?.open(early?.before)
    remember(OPEN, "1")
    if (question || early?.text) composer.value = question || early?.text || ""
    composer.about(selection)
    this.views.conversation()
    composer.focus()
    if (this.#waits) await this.threads.restore()
    this.#waits = false
    this.#warmSoon()
    if (early?.send) this.send(composer.value.trim())
  }

  /** The panel was open on the page before. */
  async restore() {
    await this.built
    const draft = recall(DRAFT + this.root.pathname)
    if (draft && this.composer && !this.composer.value) this.composer.value = draft
    this.frame?.open()
    await this.threads.restore()
    this.#warmSoon()
  }

  /** The page goes away: what the reader has not sent, and what storage does not have yet, waits for the next one. */
  #left() {
    this.store.note()
    remember(DRAFT + this.root.pathname, this.composer?.value ?? "")
  }

  /** Another panel takes its place, once that is there; till then it only stands there. */
  leave() {
    this.#gone.abort()
    this.connection.leave()
    this.exchange?.leave()
    this.store.note()
    void this.store.rest(this.threads.shown)
  }

  /** Takes the place of another one, with what the reader was about to write. @param {Panel} before */
  async replace(before) {
    await this.built
    const { composer, frame } = this
    if (!composer || !frame) return
    const field = before.composer?.field
    const focused = /** @type {ShadowRoot} */ (this.#host.shadowRoot).activeElement
    const wasIn = focused && before.frame?.region.contains(focused)
    if (field?.value) composer.value = field.value
    const about = before.composer?.chip("selection")
    if (about) composer.addChip(about)
    const stood = before.frame?.leave()
    this.#waits = !stood?.isOpen
    if (!stood?.isOpen) return remember(TABS + this.name, JSON.stringify(this.tabs?.kept)) // shown, and written, once it is opened
    frame.open(stood.before)
    if (wasIn) composer.focus()
    if (field) composer.field.setSelectionRange(field.selectionStart, field.selectionEnd)
    await this.threads.restore()
    this.#warmSoon()
  }

  /** Whether the reader would lose something if another panel took its place now. */
  get isNeeded() {
    return Boolean(this.exchange?.running || this.composer?.isComposing || (this.frame?.isOpen && this.views.now === "settings"))
  }

  close() {
    remember(OPEN, "")
    this.frame?.close(this.#host.button)
  }

  /** A reader is about to want it: fetch, build, and let Python start. */
  async warm() {
    await this.built
    if (!this.choices.value.reducedData) this.#startWorker()
  }

  #warmSoon() {
    if (this.choices.value.reducedData && !this.composer?.value) return
    const soon = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => window.setTimeout(run, 50))
    soon(() => this.#startWorker(), { timeout: 400 })
  }

  /** Python runs, and nothing is urgent: what the reader may open next, and what other visits left in storage. */
  #settle() {
    if (!this.choices.value.reducedData) void this.views.fetch()
    window.setTimeout(() => void this.store.tidy(), IDLE_MS)
  }

  #startWorker() {
    if (!this.connection.started && !this.connection.failed && !this.#gone.signal.aborted) this.connection.start()
  }

  /** @param {boolean} anew with another worker; what the one that runs has begun ends with what it has, and what waits is asked again */
  #restart(anew) {
    const running = this.exchange?.running
    if (anew && running && this.connection.begun(running.data.id)) this.exchange?.leave()
    if (anew) this.connection.close()
    const last = this.conversation?.turns.at(-1)
    if (last?.answer.error?.fault.startsWith("start-")) this.ask(last)
    else this.connection.start()
  }

  /** @param {string} text */
  send(text) {
    const { composer, conversation, exchange } = this
    if (!composer || !conversation || !exchange || exchange.busy || this.#gone.signal.aborted || this.#capped() || this.#locked()) return
    const { threads } = this
    if (threads.editing) threads.fork(threads.editing)
    const [about, chosen] = [composer.chip("selection"), composer.chip("chapter")]
    const chapter = chosen && { url: chosen.value, title: chosen.label }
    const model = this.choices.model
    const data = newTurn(text, { selection: about?.value, chapter, page: { url: location.href, title: document.title }, model: model?.model ?? "" })
    threads.shown.turns.push(data)
    if (!threads.shown.title) threads.shown.title = text.replace(/\s+/g, " ").slice(0, 60)
    const turn = conversation.add(data)
    this.tabs?.draw()
    composer.clear()
    threads.endEdit()
    conversation.stick()
    this.ask(turn)
  }

  /** @param {TurnView} turn @param {{continues?: boolean, long?: "yes" | "no"}} [how] */
  ask(turn, { continues = false, long } = {}) {
    const { choices } = this
    const { shown } = this.threads
    if (this.exchange?.waits(() => this.ask(turn, { continues, long }), () => this.#leave(turn, shown))) return this.#waiting(turn)
    if (this.#capped() || this.#locked()) return turn.leave()
    if (!shown.turns.includes(turn.data)) return // another thread was opened meanwhile
    this.threads.asking = shown
    const before = shown.turns.slice(0, shown.turns.indexOf(turn.data) + (continues ? 1 : 0))
    const { mode, passages, contextLimit, answerLimit, temperature } = choices.value
    const model = choices.model
    this.exchange?.ask(turn, {
      question: turn.data.question, mode, model: model && { provider: model.provider, endpoint: model.endpoint, model: model.model, protocol: model.protocol },
      books: this.book.books.map(bookName), history: historyOf(before), sources: sourcesOf(before), page: pageContext(), lang: this.language,
      passages, contextLimit, answerLimit, temperature, selection: turn.data.selection, chapter: turn.data.chapter?.url, continues, long,
      python: this.python?.packages ?? null,
    })
  }

  /** A question that waits is shown, and can be stopped. @param {TurnView} turn */
  #waiting(turn) {
    if (turn.answer.state === "pending") turn.update([])
    if (this.composer) this.composer.busy = true
  }

  /** It is not asked after all, and kept with its thread. @param {TurnView} turn @param {import("./threads.js").Thread} thread */
  #leave(turn, thread) {
    turn.leave()
    if (thread !== this.threads.asking) void this.store.put(thread)
  }

  /** @returns {boolean} whether today's limit is reached; then the reader is told */
  #capped() {
    const { dailyCap } = this.choices.value
    if (!this.choices.model || this.allowance.allows(dailyCap)) return false
    this.status?.say(fill(/** @type {import("./words.js").Words} */ (this.words).dailyReached, { n: dailyCap }), "bad")
    return true
  }

  /** @returns {boolean} whether the key of the model waits for its passphrase; then that is asked for */
  #locked() {
    const origin = originOf(this.choices.model?.endpoint ?? "")
    if (this.keys.state(origin)?.unlocked !== false) return false
    const told = fill(/** @type {import("./words.js").Words} */ (this.words).unlockAsk, { host: origin.replace(/^https?:\/\//, "") })
    void this.views.settings({ unlocks: true }).then(() => this.status?.say(told, "bad"))
    return true
  }

  /** @param {TurnView} turn */
  async #copy(turn) {
    const { answerToMarkdown } = await import("./export.js")
    await copy(answerToMarkdown(turn.data, /** @type {any} */ (this.words), this.root.href), [...turn.body.querySelectorAll(".text")].map((part) => part.innerHTML).join(""))
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Escape" || event.isComposing) return
    event.preventDefault()
    if (this.exchange?.running) this.exchange.stop()
    else if (this.views.now !== "conversation") this.views.conversation()
    else this.close()
  }
}
