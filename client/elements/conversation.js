/** The conversation as it is read: turns in a log that stays at the end only while the reader is there. */
import { h, icon, wordButton } from "./dom.js"
import { TurnView } from "./turn.js"
import { typeset } from "./typeset.js"
import { fill } from "./words.js"

/** @typedef {import("./words.js").Words} Words */

/** How near the end counts as being there. */
const NEAR = 64

/** Turns that are always laid out. */
const LAST = 2

/** More than any conversation is high. */
const BEYOND = 1e9

/** How long going up keeps a scroll of our own, already under way, from counting as the reader's. */
const LEAVING_MS = 400

/** The log of one thread. */
export class Conversation {
  #words
  #actions
  #atEnd = true
  #top = 0
  #left = -LEAVING_MS
  #frame = 0
  /** @type {TurnView[]} */
  turns = []
  /** @type {{title: string, questions: string[]}} */
  #greeting = { title: "", questions: [] }

  /** @param {Words} words @param {import("./turn.js").TurnActions} actions */
  constructor(words, actions) {
    this.#words = words
    this.#actions = actions
    this.list = h("div", { class: "turns" })
    this.after = h("div") // a sibling that comes or goes would restyle the last turn
    this.log = h("div", { class: "log", role: "log", "aria-label": words.conversation, "aria-live": "off", tabindex: 0, onscroll: () => this.#scrolled() }, this.list, this.after)
    this.log.style.overflowAnchor = "none"
    this.log.addEventListener("wheel", (event) => event.deltaY < 0 && this.#leave(), { passive: true })
    this.down = wordButton("down", words.newText, () => this.toEnd(), { class: "word-button jump-down", hidden: true })
    this.element = h("div", { class: "views conversation" }, this.log, this.down)
    const grown = new ResizeObserver(() => this.#follow())
    grown.observe(this.list)
    grown.observe(this.after)
  }

  get #stuck() {
    return this.#atEnd
  }

  /** Whether the end is followed; the browser need not keep in place then what is above it. */
  set #stuck(is) {
    if (is !== this.#atEnd) this.log.style.overflowAnchor = is ? "none" : ""
    this.#atEnd = is
  }

  /** @param {import("./threads.js").Turn} data @param {TurnView | null} [view] that draws it already @returns {TurnView} */
  add(data, view) {
    if (!this.turns.length) this.list.replaceChildren()
    this.after.replaceChildren()
    const turn = view ?? new TurnView(data, this.#words, this.#actions)
    this.turns.push(turn)
    turn.ondrawn = () => this.#drawn()
    this.list.append(turn.element)
    this.#partPast()
    if (view) typeset(turn.body, turn.body) // what came while another thread was shown
    return turn
  }

  /** A turn from before those that are drawn. @param {import("./threads.js").Turn} data @param {TurnView | null} [view] that draws it already @returns {TurnView} */
  addBefore(data, view) {
    const turn = view ?? new TurnView(data, this.#words, this.#actions)
    this.turns.unshift(turn)
    turn.ondrawn = () => this.#drawn()
    this.list.prepend(turn.element)
    this.#partPast()
    if (view) typeset(turn.body, turn.body)
    return turn
  }

  /** @param {TurnView} turn */
  remove(turn) {
    this.turns = this.turns.filter((other) => other !== turn)
    turn.element.remove()
    this.after.replaceChildren()
    this.#partPast()
  }

  /** Past turns need not be laid out while they are far off; a selector that counts them would restyle all of them whenever one comes. */
  #partPast() {
    for (const [at, { element }] of this.turns.entries()) element.classList.toggle("past", at < this.turns.length - LAST)
  }

  clear() {
    this.turns = []
    this.after.replaceChildren()
    this.#stuck = true
    this.#drawWelcome()
  }

  /** @param {{title: string, questions: string[]}} greeting shown while nothing has been asked */
  greet(greeting) {
    this.#greeting = greeting
    if (!this.turns.length) this.#drawWelcome()
  }

  #drawWelcome() {
    const { title, questions } = this.#greeting
    const words = this.#words
    this.list.replaceChildren(
      h("div", { class: "welcome" }, icon("book"), h("h3", {}, words.welcome), h("p", {}, title ? fill(words.welcomeText, { title }) : words.welcomePlain),
        questions.length
          ? h("ul", { class: "suggestions", "aria-label": words.firstQuestions }, ...questions.map((question) => h("li", {}, h("button", { type: "button", dir: "auto", onclick: () => this.#actions.ask(question) }, question))))
          : null),
    )
  }

  /** @param {string[]} questions offered under the last answer */
  followUps(questions) {
    this.after.replaceChildren()
    if (questions.length) this.after.append(h("div", { class: "follow", role: "group", "aria-label": this.#words.followUps }, ...questions.map((question) => h("button", { type: "button", dir: "auto", onclick: () => this.#actions.ask(question) }, question))))
  }

  #leave() {
    this.#stuck = false
    this.#left = performance.now()
  }

  /** Whether the last answer is shown from its start. */
  get #fromStart() {
    return this.turns.at(-1)?.answer.mode === "extractive"
  }

  /** Going up leaves the end at once; coming near it again from above takes it up again. An answer that is shown from its start is left by any step. */
  #scrolled() {
    const { scrollTop } = this.log
    if (scrollTop === this.#top) return // our own
    if (scrollTop < this.#top || this.#fromStart) this.#stuck = false
    else if (performance.now() - this.#left > LEAVING_MS && this.log.scrollHeight - scrollTop - this.log.clientHeight < NEAR) this.#stuck = true
    this.#top = scrollTop
    if (this.#stuck) this.down.hidden = true
  }

  /** A piece of an answer was drawn: go to its end in the same task, so that the page makes one frame of both. */
  #drawn() {
    if (this.#stuck && !this.#fromStart && this.log.isConnected) this.#toEnd()
  }

  /** No further than the end, wherever that is. */
  #toEnd() {
    this.#scrollTo(BEYOND)
  }

  /** @param {number} top a scroll of our own */
  #scrollTo(top) {
    this.log.scrollTop = top
    this.#top = this.log.scrollTop
  }

  /** Something may have come: look with the next frame, when the page is laid out anyway. */
  follow() {
    this.#frame ||= requestAnimationFrame(() => this.#follow())
  }

  /** New text came: stay at the end if the reader is there, else say so. */
  #follow() {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    const last = this.turns.at(-1)
    if (this.#stuck && last && this.#fromStart) this.#scrollTo(last.element.offsetTop - this.list.offsetTop)
    else if (this.#stuck) this.#toEnd()
    else if (last?.answer.state === "running" && !this.#fromStart) this.down.hidden = false
  }

  toEnd() {
    this.#stuck = true
    this.down.hidden = true
    this.#toEnd()
    this.log.focus({ preventScroll: true })
  }

  stick() {
    this.#stuck = true
    this.follow()
  }
}
