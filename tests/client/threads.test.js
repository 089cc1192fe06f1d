import assert from "node:assert/strict"
import { test } from "node:test"
import { answerToMarkdown, threadToMarkdown, threadsFromJson, threadsToJson } from "../../client/elements/export.js"
import { historyOf, sourcesOf } from "../../client/elements/exchange.js"
import { emptyAnswer } from "../../client/elements/reducer.js"
import { findThreads, newThread, newTurn, readThread, slim } from "../../client/elements/threads.js"
import { en } from "../../client/elements/words/en.js"

const SOURCE = { n: 1, name: "books-x", card: "1/a", kind: "definition", number: "1.2", title: "Definition [1.2]", url: "/x/#a", text: "w".repeat(9000), matched: [] }

/** @param {string} question @param {string} text @param {any} [more] */
function answered(question, text, more = {}) {
  const turn = newTurn(question, { page: { url: "https://example.org/x/", title: "X" }, model: "m" })
  turn.answer = { ...emptyAnswer(), state: "completed", mode: "retrieve", sources: [SOURCE], parts: [{ part: 0, kind: "text", state: "completed", text }], ...more }
  return turn
}

/** @param {import("../../client/elements/threads.js").Turn[]} turns */
const threadOf = (...turns) => ({ ...newThread(), title: "On maps", turns })

test("a stored thread keeps of a passage its quote, title and address, and of a result its beginning", () => {
  const turn = answered("q", "a", { parts: [{ part: 0, kind: "tool-call", state: "completed", text: "", result: { content: { text: "x".repeat(9000) }, error: false } }] })
  const kept = slim(threadOf(turn))
  assert.ok(JSON.stringify(kept).length < 3000)
  assert.deepEqual([kept.turns[0].answer.sources[0].title, kept.turns[0].answer.sources[0].url], [SOURCE.title, SOURCE.url])
})

test("200 threads of 60 messages stay under 10 MB", () => {
  const thread = threadOf(...Array.from({ length: 30 }, (_, n) => answered(`question ${n}`, "An answer of the usual length. ".repeat(20))))
  assert.ok(JSON.stringify(slim(thread)).length * 200 < 10_000_000)
})

test("an answer that ran when the page went away comes back as interrupted, with what it had", () => {
  const turn = answered("q", "Half of", { state: "running", parts: [{ part: 0, kind: "text", state: "running", text: "Half of" }] })
  const thread = readThread(JSON.parse(JSON.stringify(threadOf(turn))))
  assert.deepEqual([thread?.turns[0].answer.state, thread?.turns[0].interrupted, thread?.turns[0].answer.parts[0].text], ["aborted", true, "Half of"])
})

for (const [what, value] of /** @type {[string, any][]} */ ([["nothing", null], ["text", "{"], ["a list", []], ["a thread of a version yet unknown", { version: 2, id: "a", turns: [] }], ["damage", { damaged: "{" }]])) {
  test(`${what} is no thread`, () => assert.equal(readThread(value), null))
}

test("damaged turns are left out of a thread that can be read", () => {
  const thread = readThread({ version: 1, id: "a", turns: [null, 3, { question: "q" }, { question: "q", answer: { parts: "no" } }] })
  assert.deepEqual(thread?.turns.map((turn) => [turn.question, turn.answer.parts]), [["q", []]])
})

test("threads are found by every word of the search, in questions and answers", () => {
  const [maps, lists] = [threadOf(answered("What is a map?", "It maps terms.")), threadOf(answered("列表", "A list."))]
  assert.deepEqual([findThreads([maps, lists], "MAP terms"), findThreads([maps, lists], "列表"), findThreads([maps, lists], " ")], [[maps], [lists], [maps, lists]])
})

test("what was exported can be imported, under new names", () => {
  const thread = threadOf(answered("q", "a"))
  const [back] = threadsFromJson(threadsToJson([thread]))
  assert.notEqual(back.id, thread.id)
  assert.deepEqual([back.title, back.turns[0].question, back.turns[0].answer.parts], ["On maps", "q", thread.turns[0].answer.parts])
  assert.deepEqual(threadsFromJson("[]"), [])
  assert.deepEqual(threadsFromJson("no JSON"), [])
})

test("a copied answer is Markdown with its sources as links", () => {
  assert.equal(answerToMarkdown(answered("q", "It is a map [1]."), en, "https://example.org/x/"), "It is a map [1].\n\n**Sources**\n\n1. [Definition \\[1.2\\]](https://example.org/x/#a)")
  assert.match(threadToMarkdown(threadOf(answered("*q*", "a")), en, "https://example.org/"), /^# On maps\n\n## \\\*q\\\*\n\na\n/)
})

test("the model is told of questions and answers, not of the book's own sentences", () => {
  const turns = [answered("one", "first"), answered("two", "sentence", { mode: "extractive" })]
  assert.deepEqual(historyOf(turns).map((message) => [message.role, message.parts[0].text]), [["user", "one"], ["assistant", "first"]])
  assert.deepEqual(sourcesOf(turns).map((source) => source.n), [1])
})
