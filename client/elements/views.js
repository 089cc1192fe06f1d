/** What the panel shows: the conversation, the history or the settings; the last two are fetched when they are wanted. */

/** @typedef {"conversation" | "history" | "settings"} View */

/** One view at a time, and the focus goes along. */
export class Views {
  #panel
  /** @type {View} */
  now = "conversation"
  /** @type {View} what was asked for last, while it is on its way */
  #next = "conversation"
  /** @type {import("./history.js").History | undefined} */
  #history
  /** @type {import("./settings.js").Settings | undefined} */
  #settings

  /** @param {import("./panel.js").Panel} panel */
  constructor(panel) {
    this.#panel = panel
  }

  /** What history and settings are made of; nothing where it cannot be had now. */
  fetch() {
    return import("./setup.js").catch(() => null)
  }

  /** Fetches it for a reader, who is told if it does not come. */
  async #setup() {
    const setup = await this.fetch()
    const { status, words } = this.#panel
    if (!setup && words) status?.say(words.startFault[navigator.onLine ? "runtime-missing" : "offline"], "bad")
    return setup
  }

  /** @param {View} name @param {HTMLElement} [element] */
  #show(name, element) {
    const { conversation, composer, frame, tabs, status, connection, exchange, historyButton, settingsButton } = this.#panel
    if (this.now !== name && !exchange?.running && connection.ready) status?.say("")
    if (this.now === "history" && name !== "history") this.#history?.close()
    this.now = this.#next = name
    if (!conversation || !composer || !frame) return
    for (const page of frame.region.querySelectorAll(".page")) /** @type {HTMLElement} */ (page).hidden = page !== element
    if (tabs) tabs.shown = name === "conversation"
    conversation.element.hidden = composer.element.hidden = name !== "conversation"
    status?.line.classList.toggle("visually-hidden", name === "history") // whose bar shows it
    historyButton?.setAttribute("aria-expanded", String(name === "history"))
    settingsButton?.setAttribute("aria-expanded", String(name === "settings"))
  }

  conversation() {
    const before = this.now
    this.#show("conversation")
    if (before === "settings") this.#panel.settingsButton?.focus()
    if (before === "history") this.#panel.historyButton?.focus()
  }

  async history() {
    if (this.now === "history") return this.conversation()
    this.#next = "history"
    const history = (this.#history ??= (await this.#setup())?.makeHistory(this.#panel))
    if (!history || this.#next !== "history") return
    this.#show("history", history.element)
    await history.open()
    history.search.focus()
  }

  /** @param {{adds?: boolean, unlocks?: boolean}} [how] with an empty form for one more model, or where a passphrase is wanted */
  async settings(how) {
    if (this.now === "settings") return this.conversation()
    this.#next = "settings"
    const settings = (this.#settings ??= (await this.#setup())?.makeSettings(this.#panel))
    if (!settings || this.#next !== "settings") return
    this.#show("settings", settings.element)
    settings.enter(how)
  }
}
