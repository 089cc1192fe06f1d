/** The four ways to an answer, from the one that always works to the one that needs a key; the reader takes any of them. */
import { h } from "./dom.js"
import { isLocal } from "./presets.js"
import { fill } from "./words.js"

/** @typedef {import("./choices.js").ChoiceStore} ChoiceStore */
/** @typedef {import("./ownmodel.js").OwnModel} OwnModel */

/** Presets that stand for the two ways of one's own choosing. */
const LOCAL = "ollama"
const CLOUD = "openrouter"

/** The list at the head of the settings. */
export class Ladder {
  #words
  #store
  #own
  #pick

  /** @param {import("./words.js").Words} words @param {ChoiceStore} store @param {OwnModel} own @param {(preset: string) => void} pick shows the form of a preset */
  constructor(words, store, own, pick) {
    this.#words = words
    this.#store = store
    this.#own = own
    this.#pick = pick
    this.element = h("ol", { class: "ladder", "aria-label": words.ladder })
    store.listen(() => this.draw())
  }

  /** Look at the browser's model again, then draw. */
  async open() {
    this.draw()
    await this.#own.look()
    this.draw()
  }

  draw() {
    const { ladderBook, ladderLocal, ladderCloud, noModel, browserModel, local, cloud } = this.#words
    const { chosen } = this.#store.value
    const saved = this.#store.saved
    const own = saved !== null && isLocal(saved.endpoint)
    const had = /** @type {ShadowRoot} */ (this.element.getRootNode()).activeElement
    const focused = [...this.element.querySelectorAll("button")].indexOf(/** @type {any} */ (had))
    this.element.replaceChildren(
      this.#rung(noModel, ladderBook, chosen === "", () => this.#store.set({ chosen: "" })),
      this.#rung(browserModel, this.#ownState(), this.#store.model !== null && saved === null, () => void this.#takeOwn(), this.#own.state === "unavailable"),
      this.#rung(local, ladderLocal, own, () => this.#pick(LOCAL)),
      this.#rung(cloud, ladderCloud, saved !== null && !own, () => this.#pick(CLOUD)),
    )
    if (focused >= 0) this.element.querySelectorAll("button")[focused].focus()
  }

  /** @param {string} title @param {string} note @param {boolean} taken @param {() => void} take @param {boolean} [missing] */
  #rung(title, note, taken, take, missing = false) {
    return h("li", {}, h("button", { type: "button", class: "rung", "aria-pressed": String(taken), disabled: missing, onclick: take }, h("span", { class: "rung-title" }, title), h("span", { class: "rung-note" }, note)))
  }

  #ownState() {
    const { ownReady, ownDownload, ownDownloading, ownPreparing, ownFailed, ownMissing } = this.#words
    const { state } = this.#own
    if (this.#failed && state !== "available") return ownFailed
    if (this.#share >= 1) return ownPreparing
    if (this.#share >= 0) return fill(ownDownloading, { percent: Math.round(100 * this.#share) })
    return state === "available" ? ownReady : state === "unavailable" ? ownMissing : ownDownload
  }

  /** Share of a download under way; less than 0 for none. */
  #share = -1
  #failed = false

  /** Pressing a model that is not there is what lets the browser download it. */
  async #takeOwn() {
    if (this.#share >= 0) return
    if (this.#own.state !== "available") {
      const report = (/** @type {number} */ share) => {
        this.#share = share
        this.draw()
      }
      this.#failed = false
      report(0)
      await this.#own.download(report).catch(() => (this.#failed = true))
      await this.#own.look()
      this.#share = -1
    }
    this.#store.set({ chosen: this.#own.state === "available" ? "browser" : this.#store.value.chosen })
  }
}
