/** Conversations as files: Markdown to read, JSON to carry to another browser. */
import { answerText } from "./reducer.js"
import { newId, readThread, slim } from "./threads.js"

/** @typedef {import("./threads.js").Thread} Thread */
/** @typedef {import("./threads.js").Turn} Turn */
/** @typedef {import("./words.js").Words} Words */

const FORMAT = "askbook-threads/1"

/** @param {string} text Markdown that shows it letter by letter */
const plain = (text) => text.replace(/[\\`*_[\]<>#|]/g, "\\$&")

/**
 * An answer with its sources as links.
 * @param {Turn} turn
 * @param {Words} words
 * @param {string} base address that the sources' paths are under
 */
export function answerToMarkdown(turn, words, base) {
  const { sources } = turn.answer
  const list = sources.map((source) => `${source.n}. [${plain(source.title)}](${new URL(source.url, base).href})`)
  return [answerText(turn.answer), ...(list.length ? [`**${words.sources}**`, list.join("\n")] : [])].join("\n\n")
}

/**
 * @param {Thread} thread
 * @param {Words} words
 * @param {string} [base]
 */
export function threadToMarkdown(thread, words, base = globalThis.location?.href ?? "http://localhost/") {
  const turns = thread.turns.flatMap((turn) => [`## ${plain(turn.question)}`, ...(turn.selection ? [turn.selection.replace(/^/gm, "> ")] : []), answerToMarkdown(turn, words, base)])
  return `${[`# ${plain(thread.title || words.untitled)}`, ...turns].join("\n\n")}\n`
}

/** @param {Thread[]} threads */
export function threadsToJson(threads) {
  return `${JSON.stringify({ format: FORMAT, threads: threads.map(slim) }, null, 1)}\n`
}

/**
 * Read an exported file; what is no thread is left out and counted, and every thread gets a new id, so that nothing is overwritten.
 * @param {string} text
 * @returns {{threads: Thread[], unread: number}}
 */
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
