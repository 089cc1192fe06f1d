import assert from "node:assert/strict"
import { test } from "node:test"

/** @type {Map<string, Response>} */
const files = new Map()
const caches = {
  open: async () => ({
    match: async (/** @type {string} */ url) => files.get(url)?.clone(),
    put: async (/** @type {string} */ url, /** @type {Response} */ response) => void files.set(url, response),
    keys: async () => [...files.keys()].map((url) => ({ url })),
    delete: async (/** @type {string} */ url) => files.delete(url),
  }),
}
Object.assign(globalThis, { caches })
const { LEAST_ROOM, isSlower, keepMeasured, keptWith, readMeasured, whyNotMake } = await import("../../client/worker/tiers.js")
const { fetchCached, keepLast, keepOnly } = await import("../../client/worker/cache.js")
const NAME = `https://example.org/vendor/snapshot-${"0123456789ab".repeat(3)}.bin.gz`

test("a snapshot is made where the browser has room and asks for no thrift", async () => {
  const estimate = (/** @type {number} */ quota) => ({ estimate: async () => ({ quota, usage: 1000 }) })
  assert.equal(await whyNotMake({}), "")
  assert.equal(await whyNotMake({ storage: estimate(LEAST_ROOM + 1000) }), "")
  assert.match(await whyNotMake({ storage: estimate(LEAST_ROOM) }), /too little room/)
  assert.match(await whyNotMake({ connection: { saveData: true } }), /few data/)
  assert.equal(await whyNotMake({ storage: { estimate: async () => Promise.reject(new Error("denied")) } }), "")
})

test("the fastest start of each way is remembered, and a snapshot that is no faster is known", async () => {
  assert.deepEqual(await readMeasured(NAME), {})
  for (const milliseconds of [900, 700.4, 800]) await keepMeasured(NAME, "compiled", milliseconds)
  assert.equal(isSlower(await readMeasured(NAME)), false)
  assert.deepEqual(await keepMeasured(NAME, "snapshot", 690), { compiled: 700, snapshot: 690 })
  assert.equal(isSlower(await readMeasured(NAME)), true)
  assert.equal(isSlower(await keepMeasured(NAME, "snapshot", 200)), false)
})

test("files of earlier versions go, snapshots and what was measured among them", async () => {
  const base = "https://example.org/vendor/"
  const old = [`${base}app-0123456789ab.zip.zst`, ...keptWith(`${base}snapshot-${"f".repeat(36)}.bin.gz`)]
  for (const url of [...old, `${base}runtime.json`, "https://example.org/book.json"]) files.set(url, new Response(""))
  await keepOnly(base, keptWith(NAME))
  assert.deepEqual([...files.keys()].sort(), ["https://example.org/book.json", `${base}runtime.json`, keptWith(NAME)[1]].sort())
})

test("of a book the side files go that its index names no more, and no other book's", async () => {
  files.clear()
  const base = "https://example.org/ai-index/"
  const [old, now, other] = ["books-x.text.0123456789abcdef.json", "books-x.text.fedcba9876543210.json", "books-xy.text.0123456789abcdef.json"].map((name) => base + name)
  for (const url of [old, now, other, `${base}books-x.json`]) files.set(url, new Response(""))
  await keepOnly(`${base}books-x.`, [now])
  assert.deepEqual([...files.keys()], [now, other, `${base}books-x.json`])
})

test("a file that names others is kept once they are, and not when it is fetched", async () => {
  files.clear()
  const list = "https://example.org/runtime.json"
  const { put } = await caches.open()
  /** @type {string[]} */
  const kept = []
  const slow = async (/** @type {string} */ url, /** @type {Response} */ response) => {
    await new Promise((resolve) => setTimeout(resolve, url === list ? 0 : 20))
    await put(url, response)
    kept.push(url)
  }
  const { open } = caches
  caches.open = async () => ({ ...(await open()), put: slow })
  const response = await fetchCached(`data:text/plain,${list}`, { fresh: true, keeps: false })
  assert.equal(await response.text(), list)
  await fetchCached("data:text/plain,named")
  await keepLast(list, "{}")
  caches.open = open
  assert.deepEqual(kept, ["data:text/plain,named", list])
})
