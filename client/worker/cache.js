/** Files that stay: Cache Storage where there is one, the network where there is not; storage may be forbidden or evicted. */

const CACHE = "askbook"
/** What a packed file holds, by the end of its name. @type {Record<string, string | undefined>} */
const PACKED = { ".wasm.zst": "application/wasm", ".zip.zst": "application/zip" }

/** The browser's own, since `boot.js` stands in for `self.fetch` while Python starts. */
const network = globalThis.fetch.bind(globalThis)

/** @returns {Promise<Cache | null>} */
export async function open() {
  try {
    return await caches.open(CACHE)
  } catch {
    return null
  }
}

/**
 * Count a body while it is read.
 * @param {Response} response
 * @param {(bytes: number) => void} count
 */
function counted(response, count) {
  if (!response.body) return response
  const counter = new TransformStream({
    transform(piece, controller) {
      count(piece.byteLength)
      controller.enqueue(piece)
    },
  })
  return new Response(response.body.pipeThrough(counter), { status: response.status, headers: response.headers })
}

/**
 * Keep a copy without holding the reader up.
 * @param {Cache | null} cache
 * @param {string} url
 * @param {Response} response
 */
function keep(cache, url, response) {
  if (cache && response.ok) keeping.set(url, cache.put(url, response).catch(() => {}))
}

/** @type {Map<string, Promise<void>>} copies that are being kept, or have been */
const keeping = new Map()

/** Forget files that turned out to be of no use, so that the next try asks the host again. @param {string[]} urls */
export async function forget(urls) {
  const cache = await open()
  for (const url of urls) {
    await keeping.get(url)
    await cache?.delete(url).catch(() => false)
  }
}

/** Keep a file that names others, after all that is being kept: what is kept can always be used. @param {string} url @param {string | ArrayBuffer} content */
export async function keepLast(url, content) {
  await Promise.all(keeping.values())
  keep(await open(), url, new Response(content))
  await keeping.get(url)
}

/**
 * Fetch a file, from the cache if it is there.
 * @param {string} url
 * @param {object} [options]
 * @param {(bytes: number) => void} [options.count]
 * @param {boolean} [options.fresh] the name may stand for new content, so ask the host first and take the kept copy only when it does
 *   not answer
 * @param {boolean} [options.keeps] whether it is kept; if not, `keepLast` keeps it once the files it names are there
 * @param {number} [options.size] bytes to count for a kept copy
 * @param {() => void} [options.sent] called when the host has been asked, or need not be
 * @param {Promise<unknown>} [options.turn] the host is asked after this; a kept copy need not wait
 * @param {ReadableStream} [options.coming] the file, where the page has asked for it already
 * @returns {Promise<Response>} of a packed file what it holds, kept unpacked as well
 */
export async function fetchCached(url, { count = () => {}, fresh = false, keeps = true, size, sent = () => {}, turn, coming } = {}) {
  const cache = await open()
  const kept = await cache?.match(url).catch(() => undefined)
  if (kept && !fresh) {
    void coming?.cancel().catch(() => {})
    sent()
    count(size ?? Number(kept.headers.get("content-length") ?? 0))
    return kept
  }
  await turn
  const type = PACKED[/\.\w+\.zst$/.exec(new URL(url).pathname)?.[0] ?? ""]
  try {
    const asked = coming ? new Response(coming) : fetchWhole(url, fresh ? "no-cache" : "default")
    sent()
    const answer = await asked
    if (kept && isBusy(answer.status)) return kept
    const response = type ? await checked(answer) : answer
    const whole = type && response.ok ? unpacking(counted(response, count), type) : response
    if (whole.ok && keeps) keep(cache, url, whole.clone())
    return type ? whole : counted(whole, count)
  } catch (error) {
    if (kept) return kept
    throw error
  }
}

/** @param {number} status of a host that has nothing to say about the file just now */
const isBusy = (status) => status === 429 || status >= 500

/** A file itself, also from a host or a service worker that says it is unchanged though nobody had it. @param {string} url @param {RequestCache} cache */
async function fetchWhole(url, cache) {
  const response = await network(url, { cache })
  return response.status === 304 ? network(url, { cache: "reload" }) : response
}

/** First letters of a Zstandard frame, of gzip, of an archive and of a module: a packed file, packed or not. */
const FIRST = new Set([0x28, 0x1f, 0x50, 0x00])

/**
 * A packed file as the host sent it; as missing where it begins as none does, since some hosts send a page for whatever they have not.
 * @param {Response} response
 */
