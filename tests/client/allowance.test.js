import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyAnswer } from "../../client/elements/reducer.js"
import { Allowance, estimated } from "../../client/elements/allowance.js"

test("tokens count up to the daily limit, and anew on the next day", () => {
  let now = new Date(2026, 10, 30, 23, 59)
  const allowance = new Allowance("askbook:/", () => now)
  allowance.add({ input: 600, output: 300 })
  allowance.add({ input: null, output: 100 })
  allowance.add(null)
  assert.deepEqual([allowance.used, allowance.allows(1000), allowance.allows(1001), allowance.allows(0)], [1000, false, true, true])
  now = new Date(2026, 11, 1, 0, 1)
  assert.deepEqual([allowance.used, allowance.allows(1000)], [0, true])
})

test("an answer whose endpoint reports nothing counts by its letters, and one that no model gave by none", () => {
  const part = { part: 0, kind: /** @type {const} */ ("text"), state: /** @type {const} */ ("aborted"), text: "x".repeat(1000) }
  const answer = { ...emptyAnswer(), mode: /** @type {const} */ ("retrieve"), state: /** @type {const} */ ("aborted"), parts: [part] }
  assert.deepEqual(estimated(answer, 6000), { input: 3001, output: 500 })
  const none = [{ mode: "extractive" }, { mode: "" }, { state: "error", parts: [] }, { estimate: { requests: 9, input: 9, output: 9 } }]
  assert.deepEqual(none.map((one) => estimated(/** @type {any} */ ({ ...answer, ...one }), 6000)), [null, null, null, null])
})
