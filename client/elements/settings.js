/** Settings: where a model answers, how, and who keeps the key. Everything but the key is kept at once. */
import { RANGES } from "./choices.js"
import { h, iconButton, wordButton } from "./dom.js"
import { KeyField } from "./keyfield.js"
import { Ladder } from "./ladder.js"
import { PRESETS, isLocal, loopbackBarred, nameOf, originOf, preset } from "./presets.js"
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

/**
 * A button that asks before it acts, and what it asks.
 * @param {Words} words
 * @param {string} label
 * @param {() => string} question
 * @param {() => Promise<void> | void} act
 * @returns {[HTMLButtonElement, HTMLElement]}
 */
function asking(words, label, question, act) {
  const text = h("p", {})
  const close = () => {
    box.hidden = true
    button.focus()
  }
  const button = wordButton("trash", label, () => {
    text.textContent = question()
    box.hidden = false
    box.querySelector("button")?.focus()
  }, { class: "word-button danger" })
  const yes = async () => {
    await act()
    if (!box.hidden) close() // else there is nothing left to ask about
  }
  const row = h("div", { class: "row" }, wordButton("back", words.cancel, close), wordButton("trash", words.delete, () => void yes(), { class: "word-button danger" }))
  const box = h("div", { class: "confirm", role: "group", "aria-label": label, hidden: true }, text, row)
  return [button, box]
}

