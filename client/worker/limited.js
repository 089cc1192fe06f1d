/** What answers in Python's place where WebAssembly is forbidden: the book's passages by keywords, in the worker's own messages. */
import { Keywords, snippet } from "./keywords.js"

/** What a reader is told above the passages. @type {Record<string, string>} */
const NOTE = {
  en: "Keyword search alone, for the assistant cannot run here. These passages have most of your words:",
  "zh-Hans": "助手无法在此运行，以下仅是关键词搜索的结果，这些段落含有您所用的大部分词语：",
  "zh-Hant": "助手無法在此執行，以下僅是關鍵字搜尋的結果，這些段落含有您所用的大部分詞語：",
}
const NOTHING = {
  en: "Keyword search alone, for the assistant cannot run here. No passage has any of your words.",
  "zh-Hans": "助手无法在此运行，关键词搜索也没有找到含有这些词语的段落。",
  "zh-Hant": "助手無法在此執行，關鍵字搜尋也沒有找到含有這些詞語的段落。",
}

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
/** @param {string} text as Markdown that means itself */
const literal = (text) => text.replace(/[\\`*_{}[\]<>#|$~]/g, "\\$&")

/** @param {ArrayBuffer} data */
const parsed = (data) => JSON.parse(new TextDecoder().decode(data))

/** Takes the place of `worker.py`. @implements {Pick<import("./worker.js").Reader, "begin" | "open_book" | "attach" | "ask" | "stop" | "set_key" | "call">} */
export class Limited {
  #site = "http://localhost/"
  /** @type {Map<string, any>} */
  #indexes = new Map()
  /** @type {Map<string, Keywords>} */
  #books = new Map()

  /** @param {string} site */
  begin(site) {
    this.#site = site
  }

  /** @param {string} name @param {ArrayBuffer} data @returns {string} */
  open_book(name, data) {
    const index = parsed(data)
    if (index.format !== "askbook-index/1") throw new Error("this index is of another format")
    const book = new Keywords(index)
    this.#indexes.set(name, index)
    this.#books.set(name, book)
    const { col, title, lang, hash, sides } = index
    return JSON.stringify({ name: `${col}-${index.book}`, col, book: index.book, title, lang, hash, sides, cards: book.size })
  }

  /** @param {string} name @param {string} _side @param {ArrayBuffer} data */
  attach(name, _side, data) {
    const { texts } = parsed(data)
    if (texts) this.#books.set(name, new Keywords(this.#indexes.get(name), texts))
  }

  /** @param {string} _id @param {string} question @param {(json: string) => void} post */
  async ask(_id, question, post) {
    const { question: words, books, passages, lang } = JSON.parse(question)
    const found = this.#search(words, books, passages)
    const language = lang in NOTE ? lang : "en"
    const note = (found.length ? NOTE : NOTHING)[/** @type {keyof typeof NOTHING} */ (language)]
    const lines = found.map(({ title, url, ...hit }, at) => ({ title: title || `${at + 1}`, url, text: snippet({ title, url, ...hit }) }))
    const text = [note, ...lines.map((line, at) => `${at + 1}. [${literal(line.title)}](${line.url}): ${literal(line.text)}`)].join("\n")
    const items = lines.map((line) => `<li><a href="${escaped(new URL(line.url, this.#site).href)}">${escaped(line.title)}</a>: ${escaped(line.text)}</li>`)
    const value = { type: "text", text }
    const events = [
      { type: "exchange-start", question: words, mode: "" },
      { type: "retrieval", hits: found.length, status: { terms: [], unknown: [], nearest: {}, confidence: 1, expanded: {} } },
      ...found.map(({ score: _, ...hit }, at) => ({ type: "source-add", source: { n: at + 1, card: hit.url, ...hit } })),
      { type: "part-start", part: 0, kind: "text", id: "", name: "" },
      { type: "part-delta", part: 0, text },
      { type: "part-end", part: 0, state: "completed", value },
      { type: "exchange-end", state: "completed", error: null, usage: null, message: null },
    ]
    const html = [`<p>${escaped(note)}</p>`, ...(items.length ? [`<ol>${items.join("")}</ol>`] : [])]
    post(JSON.stringify({ events, patches: html.map((block, at) => ({ part: 0, block: at, html: block })) }))
  }

  /** @param {string} words @param {string[]} names @param {number} most */
  #search(words, names, most) {
    const root = new URL(this.#site).pathname
    const found = names.flatMap((name) => (this.#books.get(name)?.search(words, most) ?? []).map((hit) => ({ name, ...hit, url: root + hit.url })))
    return found.sort((one, other) => other.score - one.score).slice(0, most)
  }

  stop() {}

  set_key() {}

  /** @param {string} name @param {string} argument @returns {Promise<string>} */
  async call(name, argument) {
    if (name === "outline") return "[]"
    if (name !== "draw") throw new Error("this needs WebAssembly")
    const { parts } = JSON.parse(argument)
    const blocks = (/** @type {string} */ text) => text.split(/\n+/).map((line) => `<p>${escaped(line)}</p>`)
    return JSON.stringify(parts.map((/** @type {{part: number, text: string}} */ { part, text }) => ({ part, blocks: blocks(text) })))
  }
}
