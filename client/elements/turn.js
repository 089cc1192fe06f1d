/** One question and its answer, drawn as parts that each have a state. */
import { h, icon, iconButton, wordButton } from "./dom.js"
import { applyPatch, finishDrawing, showBlocks } from "./insert.js"
import { answerText, canContinue, incompleteness, lookups } from "./reducer.js"
import { sourceList } from "./source-list.js"
import { toolCall, updateToolCall } from "./toolcall.js"
import { fill } from "./words.js"

/** @typedef {import("./reducer.js").Answer} Answer */
/** @typedef {import("./reducer.js").AnswerPart} AnswerPart */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("./threads.js").Turn} TurnData */
/**
 * What a reader may do with an answer.
 * @typedef {object} TurnActions
 * @property {(turn: TurnView) => void} retry
 * @property {(turn: TurnView) => void} continue
 * @property {() => boolean} mayContinue whether there is a model that can
 * @property {(turn: TurnView) => void} edit
 * @property {(turn: TurnView, rich: boolean) => Promise<void>} copy
 * @property {(turn: TurnView, form: "receipt" | "log") => Promise<void>} record
 * @property {(turn: TurnView, agreed: "yes" | "no") => void} long
 * @property {() => void} addKey
 * @property {(question: string) => void} ask
 */

/** Marks whose support is shown in one task, and the time to the next: each of them is laid out anew with its sign. */
const MARKS_AT_ONCE = 40
const MARKS_MS = 20

/** Draws one turn and keeps it up to date. */
export class TurnView {
  #words
  #actions
  /** @type {Map<number, HTMLElement>} */
  #parts = new Map()
  #sourcesDrawn = ""
  /** @type {Element | null | undefined} */
  #openEnd = null
  /** @type {HTMLElement | null} */
  #continue = null
  /** @type {Generator<void, void> | null} */
  #restoring = null
  /** Whether the worker still holds what was sent and received. */
  recorded = false
  /** What came is in the page. */
  ondrawn = () => {}

  /** @param {TurnData} data @param {Words} words @param {TurnActions} actions */
  constructor(data, words, actions) {
    this.data = data
    this.#words = words
    this.#actions = actions
    this.questionText = h("div", { class: "question-text", dir: "auto" }, data.question)
    const edit = iconButton("edit", words.edit, () => actions.edit(this))
    this.questionElement = h(
      "div", { class: "question" },
      h("h3", { class: "visually-hidden" }, words.you),
      data.chapter ? h("p", { class: "about", dir: "auto" }, fill(words.aboutChapter, { title: data.chapter.title })) : null,
      data.selection ? h("blockquote", { class: "about", dir: "auto" }, shorten(data.selection, 160)) : null,
      h("div", { class: "question-tools" }, edit), this.questionText,
    )
    this.lookups = h("p", { class: "lookups", hidden: true })
    this.body = h("div", { class: "parts" })
    this.foot = h("div", { class: "answer-foot" })
    this.sources = h("div", { class: "sources-place" })
    this.article = h(
      "article", { class: "answer", "aria-label": words.book, "data-state": data.answer.state, dir: "auto" },
      this.lookups, this.body, this.foot, this.sources,
    )
    this.element = h("section", { class: "turn" }, this.questionElement, this.article)
  }

  get answer() {
    return this.data.answer
  }

  /** @param {import("../protocol.js").Patch[]} patches new drawing of text parts @param {import("./reducer.js").State} [state] to be shown, if `finish` is still to come */
  update(patches, state = this.answer.state) {
    const { answer } = this
    this.#restoreRest()
    this.#showState(state)
    this.#dropGone()
    for (const part of answer.parts) this.#drawPart(part)
    for (const patch of patches) {
      const place = this.#parts.get(patch.part)
      if (place) applyPatch(place, patch)
    }
    this.#markOpenEnd()
    this.#countLookups()
    this.ondrawn()
  }

