import assert from "node:assert/strict"
import { test } from "node:test"
import { bare, fragment, pieces } from "../../client/elements/quote.js"

test("a sentence without formulas is one piece, with formulas the stretches around them", () => {
  assert.deepEqual(pieces("Every closed subset is compact."), ["Every closed subset is compact."])
  assert.deepEqual(pieces("Every closed subset of $X$ is `compact` whenever\n$$a = b$$ holds."), ["Every closed subset of", "is compact whenever"])
  assert.deepEqual(pieces("若 $f_n$ 一致收敛到 $f$，则极限函数连续。"), ["一致收敛到", "，则极限函数连续。"])
  assert.deepEqual(pieces("$x$"), [])
})

test("a text fragment names a short sentence whole and a long one by its ends", () => {
  assert.equal(fragment("Closed subsets are compact."), ":~:text=Closed%20subsets%20are%20compact.")
  assert.equal(fragment("Every well-known closed subset of a compact space is itself compact, and so on to the very end."), ":~:text=Every%20well%2Dknown%20closed%20subset%20of%20a,so%20on%20to%20the%20very%20end.")
  assert.equal(fragment("每个开覆盖都有有限子覆盖。"), `:~:text=${encodeURIComponent("每个开覆盖都有有限子覆盖。")}`)
  assert.equal(fragment("$x$"), "")
})

test("bare letters remember where they stood", () => {
  assert.deepEqual(bare("Ａ-b 漢"), { letters: "ab漢", places: [0, 2, 4] })
})
