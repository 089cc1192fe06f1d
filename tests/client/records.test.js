import assert from "node:assert/strict"
import { test } from "node:test"
import { byDate, joinTurns, readLine, recordOf, threadOf } from "../../client/elements/records.js"
import { newThread, newTurn } from "../../client/elements/threads.js"

/** @param {string} question @param {import("../../client/elements/reducer.js").State} [state] */
function turnOf(question, state = "completed") {
  const turn = { ...newTurn(question, { page: { url: "", title: "" }, model: "" }), id: question }
  turn.answer.state = state
  return turn
}
/** @param {string[]} questions */
const threadOfAll = (...questions) => ({ ...newThread(), title: "t", turns: questions.map((question) => turnOf(question)) })
/** @param {{turns: {question: string}[]} | null} thread */
const questions = (thread) => thread?.turns.map((turn) => turn.question)

test("a record lists a thread without its packed turns, and with them it is the thread again", () => {
  const thread = { ...threadOfAll("one", "two", "three"), python: true }
  const [older, newer] = [thread.turns.slice(0, 2), thread.turns.slice(2)]
  const record = recordOf(thread, { turns: newer, packed: 2 })
  const line = readLine(structuredClone(record))
  const { python: _, ...kept } = thread
  assert.deepEqual([record.version, line?.title, line?.count, line?.packed, questions(line)], [2, "t", 3, 2, ["three"]])
  assert.deepEqual(threadOf(/** @type {any} */ (line), structuredClone(older)), kept)
})

test("a turn that was asked again counts as its record has it", () => {
  const again = { ...turnOf("two"), model: "newer" }
  assert.deepEqual(joinTurns([turnOf("one"), turnOf("two")], [again, turnOf("three")]).map((turn) => [turn.question, turn.model]), [["one", ""], ["two", "newer"], ["three", ""]])
})

test("a thread of the first version is read whole", () => {
  const line = readLine(structuredClone(threadOfAll("one", "two")))
  assert.deepEqual([line?.count, line?.packed, questions(line)], [2, 0, ["one", "two"]])
})

test("of a long thread the newest thirty turns are kept", () => {
  const thread = threadOfAll(...Array.from({ length: 33 }, (_, n) => `${n}`))
  const record = recordOf(thread, { turns: thread.turns, packed: 0 })
  assert.deepEqual([record.count, questions(record)?.[0], questions(threadOf(/** @type {any} */ (readLine(record)), [turnOf("older")]))?.length], [30, "3", 30])
})

for (const [what, value] of /** @type {[string, any][]} */ ([["nothing", undefined], ["text", "{"], ["a version yet unknown", { version: 3, id: "a", turns: [] }], ["a record without turns", { version: 2, id: "a" }]])) {
  test(`${what} is no record`, () => assert.equal(readLine(value), null))
}

test("pinned threads come first, then the newest", () => {
  const line = (/** @type {string} */ id, updated = 0, pinned = false) => /** @type {any} */ ({ id, updated, pinned })
  assert.deepEqual([line("old", 1), line("new", 2), line("pinned", 0, true)].sort(byDate).map(({ id }) => id), ["pinned", "new", "old"])
})