  /** @param {import("./reducer.js").State} state as the page shows it */
  #showState(state) {
    this.article.dataset.state = state
    this.article.setAttribute("aria-busy", String(state === "running" || state === "pending"))
  }

  /** The reader stopped the answer; its end is on the way. */
  showStopped() {
    this.#showState("aborted")
    this.#markOpenEnd()
  }

  /** A question that waited is not asked after all; it can be asked again. */
  leave() {
    if (this.answer.state !== "pending") return
    this.answer.state = "aborted"
    this.finish()
  }

  /** Takes away what an earlier attempt drew, if its parts are gone. */
  reset() {
    this.#dropGone()
    this.foot.replaceChildren()
    if (!this.answer.sources.length) {
      this.#sourcesDrawn = ""
      this.sources.replaceChildren()
    }
  }

  /** Takes away parts the answer no longer has. */
  #dropGone() {
    for (const [number, element] of this.#parts) {
      if (this.answer.parts.some((part) => part.part === number)) continue
      element.remove()
      this.#parts.delete(number)
    }
  }

  /** @param {AnswerPart} part */
  #drawPart(part) {
    let element = this.#parts.get(part.part)
    if (!element || element.dataset.kind !== part.kind) {
      const made = part.kind === "tool-call" ? toolCall(part, this.#words) : part.kind === "reasoning" ? this.#reasoning() : part.kind === "plan" ? this.#plan(element) : h("div", { class: "text prose" })
      made.dataset.kind = part.kind
      if (element) element.replaceWith(made)
      else this.body.append(made)
      this.#parts.set(part.part, made)
      element = made
    }
    element.dataset.state = part.state
    if (part.kind === "tool-call") updateToolCall(/** @type {HTMLDetailsElement} */ (element), part, this.#words)
    if (part.kind === "reasoning") this.#updateReasoning(element, part)
  }

  #reasoning() {
    return h("details", { class: "reasoning" }, h("summary", {}, icon("brain"), h("span", { class: "summary-text" }), icon("chevron")), h("div", { class: "reasoning-text", dir: "auto" }))
  }

  /** @param {HTMLElement | undefined} drawn as text before it turned out to be a plan */
  #plan(drawn) {
    const plan = h("div", { class: "plan prose" })
    if (drawn) plan.append(...drawn.childNodes)
    return plan
  }

  /** @param {HTMLElement} element @param {AnswerPart} part */
  #updateReasoning(element, part) {
    const seconds = part.ended && part.began ? Math.max(1, Math.round((part.ended - part.began) / 1000)) : 0
    const [summary, text] = /** @type {HTMLElement[]} */ ([element.querySelector(".summary-text"), element.querySelector(".reasoning-text")])
    summary.textContent = seconds ? fill(this.#words.reasoningFor, { seconds }) : part.state === "running" ? this.#words.thinking : this.#words.reasoning
    text.textContent = part.text
  }

  #countLookups() {
    const count = lookups(this.answer)
    this.lookups.hidden = count < 2
    this.lookups.textContent = count < 2 ? "" : fill(this.#words.lookups, { n: count })
  }

  /** The last block of a growing text carries the cursor. */
  #markOpenEnd() {
    const running = this.article.getAttribute("aria-busy") === "true"
    const { parts } = this.answer
    const last = parts.findLast((part) => part.state === "running") ?? parts.at(-1)
    const open = running && last?.kind === "text" ? this.#parts.get(last.part)?.lastElementChild : null
    if (open !== this.#openEnd) this.#openEnd?.classList.remove("open-end") // a change restyles all in it, so that the text as a whole has no such class
    open?.classList.add("open-end")
    this.#openEnd = open
    this.article.classList.toggle("waiting", running && (!last || last.kind !== "text"))
  }

  /** Draws what stands under an answer that has ended. */
  finish() {
    this.#showState(this.answer.state)
    this.#markOpenEnd()
    for (const place of this.#parts.values()) finishDrawing(place)
    const { answer } = this
    this.drawSources()
    this.#showSupport()
    this.foot.replaceChildren(...this.#notes(), ...(answer.error && answer.state !== "aborted" ? [this.#errorCard()] : []), this.#tools())
  }

  /** Marks say how well they are supported once the answer was checked; where there are hundreds, a task sets some of them. */
  #showSupport() {
    const marks = this.body.querySelectorAll(".text a.cite-ref")
    const { citations } = this.answer
    if (citations.some((citation) => "from" in citation)) return // an earlier version counted the marks of each half anew
    const set = (at = 0) => {
      for (const { mark, support } of citations.slice(at, at + MARKS_AT_ONCE)) marks.item(mark)?.setAttribute("data-support", support)
      if (at + MARKS_AT_ONCE < citations.length) window.setTimeout(set, MARKS_MS, at + MARKS_AT_ONCE)
    }
    set()
  }

  drawSources() {
    const { citations } = this.answer
    const sources = answerText(this.answer) ? this.answer.sources : []
    const key = JSON.stringify([sources.map((source) => source.n), citations.length])
    if (key === this.#sourcesDrawn) return
    this.#sourcesDrawn = key
    this.sources.replaceChildren(...(sources.length ? [sourceList(this.answer, this.data.id, this.#words)] : []))
  }

  #notes() {
    const { answer } = this
    const words = this.#words
    const notes = []
    const text = answerText(answer)
    const unknown = /** @type {string[]} */ (answer.retrieval?.status?.unknown ?? []).filter((term) => !text.includes(term))
    if (answer.estimate) return [this.#longJob(answer.estimate)]
    if (!text) return []
    if (answer.notices.some((notice) => notice.code === "stale")) notes.push(words.notice.stale)
    else if (answer.retrieval?.hits === 0) notes.push(...(answer.mode === "extractive" ? [] : [words.noHits])) // the sentences say it themselves
    else if ((answer.retrieval?.status?.confidence ?? 1) < 0.25) notes.push(words.weak)
    if (unknown.length && answer.mode === "extractive") notes.push(fill(words.unknownTerms, { terms: unknown.slice(0, 4).join(words.comma) }))
    const reason = incompleteness(answer)
    if (reason in words.incomplete) notes.push(words.incomplete[/** @type {keyof Words["incomplete"]} */ (reason)])
    if (answer.notices.some((notice) => notice.code === "extractive")) notes.push(words.notice.extractive)
    if (this.data.interrupted) notes.push(words.interrupted)
    if (answer.state === "completed" && answer.mode === "retrieve" && !answer.sources.length) notes.push(words.withoutBook)
    const lines = notes.map((text) => h("p", { class: "note" }, text))
    if (answer.mode === "extractive" && answer.state === "completed" && answer.sources.length) {
      lines.push(h("p", { class: "note keyless" }, words.keylessNote, " ", h("button", { type: "button", class: "link", onclick: () => this.#actions.addKey() }, words.addKey)))
    }
    return lines
  }

  /** @param {{requests: number, input: number, output: number}} estimate */
  #longJob(estimate) {
    const words = this.#words
    return h(
      "div", { class: "long-job", role: "group", "aria-label": words.longJob }, h("p", {}, words.longJob, " ", fill(words.longJobCost, estimate)),
      h("div", { class: "row" }, wordButton("check", words.longJobYes, () => this.#actions.long(this, "yes"), { class: "word-button primary" }), wordButton("list", words.longJobNo, () => this.#actions.long(this, "no"))),
    )
  }

  #errorCard() {
    const { error } = this.answer
    const words = this.#words
    const start = error?.fault.startsWith("start-") ? words.startFault[/** @type {keyof Words["startFault"]} */ (error.fault.slice(6))] : undefined
    const fault = /** @type {keyof Words["fault"]} */ (error && error.fault in words.fault ? error.fault : "internal")
    const details = [error?.status ? `HTTP ${error.status}` : "", error?.message ?? "", error?.detail ?? ""].filter(Boolean).join("\n")
    const copy = wordButton("copy", words.copyDetails, () => void navigator.clipboard?.writeText(`${fault}\n${details}`), { class: "word-button quiet" })
    return h(
      "div", { class: "error-card", role: "group", "aria-label": words.failedStatus }, icon("warning"),
      h("div", {}, h("p", { class: "error-what" }, start ?? String(words.fault[fault])), start ? null : h("p", { class: "error-advice" }, fill(words.advice[/** @type {keyof Words["advice"]} */ (fault)], { origin: location.origin })),
        error?.message ? h("p", { class: "error-said", dir: "auto" }, shorten(error.message, 300)) : null,
        h("div", { class: "row" }, this.#retry(""), details && copy)),
    )
  }

  #tools() {
    const { answer } = this
    const words = this.#words
    const tools = h("div", { class: "answer-tools" })
    if (answerText(answer)) {
      const copy = wordButton("copy", words.copy, async () => {
        await this.#actions.copy(this, false)
        const label = copy.querySelector("span")
        if (label) label.textContent = words.copied
        window.setTimeout(() => label && (label.textContent = words.copy), 1600)
      }, { class: "word-button quiet" })
      tools.append(copy)
    }
    if (!answer.error || answer.state === "aborted") tools.append(this.#retry())
    this.#continue = canContinue(answer) ? wordButton("down", words.continue, () => this.#actions.continue(this), { class: "word-button quiet" }) : null
    this.offerContinue()
    if (this.#continue) tools.append(this.#continue)
    if (this.recorded) tools.append(this.#more())
    if (answer.usage && (answer.usage.input || answer.usage.output)) {
      tools.append(h("span", { class: "usage" }, fill(words.tokens, { input: answer.usage.input ?? "–", output: answer.usage.output ?? "–" })))
    }
    return tools
  }

  #retry(look = "quiet") {
    return wordButton("retry", this.#words.retry, () => this.#actions.retry(this), { class: `word-button ${look}` })
  }

  /** Only a model can go on with an answer. */
  offerContinue() {
    if (this.#continue) this.#continue.hidden = !this.#actions.mayContinue()
  }

  /** What else can be had of an answer of this visit. */
  #more() {
    const words = this.#words
    const item = (/** @type {string} */ label, /** @type {"receipt" | "log"} */ form) => wordButton("export", label, () => void this.#actions.record(this, form), { class: "word-button quiet" })
    return h("details", { class: "answer-more" }, h("summary", { "aria-label": words.more, title: words.more }, icon("more")), h("div", { class: "answer-menu" }, item(words.saveReceipt, "receipt"), item(words.saveLog, "log")))
  }

  /**
   * Draws what was stored again, step by step: the text as it was written, and then, once the worker has drawn it, as it is read.
   * @param {{part: number, blocks: string[]}[]} drawn
   * @returns {Iterable<void>} to be gone through, with pauses
   */
  restore(drawn) {
    return (this.#restoring = this.#restore(drawn))
  }

  /** @param {{part: number, blocks: string[]}[]} drawn @returns {Generator<void, void>} */
  *#restore(drawn) {
    const { answer } = this
    for (const part of answer.parts) {
      this.#drawPart(part)
      const place = /** @type {HTMLElement} */ (this.#parts.get(part.part))
      if ((part.kind === "text" || part.kind === "plan") && !place.childNodes.length) {
        place.textContent = part.text
        place.dataset.plain = ""
      }
      yield
      if (this.answer !== answer) return // asked again meanwhile
    }
    for (const { part, blocks } of drawn) {
      const place = this.#parts.get(part)
      if (!place) continue
      delete place.dataset.plain
      for (const _ of showBlocks(place, blocks)) {
        yield
        if (this.answer !== answer) return
      }
    }
    this.#countLookups()
    if (!isGrowing(answer)) this.finish()
  }

  /** What goes on with the answer needs all of it. */
  #restoreRest() {
    for (const _ of this.#restoring ?? []);
    this.#restoring = null
  }
}

/** @param {Answer} answer */
const isGrowing = ({ state }) => state === "running" || state === "pending"

/** @param {string} text @param {number} length */
export function shorten(text, length) {
  const flat = text.replace(/\s+/g, " ").trim()
  return flat.length > length ? `${flat.slice(0, length - 1)}…` : flat
}
