import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { DEEPEST, isTooDeep } from "../../client/worker/depth.js"

/** @param {string} text */
const deep = (text) => isTooDeep(/** @type {ArrayBuffer} */ (new TextEncoder().encode(text).buffer))

test("levels are counted as the core counts them", () => {
  const core = readFileSync(join(import.meta.dirname, "../../client/py/nesting.py"), "utf8")
  assert.equal(Number(/^DEEPEST: Final = (\d+)$/m.exec(core)?.[1]), DEEPEST)
})

for (const [open, close] of ["[]", "{}"]) {
  test(`${DEEPEST} levels of ${open}${close} pass, and one more does not, whether they end or not`, () => {
    const inner = open === "{" ? '{"a":' : open
    for (const end of ["", close]) {
      assert.equal(deep(inner.repeat(DEEPEST) + end.repeat(DEEPEST)), false)
      assert.equal(deep(inner.repeat(DEEPEST + 1) + end.repeat(DEEPEST + 1)), true)
    }
  })
}

test("what stands side by side or in strings is not deep, whatever is escaped there", () => {
  assert.equal(deep(`[${"[{}],".repeat(2000)}1]`), false)
  assert.equal(deep(JSON.stringify({ text: `${"[{".repeat(2000)}\\` })), false)
  assert.equal(deep(JSON.stringify(['"\\"', "[".repeat(2000), "\\"])), false)
  assert.equal(deep(`["\\\\",${"[".repeat(600)}`), true)
})
