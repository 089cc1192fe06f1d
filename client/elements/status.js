/** One line that tells the truth: what is loading, what is being done, what is wrong, and what to press. */
import { h, wordButton } from "./dom.js"
import { fill } from "./words.js"

/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("../protocol.js").Progress} Progress */

const MEGA = 1_000_000

/** @param {number} bytes */
const mega = (bytes) => (bytes / MEGA).toFixed(1)

/** The status line, the bar above it, and notices that stay until they are put away. */
export class Status {
  #words
  #connection
  #books
  #waiting = false
  #loads = true
  /** Whether all of Python has come, and how many bytes of books have. */
  #whole = false
  #came = 0
  /** What a press on an offer does now, by its name. @type {Map<string, () => void>} */
  #acts = new Map()
  /** @type {(anew: boolean) => void} with another worker where the one that runs lacks a book */
  onretry = () => {}

  /** @param {Words} words @param {import("./connection.js").Connection} connection @param {import("../protocol.js").SiteBook[]} books @param {AbortSignal} gone ends it */
  constructor(words, connection, books, gone) {
    this.#words = words
    this.#connection = connection
    this.#books = books
    this.fill = h("div", {})
    this.bar = h("div", { class: "progress", "aria-hidden": "true", hidden: true }, this.fill)
    this.line = h("div", { class: "status", role: "status" })
    this.notices = h("div", { class: "notices" })
    this.element = h("div", { class: "status-area" }, this.notices, this.bar, this.line)
    connection.addEventListener("progress", (event) => this.#progress(/** @type {CustomEvent} */ (event).detail))
    connection.addEventListener("book", (event) => this.#book(/** @type {CustomEvent} */ (event).detail))
    connection.addEventListener("ready", () => this.#ready())
    connection.addEventListener("limited", (event) => this.#limited(/** @type {CustomEvent} */ (event).detail))
    connection.addEventListener("failed", (event) => this.#failed(/** @type {CustomEvent} */ (event).detail))
    addEventListener("offline", () => this.note("offline"), { signal: gone })
    addEventListener("online", () => this.drop("offline"), { signal: gone })
    if (!navigator.onLine) this.note("offline")
  }

  /** @param {string} text @param {"" | "good" | "bad"} [tone] */
  say(text, tone = "") {
    this.#loads = text === ""
    if (this.line.textContent !== text) this.line.textContent = text
    this.line.dataset.tone = tone
  }

  /** @param {Progress} progress */
  #progress({ step, loaded, total }) {
    const words = this.#words
    this.bar.hidden = false
    this.#whole ||= step === "python"
    if (step === "book") this.#came = loaded
    if (total) this.fill.style.width = `${Math.round((90 * loaded) / total)}%`
    if (step === "runtime" && loaded < total) this.#loading(fill(words.startRuntime, { loaded: mega(loaded), total: mega(total) }))
    else if (step !== "book" || this.#whole) this.#loading(this.#came > MEGA / 10 ? fill(words.startBook, { loaded: mega(this.#came) }) : words.startPython)
  }

  /** Loading is shown, but only a waiting reader hears of every step. @param {string} text */
  #loading(text) {
    if (!this.#loads && !this.#waiting) return
    this.line.setAttribute("aria-live", this.#waiting ? "polite" : "off")
    this.say(this.#waiting ? `${text} ${this.#words.waiting}` : text)
    this.#loads = true
  }

  /** @param {{name: string, info: string, fault: import("../protocol.js").BookFault | "", detail: string}} news */
  #book({ name, info, fault, detail }) {
    const book = this.#books.find((one) => `${one.col}-${one.book}` === name)
    if (!fault) {
      this.drop(`book-${name}`)
      if (book?.hash && JSON.parse(info).hash !== book.hash) this.note("indexOld")
      return
    }
    this.#fault(`book-${name}`, fill(this.#words.bookFault[fault], { name: book?.index ?? name }), detail)
  }

  #ready() {
    this.bar.hidden = true
    this.line.removeAttribute("aria-live")
    this.drop("start")
    if (this.#waiting) this.say(this.#words.searching)
    else if (this.#loads) this.say("")
  }

  /** @param {{fault: import("../protocol.js").StartFault, detail: string}} failure */
  #failed({ fault, detail }) {
    this.bar.hidden = true
    this.say("")
    console.warn("askbook:", fault, detail)
    this.#fault("start", detail === "file:" ? this.#words.file : this.#words.startFault[fault], detail)
  }

  /** @param {{fault: import("../protocol.js").StartFault, detail: string}} limit keywords are searched all the same */
  #limited({ fault, detail }) {
    console.warn("askbook:", fault, detail)
    this.#fault("limited", `${this.#words.startFault[fault]} ${this.#words.keywordsOnly}`, detail)
  }

  /** A question was sent. */
  asked() {
    this.drop("leftBook")
    this.#waiting = !this.#connection.ready
    if (!this.#waiting) this.say(this.#words.searching)
    else if (!this.line.textContent) this.say(this.#words.waiting)
  }

  /**
   * @param {import("./reducer.js").Answer} answer
   * @param {any[]} events
   */
  progress(answer, events) {
    this.#waiting = false
    const words = this.#words
    for (const event of events) {
      if (event.type === "part-start") this.say(event.kind === "text" ? words.answering : event.kind === "reasoning" ? words.thinking : fill(words.lookingUp, { name: event.name }))
      if (event.type === "part-end" && event.value?.type === "tool-call") this.say(fill(words.lookingUp, { name: event.value.name }))
      if (event.type === "notice" && event.code in words.notice) this.say(words.notice[/** @type {keyof Words["notice"]} */ (event.code)])
      if (event.type === "notice" && event.data?.reason in words.incomplete) this.say(words.incomplete[/** @type {keyof Words["incomplete"]} */ (event.data.reason)])
    }
  }

  /** @param {import("./reducer.js").Answer} answer */
  ended(answer) {
    this.#waiting = false
    const words = this.#words
    const count = answer.citations.length ? new Set(answer.citations.map((citation) => citation.n)).size : answer.sources.length
    if (answer.estimate) this.say(words.longJob)
    else if (answer.state === "aborted") this.say(words.stopped)
    else if (answer.state === "error") this.say(words.failedStatus, "bad")
    else this.say(count === 0 ? words.readyNone : count === 1 ? words.readyOne : fill(words.ready, { n: count }))
  }

  /** @param {"offline" | "otherTab" | "storageFull" | "storageFullKept" | "storageOff" | "indexOld" | "damagedThread" | "manyThreads"} name */
  note(name) {
    this.#bar(name, this.#words[name], wordButton("check", this.#words.ok, () => this.#leave(name)))
  }

  /** What the reader may do about another book. @param {"otherBook" | "leftBook"} name @param {string} title of that book @param {() => void} act */
  offer(name, title, act) {
    const { otherBook, otherBookGo, leftBook, leftBookGo } = this.#words
    const [text, go] = name === "otherBook" ? [otherBook, otherBookGo] : [leftBook, leftBookGo]
    const said = fill(text, { title })
    this.#acts.set(name, act)
    if (this.#barOf(name)?.firstElementChild?.textContent === said) return // it is not told twice
    const press = () => {
      this.#leave(name)
      this.#acts.get(name)?.()
    }
    this.#bar(name, said, wordButton(name === "otherBook" ? "book" : "back", go, press))
  }

  /** @param {string} name @param {string} text @param {HTMLElement} action @param {import("./dom.js").Attributes} [attributes] */
  #bar(name, text, action, attributes) {
    this.drop(name)
    const bar = h("div", { class: "notice-bar", "data-name": name, ...attributes }, h("span", {}, text), action)
    this.notices.append(bar)
    bar.setAttribute("role", "alert")
  }

  /** @param {string} name @param {string} text @param {string} detail */
  #fault(name, text, detail) {
    this.#bar(name, text, wordButton("retry", this.#words.tryAgain, () => this.#again(name)), { class: "notice-bar fault", title: detail || null })
  }

  /** @param {string} name */
  #again(name) {
    this.#leave(name)
    this.say("")
    this.onretry(name.startsWith("book-"))
  }

  /** A bar goes that was pressed: whoever pressed it by the keyboard goes on in the view that is shown, else where one writes. @param {string} name */
  #leave(name) {
    const { activeElement } = /** @type {ShadowRoot} */ (this.element.getRootNode())
    const next = /** @type {HTMLElement | null | undefined} */ (this.element.parentElement?.querySelector(".page:not([hidden]) button, form:not([hidden]) textarea"))
    if (activeElement && this.#barOf(name)?.contains(activeElement)) next?.focus()
    this.drop(name)
  }

  /** @param {string} name */
  #barOf(name) {
    return this.notices.querySelector(`[data-name="${CSS.escape(name)}"]`)
  }

  /** What was noted holds no more. @param {string} name */
  drop(name) {
    for (const bar of this.notices.querySelectorAll(`[data-name="${CSS.escape(name)}"]`)) bar.remove()
  }
}
