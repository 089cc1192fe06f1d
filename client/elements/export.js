/** Conversations as files, and read from them again: Markdown to read, with nothing but what was said; JSON with all that belongs to it. */
import { answerText } from "./reducer.js"
import { VERSION, newId, readThread, slim } from "./threads.js"

/** @typedef {import("./threads.js").Thread} Thread */
/** @typedef {import("./threads.js").Turn} Turn */
/** @typedef {import("./words.js").Words} Words */

const FORMAT = "askbook-threads/1"

/** Lines of a file in Markdown that nobody sees; text that begins like one of them is written with a backslash more. */
const [QUESTION, ANSWER, SOURCES] = ["question", "answer", "sources"].map((part) => `<!-- askbook: ${part} -->`)
const LIKE_A_MARK = /^(\\*)(?=<!-- askbook:)/gm
const SOURCE = /^(\d+)\. \[(.*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)$/

/** @param {string} text Markdown that shows it letter by letter */
const plain = (text) => text.replace(/[\\`*_[\]<>#|]/g, "\\$&")

/** @param {string} written @returns {string} what it shows */
const spoken = (written) => written.replace(/\\([\\`*_[\]<>#|])/g, "$1")

/**
 * An answer with its sources as links.
 * @param {Turn} turn
 * @param {Words} words
 * @param {string} base address that the sources' paths are under
 */
export function answerToMarkdown(turn, words, base) {
  return [answerText(turn.answer), ...sourceList(turn, words, base)].join("\n\n")
}

/** @param {Turn} turn @param {Words} words @param {string} base */
function sourceList({ answer }, words, base) {
  const list = answer.sources.map((source) => `${source.n}. [${plain(source.title)}](${new URL(source.url, base).href})`)
  return list.length ? [`**${words.sources}**`, list.join("\n")] : []
}

/**
 * @param {Thread} thread
 * @param {Words} words
 * @param {string} [base]
 */
export function threadToMarkdown(thread, words, base = globalThis.location?.href ?? "http://localhost/") {
  const turns = thread.turns.flatMap((turn) => {
    const list = sourceList(turn, words, base)
    const about = turn.selection ? [turn.selection.replace(/^/gm, "> ")] : []
    const said = answerText(turn.answer).replace(LIKE_A_MARK, "\\$1")
    return [QUESTION, `## ${plain(turn.question)}`, ...about, ANSWER, said, ...(list.length ? [SOURCES, ...list] : [])]
  })
  return `${[`# ${plain(thread.title || words.untitled)}`, ...turns].join("\n\n")}\n`
}

/**
 * Read an exported file; what is no thread is left out and counted, and every thread gets a new id, so that nothing is overwritten.
 * @param {string} text
 * @returns {{threads: Thread[], unread: number}}
 */
export function threadsFromFile(text) {
  return /^\s*[{[]/.test(text) ? threadsFromJson(text) : threadsFromMarkdown(text)
}

/** @param {string} text */
function threadsFromMarkdown(text) {
  const [head, ...asked] = parts(text.replace(/^\uFEFF|\r(?=\n)/g, ""), QUESTION)
  const thread = readThread({ version: VERSION, id: newId(), title: spoken(head.replace(/^# /, "")), created: Date.now(), updated: Date.now(), turns: asked.map(turnOf) })
  return { threads: asked.length && thread ? [thread] : [], unread: 0 }
}

/** @param {string} text from its question to the next one's @returns {object} a turn, to be read like any that was stored */
function turnOf(text) {
  const [asked, answered = ""] = parts(text, ANSWER)
  const [said, listed = ""] = parts(answered, SOURCES)
  const lines = asked.replace(/^## /, "").split("\n")
  const quoted = lines.findIndex((line) => line.startsWith("> "))
  const [question, selection] = quoted < 0 ? [lines, []] : [lines.slice(0, quoted), lines.slice(quoted)]
  const sources = listed.split("\n").flatMap((line) => {
    const [, n, title, url] = SOURCE.exec(line) ?? []
    return url ? [{ n, title: spoken(title), url }] : []
  })
  const part = { part: 0, kind: "text", state: "completed", text: said.replace(LIKE_A_MARK, (_, slashes) => slashes.slice(1)) }
  return { question: spoken(question.join("\n").trim()), selection: selection.map((line) => line.slice(2)).join("\n"), answer: { state: "completed", parts: [part], sources }, asked: Date.now() }
}

/** @param {string} text @param {string} mark @returns {string[]} what stands between the lines that are this mark */
const parts = (text, mark) => `\n${text}\n`.split(`\n${mark}\n`).map((part) => part.trim())

/** @param {Thread[]} threads */
export function threadsToJson(threads) {
  return `${JSON.stringify({ format: FORMAT, threads: threads.map(slim) }, null, 1)}\n`
}

/** @param {string} text */
export function threadsFromJson(text) {
  const listed = listedIn(text)
  const read = listed.map(readThread).filter((thread) => thread !== null)
  return { threads: read.map((thread) => ({ ...thread, id: newId(), writer: "" })), unread: listed.length - read.length }
}

/** @param {string} text @returns {unknown[]} */
function listedIn(text) {
  try {
    const value = JSON.parse(text)
    return value?.format === FORMAT && Array.isArray(value.threads) ? value.threads : []
  } catch {
    return []
  }
}
