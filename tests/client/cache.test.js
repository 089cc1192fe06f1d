import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { gzipSync } from "node:zlib"
import { decompress } from "fzstd"

const VENDOR = join(import.meta.dirname, "../../client/vendor")
const NAME = existsSync(join(VENDOR, "runtime.json")) ? JSON.parse(readFileSync(join(VENDOR, "runtime.json"), "utf8")).app.path : ""
const PACKED = readFileSync(join(VENDOR, NAME))

/** @type {() => Response} what the host answers with */
let answer = () => new Response("")
globalThis.fetch = async () => answer()
const { asMeant, fetchCached, unpacked } = await import("../../client/worker/cache.js")

/** @param {Uint8Array} content @param {number} size */
const inPieces = (content, size) =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < content.length; at += size) controller.enqueue(content.subarray(at, at + size))
      controller.close()
    },
  })

/** @param {Response} response */
const bytes = async (response) => Buffer.from(await response.arrayBuffer())

for (const size of [997, 65_536, 10_000_000]) {
  test(`a packed file is unpacked while it comes, in pieces of ${size} bytes, and its packed bytes are counted`, async () => {
    answer = () => new Response(inPieces(PACKED, size))
    let counted = 0
    const response = await fetchCached("https://example.org/app-0.zip.zst", { count: (more) => (counted += more) })
    assert.equal(response.headers.get("content-type"), "application/zip")
    assert.ok((await bytes(response)).equals(Buffer.from(decompress(PACKED))))
    assert.equal(counted, PACKED.length)
  })
}

test("what a host has unpacked on the way, or sends as gzip, stays whole", async () => {
  const content = Buffer.from("PK".repeat(1000))
  answer = () => new Response(content)
  assert.ok((await bytes(await fetchCached("https://example.org/a.zip.zst"))).equals(content))
  answer = () => new Response(gzipSync(content))
  assert.ok((await bytes(await fetchCached("https://example.org/a.zip.zst"))).equals(content))
})

test("what a host packs again, once or twice, is what it was", async () => {
  const whole = Buffer.from(decompress(PACKED))
  for (const body of [gzipSync(PACKED), gzipSync(gzipSync(whole))]) {
    for (const size of [997, body.length]) {
      answer = () => new Response(inPieces(body, size))
      assert.ok((await bytes(await fetchCached("https://example.org/a.zip.zst"))).equals(whole))
    }
  }
  const book = /** @type {ArrayBuffer} */ (new Uint8Array(gzipSync("{}")).buffer)
  assert.deepEqual([Buffer.from(await asMeant(book)).toString(), await asMeant(new ArrayBuffer(1))], ["{}", new ArrayBuffer(1)])
})

test("a file that a host says is unchanged, though nobody had it, is asked for once more", async () => {
  let asked = 0
  answer = () => (asked++ ? new Response("{}") : new Response(null, { status: 304 }))
  assert.equal(await (await fetchCached("https://example.org/book.json")).text(), "{}")
})

test("a wasm file is given its type, whatever the host calls it", async () => {
  answer = () => new Response("\0asm", { headers: { "content-type": "text/plain" } })
  assert.equal((await fetchCached("https://example.org/a.wasm.zst")).headers.get("content-type"), "application/wasm")
})

test("a kept copy stands in for a host that has nothing to say just now, and for no other", async () => {
  Object.assign(globalThis, { caches: { open: async () => ({ match: async () => new Response("kept"), put: async () => {} }) } })
  const said = []
  for (const status of [503, 429, 404, 200]) {
    answer = () => new Response("said", { status })
    said.push(await (await fetchCached("https://example.org/book.json", { fresh: true })).text())
  }
  Reflect.deleteProperty(globalThis, "caches")
  assert.deepEqual(said, ["kept", "kept", "said", "said"])
})

test("a packed file that is cut off or damaged fails", async () => {
  answer = () => new Response(PACKED.subarray(0, PACKED.length - 1000))
  await assert.rejects(async () => (await fetchCached("https://example.org/a.zip.zst")).arrayBuffer())
  const damaged = Buffer.from(PACKED)
  damaged.fill(0xff, 20, 2000)
  answer = () => new Response(damaged)
  await assert.rejects(async () => (await fetchCached("https://example.org/a.zip.zst")).arrayBuffer())
})

test("a page that a host sends for whatever it does not have is no packed file", async () => {
  for (const page of ["<!doctype html><title>Home</title>", " {}", ""]) {
    answer = () => new Response(page, { headers: { "content-type": "text/html" } })
    assert.equal((await fetchCached("https://example.org/a.zip.zst")).status, 404)
  }
})

test("an error of the host is passed on as it is", async () => {
  answer = () => new Response("gone", { status: 404 })
  const response = await fetchCached("https://example.org/a.zip.zst")
  assert.deepEqual([response.status, await response.text()], [404, "gone"])
})

test("other files come as they are, and bytes that are there can be unpacked as well", async () => {
  answer = () => new Response("{}")
  assert.equal(await (await fetchCached("https://example.org/book.json")).text(), "{}")
  for (const packed of [PACKED, gzipSync(decompress(PACKED))]) {
    const content = await unpacked(/** @type {ArrayBuffer} */ (new Uint8Array(packed).buffer))
    assert.ok(Buffer.from(content).equals(Buffer.from(decompress(PACKED))))
  }
})
