import { Conversation } from "/client/elements/conversation.js"
import { h } from "/client/elements/dom.js"
import { Exchange } from "/client/elements/exchange.js"
import { own, prepare, sanitized, showBlocks } from "/client/elements/insert.js"
import { newTurn } from "/client/elements/threads.js"
import { en } from "/client/elements/words/en.js"

/** A worker that says what it is told to. */
class Script extends EventTarget {
  ready = true
  stopped = 0
  /** @type {(content: any) => void} */
  draw = () => {}

  ask(_id, _question, draw) {
    this.draw = draw
  }

  stop() {
    this.stopped++
  }

  forget() {}
}

const host = document.createElement("ask-book")
host.dataset.place = "docked"
const root = host.attachShadow({ mode: "open" })
for (const name of ["panel.css", "prose.css"]) root.append(h("link", { rel: "stylesheet", href: `/client/elements/${name}` }))
document.body.append(host)

const script = new Script()
const act = () => {}
const conversation = new Conversation(en, { retry: act, continue: act, edit: act, mayContinue: () => true, copy: async () => {}, record: async () => {}, long: act, addKey: act, ask: act })
root.append(h("div", { class: "panel" }, conversation.element))
const exchange = new Exchange(/** @type {any} */ (script), act)
exchange.onend = () => conversation.follow()

/** Ask, so that what `say` brings becomes an answer; returns where it is drawn. */
function ask() {
  conversation.clear()
  const turn = conversation.add(newTurn("What grows?", { page: { url: location.href, title: "" }, model: "m" }))
  conversation.stick()
  exchange.ask(turn, /** @type {any} */ ({ question: "What grows?", continues: false }))
  return turn
}

/** @param {string} json a message of the worker */
const say = (json) => script.draw(JSON.parse(json))

/** @param {DocumentFragment | null} made */
const text = (made) => made && h("div", {}, made).innerHTML

/** @param {HTMLElement} at @param {string} html */
const showHtml = (at, html) => [...showBlocks(at, [html])]

Object.assign(window, { plain: (html) => text(own(html)), sanitized: (html) => text(sanitized(html)) })
Object.assign(window, { ask, conversation, exchange, prepare, say, script, showHtml })
