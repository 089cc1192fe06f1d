/** Conversations as values: what is written of them, how it is read again, and what a search finds in them. */
import { answerText, emptyAnswer } from "./reducer.js"

/** @typedef {import("./reducer.js").Answer} Answer */
/** @typedef {{url: string, title: string}} Place a page, or a chapter */
/** @typedef {{id: string, question: string, selection: string, chapter?: Place, page: Place, answer: Answer, asked: number, interrupted: boolean, model: string}} Turn `chapter`: the one the question is about, if it is not the whole book */
/** @typedef {{version: 1, id: string, title: string, created: number, updated: number, pinned: boolean, writer: string, turns: Turn[], python?: boolean}} Thread `python`: whether its models may run programs */

export const VERSION = 1
/** Turns kept of one thread. */
export const MOST_TURNS = 30
/** Characters kept of a passage beside its address: of one that is cited, and of the others. */
const QUOTE = 100
const GLIMPSE = 40
/** Characters kept of a result, after its texts have shrunk. */
const RESULT = 1200

/** @returns {string} */
export const newId = () => `${Date.now().toString(36)}-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`

/** @returns {Thread} */
export function newThread() {
  const now = Date.now()
  return { version: VERSION, id: newId(), title: "", created: now, updated: now, pinned: false, writer: "", turns: [] }
}

/**
 * @param {string} question
 * @param {{selection?: string, chapter?: Place, page: Place, model: string}} about
 * @returns {Turn}
 */
export function newTurn(question, { selection = "", chapter, page, model }) {
  return { id: newId(), question, selection, ...(chapter && { chapter }), page, answer: emptyAnswer(), asked: Date.now(), interrupted: false, model }
}

/**
 * What is written to disk: passages shrink to a quote, results to what they are about, so that 200 threads stay small.
 * @param {Thread} thread
 * @returns {Thread}
 */
export function slim(thread) {
  return {
    ...thread,
    turns: thread.turns.slice(-MOST_TURNS).map((turn) => ({
      ...turn,
      answer: {
        ...turn.answer,
        sources: slimSources(turn.answer),
        parts: turn.answer.parts.map(slimPart),
        message: null,
      },
    })),
  }
}

/** How long a part took is told of reasoning alone. @param {import("./reducer.js").AnswerPart} part */
function slimPart({ began, ended, ...part }) {
  const timed = part.kind === "reasoning" ? { ...part, began, ended } : part
  return timed.result ? { ...timed, result: { ...timed.result, content: clipJson(timed.result.content) } } : timed
}

/** What is not cited shrinks to a line. @param {Answer} answer */
function slimSources({ sources, citations }) {
  const cited = new Set(citations.map((citation) => citation.n))
  return sources.map((source) => ({ ...source, text: clip(source.text, cited.has(source.n) ? QUOTE : GLIMPSE), matched: source.matched.slice(0, 3) }))
}

/** @param {string} text @param {number} length */
const clip = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** @param {unknown} value */
function clipJson(value) {
  const text = JSON.stringify(value, (_, inner) => (typeof inner === "string" ? clip(inner, GLIMPSE) : inner)) ?? "null"
  return text.length > RESULT ? { cut: `${text.slice(0, RESULT)}…` } : JSON.parse(text)
}

/** The last one a calendar knows, as ECMAScript has it. */
const LAST_TIME = 8.64e15

/**
 * Read what was stored; null for what is no thread, or of a version yet unknown.
 * @param {any} value
 * @returns {Thread | null}
 */
export function readThread(value) {
  if (value?.version !== VERSION || typeof value.id !== "string" || !Array.isArray(value.turns)) return null
  const turns = value.turns.filter((/** @type {any} */ turn) => typeof turn?.question === "string" && typeof turn?.answer === "object" && turn.answer)
  return {
    version: VERSION, id: value.id, title: readText(value.title), created: readTime(value.created), updated: readTime(value.updated),
    pinned: Boolean(value.pinned), writer: readText(value.writer),
    turns: turns.map((/** @type {any} */ turn) => readTurn(turn)),
  }
}

