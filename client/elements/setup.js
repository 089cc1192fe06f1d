/** Puts the two views beside the conversation together with what they act on. */
import { forgetSite, letGo, startAnew } from "./forget.js"
import { History } from "./history.js"
import { Settings } from "./settings.js"

/** @param {import("./panel.js").Panel} panel */
export function makeSettings(panel) {
  const words = /** @type {import("./words.js").Words} */ (panel.words)
  const actions = {
    /** @param {import("./choices.js").SavedModel} model @returns {Promise<string[]>} */
    models: (model) => panel.connection.call("models", model),
    /** @param {import("./choices.js").SavedModel} model @returns {Promise<import("../protocol.js").Finding>} */
    test: (model) => panel.connection.call("test", model),
    forget: async () => {
      letGo(panel)
      panel.choices.forget()
      await panel.store.clear()
      await forgetSite(panel.root, panel.book.books.map(({ index }) => new URL(index, panel.root).href))
      startAnew(panel)
    },
  }
  const settings = new Settings(words, panel.choices, panel.keys, actions, panel.proposed, panel.own)
  settings.onback = () => panel.views.conversation()
  settings.onsay = (text, tone) => panel.status?.say(text, tone)
  panel.conversation?.element.after(settings.element)
  return settings
}

/** @param {import("./panel.js").Panel} panel */
export function makeHistory(panel) {
  const history = new History(/** @type {import("./words.js").Words} */ (panel.words), panel.language, panel.store)
  history.onback = () => panel.views.conversation()
  history.onopen = async (id) => {
    await panel.threads.openStored(id)
    if (panel.views.now !== "conversation") return false
    panel.composer?.focus()
    return true
  }
  history.onchange = (line) => panel.tabs?.changed(line)
  history.onending = async (id) => {
    const { asking } = panel.threads
    if (!panel.exchange?.running || asking.id !== id) return
    panel.exchange.abandon()
    await panel.store.put(asking)
  }
  history.ondelete = (id) => {
    panel.tabs?.drop(id)
    if (id === panel.threads.shown.id) panel.threads.start({ stay: true })
  }
  history.onsay = (text) => panel.status?.say(text)
  panel.conversation?.element.after(history.element)
  return history
}
