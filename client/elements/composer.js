/** Where a question is written: grows with it, keeps drafts, and never sends what an input method is still composing. */
import { h, icon, iconButton } from "./dom.js"
import { fill } from "./words.js"

/** @typedef {import("./words.js").Words} Words */
/** @typedef {{kind: "selection" | "chapter" | "edit", label: string, value: string}} Chip */
/** @typedef {{value: string, chips: Chip[]}} Draft what is being written, and what that is about */

/** Longest time between the two clicks of a double one. */
const DOUBLE_MS = 400

/**
 * Whether a key press sends: Enter alone, and not the Enter that confirms a candidate of an input method.
 * @param {{key: string, shiftKey: boolean, ctrlKey?: boolean, altKey?: boolean, metaKey?: boolean, isComposing: boolean, keyCode: number}} event
 */
export function sends(event) {
  return event.key === "Enter" && !event.shiftKey && !event.altKey && !event.isComposing && event.keyCode !== 229
}

/** The form at the foot of the panel. */
export class Composer {
  /** @type {Chip[]} */
  chips = []
  #words
  #busy = false
  /** What a pointer pressed last of “Send” and “Stop”, and when. @type {{button: EventTarget | null, at: number}} */
  #pressed = { button: null, at: -Infinity }
  /** @type {(text: string) => void} */
  onsend = () => {}
  /** @type {() => void} */
  onstop = () => {}
  /** @type {() => void} */
  oneditlast = () => {}
  /** @type {(draft: string) => void} */
  ondraft = () => {}
  /** @type {(chip: Chip) => void} the reader took it away */
  onremove = () => {}
  /** @type {(prefix: string) => Promise<{title: string, url: string}[]>} */
  chapters = async () => []
  /** Whether an input method has begun what is not yet text. */
  isComposing = false

  /** @param {Words} words */
  constructor(words) {
    this.#words = words
    this.field = h("textarea", {
      rows: 1, class: "field", "aria-label": words.question, placeholder: words.placeholder, enterkeyhint: "send", dir: "auto", autocomplete: "off",
      oninput: () => this.#typed(),
      onblur: () => this.#closeMenu(),
      oncompositionstart: () => (this.isComposing = true),
      oncompositionend: () => (this.isComposing = false),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
    })
    this.send = iconButton("send", words.send, this.#apart(() => this.#submit()), { class: "icon-button send", disabled: true })
    this.stop = iconButton("stop", words.stop, this.#apart(() => this.onstop()), { class: "icon-button send stop", hidden: true })
    this.chipRow = h("div", { class: "chips", hidden: true })
    this.menu = h("div", { class: "menu", id: "chapters", role: "listbox", "aria-label": words.chapters, hidden: true, onmousedown: (/** @type {Event} */ event) => event.preventDefault() })
    this.tools = h("div", { class: "composer-tools" })
    this.element = h(
      "form", { class: "composer", onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), this.#submit()) },
      this.chipRow, this.menu, this.field, h("div", { class: "composer-row" }, this.tools, this.send, this.stop),
    )
  }

  /** “Send” and “Stop” take each other's place, and the second click of a double one is not for the other. @param {() => void} act @returns {(event: MouseEvent) => void} */
  #apart(act) {
    return ({ detail, timeStamp, currentTarget }) => {
      if (detail && this.#pressed.button !== currentTarget && timeStamp - this.#pressed.at < DOUBLE_MS) return
      if (detail) this.#pressed = { button: currentTarget, at: timeStamp }
      act()
    }
  }

  get value() {
    return this.field.value
  }

  set value(text) {
    this.field.value = text
    this.#typed()
  }

  /** @param {boolean} busy whether an answer is running */
  set busy(busy) {
    this.#busy = busy
    const had = this.field.getRootNode() instanceof ShadowRoot && /** @type {ShadowRoot} */ (this.field.getRootNode()).activeElement
    this.send.hidden = busy
    this.stop.hidden = !busy
    if (had === this.send || had === this.stop) this.field.focus()
  }

  /** @param {Chip} chip */
  addChip(chip) {
    this.chips = [...this.chips.filter((other) => other.kind !== chip.kind), chip]
    this.#drawChips()
  }

  /** @param {string} text the question is about; empty for none */
  about(text) {
    if (text) this.addChip({ kind: "selection", label: text.slice(0, 60), value: text })
  }

  /** @param {Chip["kind"]} kind */
  chip(kind) {
    return this.chips.find((chip) => chip.kind === kind)
  }

  clear() {
    this.draft = { value: "", chips: [] }
  }

  /** @returns {Draft} */
  get draft() {
    return { value: this.value, chips: this.chips }
  }

  set draft({ value, chips }) {
    this.chips = chips
    this.#drawChips()
    this.value = value
  }

  /** @param {Chip["kind"]} kind does not hold any more */
  drop(kind) {
    this.chips = this.chips.filter((chip) => chip.kind !== kind)
    this.#drawChips()
  }

  focus() {
    this.field.focus({ preventScroll: true })
  }

  #drawChips() {
    this.chipRow.hidden = this.chips.length === 0
    this.chipRow.replaceChildren(
      ...this.chips.map((chip) => {
        const { aboutChapter, aboutSelection, edit } = this.#words
        const label = chip.kind === "chapter" ? fill(aboutChapter, { title: chip.label }) : `${chip.kind === "edit" ? edit : aboutSelection}: ${chip.label}`
        const remove = () => {
          this.drop(chip.kind)
          this.onremove(chip)
          this.focus()
        }
        return h("span", { class: "chip" }, h("span", { class: "chip-text", title: label }, label), iconButton("close", `${this.#words.remove}: ${label}`, remove, { class: "icon-button chip-close" }))
      }),
    )
  }

  #typed() {
    this.send.disabled = this.field.value.trim() === ""
    this.field.style.height = "auto"
    this.field.style.height = `${Math.min(this.field.scrollHeight, 220)}px`
    this.ondraft(this.field.value)
    void this.#offerChapters()
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.menu.hidden && this.#menuKey(event)) return
    if (sends(event)) {
      event.preventDefault()
      this.#submit()
    } else if (event.key === "ArrowUp" && this.field.value === "" && !event.isComposing) {
      event.preventDefault()
      this.oneditlast()
    }
  }

