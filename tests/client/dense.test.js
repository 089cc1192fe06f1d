import assert from "node:assert/strict"
import { test } from "node:test"
import { release, squeeze, sumOf } from "../../client/elements/dense.js"
import { BitWriter } from "../../client/elements/odds.js"
import { densify, pack, sizeOf, unpack } from "../../client/elements/pack.js"

/** @template T @param {Generator<void, T>} steps @returns {T} */
function whole(steps) {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Numbers by lot, the same in every run. @param {number} seed */
const lots = (seed) => (/** @type {number} */ below) => (seed = (seed * 48271) % 2147483647) % below

const SENTENCES = ["倒排索引是从词项到倒排列表的映射。", "搜索时问的是“这个词在哪些文档里”，", "而不必逐个文档去找词。", "An **inverted index** maps $t$ to $(d, \\mathrm{tf})$. ", "\n\n- ", "𝒟 🙂 é "]

/** @param {number} seed @param {number} length */
function prose(seed, length) {
  const random = lots(seed)
  let text = ""
  while (text.length < length) text += random(9) ? SENTENCES[random(SENTENCES.length)] : String.fromCharCode(0x4e00 + random(900))
  return text
}

test("every text comes back as it was", () => {
  const texts = ["", "a", "aaaaaaaa", "abcabcabcabcab", "banana", "\u0000\uffff\u0000", "中", ...[1, 2, 3, 4, 5].map((seed) => prose(seed, 700 * seed))]
  for (const text of texts) assert.equal(whole(release(whole(squeeze(text)), text.length)), text)
})

test("a text of every sign there is comes back too", () => {
  const text = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).join("")
  assert.equal(whole(release(whole(squeeze(text)), text.length)), text)
})

test("what is damaged is another text, or none", () => {
  const text = prose(7, 2000)
  const bytes = whole(squeeze(text))
  for (let at = 0; at < bytes.length; at += 23) {
    let read
    try {
      read = whole(release(bytes.with(at, bytes[at] ^ 85), text.length))
    } catch (error) {
      assert.ok(error instanceof RangeError)
    }
    assert.ok(read === undefined || sumOf(read) !== sumOf(text))
  }
  assert.throws(() => whole(release(bytes, text.length - 1)), RangeError)
})

test("turns that take less room are the same turns, also where storage takes text alone", async () => {
  const turns = Array.from({ length: 12 }, (_, at) => ({ id: `turn-${at}`, question: prose(at + 1, 25), text: prose(at + 50, 900) }))
  for (const asText of [false, true]) {
    const packed = await pack(turns, { asText })
    const dense = await densify(packed)
    assert.ok(dense && sizeOf(dense) < 0.85 * sizeOf(packed), `${sizeOf(dense)} of ${sizeOf(packed)}`)
    assert.equal(typeof (/** @type {any} */ (dense).bytes), asText ? "string" : "object")
    assert.deepEqual(await unpack(dense), turns)
    assert.equal(await densify(dense), null)
  }
})

test("a dense thread that was damaged throws, whatever was done to it", async () => {
  const dense = /** @type {any} */ (await densify(await pack([{ text: prose(3, 3000) }])))
  const { bytes } = dense
  for (const change of [{ bytes: bytes.with(40, bytes[40] ^ 85) }, { bytes: bytes.slice(0, 60) }, { length: 7 }, { sum: 7 }]) {
    await assert.rejects(unpack({ ...dense, ...change }))
  }
})

test("what would not come back as it was is left as it is", async () => {
  const packed = await pack([{ text: prose(3, 3000) }])
  const { end } = BitWriter.prototype
  BitWriter.prototype.end = function () {
    const bytes = end.call(this)
    return bytes.with(400, bytes[400] ^ 85)
  }
  try {
    assert.equal(await densify(packed), null)
  } finally {
    BitWriter.prototype.end = end
  }
  assert.notEqual(await densify(packed), null)
})
