/** A model's Python on the reader's side: asked for once in a thread, run in the sandbox, its figures shown beside the call. */
import { h } from "./dom.js"
import { LIMITS, Sandbox } from "./sandbox.js"

/** @typedef {import("./sandbox.js").Run} Run */
/** @typedef {import("./sandbox.js").Figure} Figure */

const BASE = new URL("../", import.meta.url).href
const SHOWN = /^image\/(?:svg\+xml|png)$/
/** @type {Run} */
const REFUSED = { stdout: "", limit: "refused", error: "", figures: [] }

/**
 * The figures of a result, from the runs whose results have not come yet.
 * @param {Figure[][]} waiting
 * @param {{type: string, bytes: number}[]} named
 */
export function takeFigures(waiting, named) {
  const sizes = (/** @type {Figure} */ { type, data }) => `${type} ${Math.floor((data.length * 3) / 4) - (data.match(/=*$/)?.[0].length ?? 0)}`
  const wanted = named.map(({ type, bytes }) => `${type} ${bytes}`).join()
  const at = waiting.findIndex((figures) => figures.map(sizes).join() === wanted)
  return at < 0 ? [] : waiting.splice(0, at + 1)[at]
}

/**
 * Figures as images: an SVG in an image runs no script and loads nothing.
 * @param {Figure[]} figures
 * @param {string} label
 */
export function figureList(figures, label) {
  const shown = figures.filter(({ type, data }) => SHOWN.test(type) && /^[A-Za-z0-9+/=]*$/.test(data))
  return shown.map(({ type, data }) => h("figure", { class: "python-figure" }, h("img", { src: `data:${type};base64,${data}`, alt: label, loading: "lazy" })))
}

/**
 * Python of a panel, where the site allows it.
 * @param {import("./panel.js").Panel} panel
 * @param {import("../protocol.js").Site} site
 * @param {string} runtime
 */
export function pythonOf(panel, site, runtime) {
  const { enabled = true, packages = {} } = site.options?.python ?? {}
  if (!enabled || !runtime) return null
  const python = new Python(panel, runtime, packages)
  panel.connection.onpython = (code, input) => python.run(code, input)
  panel.connection.addEventListener("gone", () => python.stop())
  return python
}

/** Python of one panel. */
export class Python {
  #panel
  #sandbox
  /** @type {Figure[][]} */
  #waiting = []
  /** @type {(allowed: boolean) => void} */
  #answer = () => {}

  /** @param {import("./panel.js").Panel} panel @param {string} runtime @param {Record<string, string[]>} packages */
  constructor(panel, runtime, packages) {
    this.#panel = panel
    this.packages = Object.keys(packages)
    this.#sandbox = new Sandbox({ base: BASE, runtime, packages, limits: LIMITS })
  }

  /** @param {string} code @param {string} input JSON @returns {Promise<Run>} */
  async run(code, input) {
    const { asking: thread } = this.#panel.threads
    if (thread.python === undefined) {
      this.#sandbox.prepare().catch(() => {})
      const allowed = await this.#ask(code)
      if (allowed === null) return { ...REFUSED, limit: "stopped" }
      thread.python = allowed
    }
    if (!thread.python) return REFUSED
    const run = await this.#sandbox.run(code, input)
    if (run.figures.length) this.#waiting.push(run.figures.slice(0, 4))
    return run
  }

  /** @param {string} code @returns {Promise<boolean | null>} null where the exchange was stopped instead */
  #ask(code) {
    const words = /** @type {import("./words.js").Words} */ (this.#panel.words).python
    const allow = h("button", { type: "button", class: "primary", onclick: () => this.#answer(true) }, words.allow)
    const refuse = h("button", { type: "button", onclick: () => this.#answer(false) }, words.refuse)
    const card = h(
      "div", { class: "python-consent", role: "group", "aria-label": words.asks },
      h("p", {}, words.asks), h("pre", { tabindex: 0, dir: "ltr" }, h("code", {}, code)), h("p", { class: "note" }, words.safe),
      h("div", { class: "python-buttons" }, allow, refuse),
    )
    const turn = this.#panel.exchange?.running
    turn?.body.append(card)
    this.#panel.status?.say(words.asks)
    this.#panel.conversation?.follow()
    return new Promise((resolve) => {
      this.#answer = (allowed) => {
        const focused = card.contains(/** @type {ShadowRoot} */ (card.getRootNode()).activeElement)
        card.remove()
        if (focused) this.#panel.composer?.focus()
        resolve(allowed)
      }
      this.#cancel = () => {
        card.remove()
        resolve(null)
      }
    })
  }

  #cancel = () => {}

  /** The reader stopped the exchange. */
  stop() {
    this.#cancel()
    this.#sandbox.stop()
    this.#waiting = []
  }

  /** @param {import("./turn.js").TurnView} turn @param {any} event puts the figures of a run beside its result */
  grown(turn, event) {
    if (event.type !== "tool-result" || !event.result.content?.figures?.length) return
    const part = turn.answer.parts.find((known) => known.part === event.part)
    if (part?.name === "python_exec") part.figures = takeFigures(this.#waiting, event.result.content.figures)
  }
}
