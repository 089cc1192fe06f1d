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
  /** What the reader chose, and has not saved yet. @type {Custody | null} */
  #wanted = null

  /** @param {Words} words @param {import("./keys.js").Keys} keys */
  constructor(words, keys) {
    this.#words = words
    this.#keys = keys
    keys.onchange = () => this.#changed()
    this.input = h("input", { class: "input", id: "api-key", type: "password", autocomplete: "off", spellcheck: "false", dir: "ltr", "aria-describedby": "api-key-note" })
    this.note = h("p", { class: "field-note", id: "api-key-note" })
    this.remove = wordButton("trash", words.forgetKey, () => this.#remove(), { class: "word-button quiet", hidden: true })
    this.passphrase = h("input", { class: "input", id: "passphrase", type: "password", autocomplete: "new-password", "aria-describedby": "passphrase-fault" })
    this.unlock = wordButton("key", words.unlock, () => void this.#unlock(), { class: "word-button" })
    this.fault = h("p", { class: "field-note bad", id: "passphrase-fault", "aria-live": "assertive" })
    this.passRow = h("div", { class: "field-row", hidden: true }, h("label", { for: "passphrase" }, words.passphrase), h("div", { class: "row tight" }, this.passphrase, this.unlock), this.fault)
    this.passphrase.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing && !this.unlock.hidden) void this.#unlock()
    })
    const canLock = Boolean(globalThis.crypto?.subtle)
    this.element = h(
      "div", { class: "key" }, h("div", { class: "field-row" }, h("label", { for: "api-key" }, words.apiKey), this.input, h("div", { class: "row tight apart" }, this.note, this.remove)),
      h("div", { class: "custody", role: "radiogroup", "aria-label": words.keyKeep },
        this.#choice("tab", words.thisTab, words.thisTabNote), this.#choice("device", words.thisDevice, words.thisDeviceNote), this.#choice("locked", words.withPassphrase, canLock ? words.withPassphraseNote : words.lockNeedsHttps, !canLock)),
      this.passRow,
    )
  }

  /** @param {Custody} value @param {string} label @param {string} note @param {boolean} [disabled] */
  #choice(value, label, note, disabled = false) {
    const id = `custody-${value}`
    const radio = h("input", { type: "radio", name: "custody", value, id, disabled, checked: value === "tab", "aria-describedby": `${id}-note`, onchange: () => this.#choose(value) })
    return h("div", { class: "choice" }, radio, h("div", {}, h("label", { for: id }, label), h("p", { class: "field-note", id: `${id}-note` }, note)))
  }

  /** @param {Custody} custody */
  #choose(custody) {
    this.#custody = this.#wanted = custody
    this.#complain("")
    this.#drawPassphrase()
  }

  /** @param {string} origin whose key is meant from now on */
  show(origin) {
    this.origin = origin
    const state = this.#keys.state(origin)
    this.input.value = this.passphrase.value = ""
    this.input.placeholder = state?.unlocked ? `••••••••${state.last}` : ""
    this.note.textContent = state?.unlocked ? fill(!state.kept ? this.#words.keyNotKept : state.last ? this.#words.keySaved : this.#words.saved, { last: state.last }) : ""
    this.remove.hidden = state === null
    this.#custody = state?.custody ?? this.#wanted ?? "tab"
    for (const radio of this.element.querySelectorAll("input[type=radio]")) {
      const choice = /** @type {HTMLInputElement} */ (radio)
      choice.checked = choice.value === this.#custody
    }
    this.#complain("")
    this.#drawPassphrase()
  }

  /** Another tab has changed what is kept; what is typed here stays. */
  #changed() {
    const [key, passphrase] = [this.input.value, this.passphrase.value]
    this.show(this.origin)
    this.input.value = key
    this.passphrase.value = passphrase
  }

  /** Whether a key is kept that nobody can use before its passphrase was typed. */
  get #locked() {
    const state = this.#keys.state(this.origin)
    return state?.custody === "locked" && !state.unlocked
  }

  /** A passphrase is asked for to lock a key, and to take one out that is locked. */
  #drawPassphrase() {
    this.passRow.hidden = this.#custody !== "locked" && this.#keys.state(this.origin)?.custody !== "locked"
    this.unlock.hidden = !this.#locked
    if (this.#locked) this.note.textContent = fill(this.#words.unlockAsk, { host: this.origin.replace(/^https?:\/\//, "") })
  }

  /** @param {string} fault of the passphrase; empty for none */
  #complain(fault) {
    this.fault.textContent = fault
    this.passphrase.toggleAttribute("aria-invalid", fault !== "")
    if (fault) this.passphrase.focus()
  }

  /** @param {unknown} error of locking or unlocking @returns {string} what to tell of it */
  #told(error) {
    const { wrongPassphrase, lockNeedsHttps, keyBroken } = this.#words
    if (error instanceof DOMException && error.name === "OperationError") return wrongPassphrase
    return crypto.subtle ? keyBroken : lockNeedsHttps
  }

  async #unlock() {
    try {
      await this.#keys.unlock(this.origin, this.passphrase.value)
      this.show(this.origin)
      this.input.focus()
    } catch (error) {
      this.#complain(this.#told(error))
    }
  }

  #remove() {
    this.forget(this.origin)
    this.show(this.origin)
    this.input.focus()
  }

  /** @param {string} origin */
  forget(origin) {
    this.#keys.forget(origin)
  }

  /** Do something with what was typed, without keeping it. @template T @param {string} origin @param {() => Promise<T>} act */
  lend(origin, act) {
    return this.#keys.lend(origin, this.input.value.trim(), act)
  }

  /**
   * Takes over what was typed, and what was chosen for a key that is there; the field is empty afterwards.
   * @param {string} origin
   * @returns {Promise<boolean>} whether that is done; if not, the reader is told what is missing
   */
  async save(origin) {
    const key = this.input.value.trim()
    const before = this.#keys.state(origin)
    const locks = this.#custody === "locked" && (key !== "" || (before !== null && before.custody !== "locked"))
    if (locks && !this.passphrase.value) {
      this.#complain(this.#words.passphraseAsk)
      return false
    }
    try {
      if (key) await this.#keys.save(origin, key, this.#custody, this.passphrase.value)
      else await this.#keys.move(origin, this.#custody, this.passphrase.value)
      this.#wanted = null
      this.show(origin)
      return true
    } catch (error) {
      this.#complain(this.#told(error))
      return false
    }
  }
}
