import assert from "node:assert/strict"
import { test } from "node:test"
import { pack, unpack } from "../../client/elements/pack.js"

const HAN = Array.from({ length: 900 }, (_, n) => String.fromCharCode(0x4e00 + n))
const ODD = `"quoted" \\ and\nbroken 😀 \u0001\ufeff`
const TURNS = ["en", "zh"].map((lang) => Array.from({ length: 30 }, (_, n) => {
  const text = lang === "en" ? `Answer ${n}: a map of terms to their postings, ${ODD}` : HAN.filter((_, at) => (at * (n + 3)) % 7 < 2).join("")
  return { id: `turn-${n}`, question: text.slice(0, 9), answer: { parts: [{ text: text.repeat(3) }], citations: [{ sentence: text }], lone: "\ud800" } }
}))

for (const asText of [false, true]) {
  test(`packed turns come back as they were, and are much smaller, ${asText ? "as text" : "as bytes"}`, async () => {
    const packed = await Promise.all(TURNS.map((turns) => pack(turns, { asText })))
    assert.deepEqual(packed.map(({ form }) => form), ["utf-8", "utf-16le"])
    assert.deepEqual(await Promise.all(packed.map(unpack)), TURNS)
    for (const { bytes, length } of /** @type {import("../../client/elements/pack.js").Gzipped[]} */ (packed)) assert.ok(bytes.length * 3 < length)
  })
}

test("turns that are no smaller as text stay plain", async () => {
  const turns = [{ id: "a" }]
  assert.deepEqual(await pack(turns, { asText: true }), { form: "plain", turns })
})

test("where a browser cannot pack, turns stay plain", async () => {
  const { CompressionStream } = globalThis
  Reflect.deleteProperty(globalThis, "CompressionStream")
  const packed = await pack(TURNS[0]).finally(() => Object.assign(globalThis, { CompressionStream }))
  assert.deepEqual([packed, await unpack(packed)], [{ form: "plain", turns: TURNS[0] }, TURNS[0]])
})

test("damage anywhere is noticed", async () => {
  const packed = /** @type {import("../../client/elements/pack.js").Gzipped} */ (await pack(TURNS[0]))
  const bytes = /** @type {Uint8Array} */ (packed.bytes)
  for (let at = 10; at < bytes.length; at += 41) await assert.rejects(unpack({ ...packed, bytes: bytes.with(at, bytes[at] ^ 0x55) }))
  for (const wrong of [undefined, null, {}, { ...packed, bytes: bytes.slice(0, 99) }, { ...packed, length: 12 }, { ...packed, length: "x" }]) await assert.rejects(unpack(wrong))
})
