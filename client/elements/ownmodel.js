/** The model a browser brings along (Prompt API): looked for, downloaded only when the reader says so, asked on this page. */

/** @typedef {"unavailable" | "downloadable" | "downloading" | "available"} Availability */
/** @typedef {{role: "system" | "user" | "assistant", content: string}} Prompt */

/** What the errors of the specification are among answers of an endpoint; any other is a fault of the model. */
const STATUS = new Map([["QuotaExceededError", 400], ["NotAllowedError", 403], ["NotSupportedError", 422]])

/** @returns {any} the browser's `LanguageModel`, where it has one */
const languageModel = () => /** @type {any} */ (globalThis).LanguageModel

/** Whether this browser may have a model at all. */
export const offersModel = () => typeof languageModel()?.availability === "function"

/**
 * The messages of a request as the browser takes them: one system prompt, first, and texts of two roles.
 * @param {any[]} messages in the form of OpenAI
 * @returns {Prompt[]}
 */
export function promptsOf(messages) {
  const texts = messages.map(({ role, content }) => ({ role, content: typeof content === "string" ? content : (content ?? []).map((/** @type {any} */ part) => part.text ?? "").join("\n") }))
  const system = texts.filter(({ role }) => role === "system").map(({ content }) => content).join("\n\n")
  const others = texts.filter(({ role }) => role !== "system").map(({ role, content }) => ({ role: role === "assistant" ? role : "user", content }))
  return /** @type {Prompt[]} */ ([...(system ? [{ role: "system", content: system }] : []), ...others])
}

/** How a prompt ended that failed: the browser may withhold an answer, or refuse one. @param {Error} error */
function outcomeOf({ name, message }) {
  return name === "NotReadableError" ? { done: true, finish: "content_filter" } : { status: STATUS.get(name) ?? 500, text: message || name }
}

/** Runs prompts of the worker. */
export class OwnModel {
  /** @type {Availability} */
  state = "unavailable"
  #options
  #send
  /** @type {Map<string, AbortController>} */
  #running = new Map()

  /** @param {string} lang of the book @param {(news: import("../protocol.js").Prompted) => void} send */
  constructor(lang, send) {
    const languages = [...new Set([lang.split("-")[0] || "en", "en"])]
    const expected = [{ type: "text", languages }]
    this.#options = { expectedInputs: expected, expectedOutputs: [{ type: "text", languages: [languages[0]] }] }
    this.#send = send
  }

  /** Ask the browser how things are; nothing is loaded by that. @returns {Promise<Availability>} */
  async look() {
    this.state = offersModel() ? await languageModel().availability(this.#options).catch(() => "unavailable") : "unavailable"
    return this.state
  }

  /** The reader wants it: let the browser download it. @param {(share: number) => void} report @returns {Promise<Availability>} */
  async download(report) {
    const monitor = (/** @type {EventTarget} */ target) => target.addEventListener("downloadprogress", (event) => {
      const { loaded, total } = /** @type {ProgressEvent} */ (event)
      report(loaded / (total || 1)) // a share by today's specification, bytes by an earlier one
    })
    const session = await languageModel().create({ ...this.#options, monitor })
    session.destroy()
    return this.look()
  }

  /** @param {{id: string, body: string}} asked body of a request in the form of OpenAI */
  async prompt({ id, body }) {
    if ((await this.look()) !== "available") return this.#send({ kind: "prompted", id, status: 503, text: "the browser's own model is not ready" })
    const prompts = promptsOf(JSON.parse(body).messages)
    const abort = new AbortController()
    const { signal } = abort
    this.#running.set(id, abort)
    /** @type {any} */
    let session
    try {
      session = await languageModel().create({ ...this.#options, initialPrompts: prompts.slice(0, -1), signal })
      for await (const text of session.promptStreaming(prompts.slice(-1), { signal })) this.#send({ kind: "prompted", id, text })
      this.#send({ kind: "prompted", id, done: true })
    } catch (error) {
      if (!signal.aborted) this.#send({ kind: "prompted", id, ...outcomeOf(/** @type {Error} */ (error)) })
    } finally {
      this.#running.delete(id)
      session?.destroy()
    }
  }

  /** @param {string} id */
  stop(id) {
    this.#running.get(id)?.abort()
  }

  stopAll() {
    for (const id of this.#running.keys()) this.stop(id)
  }
}

/** The browser's model of a panel, for the language of its book. @param {import("./panel.js").Panel} panel */
export function ownModelOf({ book, connection, choices }) {
  const own = new OwnModel(book.main?.lang ?? "en", (news) => connection.send(news))
  connection.onprompt = (asked) => void own.prompt(asked)
  connection.onunprompt = (id) => own.stop(id)
  connection.addEventListener("gone", () => own.stopAll())
  choices.ownReady = () => own.state === "available"
  return own
}