/** The view “Settings”. */
export class Settings {
  #words
  #store
  #actions
  /** @type {SavedModel | null} the saved model in the form; none for one to be added */
  #edited = null
  #saving = false
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
    this.saved = h("select", { class: "input", onchange: () => this.#edit(this.saved.value) })
    this.provider = h("select", { class: "input", onchange: () => this.#pickPreset() }, ...PRESETS.map(({ id, title }) => h("option", { value: id }, title)))
    this.endpoint = h("input", { class: "input", type: "url", inputmode: "url", spellcheck: "false", autocapitalize: "off", dir: "ltr", placeholder: "https://…/v1", oninput: () => this.#moved(), onchange: () => this.#keep() })
    this.model = h("input", { class: "input", type: "text", list: "models", spellcheck: "false", autocapitalize: "off", dir: "ltr", onfocus: () => void this.#listModels(), onchange: () => this.#keep() })
    this.list = h("datalist", { id: "models" })
    this.advice = h("p", { class: "field-note" })
    this.test = wordButton("send", words.test, () => void this.#test(), { class: "word-button" })
    this.add = wordButton("add", words.addModel, () => this.#startNew(), { class: "word-button quiet" })
    const [remove, ask] = asking(words, words.delete, () => fill(words.deleteAsk, { model: this.#edited ? nameOf(this.#edited) : "" }), () => this.#remove())
    this.delete = remove
    this.deleteAsk = ask
    this.findings = h("ul", { class: "findings", "aria-label": words.test, hidden: true })
    this.savedRow = field(words.savedModels, this.saved)
    this.savedRow.append(this.add)
    this.body = h("div", { class: "page-body" }, this.#modelGroup(), this.#answerGroup(), this.#privacyGroup())
    this.element = h(
      "section", { class: "views page", "aria-label": words.settings, hidden: true },
      h("div", { class: "page-head" }, iconButton("back", words.back, () => this.onback()), h("h3", {}, words.settings)),
      this.body,
    )
  }

  #modelGroup() {
    const words = this.#words
    return h(
      "fieldset", {}, h("legend", {}, words.modelSection), this.ladder.element, h("p", { class: "field-note" }, words.whatGoes), this.savedRow,
      field(words.provider, this.provider), this.advice, field(words.endpoint, this.endpoint), this.keyField.element, field(words.model, this.model), this.list,
      h("div", { class: "row" }, wordButton("check", words.save, () => void this.#save(), { class: "word-button primary" }), this.test, this.delete),
      this.deleteAsk,
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
      field(words.language, language, words.languageNote), h("label", { class: "check" }, reduced, h("span", {}, words.reducedData)),
    )
  }

  #privacyGroup() {
    const words = this.#words
    const [forget, ask] = asking(words, words.forget, () => words.forgetAsk, async () => {
      await this.#actions.forget()
      this.open()
      this.#say(words.forgotten)
    })
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
    const own = this.#store.value.models.find((model) => isLocal(model.endpoint) === isLocal(preset(id).endpoint))
    if (own) return this.#edit(own.id)
    this.#edit("")
    this.provider.value = id
    this.#pickPreset()
    this.endpoint.focus()
  }

  /** An empty form; what answers stays until the new model is saved. */
  #startNew() {
    this.#edit("")
    this.provider.focus()
  }

  /** The reader comes to it. @param {{adds?: boolean, unlocks?: boolean}} [how] with an empty form for one more model, or where a passphrase is wanted */
  enter({ adds = false, unlocks = false } = {}) {
    this.open({ adds })
    this.body.scrollTop = 0
    if (adds) this.provider.focus()
    else if (unlocks) this.keyField.passphrase.focus()
    else this.element.querySelector("button")?.focus()
  }

  /** As things are kept. @param {{adds?: boolean}} [how] */
  open({ adds = false } = {}) {
    const { models } = this.#store.value
    void this.ladder.open()
    this.savedRow.hidden = models.length === 0
    this.saved.replaceChildren(h("option", { value: "" }, this.#words.addModel), ...models.map((model) => h("option", { value: model.id }, nameOf(model))))
    this.#show(adds ? null : this.#store.saved)
    this.#say("")
  }

  /** @param {SavedModel | null} model */
  #show(model) {
    this.#edited = model
    this.saved.value = model?.id ?? ""
    const provider = model?.provider || this.proposed.provider || (this.proposed.endpoint ? "generic" : "openrouter")
    this.provider.value = PRESETS.some((known) => known.id === provider) ? provider : "generic"
    this.endpoint.value = model?.endpoint || this.proposed.endpoint || preset(provider).endpoint
    this.model.value = model?.model || (model ? "" : this.proposed.model) || ""
    this.list.replaceChildren()
    this.#drawAdvice()
    this.add.hidden = this.delete.hidden = !model
    this.findings.hidden = this.deleteAsk.hidden = true
    this.keyField.show(originOf(this.endpoint.value))
  }

  /** Another saved model answers from now on, and is in the form; without one the form is empty. @param {string} id */
  #edit(id) {
    if (id) this.#store.set({ chosen: id })
    this.#show(this.#store.value.models.find((model) => model.id === id) ?? null)
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
    const before = this.#edited
    const fresh = { id: before?.id ?? `m${Date.now().toString(36)}`, provider: this.provider.value, endpoint: this.endpoint.value.trim().replace(/\/+$/, ""), model: this.model.value.trim() }
    const same = before?.protocol && before.endpoint === fresh.endpoint && before.model === fresh.model && before.provider === fresh.provider
    return same ? { ...fresh, protocol: before.protocol } : fresh
  }

  /** Keeps a model that is already saved up to date while its fields change. */
  #keep() {
    if (this.#edited && originOf(this.endpoint.value.trim())) this.#keepModel(this.#current())
  }

  /** @param {SavedModel} model @param {string} [chosen] what answers from now on; else what did */
  #keepModel(model, chosen = this.#store.value.chosen) {
    const others = this.#store.value.models.filter((known) => known.id !== model.id)
    this.#store.set({ models: [...others, model], chosen })
    this.#edited = model
  }

  /** @returns {Promise<boolean>} whether it is saved; if not, the focus is where something is missing */
  async #save() {
    const model = this.#current()
    if (!originOf(model.endpoint)) {
      this.endpoint.focus()
      this.endpoint.reportValidity()
      return false
    }
    if (this.#saving) return false
    this.#saving = true
    this.#say("")
    const kept = await this.keyField.save(originOf(model.endpoint))
    this.#saving = false
    if (!kept) return false
    this.#keepModel(model, model.id)
    this.open()
    this.#say(this.#words.saved, "good")
    return true
  }

  /** The model in the form goes, and the key with it unless another model needs it. */
  #remove() {
    const gone = this.#edited
    if (!gone) return
    const models = this.#store.value.models.filter((model) => model.id !== gone.id)
    const origin = originOf(gone.endpoint)
    if (!models.some((model) => originOf(model.endpoint) === origin)) this.keyField.forget(origin)
    this.#store.set({ models, chosen: "" })
    this.open()
    this.provider.focus()
  }

  async #listModels() {
    const model = this.#current()
    const origin = originOf(model.endpoint)
    if (!origin) return
    const names = await this.keyField.lend(origin, () => this.#actions.models(model)).catch(() => [])
    if (model.endpoint !== this.#current().endpoint) return // another endpoint is meant by now
    this.list.replaceChildren(...names.map((name) => h("option", { value: name })))
    const { activeElement } = /** @type {ShadowRoot} */ (this.model.getRootNode())
    if (activeElement !== this.model) return // something newer was said
    this.#say(names.length ? fill(this.#words.modelsFound, { n: names.length }) : this.#words.modelsNone)
  }

  async #test() {
    const model = (await this.#save()) && this.#edited
    if (!model) return
    this.test.disabled = true
    this.#say(this.#words.testing)
    const finding = await this.#actions.test(model).catch(() => null)
    this.test.disabled = false
    if (this.#edited?.id !== model.id) return // another one is in the form by now
    this.#drawFindings(finding)
    if (finding?.ok) {
      this.#keepModel({ ...model, protocol: finding.capabilities.protocol })
      this.#say(fill(this.#words.testGood, { model: model.model }), "good")
    } else this.#say(await this.#remedy(finding?.fault ?? "internal", model), "bad")
  }

  /** What went wrong and what to do: a server of the reader's own is to be told of the site's address, by a setting that is named, and the browser may stand between. @param {string} named @param {SavedModel} model */
  async #remedy(named, { provider, endpoint }) {
    const words = this.#words
    const fault = /** @type {keyof Words["fault"]} */ (named in words.fault ? named : "internal")
    const local = fault === "network" && isLocal(endpoint)
    const barred = local ? await loopbackBarred() : ""
    const own = local && isLocal(preset(provider).endpoint) ? words.preset[/** @type {keyof Words["preset"]} */ (provider)] : ""
    return `${words.fault[fault]} ${fill(barred ? words.barred[barred] : own || words.advice[fault], { origin: location.origin })}`
  }

  /** @param {Finding | null} finding what the model can do, and so how it is asked */
  #drawFindings(finding) {
    const words = this.#words.probe
    this.findings.hidden = !finding?.ok
    if (!finding?.ok) return
    const { streaming, usage, reasoning, tools, parallel, protocol, models } = finding.capabilities
    const model = this.#edited?.model ?? ""
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
