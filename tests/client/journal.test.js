import assert from "node:assert/strict"
import { test } from "node:test"
import { tailOf } from "../../client/elements/journal.js"
import { newThread, newTurn } from "../../client/elements/threads.js"

/** @param {string[]} questions */
const threadOf = (...questions) => ({ ...newThread(), turns: questions.map((question) => ({ ...newTurn(question, { page: { url: "", title: "" }, model: "" }), id: question })) })
/** @param {import("../../client/elements/threads.js").Thread} thread */
const questions = (thread) => thread.turns.map((turn) => turn.question)

test("a thread that fits is noted whole, a longer one by its newest turns, and its last turn always", () => {
  const thread = threadOf("one", "two", "three")
  const size = JSON.stringify(thread.turns[0]).length
  assert.deepEqual([tailOf(thread), tailOf(thread, 2.5 * size), tailOf(thread, 10)].map(questions), [["one", "two", "three"], ["two", "three"], ["three"]])
})
