import assert from "node:assert/strict"
import { test } from "node:test"
import { Allowance } from "../../client/elements/allowance.js"

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
