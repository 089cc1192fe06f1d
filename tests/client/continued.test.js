import assert from "node:assert/strict"
import { test } from "node:test"
import { citationsOfMarks, Earlier } from "../../client/elements/continued.js"
import { emptyAnswer } from "../../client/elements/reducer.js"

/** @param {number} mark @param {number} n @param {string} support */
const citation = (mark, n, support) => ({ mark, n, support })

/** @param {any} [more] an answer with three parts, the last a text with two marks */
const cut = (more = {}) => ({
  ...emptyAnswer(), parts: [0, 1, 2].map((part) => ({ part, kind: /** @type {const} */ ("text"), state: /** @type {const} */ ("completed"), text: "" })),
  citations: [citation(0, 1, "quoted"), citation(1, 2, "unchecked")], grounding: 1, usage: { input: 10, output: 2 }, ...more,
})

test("parts that come are numbered after those that are there", () => {
  const joined = new Earlier(cut()).join({ type: "part-start", part: 1, kind: "text" })
  assert.deepEqual(joined, { type: "part-start", part: 4, kind: "text" })
})

test("citations are joined, and each new one names the first part of its own count", () => {
  const joined = new Earlier(cut()).join({ type: "citations", citations: [citation(0, 3, "missing"), citation(1, 1, "loose")], grounding: 0.25 })
  assert.deepEqual(joined, {
    type: "citations", grounding: 0.5,
    citations: [citation(0, 1, "quoted"), citation(1, 2, "unchecked"), { ...citation(0, 3, "missing"), from: 3 }, { ...citation(1, 1, "loose"), from: 3 }],
  })
})

test("an answer none of whose marks can be checked has no grounding", () => {
  const joined = new Earlier(cut({ citations: [], grounding: null })).join({ type: "citations", citations: [citation(0, 1, "unchecked")], grounding: null })
  assert.equal(joined.grounding, null)
})

test("tokens of both halves are added up as far as the endpoint tells them", () => {
  const usage = (/** @type {any} */ before, /** @type {any} */ after) => new Earlier(cut({ usage: before })).join({ type: "exchange-end", usage: after, message: {} }).usage
  assert.deepEqual(
    [usage({ input: 10, output: 2 }, { input: 5, output: null }), usage(null, { input: 5, output: 1 }), usage({ input: 1, output: 2 }, null), usage(null, null)],
    [{ input: 15, output: 2 }, { input: 5, output: 1 }, { input: 1, output: 2 }, null],
  )
})

test("marks are counted stretch by stretch, also where an earlier one was never checked", () => {
  const texts = [{ part: 0, marks: ["a", "b"] }, { part: 3, marks: ["c"] }, { part: 5, marks: ["d"] }, { part: 9, marks: ["e"] }]
  const found = (/** @type {any[]} */ ...citations) => citationsOfMarks(citations, texts).map(([mark, { n }]) => `${mark}${n}`)
  const later = { ...citation(0, 2, "loose"), from: 3 }
  assert.deepEqual(found(citation(1, 1, "quoted"), later, { ...later, mark: 1, n: 4 }, { ...later, n: 3, from: 9 }, { ...later, mark: 7 }), ["b1", "c2", "d4", "e3"])
  assert.deepEqual(found(later), ["c2"])
})
