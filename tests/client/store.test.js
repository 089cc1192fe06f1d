import assert from "node:assert/strict"
import { test } from "node:test"
import { ThreadStore } from "../../client/elements/store.js"
import { newThread, newTurn } from "../../client/elements/threads.js"

/** Three threads at rest, the oldest first; Node has no storage, so that a store keeps them in memory. @param {ThreadStore} store */
async function threeThreads(store) {
  const threads = []
  for (let at = 0; at < 3; at++) {
    const turns = Array.from({ length: 6 }, (_, turn) => newTurn(`第${turn}问`, { page: { url: "", title: "" }, model: "m" }))
    for (const [place, { answer }] of turns.entries()) {
      const text = Array.from({ length: 300 }, (_, sign) => String.fromCharCode(0x4e00 + ((sign * sign * 7 + place * 131 + at * 17) % 701))).join("")
      Object.assign(answer, { state: "completed", parts: [{ part: 0, kind: "text", state: "completed", text }] })
    }
    const thread = { ...newThread(), title: `thread ${at}`, turns }
    await store.put(thread)
    await store.rest(thread)
    threads.push(thread)
  }
  return threads
}

/** Which threads are dense, by title, and bytes all of them take. @param {ThreadStore} store */
async function stand(store) {
  const lines = await store.lines()
  return { dense: Object.fromEntries(lines.map(({ title, dense }) => [title, dense])), size: lines.reduce((sum, { size }) => sum + size, 0) }
}

/** What is in the same database for another page. @param {ThreadStore} from @param {number} room */
async function visitedLater(from, room) {
  const later = new ThreadStore("askbook:/:a:b", room)
  const taken = []
  for (const { id } of await from.lines()) taken.push(...(await from.take(id)))
  await later.giveBack(taken)
  return later
}

test("where there is too little room the oldest threads take less of it, and are read as they were", async () => {
  const first = new ThreadStore("askbook:/:a:b")
  const threads = await threeThreads(first)
  await first.tidy()
  const before = await stand(first)
  assert.deepEqual(before.dense, { "thread 0": false, "thread 1": false, "thread 2": false })
  const later = await visitedLater(first, before.size - 1)
  await later.tidy()
  const after = await stand(later)
  assert.deepEqual(after.dense, { "thread 0": true, "thread 1": false, "thread 2": false })
  assert.ok(after.size < before.size)
  for (const { id, turns } of threads) assert.deepEqual((await later.get(id))?.turns.map((turn) => turn.answer.parts), turns.map((turn) => turn.answer.parts))
})

test("a dense thread that is gone on with is packed as usual again", async () => {
  const first = new ThreadStore("askbook:/:a:b")
  const [{ id }] = await threeThreads(first)
  const later = await visitedLater(first, 1)
  await later.tidy()
  assert.deepEqual(Object.values((await stand(later)).dense), [true, true, true])
  const thread = /** @type {import("../../client/elements/threads.js").Thread} */ (await later.get(id))
  thread.turns.push(newTurn("再问", { page: { url: "", title: "" }, model: "m" }))
  thread.turns[6].answer.state = "completed"
  await later.put(thread)
  assert.equal((await stand(later)).dense["thread 0"], true)
  await later.rest(thread)
  assert.equal((await stand(later)).dense["thread 0"], false)
  assert.equal((await later.get(id))?.turns.length, 7)
})
