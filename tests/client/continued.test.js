import assert from "node:assert/strict"
import { test } from "node:test"
import { Earlier } from "../../client/elements/continued.js"
import { emptyAnswer, grow } from "../../client/elements/reducer.js"

/** @param {any} [more] a text, a lookup, a text that was cut, and a thought behind it */
const cut = (more = {}) => ({
  ...emptyAnswer(), usage: { input: 10, output: 2 }, ...more,
  parts: /** @type {any[]} */ ([["text", "One. "], ["tool-call", ""], ["text", "It maps the"], ["reasoning", "Hm."]]).map(([kind, text], part) => ({ part, kind, state: "completed", text })),
})

/** @param {any[]} events @returns {any[]} parts of an answer that was gone on with by them */
function grown(...events) {
  const answer = cut()
  const earlier = new Earlier(answer)
  for (const event of events) grow(answer, earlier.join(event), 7)
  return answer.parts.map(({ part, kind, state, text }) => [part, kind, state, text])
}

test("what goes on has a number below zero, and what comes else stands behind", () => {
  const parts = grown(
    { type: "part-start", part: 0, kind: "reasoning" },
    { type: "part-start", part: -1, kind: "text" }, { type: "part-delta", part: -1, text: " terms" },
    { type: "part-start", part: 2, kind: "text" }, { type: "part-delta", part: 2, text: "New." },
  )
  assert.deepEqual(parts.slice(2), [
    [2, "text", "running", "It maps the terms"], [3, "reasoning", "completed", "Hm."], [4, "reasoning", "running", ""], [6, "text", "running", "New."],
  ])
})

test("the end of a text that goes on is the end of both halves", () => {
  const [, , text] = grown({ type: "part-start", part: -1, kind: "text" }, { type: "part-end", part: -1, state: "completed", value: { type: "text", text: " terms." } })
  assert.deepEqual(text, [2, "text", "completed", "It maps the terms."])
})

test("what is taken back leaves the first half as it was, and is a part of its own", () => {
  const start = { type: "part-start", part: -1, kind: "text" }
  const back = [start, { type: "part-delta", part: -1, text: " Hm" }, { type: "part-end", part: -1, state: "aborted", value: null }]
  const thoughts = [{ type: "part-start", part: 0, kind: "reasoning" }, { type: "part-end", part: 0, state: "completed", value: { type: "reasoning", text: "Hm" } }]
  assert.deepEqual(grown(...back, ...thoughts).slice(2), [[2, "text", "completed", "It maps the"], [3, "reasoning", "completed", "Hm."], [4, "reasoning", "completed", "Hm"]])
  assert.deepEqual(grown(...back, ...thoughts, start, { type: "part-delta", part: -1, text: " terms" })[2], [2, "text", "running", "It maps the terms"])
})

test("the worker is told the texts so far, and its drawings find their part", () => {
  const earlier = new Earlier(cut())
  assert.deepEqual([earlier.texts, [0, -1, 4].map((part) => earlier.number(part))], [["One. ", "It maps the"], [4, 2, 8]])
})

test("tokens of both halves are added up as far as the endpoint tells them", () => {
  const usage = (/** @type {any} */ before, /** @type {any} */ after) => new Earlier(cut({ usage: before })).join({ type: "exchange-end", usage: after, message: {} }).usage
  assert.deepEqual(
    [usage({ input: 10, output: 2 }, { input: 5, output: null }), usage(null, { input: 5, output: 1 }), usage({ input: 1, output: 2 }, null), usage(null, null)],
    [{ input: 15, output: 2 }, { input: 5, output: 1 }, { input: 1, output: 2 }, null],
  )
})
