/** The browser's own model as an endpoint like any other: it runs on the page, since browsers offer it there alone. */
import { OWN_MODEL } from "../protocol.js"

/** @typedef {import("../protocol.js").FromWorker} FromWorker */
/** @typedef {import("../protocol.js").Prompted} Prompted */

const encoder = new TextEncoder()

/** @param {unknown} delta @param {string | null} finish */
const event = (delta, finish) => encoder.encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)

/** Requests that go to the page instead of the network. */
export class OwnModel {
  #post
  #next = 0
  /** @type {Map<string, (news: Prompted) => void>} */
  #waiting = new Map()

  /** @param {(message: FromWorker) => void} post */
  constructor(post) {
    this.#post = post
  }

  /**
   * `fetch` for the core: the network's, but for the one address that is none.
   * @param {string} url
   * @param {RequestInit} [options]
   * @returns {Promise<Response>}
   */
  fetch = async (url, options = {}) => {
    if (!url.startsWith(OWN_MODEL)) return fetch(url, options)
    if (options.method !== "POST") return Response.json({ data: [{ id: "" }] })
    return this.#ask(await new Response(options.body).text(), options.signal ?? null)
  }

  /** @param {Prompted} news of the page */
  take(news) {
    this.#waiting.get(news.id)?.(news)
  }

  /** @param {string} body @param {AbortSignal | null} signal @returns {Promise<Response>} */
  #ask(body, signal) {
    const id = `prompt-${++this.#next}`
    /** @type {ReadableStreamDefaultController<Uint8Array>} */
    let out
    const stream = new ReadableStream({ start: (controller) => void (out = controller) })
    let begun = false
    const end = () => this.#waiting.delete(id)
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ status = 200, text = "", done = false, finish = "stop" }) => {
        if (status !== 200) {
          end()
          resolve(refusal(status, text))
          out.error(new Error(text))
          return
        }
        if (!begun) resolve(new Response(stream, { headers: { "content-type": "text/event-stream" } }))
        begun = true
        if (text) out.enqueue(event({ content: text }, null))
        if (!done) return
        end()
        out.enqueue(event({}, finish))
        out.enqueue(encoder.encode("data: [DONE]\n\n"))
        out.close()
      })
      signal?.addEventListener("abort", () => {
        if (!end()) return
        this.#post({ kind: "unprompt", id })
        reject(signal.reason)
        out.error(signal.reason)
      })
      this.#post({ kind: "prompt", id, body })
    })
  }
}

/** @param {number} status @param {string} message */
function refusal(status, message) {
  return Response.json({ error: { message, code: status === 400 ? "context_length_exceeded" : "" } }, { status })
}
