/** A tool call as a foldable row: what is looked up, with which arguments, and what came back. */
import { h, icon } from "./dom.js"
import { figureList } from "./python.js"

/** @typedef {import("./reducer.js").AnswerPart} AnswerPart */
/** @typedef {import("./words.js").Words} Words */

/** Longest piece of JSON that is shown. */
const SHOWN = 1400
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g
/** @type {Record<string, import("./dom.js").IconName>} */
const ICONS = { book_toc: "list", list_books: "book", book_retrieve: "search", book_slice_search: "search", book_chunk: "book", book_chapter_outline: "list", book_read_section: "book" }

/**
 * JSON with its tokens in spans; every character is set as text.
 * @param {unknown} value
 */
export function jsonView(value) {
  const text = JSON.stringify(value, null, 2) ?? "null"
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}\n…` : text
  const code = h("code", {})
  let last = 0
  for (const match of shown.matchAll(TOKEN)) {
    code.append(shown.slice(last, match.index))
    const kind = match[1] ? (match[2] ? "key" : "string") : match[3] ? "word" : "number"
    code.append(h("span", { class: `json-${kind}` }, match[1] ?? match[0]), match[2] ?? "")
    last = match.index + match[0].length
  }
  code.append(shown.slice(last))
  return h("pre", { class: "json", tabindex: 0, dir: "ltr" }, code)
}

/**
 * One line that says what a call is about.
 * @param {AnswerPart} part
 */
export function summary(part) {
  const given = /** @type {Record<string, unknown>} */ (part.arguments ?? {})
  const about = Object.values(given).filter((value) => typeof value === "string" || typeof value === "number").map(String).join(" · ")
  return about.length > 80 ? `${about.slice(0, 79)}…` : about
}

/** @param {any} content @returns {string} how much came back */
export function outcome(content) {
  const list = ["results", "hits", "items", "books", "toc"].map((name) => content?.[name]).find(Array.isArray)
  return list ? String(list.length) : ""
}

/**
 * What a tool does, in the reader's words; its own name where there are none.
 * @param {string} name
 * @param {Words} words
 */
export function toolTitle(name, words) {
  return name in words.tool ? words.tool[/** @type {keyof Words["tool"]} */ (name)] : name
}

/** @param {AnswerPart} part @param {Words} words @returns {HTMLDetailsElement} */
export function toolCall(part, words) {
  const name = part.name ?? ""
  return h(
    "details", { class: "tool", "data-tool": name },
    h("summary", {}, icon(ICONS[name] ?? "search"), h("span", { class: "tool-name" }), h("span", { class: "tool-about", dir: "auto" }), h("span", { class: "tool-count" }), icon("chevron")),
    h("div", { class: "tool-body" }, h("h4", {}, words.arguments, " ", h("code", { class: "tool-id" }, name)), h("div", { class: "tool-arguments" }), h("h4", { class: "tool-result-title", hidden: true }, words.result), h("div", { class: "tool-result" })),
  )
}

/** @param {HTMLDetailsElement} element @param {AnswerPart} part @param {Words} words */
export function updateToolCall(element, part, words) {
  const find = (/** @type {string} */ name) => /** @type {HTMLElement} */ (element.querySelector(name))
  find(".tool-name").textContent = toolTitle(part.name ?? "", words)
  find(".tool-id").textContent = part.name ?? ""
  element.dataset.tool = part.name ?? ""
  find(".tool-about").textContent = summary(part)
  find(".tool-count").textContent = part.result ? outcome(part.result.content) : ""
  const given = find(".tool-arguments")
  if (part.arguments !== undefined && !given.dataset.done) {
    given.dataset.done = "1"
    given.replaceChildren(jsonView(part.arguments))
  }
  const place = find(".tool-result")
  if (part.result && !place.dataset.done) {
    place.dataset.done = "1"
    find(".tool-result-title").hidden = false
    place.replaceChildren(jsonView(part.result.content))
    element.querySelector(".tool-figures")?.remove()
    if (part.figures?.length) element.after(h("div", { class: "tool-figures" }, ...figureList(part.figures, words.python.figure)))
  }
}
