/** What a reader has chosen, apart from keys: models, how to answer, how the panel looks. */

import { OWN_MODEL } from "../protocol.js"

/** @typedef {{id: string, provider: string, endpoint: string, model: string, protocol?: import("../protocol.js").Protocol}} SavedModel `protocol`: as the test found */
/**
 * @typedef {object} Choices
 * @property {SavedModel[]} models
 * @property {string} chosen id of a saved model, or `browser` for the browser's own; empty answers with the book's own sentences
 * @property {"retrieve" | "discussion"} mode
 * @property {number} passages
 * @property {number} contextLimit
 * @property {number} answerLimit
 * @property {number} temperature
 * @property {number} dailyCap
 * @property {boolean} reducedData
 * @property {"" | "en" | "zh-Hans" | "zh-Hant"} language
 * @property {"docked" | "floating"} place
 * @property {number} width
 */

/** @type {Choices} */
export const DEFAULTS = {
  models: [], chosen: "", mode: "retrieve", passages: 8, contextLimit: 6000, answerLimit: 4096, temperature: 0.3, dailyCap: 0, reducedData: Boolean(/** @type {any} */ (globalThis.navigator)?.connection?.saveData), language: "", place: "docked", width: 400,
}

/** The choice of the browser's own model. */
const OWN = "browser"
/** @type {SavedModel} */
const OWN_SAVED = { id: OWN, provider: "generic", endpoint: `${OWN_MODEL}/v1`, model: "", protocol: "gather" }

/** Least, most and step of the numbers. */
export const RANGES = {
  passages: [1, 12, 1], contextLimit: [0, 200_000, 500], answerLimit: [64, 128_000, 64], temperature: [0, 2, 0.1], dailyCap: [0, 100_000_000, 1000],
}

/**
 * Read stored choices; anything odd falls back to its default.
 * @param {any} stored
 * @returns {Choices}
 */
export function readChoices(stored) {
  const choices = { ...DEFAULTS, ...(stored && typeof stored === "object" ? stored : {}) }
  for (const [name, [least, most]] of Object.entries(RANGES)) {
    const key = /** @type {keyof typeof RANGES} */ (name)
    const value = Number(choices[key])
    const whole = key === "temperature" ? value : Math.round(value)
    choices[key] = Number.isFinite(value) ? Math.min(most, Math.max(least, whole)) : DEFAULTS[key]
  }
  choices.models = Array.isArray(choices.models) ? choices.models.filter((/** @type {any} */ model) => typeof model?.id === "string" && typeof model?.endpoint === "string") : []
  if (choices.chosen !== OWN && !choices.models.some((/** @type {SavedModel} */ model) => model.id === choices.chosen)) choices.chosen = ""
  if (choices.mode !== "discussion") choices.mode = "retrieve"
  if (choices.place !== "floating") choices.place = "docked"
  choices.width = Math.min(720, Math.max(320, Number(choices.width) || DEFAULTS.width))
  return choices
}

/** Keeps choices in this browser, or in memory where it keeps nothing. */
export class ChoiceStore {
  #name
  /** @type {Choices} */
  value
  /** @type {((value: Choices) => void)[]} */
  #listeners = []
  /** Whether the browser has a model of its own that is ready; without it the choice of it is the book alone. */
  ownReady = () => false
  /** Everything of this site was forgotten in another tab. */
  onforgotten = () => {}

  /** @param {string} prefix `askbook:<site path>` @param {Partial<Choices>} [proposed] by the author @param {AbortSignal} [gone] */
  constructor(prefix, proposed = {}, gone) {
    this.#name = `${prefix}:choices`
    this.value = readChoices({ ...proposed, ...(this.#kept ?? {}) })
    globalThis.addEventListener?.("storage", ({ key, newValue }) => key === this.#name && this.#heard(newValue), { signal: gone })
    globalThis.addEventListener?.("pageshow", ({ persisted }) => persisted && this.#follow(), { signal: gone })
  }

  /** @returns {any} what is kept; null for nothing, or where it cannot be read or is forbidden */
  get #kept() {
    try {
      return JSON.parse(localStorage.getItem(this.#name) ?? "null")
    } catch {
      return null
    }
  }

  /** @param {string | null} value as another tab has left it */
  #heard(value) {
    this.#follow()
    if (value === null) this.onforgotten()
  }

  /** What another tab has kept holds here too, but for what answers and where the panel stands: else one would undo what the other did. */
  #follow() {
    const { chosen, place, width } = this.value
    this.value = readChoices({ ...(this.#kept ?? {}), chosen, place, width })
    for (const listener of this.#listeners) listener(this.value)
  }

  /** @param {(value: Choices) => void} listener called after every change */
  listen(listener) {
    this.#listeners.push(listener)
  }

  /** @param {Partial<Choices>} change */
  set(change) {
    this.value = readChoices({ ...this.value, ...change })
    try {
      localStorage.setItem(this.#name, JSON.stringify(this.value))
    } catch {
      // kept until the page closes
    }
    for (const listener of this.#listeners) listener(this.value)
  }

  /** Other tabs hear of it, also where nothing was chosen yet. */
  forget() {
    try {
      localStorage.setItem(this.#name, "{}")
      localStorage.removeItem(this.#name)
    } catch {
      // nothing was kept
    }
    this.value = readChoices(null)
    for (const listener of this.#listeners) listener(this.value)
  }

  /** @returns {SavedModel | null} what answers */
  get model() {
    return this.value.chosen === OWN && this.ownReady() ? OWN_SAVED : this.saved
  }

  /** @returns {SavedModel | null} the chosen one of those the reader has saved */
  get saved() {
    return this.value.models.find((model) => model.id === this.value.chosen) ?? null
  }
}
