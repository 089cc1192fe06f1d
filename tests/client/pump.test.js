import assert from "node:assert/strict"
import { test } from "node:test"
import { pump } from "../../client/worker/pump.js"

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A body that is written to by hand. */
function body() {
  /** @type {ReadableStreamDefaultController<Uint8Array>} */
  let out
  const stream = new ReadableStream({ start: (controller) => void (out = controller) })
  return { stream, write: (/** @type {string} */ text) => out.enqueue(encoder.encode(text)), end: () => out.close(), fail: (/** @type {Error} */ error) => out.error(error) }
}

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))
const read = async (/** @type {import("../../client/worker/pump.js").Pump} */ from, ms = 1_000) => {
  const piece = await from.read(ms)
  return piece && decoder.decode(piece)
}

test("the first piece is there at once, what follows it soon comes in one piece, then the end", async () => {
  const { stream, write, end } = body()
  const from = pump(stream)
  const began = performance.now()
  write("a")
  assert.equal(await read(from), "a")
  assert.ok(performance.now() - began < 50)
  for (const letter of "bcdef") {
    write(letter)
    await pause(5)
  }
  assert.equal(await read(from), "bcdef")
  assert.ok(performance.now() - began >= 95)
  write("g")
  end()
  assert.equal(await read(from), "g")
  assert.equal(await read(from), "")
  assert.ok(performance.now() - began < 190)
})

test("a flood comes in pieces that leave time for what else there is to do", async () => {
  const stream = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(16_384)) })
  const from = pump(stream)
  await pause(30)
  const began = performance.now()
  const sizes = []
  for (let piece = 0; piece < 4; piece++) sizes.push((await from.read(1_000))?.length ?? 0)
  assert.ok(performance.now() - began >= 285)
  assert.ok(sizes.every((size) => size >= 65_536 && size < 131_072), String(sizes))
  from.close()
})

test("a list that means something only as a whole is handed over without waiting", async () => {
  const { stream, write } = body()
  const from = pump(stream, false)
  write("a")
  await read(from)
  const began = performance.now()
  write("b".repeat(70_000))
  assert.equal((await read(from))?.length, 70_000)
  assert.ok(performance.now() - began < 50)
})

test("the rest of what has ended is handed over without waiting", async () => {
  const { stream, write, end } = body()
  const from = pump(stream)
  write("a")
  await read(from)
  const began = performance.now()
  write("b".repeat(60_000))
  end()
  assert.equal((await read(from))?.length, 60_000)
  assert.ok(performance.now() - began < 50)
})

test("a body that is not read is not held without end", async () => {
  let asked = 0
  const stream = new ReadableStream({ pull: (controller) => void controller.enqueue(new Uint8Array(16_384)) ?? void asked++ })
  const from = pump(stream)
  await pause(30)
  assert.ok(asked < 8)
  from.close()
})

test("silence is told from an end, and what broke it off comes after what was read", async () => {
  const { stream, write, fail } = body()
  const from = pump(stream)
  assert.equal(await read(from, 20), null)
  write("a")
  await pause(5)
  fail(new Error("reset"))
  assert.equal(await read(from), "a")
  await assert.rejects(read(from), /reset/)
})

test("one who waits hears that the connection was closed", async () => {
  const { stream } = body()
  const from = pump(stream)
  const waiting = read(from)
  from.close()
  assert.equal(await waiting, "")
})
