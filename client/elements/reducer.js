/** What an answer is, grown event by event: pure, so that a page, a reload and a test come to the same. */

/**
 * @typedef {"pending" | "running" | "completed" | "error" | "aborted"} State
 * @typedef {object} AnswerPart
 * @property {number} part ordinal in the answer
 * @property {"text" | "reasoning" | "plan" | "tool-call"} kind
 * @property {State} state
 * @property {string} text of text, reasoning and plan; the argument text of a call
 * @property {string} [id] of a call
 * @property {string} [name] of a call
 * @property {unknown} [arguments] of a call
 * @property {{content: any, error: boolean}} [result] of a call
 * @property {import("./sandbox.js").Figure[]} [figures] of a program, beside the result of its call
 * @property {number} [began] milliseconds, of reasoning
 * @property {number} [ended]
 *
 * @typedef {object} SourceInfo
 * @property {number} n
 * @property {string} name of the book
 * @property {string} card
 * @property {string} kind
 * @property {string} number
 * @property {string} title
 * @property {string} url
 * @property {string} text
 * @property {string[]} matched
 *
 * @typedef {{fault: string, message: string, status: number | null, retry: boolean, retry_after: number | null, detail?: string}} Fault
 * @typedef {object} Answer
 * @property {State} state
 * @property {"retrieve" | "discussion" | "extractive" | ""} mode
 * @property {AnswerPart[]} parts
 * @property {SourceInfo[]} sources
 * @property {any[]} citations
 * @property {number | null} grounding
 * @property {{hits: number, status: any} | null} retrieval
 * @property {{code: string, data: any}[]} notices
 * @property {Fault | null} error
 * @property {{input: number | null, output: number | null} | null} usage
 * @property {string} finish of the last turn
 * @property {any} message as it goes into the thread
 * @property {{requests: number, input: number, output: number}} [estimate] of a long job the reader has not agreed to
 */

/** What a part may turn out to be. */
const KINDS = new Set(["text", "reasoning", "plan", "tool-call"])

/** @returns {Answer} */
export function emptyAnswer() {
  return {
    state: "pending", mode: "", parts: [], sources: [], citations: [], grounding: null, retrieval: null, notices: [], error: null, usage: null, finish: "", message: null,
  }
}

/**
 * Let an answer grow by one event.
 * @param {Answer} answer changed in place
 * @param {any} event as the core's wire writes it
 * @param {number} now milliseconds
 */
export function grow(answer, event, now) {
  const part = typeof event.part === "number" ? answer.parts.find((known) => known.part === event.part) : undefined
  switch (event.type) {
    case "exchange-start":
      answer.state = "running"
      answer.mode = event.mode
      break
    case "retrieval":
      answer.retrieval = { hits: event.hits, status: event.status }
      break
    case "source-add":
      answer.sources = [...answer.sources.filter((source) => source.n !== event.source.n), event.source].sort((a, b) => a.n - b.n)
      break
    case "part-start":
      answer.parts.push({ part: event.part, kind: event.kind, state: "running", text: "", id: event.id, name: event.name, began: now })
      break
    case "part-resume":
      if (part) part.state = "running"
      break
    case "part-delta":
      if (part) part.text += event.text
      break
    case "part-end":
      if (part && event.state === "aborted" && event.value === null) answer.parts = answer.parts.filter((kept) => kept !== part)
      else if (part) endPart(part, event, now)
      break
    case "part-demote":
      if (part) part.kind = "plan"
      break
    case "tool-result":
      if (part) Object.assign(part, { state: event.result.error ? "error" : "completed", result: { content: event.result.content, error: Boolean(event.result.error) } })
      break
    case "turn-end":
      answer.finish = event.finish
      break
    case "estimate":
      answer.estimate = { requests: event.requests, input: event.input, output: event.output }
      break
    case "notice":
      answer.notices.push({ code: event.code, data: event.data })
      break
    case "citations":
      answer.citations = event.citations
      answer.grounding = event.grounding
      break
    case "exchange-end":
      Object.assign(answer, { state: event.state, error: event.error ?? null, usage: event.usage ?? null, message: event.message ?? null })
      settle(answer, event.state)
      break
  }
  return answer
}

/** @param {AnswerPart} part @param {any} event @param {number} now */
function endPart(part, event, now) {
  const value = event.value ?? {}
  part.ended = now
  if (KINDS.has(value.type)) part.kind = value.type
  if (typeof value.text === "string") part.text = value.text
  if (part.kind === "tool-call") {
    part.name = value.name ?? part.name
    part.id = value.id ?? part.id
    part.arguments = value.arguments ?? {}
    part.state = event.state === "completed" && !part.result ? "running" : event.state
  } else part.state = event.state
}

/** Nothing goes on running in an answer that has ended. @param {Answer} answer @param {State} state */
function settle(answer, state) {
  for (const part of answer.parts) if (part.state === "running" || part.state === "pending") part.state = state === "completed" ? "completed" : "aborted"
}

/** @param {Answer} answer @returns {string} what is said, as Markdown */
export function answerText(answer) {
  return answer.parts.filter((part) => part.kind === "text").map((part) => part.text).join("\n\n").trim()
}

/** @param {Answer} answer how often the book was looked up */
export function lookups(answer) {
  return answer.parts.filter((part) => part.kind === "tool-call").length
}

/** @param {Answer} answer @returns {string} why a completed answer is not all of it; empty where it is */
export function incompleteness(answer) {
  const told = answer.notices.findLast((notice) => notice.code === "incomplete")
  return told ? String(told.data?.reason ?? "") : answer.finish === "length" ? "length" : ""
}

/** Reasons after which a model can go on. */
const RESUMABLE = new Set(["length", "announcement", "plan"])

/** @param {Answer} answer whether it ended before it was complete and can be gone on with */
export function canContinue(answer) {
  return answerText(answer) !== "" && answer.mode !== "extractive" && (RESUMABLE.has(incompleteness(answer)) || ["cut", "stall"].includes(answer.error?.fault ?? "") || answer.state === "aborted")
}
