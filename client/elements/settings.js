/** Settings: where a model answers, how, and who keeps the key. Everything but the key is kept at once. */
import { RANGES } from "./choices.js"
import { h, iconButton, wordButton } from "./dom.js"
import { KeyField } from "./keyfield.js"
import { Ladder } from "./ladder.js"
import { PRESETS, nameOf, originOf, preset } from "./presets.js"
import { LANGUAGES, fill } from "./words.js"

/** @typedef {import("./choices.js").SavedModel} SavedModel */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("../protocol.js").Finding} Finding */
/** @typedef {{models(model: SavedModel): Promise<string[]>, test(model: SavedModel): Promise<Finding>, forget(): Promise<void>}} SettingsActions */

let next = 0

/**
 * A field with its label and, where needed, a line that explains it.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [note]
 */
export function field(label, control, note) {
  const id = `field-${++next}`
  control.id = id
  const line = note === undefined ? null : h("p", { class: "field-note", id: `${id}-note` }, note)
  if (line) control.setAttribute("aria-describedby", line.id)
  return h("div", { class: "field-row" }, h("label", { for: id }, label), control, line)
}

/** The view “Settings”. */
export class Settings {
  #words
  #store
  #actions
  /** @type {() => void} */
  onback = () => {}
  /** @type {(text: string, tone: "" | "good" | "bad") => void} */
  onsay = () => {}

