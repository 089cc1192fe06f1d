/** The conversations at hand in this tab of the browser: one press away, closed without being deleted. */
import { h, iconButton } from "./dom.js"
import { recall, remember } from "./memory.js"
import { fill } from "./words.js"

/** @typedef {import("./threads.js").Thread} Thread */

/** Tabs at once; the one unused for longest goes first. */
const MOST = 8

/** Ids of threads from before a reload. @param {string} name @returns {string[]} */
function readIds(name) {
  try {
    const ids = JSON.parse(recall(name) ?? "[]")
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : []
  } catch {
    return []
  }
}

/** Put an element into a column, by a way that policies without inline styles allow. @template {HTMLElement} T @param {T} element @param {number} at */
function inColumn(element, at) {
  element.style.gridColumn = String(at + 1)
  return element
}

/** A tab list over the conversation, there as soon as there are two. */
export class ThreadTabs {
  #words
  #name
  #controls
  /** @type {Thread[]} */
  #threads = []
  /** @type {Thread[]} the same, latest used last */
  #used = []
  #shown = true
  /** @type {(thread: Thread) => void} */
  onopen = () => {}
  /** @type {(thread: Thread, next: Thread | undefined) => void} */
  onclose = () => {}

  /** @param {import("./words.js").Words} words @param {string} name under which a browser's tab remembers them @param {HTMLElement} controls what a tab shows */
  constructor(words, name, controls) {
    this.#words = words
    this.#name = name
    this.#controls = controls
    controls.id = "conversation"
    this.kept = readIds(name)
    this.list = h("div", { class: "tab-list", role: "tablist", "aria-label": words.tabs, onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) })
    this.element = h("div", { class: "tabs", hidden: true }, this.list)
  }

  /** The thread that is shown. */
  get current() {
    return this.#used.at(-1)
  }

  /** @param {boolean} shown whether the conversation is what the panel shows */
  set shown(shown) {
    this.#shown = shown
    this.#hide()
  }

  /** Give a thread its tab, and show that it is the one. @param {Thread} thread @param {Thread} [instead] gives its place */
  show(thread, instead) {
    const at = this.#threads.findIndex((known) => known === instead || known.id === thread.id)
    if (at < 0) this.#threads.push(thread)
    else this.#threads[at] = thread
    this.#used = [...this.#used.filter((known) => known.id !== thread.id && this.#threads.includes(known)), thread]
    for (const empty of this.#threads.filter((known) => known !== thread && !known.turns.length)) this.#remove(empty)
    while (this.#threads.length > MOST) this.#remove(this.#threads.find((known) => !this.#used.includes(known)) ?? this.#used[0])
    this.draw()
  }

  /** @param {string} id of a thread that is no more */
  drop(id) {
    for (const gone of this.#threads.filter((known) => known.id === id)) this.#remove(gone)
    this.draw()
  }

  /** A thread was renamed or pinned elsewhere. @param {{id: string, title: string, pinned: boolean}} change */
  changed({ id, title, pinned }) {
    for (const known of this.#threads.filter((one) => one.id === id)) Object.assign(known, { title, pinned })
    this.draw()
  }

  clear() {
    this.#threads = []
    this.#used = []
    this.draw()
  }

  /** @param {Thread} thread */
  #remove(thread) {
    this.#threads = this.#threads.filter((known) => known !== thread)
    this.#used = this.#used.filter((known) => known !== thread)
  }

  draw() {
    remember(this.#name, JSON.stringify(this.#threads.filter((thread) => thread.turns.length).map((thread) => thread.id)))
    const focused = this.element.contains(/** @type {ShadowRoot} */ (this.element.getRootNode()).activeElement ?? null)
    this.list.replaceChildren(...this.#threads.map((thread, at) => inColumn(this.#tab(thread), at)))
    this.element.replaceChildren(this.list, ...this.#threads.map((thread, at) => inColumn(this.#cross(thread), at)))
    this.#hide()
    const selected = /** @type {HTMLElement | null} */ (this.list.querySelector("[aria-selected=true]"))
    selected?.scrollIntoView({ block: "nearest", inline: "nearest" })
    if (focused) selected?.focus()
  }

  #hide() {
    this.element.hidden = !this.#shown || this.#threads.length < 2
    for (const [name, value] of Object.entries({ role: "tabpanel", "aria-labelledby": "current-tab" })) {
      if (this.#threads.length < 2) this.#controls.removeAttribute(name)
      else this.#controls.setAttribute(name, value)
    }
  }

  /** @param {Thread} thread */
  #tab(thread) {
    const title = thread.title || this.#words.untitled
    const selected = thread === this.current
    return h(
      "button", {
        type: "button", role: "tab", id: selected ? "current-tab" : null, class: "tab", title, dir: "auto", "aria-selected": String(selected), "aria-controls": "conversation", "aria-keyshortcuts": "Delete", tabindex: selected ? 0 : -1,
        onclick: () => selected || this.onopen(thread), onauxclick: (/** @type {MouseEvent} */ event) => event.button === 1 && this.#close(thread),
      }, h("span", { class: "tab-title" }, title),
    )
  }

  /** What closes a tab stands on it, but beside the list: a tab holds no button. @param {Thread} thread */
  #cross(thread) {
    const name = fill(this.#words.closeTab, { title: thread.title || this.#words.untitled })
    return iconButton("close", name, () => this.#close(thread), { class: "icon-button tab-close", tabindex: thread === this.current ? 0 : -1 })
  }

  /** @param {Thread} thread */
  #close(thread) {
    const current = this.current
    const at = this.#threads.indexOf(thread)
    const next = this.#threads[at + 1] ?? this.#threads[at - 1]
    this.#remove(thread)
    this.draw()
    this.onclose(thread, thread === current ? next : undefined)
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const tabs = /** @type {HTMLElement[]} */ ([...this.list.children])
    const at = tabs.indexOf(/** @type {HTMLElement} */ (event.target))
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return
    const forward = getComputedStyle(this.list).direction === "rtl" ? -1 : 1
    const steps = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: tabs.length - 1 }
    const to = steps[/** @type {keyof typeof steps} */ (event.key)]
    if (event.key === "Delete") this.#close(this.#threads[at])
    else if (to === undefined) return
    else this.onopen(this.#threads[(to + tabs.length) % tabs.length])
    event.preventDefault()
  }
}
