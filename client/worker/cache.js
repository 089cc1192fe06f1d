/** Files that stay: Cache Storage where there is one, the network where there is not; storage may be forbidden or evicted. */

const CACHE = "askbook"

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
  if (cache && response.ok) cache.put(url, response).catch(() => {})
}

/**
 * Fetch a file, from the cache if it is there.
 * @param {string} url
 * @param {{count?: (bytes: number) => void, fresh?: boolean}} [options] `fresh`: the name may stand for new content, so ask the
 *   host first and take the kept copy only when it does not answer
 * @returns {Promise<Response>}
 */
export async function fetchCached(url, { count = () => {}, fresh = false } = {}) {
  const cache = await open()
  const kept = await cache?.match(url).catch(() => undefined)
  if (kept && !fresh) {
    count(Number(kept.headers.get("content-length") ?? 0))
    return kept
  }
  try {
    const response = await network(url, fresh ? { cache: "no-cache" } : {})
    if (response.ok) keep(cache, url, response.clone())
    return counted(response, count)
  } catch (error) {
    if (kept) return kept
    throw error
  }
}

/**
 * Unpack a gzip stream; a host that knows the ending has it unpacked on the way already, and anything else stays as it is.
 * @param {ArrayBuffer} content
 * @returns {Promise<ArrayBuffer>}
 */
export async function unpacked(content) {
  const [first, second] = new Uint8Array(content, 0, Math.min(2, content.byteLength))
  if (first !== 0x1f || second !== 0x8b) return content
  return new Response(new Blob([content]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer()
}

/**
 * Forget runtime files of earlier versions.
 * @param {string} base
 * @param {string[]} wanted addresses with a hash in their names that are in use
 */
export async function keepOnly(base, wanted) {
  const cache = await open()
  const hashed = /-[0-9a-f]{12}[./]/
  for (const { url } of (await cache?.keys().catch(() => [])) ?? []) {
    if (url.startsWith(base) && hashed.test(url) && !wanted.includes(url)) await cache?.delete(url)
  }
}