/** @param {unknown} value @returns {number} 0 for what is no time of a calendar */
const readTime = (value) => (Math.abs(Number(value)) <= LAST_TIME ? Number(value) : 0)

/** @param {any} place @returns {Place} */
const readPlace = (place) => ({ url: readText(place?.url), title: readText(place?.title) })

/** @param {unknown} value @returns {any[]} what of a list can be read: things with fields */
const readList = (value) => (Array.isArray(value) ? value.filter((one) => typeof one === "object" && one && !Array.isArray(one)) : [])

/** @param {unknown} value @returns {string} */
const readText = (value) => (typeof value === "string" || typeof value === "number" ? String(value) : "")

/** @param {any} source @returns {import("./reducer.js").SourceInfo} */
function readSource(source) {
  const texts = Object.fromEntries(["name", "card", "kind", "number", "title", "url", "text"].map((name) => [name, readText(source[name])]))
  return { ...source, ...texts, n: Number(source.n) || 0, matched: Array.isArray(source.matched) ? source.matched.filter((/** @type {any} */ word) => typeof word === "string") : [] }
}

/** @param {any} answer @returns {Answer} with everything an answer has, each of its kind, whoever wrote it */
function readAnswer(answer) {
  const { estimate, ...known } = answer
  const { error, retrieval, usage } = known
  const unknown = retrieval?.status?.unknown
  return {
    ...emptyAnswer(), ...known, ...(typeof estimate === "object" && estimate && { estimate }),
    parts: readList(answer.parts).map((part) => ({ ...part, text: readText(part.text) })),
    sources: readList(answer.sources).map(readSource),
    citations: readList(answer.citations),
    notices: readList(answer.notices),
    error: typeof error?.fault === "string" ? { ...error, message: readText(error.message) } : null,
    retrieval: unknown === undefined || Array.isArray(unknown) ? (retrieval ?? null) : null,
    usage: typeof usage === "object" ? usage : null,
  }
}

/** @param {any} turn @returns {Turn} an answer that was running when the page went away is one that was interrupted */
function readTurn(turn) {
  const answer = readAnswer(turn.answer)
  const running = answer.state === "running" || answer.state === "pending"
  if (running) {
    answer.state = "aborted"
    for (const part of answer.parts) if (part.state === "running" || part.state === "pending") part.state = "aborted"
  }
  return {
    id: readText(turn.id) || newId(), question: turn.question, selection: readText(turn.selection), ...(turn.chapter && { chapter: readPlace(turn.chapter) }), page: readPlace(turn.page),
    answer, asked: Number(turn.asked) || 0, interrupted: Boolean(turn.interrupted) || running, model: readText(turn.model),
  }
}

/** @param {Thread} thread @returns {string} what a search looks through */
export const textOf = ({ title, turns }) => [title, ...turns.flatMap((turn) => [turn.question, answerText(turn.answer)])].join("\n")

/** @param {string} asked @returns {string[]} the words of a search */
const wordsOf = (asked) => asked.toLowerCase().split(/\s+/).filter(Boolean)

/** @param {string} text in small letters @param {string} asked @returns {boolean} whether it holds every word asked for */
export const holds = (text, asked) => wordsOf(asked).every((word) => text.includes(word))

/** Characters shown before and after what was found. */
const BEFORE = 24
const AFTER = 72

/**
 * Where a text has a word of a search, if its first line, the title, has not all of them.
 * @param {string} text @param {string} small the same in small letters @param {string} asked
 * @returns {[string, string, string] | null} what stands before it, the word, what follows
 */
export function excerptOf(text, small, asked) {
  const title = small.indexOf("\n")
  const word = wordsOf(asked).find((one) => !small.slice(0, title).includes(one))
  if (!word || small.length !== text.length) return null
  const at = small.indexOf(word, title)
  const from = Math.max(title + 1, at - BEFORE)
  const flat = (/** @type {number} */ start, /** @type {number} */ end) => text.slice(start, end).replace(/\s+/g, " ")
  return [(from > title + 1 ? "…" : "") + flat(from, at), flat(at, at + word.length), flat(at + word.length, at + word.length + AFTER)]
}