async function checked(response) {
  if (!response.ok || !response.body) return response
  const reader = response.body.getReader()
  const { value: first } = await reader.read()
  if (!first || !FIRST.has(first[0])) {
    void reader.cancel().catch(() => {})
    return new Response(null, { status: 404 })
  }
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      const { value, done } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(body, { headers: response.headers })
}

/** A file that a host has packed, though nobody asked for it; any other stays as it is. @param {ArrayBuffer} content */
export const asMeant = (content) => (content.byteLength > 2 && new DataView(content).getUint16(0) === GZIP ? unpacked(content) : content)

/** First bytes of what a Zstandard and of what a gzip stream starts with. */
const ZSTD = 0x28b52ffd
const GZIP = 0x1f8b
/** Packed bytes that are unpacked in one go. */
const PORTION = 1 << 17

/**
 * A response whose body is unpacked while it comes. A host that knows the ending has it unpacked on the way already, and anything
 * that is not packed stays as it is.
 * @param {Response} response
 * @param {string} type of the content
 */
function unpacking(response, type) {
  if (!response.body) return response
  void decoder().catch(() => {}) // needed with the first portion
  const { readable, writable } = portions()
  response.body.pipeTo(writable).catch(() => {}) // the reader hears of it
  return new Response(readable, { headers: { "content-type": type } })
}

/** What unpacks Zstandard. */
export const DECODER = new URL("../vendor/fzstd/fzstd.js", import.meta.url).href
const decoder = () => import(DECODER)

/** A stream that unpacks, in portions worth the while. */
function portions() {
  /** @type {Uint8Array[]} */
  let waiting = []
  let size = 0
  /** @type {Unpacker} */
  let unpack
  /** @param {boolean} last */
  const pass = async (last) => {
    const portion = joined(waiting, size)
    waiting = []
    size = 0
    await unpack(portion, last)
  }
  return new TransformStream({
    start(controller) {
      unpack = unpacker((piece) => controller.enqueue(piece))
    },
    async transform(piece) {
      waiting.push(piece)
      size += piece.byteLength
      if (size >= PORTION) await pass(false)
    },
    flush: () => pass(true),
  })
}

/**
 * @typedef {(portion: Uint8Array, last: boolean) => void | Promise<void>} Unpacker
 */

/**
 * Unpacks what comes, however it is packed: some hosts pack what is packed once more.
 * @param {(piece: Uint8Array) => void} give
 * @returns {Unpacker}
 */
function unpacker(give) {
  /** @type {Unpacker | undefined} */
  let known
  return async (portion, last) => {
    known ??= await unpackerOf(portion, give)
    await known(portion, last)
  }
}

/**
 * @param {Uint8Array} start of the packed bytes
 * @param {(piece: Uint8Array) => void} give
 * @returns {Promise<Unpacker>}
 */
async function unpackerOf(start, give) {
  const first = start.length < 4 ? 0 : new DataView(start.buffer, start.byteOffset).getUint32(0)
  if (first === ZSTD) {
    const { Decompress } = await decoder()
    const stream = new Decompress(give)
    return (portion, last) => stream.push(portion, last)
  }
  if (first >>> 16 === GZIP) return gunzip(give)
  return (portion) => give(portion)
}

/** @param {(piece: Uint8Array) => void} give @returns {Unpacker} */
function gunzip(give) {
  const { readable, writable } = new DecompressionStream("gzip")
  const writer = writable.getWriter()
  const unpack = unpacker(give)
  const done = readable.pipeTo(new WritableStream({ write: (piece) => unpack(piece, false), close: () => unpack(new Uint8Array(), true) }))
  done.catch(() => {})
  return async (portion, last) => {
    void writer.write(/** @type {Uint8Array<ArrayBuffer>} */ (portion)).catch(() => {})
    if (!last) return
    void writer.close().catch(() => {})
    await done
  }
}

/** @param {Uint8Array[]} pieces @param {number} size of all of them */
function joined(pieces, size) {
  if (pieces.length === 1) return pieces[0]
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}

/**
 * Unpack a file that is there.
 * @param {ArrayBuffer} content
 * @returns {Promise<ArrayBuffer>}
 */
export const unpacked = (content) => unpacking(new Response(content), "").arrayBuffer()

/**
 * Forget files of earlier versions.
 * @param {string} base what their addresses begin with
 * @param {string[]} wanted addresses with a hash in their names that are in use
 */
export async function keepOnly(base, wanted) {
  const cache = await open()
  const hashed = /[-.][0-9a-f]{12,}[./]/
  for (const { url } of (await cache?.keys().catch(() => [])) ?? []) {
    if (url.startsWith(base) && hashed.test(url) && !wanted.includes(url)) await cache?.delete(url)
  }
}
