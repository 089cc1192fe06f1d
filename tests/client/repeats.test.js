import assert from "node:assert/strict"
import { test } from "node:test"
import { Folder, unfold } from "../../client/elements/repeats.js"

/** @param {string[]} pieces */
function folded(...pieces) {
  const folder = new Folder()
  return pieces.map((piece) => folder.fold(piece)).join("")
}

/** A text from few letters, in long repeats, with characters of two halves. @param {number} seed */
function textOf(seed) {
  const random = (/** @type {number} */ below) => (seed = (seed * 48271) % 2147483647) % below
  let text = ""
  while (text.length < 4000) {
    const from = random(text.length + 1)
    text += random(3) ? text.slice(from, from + random(120)).toWellFormed() : ["a", "bc", "漢字", "😀", "\n", "𝒳𝒴"][random(6)]
  }
  return text
}

test("what was said before is a reference, wherever the pieces end", () => {
  const said = "The quick brown fox jumps over the lazy dog, and then once more over another one."
  const text = folded(said, " ", said)
  assert.ok(text.length < said.length + 10)
  assert.equal(unfold(text, 2 * said.length + 1), `${said} ${said}`)
})

test("short texts stay as they are", () => assert.deepEqual([folded(""), folded("short, short"), unfold("short", 5)], ["", "short, short", "short"]))

test("any text comes back, and no reference cuts a character in two", () => {
  for (let seed = 1; seed < 200; seed++) {
    const text = textOf(seed)
    const cut = seed * 17
    const pieces = [text.slice(0, cut), text.slice(cut)].every((piece) => piece.isWellFormed()) ? [text.slice(0, cut), text.slice(cut)] : [text]
    const short = folded(...pieces)
    assert.ok(short.isWellFormed())
    assert.equal(unfold(short, text.length), text)
  }
})

for (const [what, text, length] of /** @type {[string, string, number][]} */ ([
  ["a reference to what was never said", "abc\x01ZZ", 50], ["a number that does not end", "abc\x01!!", 50], ["a reference without its length", "abc\x01P", 50],
  ["a text that is too short", "abc", 4], ["a text that is too long", "abc", 2],
])) {
  test(`${what} is damage`, () => assert.throws(() => unfold(text, length), RangeError))
}
