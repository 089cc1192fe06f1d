import assert from "node:assert/strict"
import { test } from "node:test"
import { FRAMES, Held } from "../../client/elements/held.js"

/** @param {number} block @param {string} html */
const patch = (block, html) => ({ part: 0, block, html })
const END = { type: "exchange-end", state: "completed" }

/** @param {Held} held @returns {number[][]} of each slice the blocks */
function slices(held) {
  const found = []
  for (let more = true; more; ) {
    const taken = held.take()
    more = taken.more
    assert.equal(taken.events.includes(END), !more)
    found.push(taken.patches.map(({ block }) => block))
  }
  return found
}

test("what is little is drawn at once, with its events", () => {
  const held = new Held()
  held.add([END], [patch(0, "<p>a</p>"), patch(1, "<p>b</p>")])
  assert.deepEqual(held.take(), { events: [END], patches: [patch(0, "<p>a</p>"), patch(1, "<p>b</p>")], more: false })
  assert.deepEqual(held.take(), { events: [], patches: [], more: false })
})

test("what is much is drawn in slices, in order, and its end comes with the last", () => {
  const held = new Held()
  held.add([END], [patch(0, "x".repeat(6_000)), patch(1, "x".repeat(6_000)), patch(2, "x".repeat(1_000)), patch(3, "x".repeat(90_000))])
  assert.deepEqual(slices(held), [[0], [1, 2], [3]])
})

test("a formula weighs as much as many words", () => {
  const held = new Held()
  held.add([END], Array.from({ length: 60 }, (_, at) => patch(at, '<p><span class="math inline">x</span></p>')))
  assert.deepEqual(slices(held).map((blocks) => blocks.length), [37, 23])
})

test("other events than the end come with the first slice", () => {
  const held = new Held()
  const start = { type: "part-start", part: 0, kind: "text" }
  held.add([start, END], [patch(0, "x".repeat(9_000)), patch(1, "x")])
  assert.deepEqual([held.take().events, held.take().events], [[start], [END]])
})

for (const [count, html] of /** @type {[number, string][]} */ ([[60, "x".repeat(5_900)], [200, "x".repeat(1_000)], [1_000, "x".repeat(1_000)], [3_000, "x".repeat(1_000)], [7, "x".repeat(500_000)], [1_000, '<span class="math inline">x</span>']])) {
  test(`however much it is, it is drawn in ${FRAMES} frames: ${count} times ${html.length} characters`, () => {
    const held = new Held()
    held.add([END], Array.from({ length: count }, (_, at) => patch(at, html)))
    const found = slices(held)
    assert.ok(found.length <= FRAMES, `${found.length} frames`)
    assert.deepEqual(found.flat(), Array.from({ length: count }, (_, at) => at))
  })
}

test("what was much and is drawn makes no slice longer that comes later", () => {
  const held = new Held()
  const much = Array.from({ length: 100 }, (_, at) => patch(at, "x".repeat(10_000)))
  held.add([], much)
  while (held.take().more);
  held.add([], much.slice(0, 5))
  assert.deepEqual(held.take().patches.length, 1)
})

test("what waits for no frames is drawn in the smallest slices, however many they are", () => {
  const held = new Held()
  const much = Array.from({ length: 100 }, (_, at) => patch(at, "x".repeat(4_500)))
  held.add([END], much)
  assert.deepEqual(Array.from({ length: 50 }, () => held.take(true).patches.length), Array(50).fill(2))
  assert.deepEqual(held.take(true), { events: [], patches: [], more: false })
})

test("text that goes on with text is one patch", () => {
  const held = new Held()
  held.add([], [{ part: 0, block: 1, html: "", text: "so " }])
  held.add([], [{ part: 0, block: 1, html: "", text: "on" }, { part: 0, block: 2, html: "", text: "!" }])
  assert.deepEqual(held.take().patches.map(({ block, text }) => [block, text]), [[1, "so on"], [2, "!"]])
})

test("of a part that is taken back nothing is drawn", () => {
  const held = new Held()
  held.add([], [patch(0, "<p>a</p>"), { ...patch(0, "<p>b</p>"), part: 1 }])
  held.add([{ type: "part-end", part: 0, state: "aborted", value: null }], [patch(0, "<p>c</p>")])
  assert.deepEqual(held.take().patches.map(({ part, html }) => [part, html]), [[1, "<p>b</p>"], [0, "<p>c</p>"]])
})