  #submit() {
    const text = this.field.value.trim()
    if (!text || this.#busy) return
    this.#closeMenu()
    this.onsend(text)
  }

  /** A word after `@` picks a chapter. */
  async #offerChapters() {
    const match = /(?:^|\s)@(\S*)$/.exec(this.field.value.slice(0, this.field.selectionStart))
    if (!match) return this.#closeMenu()
    const before = this.field.value
    const found = (await this.chapters(match[1])).slice(0, 8)
    if (this.field.value !== before) return
    this.menu.hidden = found.length === 0
    this.menu.replaceChildren(
      ...found.map((chapter, place) =>
        h("button", { type: "button", role: "option", id: `chapter-${place}`, tabindex: -1, onclick: () => this.#pick(chapter) }, icon("book"), h("span", { dir: "auto" }, chapter.title)),
      ),
    )
    if (!found.length) return this.#closeMenu()
    this.field.setAttribute("aria-controls", "chapters")
    this.#choose(0)
  }

  /** The field keeps the focus, and names the chapter that Enter would take. @param {number} at */
  #choose(at) {
    const options = [...this.menu.children]
    options.forEach((option, place) => option.setAttribute("aria-selected", String(place === at)))
    options[at].scrollIntoView({ block: "nearest" })
    this.field.setAttribute("aria-activedescendant", options[at].id)
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the menu took the key */
  #menuKey(event) {
    if (event.isComposing) return false // the key is the input method's
    const options = /** @type {HTMLElement[]} */ ([...this.menu.children])
    const at = options.findIndex((option) => option.getAttribute("aria-selected") === "true")
    if (event.key === "Escape") {
      event.stopPropagation()
      this.#closeMenu()
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      this.#choose((at + (event.key === "ArrowDown" ? 1 : options.length - 1)) % options.length)
    } else if (event.key === "Enter" || event.key === "Tab") {
      options[at]?.click()
    } else return false
    event.preventDefault()
    return true
  }

  /** @param {{title: string, url: string}} chapter */
  #pick(chapter) {
    const at = this.field.selectionStart
    this.field.value = this.field.value.slice(0, at).replace(/@\S*$/, "") + this.field.value.slice(at)
    this.addChip({ kind: "chapter", label: chapter.title, value: chapter.url })
    this.#closeMenu()
    this.focus()
    this.#typed()
  }

  #closeMenu() {
    this.menu.hidden = true
    for (const name of ["aria-controls", "aria-activedescendant"]) this.field.removeAttribute(name)
  }
}
