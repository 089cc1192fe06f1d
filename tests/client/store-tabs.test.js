import assert from "node:assert/strict"
import { test } from "node:test"
import { newThread, newTurn } from "../../client/elements/threads.js"

/** What two tabs share: localStorage, which Node has not. */
class Shared {
  /** @param {string} name @returns {string | null} */
  getItem(name) {
    return Object.hasOwn(this, name) ? Reflect.get(this, name) : null
  }
  /** @param {string} name @param {string} value */
  setItem(name, value) {
    Reflect.set(this, name, String(value))
  }
  /** @param {string} name */
  removeItem(name) {
    Reflect.deleteProperty(this, name)
  }
}
Object.assign(globalThis, { window: globalThis, localStorage: new Shared() })
const { ThreadStore } = await import("../../client/elements/store.js")

/** @param {number} seed @param {number} [length] */
const prose = (seed, length = 1200) => Array.from({ length }, (_, at) => String.fromCharCode(0x4e00 + ((at * at * 7 + seed * 131) % 701))).join("")

/** @param {number} seed @param {number} [length] */
const answered = (seed, length) => ({ state: /** @type {const} */ ("completed"), parts: [/** @type {any} */ ({ part: 0, kind: "text", state: "completed", text: prose(seed, length) })] })

/** @param {InstanceType<typeof ThreadStore>} store @param {number} turns @param {number} [length] of an answer */
async function rested(store, turns, length) {
  const thread = newThread()
  thread.turns = Array.from({ length: turns }, (_, at) => newTurn(`第${at}问`, { page: { url: "", title: "" }, model: "m" }))
  for (const [at, { answer }] of thread.turns.entries()) Object.assign(answer, answered(at, length))
  await store.put(thread)
  await store.rest(thread)
  return thread
}

test("an older turn that is answered anew in one tab is kept where another packs its thread denser meanwhile", async () => {
  const [one, other] = [new ThreadStore("askbook:/:tabs:b"), new ThreadStore("askbook:/:tabs:b", 1)]
  assert.equal(await one.kind(), "local")
  const thread = await rested(one, 12)
  const lines = other.lines.bind(other)
  /** @type {Promise<void> | undefined} */
  let resting
  other.lines = async () => {
    thread.turns[5].answer = { ...thread.turns[5].answer, ...answered(99) }
    await one.put(thread)
    const found = await lines()
    resting = one.rest(thread)
    return found
  }
  await other.tidy()
  await resting
  const read = await new ThreadStore("askbook:/:tabs:b").get(thread.id)
  assert.deepEqual(read?.turns.map(({ answer }) => answer.parts), thread.turns.map(({ answer }) => answer.parts))
})

test("what was packed anew between reading and writing is not overwritten", async () => {
  const [one, other] = [new ThreadStore("askbook:/:anew:b"), new ThreadStore("askbook:/:anew:b", 1)]
  const thread = await rested(one, 12)
  const [packed] = Object.keys(localStorage).filter((name) => name.startsWith("askbook:/:anew:b:packed"))
  const anew = await rested(new ThreadStore("askbook:/:elsewhere:b"), 3)
  const stored = localStorage.getItem(`askbook:/:elsewhere:b:packed:${anew.id}`)
  const tidied = other.tidy()
  await new Promise((resolve) => setTimeout(resolve))
  localStorage.setItem(packed, String(stored))
  await tidied
  assert.equal(localStorage.getItem(packed), stored)
  assert.equal((await other.lines()).find(({ id }) => id === thread.id)?.dense, false)
})

test("threads an earlier version packed count with what they take", async () => {
  const first = new ThreadStore("askbook:/:old:b")
  const { id } = await rested(first, 12)
  const name = `askbook:/:old:b:thread:${id}`
  const [before] = await first.lines()
  const { size: _, dense: __, ...old } = JSON.parse(localStorage.getItem(name) ?? "")
  localStorage.setItem(name, JSON.stringify(old))
  await new ThreadStore("askbook:/:old:b").tidy()
  const [measured] = await first.lines()
  assert.deepEqual(measured, before)
  localStorage.setItem(name, JSON.stringify(old))
  await new ThreadStore("askbook:/:old:b", before.size - 1).tidy()
  const [{ dense, size }] = await first.lines()
  assert.ok(dense && size < before.size)
})

test("storage of text has less room, so that the oldest are packed denser before it is full", async () => {
  const store = new ThreadStore("askbook:/:text:b")
  const { id } = await rested(store, 12)
  const names = [`askbook:/:text:b:thread:${id}`, `askbook:/:text:b:packed:${id}`]
  const [record, packed] = names.map((name) => JSON.parse(localStorage.getItem(name) ?? ""))
  for (const [at, size] of [2_500_000, 1_000_000].entries()) {
    localStorage.setItem(`${names[0]}${at}`, JSON.stringify({ ...record, id: `${id}${at}`, updated: at + 1, size }))
    localStorage.setItem(`${names[1]}${at}`, JSON.stringify(packed))
  }
  await new ThreadStore("askbook:/:text:b").tidy()
  const dense = Object.fromEntries((await store.lines()).map((line) => [line.id, line.dense]))
  assert.deepEqual(dense, { [id]: false, [`${id}0`]: true, [`${id}1`]: false })
})

test("a thread that goes on in one tab after it was deleted in another is not set back when that is undone", async () => {
  const [one, other] = [new ThreadStore("askbook:/:undo:b"), new ThreadStore("askbook:/:undo:b")]
  const thread = await rested(one, 2)
  const taken = await other.take(thread.id)
  thread.turns.push(newTurn("further", { page: { url: "", title: "" }, model: "m" }))
  Object.assign(thread.turns[2].answer, answered(3))
  await one.put(thread)
  await other.giveBack(taken)
  assert.deepEqual((await other.get(thread.id))?.turns.map(({ question }) => question), ["第0问", "第1问", "further"])
  const gone = await other.take(thread.id)
  await other.giveBack(gone)
  assert.equal((await other.get(thread.id))?.turns.length, 3)
})