  /** @param {Words} words @param {import("./choices.js").ChoiceStore} store @param {import("./keys.js").Keys} keys @param {SettingsActions} actions @param {Partial<SavedModel>} proposed by the author @param {import("./ownmodel.js").OwnModel} own */
  constructor(words, store, keys, actions, proposed, own) {
    this.#words = words
    this.#store = store
    this.#actions = actions
    this.proposed = proposed
    this.keyField = new KeyField(words, keys)
    this.ladder = new Ladder(words, store, own, (id) => this.#startFrom(id))
    this.saved = h("select", { class: "input", onchange: () => this.#choose(this.saved.value) })
    this.provider = h("select", { class: "input", onchange: () => this.#pickPreset() }, ...PRESETS.map(({ id, title }) => h("option", { value: id }, title)))
    this.endpoint = h("input", { class: "input", type: "url", inputmode: "url", spellcheck: "false", autocapitalize: "off", dir: "ltr", placeholder: "https://…/v1", oninput: () => this.#moved(), onchange: () => this.#keep() })
    this.model = h("input", { class: "input", type: "text", list: "models", spellcheck: "false", autocapitalize: "off", dir: "ltr", onfocus: () => void this.#listModels(), onchange: () => this.#keep() })
    this.list = h("datalist", { id: "models" })
    this.advice = h("p", { class: "field-note" })
    this.test = wordButton("check", words.test, () => void this.#test(), { class: "word-button" })
    this.add = wordButton("add", words.addModel, () => this.#choose(""))
    this.delete = wordButton("trash", words.delete, () => this.#remove())
    this.findings = h("ul", { class: "findings", "aria-label": words.test, hidden: true })
    this.savedRow = field(words.savedModels, this.saved)
    this.element = h(
      "section", { class: "views page", "aria-label": words.settings, hidden: true },
      h("div", { class: "page-head" }, iconButton("back", words.back, () => this.onback()), h("h3", {}, words.settings)),
      h("div", { class: "page-body" }, this.#modelGroup(), this.#answerGroup(), this.#privacyGroup()),
    )
  }

  #modelGroup() {
    const words = this.#words
    return h(
      "fieldset", {}, h("legend", {}, words.modelSection), this.ladder.element, h("p", { class: "field-note" }, words.whatGoes), this.savedRow,
      field(words.provider, this.provider), this.advice, field(words.endpoint, this.endpoint), this.keyField.element, field(words.model, this.model), this.list,
      h("div", { class: "row" }, wordButton("check", words.save, () => void this.#save(), { class: "word-button primary" }), this.test,
        this.add, this.delete),
      h("p", { class: "field-note" }, words.testNote), this.findings,
    )
  }

  #answerGroup() {
    const words = this.#words
    const mode = h("select", { class: "input", onchange: () => this.#store.set({ mode: /** @type {any} */ (mode.value) }) }, h("option", { value: "retrieve" }, words.modeRetrieve), h("option", { value: "discussion" }, words.modeDiscussion))
    const language = h("select", { class: "input", onchange: () => this.#store.set({ language: /** @type {any} */ (language.value) }) }, h("option", { value: "" }, words.languageAuto), ...Object.entries(LANGUAGES).map(([id, name]) => h("option", { value: id, lang: id }, name)))
    mode.value = this.#store.value.mode
    language.value = this.#store.value.language
    const reduced = h("input", { type: "checkbox", checked: this.#store.value.reducedData, onchange: () => this.#store.set({ reducedData: reduced.checked }) })
    return h(
      "fieldset", {}, h("legend", {}, words.answerSection), field(words.mode, mode), this.#number("passages", words.passages), this.#number("contextLimit", words.contextLimit, words.contextNote),
      this.#number("answerLimit", words.answerLimit, words.answerNote), this.#number("temperature", words.temperature), this.#number("dailyCap", words.dailyCap, words.dailyNote),
      field(words.language, language), h("label", { class: "check" }, reduced, h("span", {}, words.reducedData)),
    )
  }

  #privacyGroup() {
    const words = this.#words
    const ask = h("div", { class: "confirm", role: "group", hidden: true }, h("p", {}, words.forgetAsk))
    const forget = wordButton("trash", words.forget, () => {
      ask.hidden = false
      ask.querySelector("button")?.focus()
    }, { class: "word-button danger" })
    ask.append(h("div", { class: "row" },
      wordButton("back", words.cancel, () => {
        ask.hidden = true
        forget.focus()
      }),
      wordButton("trash", words.delete, async () => {
        await this.#actions.forget()
        ask.hidden = true
        this.open()
        this.#say(words.forgotten)
        forget.focus()
      }, { class: "word-button danger" })))
    return h("fieldset", {}, h("legend", {}, words.privacySection), h("div", { class: "row" }, forget), ask)
  }

  /** @param {keyof typeof RANGES} name @param {string} label @param {string} [note] */
  #number(name, label, note) {
    const [min, max, step] = RANGES[name]
    const input = h("input", { class: "input short", type: "number", inputmode: "decimal", min, max, step, value: this.#store.value[name] })
    input.addEventListener("change", () => {
      this.#store.set({ [name]: Number(input.value) })
      input.value = String(this.#store.value[name])
    })
    return field(label, input, note)
  }

  /** A rung of the ladder: the first saved model of its kind, else the form of its preset. @param {string} id */
  #startFrom(id) {
    const own = this.#store.value.models.find((model) => preset(model.provider).key === preset(id).key)
    this.#choose(own?.id ?? "")
    if (own) return
    this.provider.value = id
    this.#pickPreset()
    this.endpoint.focus()
  }

  open() {
    const { models, chosen } = this.#store.value
    void this.ladder.open()
    this.savedRow.hidden = models.length === 0
    this.saved.replaceChildren(h("option", { value: "" }, this.#words.addModel), ...models.map((model) => h("option", { value: model.id }, nameOf(model))))
    this.saved.value = this.#store.saved ? chosen : ""
    this.#show(models.find((model) => model.id === chosen) ?? null)
    this.#say("")
  }

  /** @param {SavedModel | null} model */
  #show(model) {
    const provider = model?.provider || this.proposed.provider || (this.proposed.endpoint ? "generic" : "openrouter")
    this.provider.value = PRESETS.some((known) => known.id === provider) ? provider : "generic"
    this.endpoint.value = model?.endpoint || this.proposed.endpoint || preset(provider).endpoint
    this.model.value = model?.model || (model ? "" : this.proposed.model) || ""
    this.#drawAdvice()
    this.add.hidden = this.delete.hidden = !model
    this.findings.hidden = true
    this.keyField.show(originOf(this.endpoint.value))
  }

  /** @param {string} id */
  #choose(id) {
    this.#store.set({ chosen: id })
    this.saved.value = id
    this.#show(this.#store.saved)
  }

  #pickPreset() {
    this.endpoint.value = preset(this.provider.value).endpoint
    this.model.value = ""
    this.list.replaceChildren()
    this.#drawAdvice()
    this.#moved()
    this.#keep()
  }

  #drawAdvice() {
    const advice = this.#words.preset[/** @type {keyof Words["preset"]} */ (this.provider.value)] ?? ""
    this.advice.textContent = fill(advice, { origin: location.origin })
  }

  /** The key belongs to an origin: another address empties the field. */
  #moved() {
    const origin = originOf(this.endpoint.value.trim())
    if (origin !== this.keyField.origin) this.keyField.show(origin)
  }

  #current() {
    const chosen = this.#store.saved
    const fresh = { id: chosen?.id ?? `m${Date.now().toString(36)}`, provider: this.provider.value, endpoint: this.endpoint.value.trim().replace(/\/+$/, ""), model: this.model.value.trim() }
    const same = chosen?.protocol && chosen.endpoint === fresh.endpoint && chosen.model === fresh.model && chosen.provider === fresh.provider
    return same ? { ...fresh, protocol: chosen.protocol } : fresh
  }

  /** Keeps a model that is already saved up to date while its fields change. */
  #keep() {
    if (this.#store.saved) this.#keepModel(this.#current())
  }

  /** @param {SavedModel} model */
  #keepModel(model) {
    const others = this.#store.value.models.filter((known) => known.id !== model.id)
    this.#store.set({ models: [...others, model], chosen: model.id })
  }

  async #save() {
    const model = this.#current()
    if (!originOf(model.endpoint)) {
      this.endpoint.focus()
      this.endpoint.reportValidity()
      return
    }
    await this.keyField.save(originOf(model.endpoint))
    this.#keepModel(model)
    this.open()
    this.#say(this.#words.saved, "good")
  }

  #remove() {
    const { models, chosen } = this.#store.value
    if (!chosen) return
    this.#store.set({ models: models.filter((model) => model.id !== chosen), chosen: "" })
    this.open()
  }

  async #listModels() {
    const model = this.#current()
    if (!originOf(model.endpoint)) return
    await this.keyField.save(originOf(model.endpoint))
    const names = await this.#actions.models(model).catch(() => [])
    this.list.replaceChildren(...names.map((name) => h("option", { value: name })))
    const { activeElement } = /** @type {ShadowRoot} */ (this.model.getRootNode())
    if (names.length && activeElement === this.model) this.#say(fill(this.#words.modelsFound, { n: names.length })) // else something newer was said
  }

  async #test() {
    await this.#save()
    const model = this.#store.saved
    if (!model) return
    this.test.disabled = true
    this.#say(this.#words.testing)
    const finding = await this.#actions.test(model).catch(() => null)
    this.test.disabled = false
    this.#drawFindings(finding)
    if (finding?.ok) {
      this.#keepModel({ ...model, protocol: finding.capabilities.protocol })
      this.#say(fill(this.#words.testGood, { model: model.model }), "good")
    } else this.#say(this.#remedy(finding?.fault ?? "internal", model.provider), "bad")
  }

  /** What went wrong and what to do: a provider that asks to be told of the site's address names the very setting. @param {string} named @param {string} provider */
  #remedy(named, provider) {
    const words = this.#words
    const fault = /** @type {keyof Words["fault"]} */ (named in words.fault ? named : "internal")
    const own = fault === "network" && provider !== "generic" ? words.preset[/** @type {keyof Words["preset"]} */ (provider)] : ""
    return `${words.fault[fault]} ${fill(own || words.advice[fault], { origin: location.origin })}`
  }

  /** @param {Finding | null} finding what the model can do, and so how it is asked */
  #drawFindings(finding) {
    const words = this.#words.probe
    this.findings.hidden = !finding?.ok
    if (!finding?.ok) return
    const { streaming, usage, reasoning, tools, parallel, protocol, models } = finding.capabilities
    const model = this.#store.saved?.model ?? ""
    const lines = [
      [streaming, streaming ? words.streaming : words.onePiece], [tools, tools ? (parallel ? words.parallel : words.tools) : words.noTools], [true, words[protocol]],
      ...(reasoning ? [[true, words.reasoning]] : []), [usage, usage ? words.usage : words.noUsage], ...(models.length && !models.includes(model) ? [[false, fill(words.unlisted, { model })]] : []),
    ]
    this.findings.replaceChildren(...lines.map(([good, text]) => h("li", { "data-good": String(good) }, String(text))))
  }

  /** @param {string} text @param {"" | "good" | "bad"} [tone] */
  #say(text, tone = "") {
    this.onsay(text, tone)
  }
}
