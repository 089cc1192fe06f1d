import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { answerText, canContinue, emptyAnswer, grow, incompleteness, lookups } from "../../client/elements/reducer.js"

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

test("an exchange as the core writes it grows to the message the core keeps", () => {
  const events = JSON.parse(readFileSync(new URL("../golden/wire/exchange.json", import.meta.url), "utf8"))
  const answer = play(events)
  const { message, usage } = events.at(-1)
  const kept = message.parts.filter((/** @type {any} */ part) => part.type !== "tool-result")
  assert.deepEqual(answer.parts.map(({ kind, state }) => [kind, state]), kept.map((/** @type {any} */ part) => [part.type, "completed"]))
  assert.deepEqual(
    { text: answerText(answer), sources: answer.sources.map(({ n }) => n), usage: answer.usage, message: answer.message, result: answer.parts[2].result?.content.label },
    { text: kept.at(-1).text, sources: [1, 2], usage, message, result: "theorem 2.2" },
  )
  assert.deepEqual(answer.parts.filter(({ kind }) => kind === "plan").map(({ text }) => text), ["I will look."])
})

test("a part may turn out to be of another kind, with other words", () => {
  const answer = play([
    { type: "part-start", part: 0, kind: "reasoning" },
    { type: "part-delta", part: 0, text: "It is a map." },
    { type: "part-end", part: 0, state: "completed", value: { type: "reasoning", text: "It is a map." } },
    { type: "part-end", part: 0, state: "completed", value: { type: "text", text: "A map." } },
  ])
  assert.deepEqual([answer.parts.length, answer.parts[0].kind, answerText(answer)], [1, "text", "A map."])
})

test("a part that is withdrawn is gone", () => {
  const answer = play([
    { type: "part-start", part: 0, kind: "text" },
    { type: "part-delta", part: 0, text: "Half of it" },
    { type: "part-end", part: 0, state: "aborted", value: null },
    { type: "part-start", part: 1, kind: "text" },
    { type: "part-end", part: 1, state: "completed", value: { type: "text", text: "All of it." } },
  ])
  assert.deepEqual(answer.parts.map(({ part, text }) => [part, text]), [[1, "All of it."]])
})

test("why an answer is not all of it is known, and only a model that could say more is asked to go on", () => {
  const ended = (/** @type {any[]} */ events) => play([{ type: "exchange-start", question: "q", mode: "retrieve" }, { type: "part-start", part: 0, kind: "text" }, { type: "part-end", part: 0, state: "completed", value: { type: "text", text: "Half" } }, ...events, { type: "exchange-end", state: "completed" }])
  const seen = ["length", "announcement", "plan", "empty", "filtered"].map((reason) => ended([{ type: "notice", code: "incomplete", data: { reason } }]))
  assert.deepEqual(seen.map((answer) => [incompleteness(answer), canContinue(answer)]), [["length", true], ["announcement", true], ["plan", true], ["empty", false], ["filtered", false]])
  assert.equal(incompleteness(ended([{ type: "turn-end", turn: 1, finish: "length" }])), "length")
  assert.equal(incompleteness(ended([])), "")
})

test("a long job is told with its price, and nothing is said", () => {
  const answer = play([{ type: "estimate", requests: 14, input: 9000, output: 4000 }, { type: "exchange-end", state: "aborted", error: null }])
  assert.deepEqual([answer.estimate, answer.state, canContinue(answer)], [{ requests: 14, input: 9000, output: 4000 }, "aborted", false])
})
