import assert from "node:assert/strict"
import { test } from "node:test"
import { mergeThread, tailOf } from "../../client/elements/journal.js"
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

test("what was noted comes into what is stored, turn by turn", () => {
  const [stored, noted] = [threadOf("one", "two"), { ...threadOf("two", "three"), title: "newer" }]
  noted.turns[0].model = "newer"
  const merged = mergeThread(stored, noted)
  assert.deepEqual([merged.title, merged.turns.map((turn) => [turn.question, turn.model])], ["newer", [["one", ""], ["two", "newer"], ["three", ""]]])
  assert.equal(mergeThread(null, noted), noted)
})
