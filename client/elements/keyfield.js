/** The key of one origin: typed once, then shown by its last four characters; kept where the reader says. */
import { h, wordButton } from "./dom.js"
import { fill } from "./words.js"

/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("./keys.js").Custody} Custody */

/** Field “API key” and the three-way choice under it. */
export class KeyField {
  #words
  #keys
  origin = ""
  /** @type {Custody} */
  #custody = "tab"

  /** @param {Words} words @param {import("./keys.js").Keys} keys */
  constructor(words, keys) {
    this.#words = words
    this.#keys = keys
    this.input = h("input", { class: "input", id: "api-key", type: "password", autocomplete: "off", spellcheck: "false", dir: "ltr", "aria-describedby": "api-key-note" })
    this.note = h("p", { class: "field-note", id: "api-key-note" })
    this.passphrase = h("input", { class: "input", id: "passphrase", type: "password", autocomplete: "new-password" })
    this.unlock = wordButton("key", words.unlock, () => void this.#unlock(), { class: "word-button" })
    this.fault = h("p", { class: "field-note bad", "aria-live": "assertive" })
    this.passRow = h("div", { class: "field-row", hidden: true }, h("label", { for: "passphrase" }, words.passphrase), h("div", { class: "row tight" }, this.passphrase, this.unlock), this.fault)
    this.passphrase.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !this.unlock.hidden) void this.#unlock()
    })
    this.element = h(
      "div", { class: "key" }, h("div", { class: "field-row" }, h("label", { for: "api-key" }, words.apiKey), this.input, this.note),
      h("div", { class: "custody", role: "radiogroup", "aria-label": words.keyKeep },
        this.#choice("tab", words.thisTab, words.thisTabNote), this.#choice("device", words.thisDevice, words.thisDeviceNote), this.#choice("locked", words.withPassphrase, words.withPassphraseNote)),
      this.passRow,
    )
  }

  /** @param {Custody} value @param {string} label @param {string} note */
  #choice(value, label, note) {
    const id = `custody-${value}`
    const radio = h("input", { type: "radio", name: "custody", value, id, checked: value === "tab", "aria-describedby": `${id}-note`, onchange: () => this.#choose(value) })
    return h("div", { class: "choice" }, radio, h("div", {}, h("label", { for: id }, label), h("p", { class: "field-note", id: `${id}-note` }, note)))
  }

  /** @param {Custody} custody */
  #choose(custody) {
    this.#custody = custody
    this.#drawPassphrase()
  }

  /** @param {string} origin whose key is meant from now on */
  show(origin) {
    this.origin = origin
    const state = this.#keys.state(origin)
    this.input.value = ""
    this.input.placeholder = state?.last ? `••••••••${state.last}` : ""
    this.note.textContent = state?.last ? fill(this.#words.keySaved, { last: state.last }) : ""
    this.#custody = state?.custody ?? this.#custody
    for (const radio of this.element.querySelectorAll("input[type=radio]")) {
      const choice = /** @type {HTMLInputElement} */ (radio)
      choice.checked = choice.value === this.#custody
    }
    this.fault.textContent = ""
    this.#drawPassphrase()
  }

  #drawPassphrase() {
    const state = this.#keys.state(this.origin)
    const locked = state?.custody === "locked" && !state.unlocked
    this.passRow.hidden = this.#custody !== "locked"
    this.unlock.hidden = !locked
    if (locked) this.note.textContent = fill(this.#words.unlockAsk, { host: this.origin.replace(/^https?:\/\//, "") })
  }

  async #unlock() {
    try {
      await this.#keys.unlock(this.origin, this.passphrase.value)
      this.passphrase.value = ""
      this.show(this.origin)
    } catch {
      this.fault.textContent = this.#words.wrongPassphrase
    }
  }

  /** Takes over what was typed; the field is empty afterwards. @param {string} origin */
  async save(origin) {
    const key = this.input.value.trim()
    if (!key) return
    await this.#keys.save(origin, key, this.#custody, this.passphrase.value)
    this.passphrase.value = ""
    this.show(origin)
  }
}
