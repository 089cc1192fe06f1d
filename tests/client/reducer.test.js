import assert from "node:assert/strict"
import { test } from "node:test"
import { answerText, canContinue, emptyAnswer, grow, lookups } from "../../client/elements/reducer.js"

const SOURCE = { n: 1, name: "books-x", card: "1/a", kind: "definition", number: "1.2", title: "Definition 1.2", url: "/x/#a", text: "A map.", matched: [] }
const CALL = { type: "tool-call", id: "c1", name: "book_chunk", arguments: { id: "1/a" } }
const RESULT = { type: "tool-result", id: "c1", name: "book_chunk", content: { found: true }, error: false }

/** @param {any[]} events */
const play = (events) => events.reduce((answer, event, at) => grow(answer, event, at), emptyAnswer())

test("an answer grows from events to text, calls with results, sources and usage", () => {
  const answer = play([
    { type: "exchange-start", question: "q", mode: "retrieve" },
    { type: "retrieval", hits: 1, status: { confidence: 1 } },
    { type: "source-add", source: SOURCE },
    { type: "part-start", part: 0, kind: "tool-call", id: "c1", name: "book_chunk" },
    { type: "part-delta", part: 0, text: '{"id":' },
    { type: "part-end", part: 0, state: "completed", value: CALL },
    { type: "tool-result", part: 0, result: RESULT },
    { type: "turn-end", turn: 1, finish: "tool_calls", usage: null },
    { type: "part-start", part: 1, kind: "text", id: "", name: "" },
    { type: "part-delta", part: 1, text: "It is " },
    { type: "part-delta", part: 1, text: "a map [1]." },
    { type: "part-end", part: 1, state: "completed", value: { type: "text", text: "It is a map [1]." } },
    { type: "exchange-end", state: "completed", error: null, usage: { input: 3, output: 4 }, message: null },
  ])
  assert.deepEqual(
    { state: answer.state, text: answerText(answer), calls: lookups(answer), sources: answer.sources, usage: answer.usage, result: answer.parts[0].result, states: answer.parts.map((part) => part.state) },
    { state: "completed", text: "It is a map [1].", calls: 1, sources: [SOURCE], usage: { input: 3, output: 4 }, result: { content: { found: true }, error: false }, states: ["completed", "completed"] },
  )
})

test("text that turned out to be planning is no part of what is said", () => {
  const answer = play([
    { type: "part-start", part: 0, kind: "text" },
    { type: "part-delta", part: 0, text: "I will look." },
    { type: "part-demote", part: 0 },
  ])
  assert.equal(answerText(answer), "")
})

test("nothing runs on in an answer that was stopped, and what came can be gone on with", () => {
  const answer = play([
    { type: "exchange-start", question: "q", mode: "retrieve" },
    { type: "part-start", part: 0, kind: "text" },
    { type: "part-delta", part: 0, text: "Half" },
    { type: "exchange-end", state: "aborted", error: { fault: "aborted", message: "" } },
  ])
  assert.deepEqual([answer.state, answer.parts[0].state, canContinue(answer)], ["aborted", "aborted", true])
})

test("events of kinds yet unknown are passed over", () => {
  assert.deepEqual(play([{ type: "from-the-future", part: 9 }]), emptyAnswer())
})
