/** All conversations with this book: searched, opened, renamed, pinned, deleted with a way back, carried in and out. */
import { h, iconButton, single, wordButton } from "./dom.js"
import { download } from "./save.js"
import { threadsToJson, threadToMarkdown, threadsFromFile } from "./export.js"
import { excerptOf, holds } from "./threads.js"
import { fill } from "./words.js"

/** @typedef {import("./records.js").Line} Line */
/** @typedef {import("./words.js").Words} Words */

/** Threads drawn at once; the rest follow as there is room, and as the list is scrolled. */
const PAGE = 20
const UNDO_MS = 8000
/** Between two looks at what was found, while threads are still being read. */
const REDRAW_MS = 150

/** @param {number} time */
const isToday = (time) => new Date(time).toDateString() === new Date().toDateString()

/** @param {number} time */
const isThisYear = (time) => new Date(time).getFullYear() === new Date().getFullYear()

/** The view “History”. */
export class History {
  #words
  #store
  #time
  #day
  #date
  /** @type {Line[]} */
  #lines = []
  /** @type {Map<string, {text: string, small: string}>} what a search looks through besides titles, as far as it is read; also in small letters */
  #texts = new Map()
  /** What reads them now, if anything. @type {{asked: () => void} | null} */
  #reading = null
  /** @type {(id: string) => Promise<boolean>} whether it is shown now */
  onopen = async () => true
  /** @type {(line: Line) => void} */
  onchange = () => {}
  /** @type {(id: string) => Promise<unknown>} before a thread is deleted: what of it is not stored yet is to come back with it */
  onending = async () => {}
  /** @type {(id: string) => void} */
  ondelete = () => {}
  /** @type {() => void} */
  onback = () => {}
  /** @type {(text: string) => void} */
  onsay = () => {}
  #shown = PAGE
  #hiding = 0

  /** @param {Words} words @param {string} language @param {import("./store.js").ThreadStore} store */
  constructor(words, language, store) {
    this.#words = words
    this.#store = store
    this.#time = new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit" })
    this.#day = new Intl.DateTimeFormat(language, { month: "short", day: "numeric" })
    this.#date = new Intl.DateTimeFormat(language, { dateStyle: "medium" })
    this.search = h("input", { type: "search", class: "input", "aria-label": words.searchThreads, placeholder: words.searchThreads, oninput: () => this.#searched(), onkeydown: (/** @type {KeyboardEvent} */ event) => this.#emptied(event) })
    this.list = h("div", { class: "thread-list", onscroll: () => this.#more() })
    this.bar = h("div", { class: "notice-bar", hidden: true })
    this.file = h("input", { type: "file", accept: "application/json,.json,text/markdown,.md", hidden: true, tabindex: -1, "aria-hidden": "true", onchange: () => void this.#import() })
    this.element = h(
      "section", { class: "views page", "aria-label": words.history, hidden: true },
      h("div", { class: "page-head" }, iconButton("back", words.back, () => this.onback()), h("h3", {}, words.history)),
      h("div", { class: "page-tools" }, this.search),
      this.list, this.bar,
      h("div", { class: "page-foot" },
        wordButton("export", words.exportJson, () => void this.#exportAll(), { class: "word-button quiet" }),
        wordButton("add", words.import, () => this.file.click(), { class: "word-button quiet" }), this.file),
    )
  }

  async open() {
    this.#lines = (await this.#store.lines()).filter((line) => line.count)
    this.#shown = PAGE
    this.#draw()
    if (this.#store.damaged) this.#say(fill(this.#words.damaged, { n: this.#store.damaged }))
    window.setTimeout(() => {
      this.#more()
      void this.#read()
    })
  }

  /** Another view is shown: nothing is searched any more. */
  close() {
    this.#reading = null
    this.#texts.clear()
  }

  #searched() {
    this.#shown = PAGE
    this.#reading?.asked()
    this.#draw()
  }

  /** Escape gives up what is searched for, before it leaves the view. @param {KeyboardEvent} event */
  #emptied(event) {
    if (event.key !== "Escape" || event.isComposing || !this.search.value) return
    event.preventDefault()
    event.stopPropagation()
    this.search.value = ""
    this.#searched()
  }

  /** Read what a search looks through, after the list is painted; what takes long only once something is asked for. */
  async #read() {
    /** @type {Promise<void>} */
    const asked = new Promise((resolve) => (this.#reading = { asked: resolve }))
    const reading = this.#reading
    if (this.search.value.trim()) reading?.asked()
    if (!(await this.#readTexts(false, reading))) return
    void this.#store.tidy()
    if (this.#lines.some((line) => line.dense)) {
      await asked
      if (!(await this.#readTexts(true, reading))) return
    }
    this.#reading = null
    if (this.search.value.trim()) this.#grow()
  }

  /** Thread by thread. @param {boolean} dense @param {object | null} reading @returns {Promise<boolean>} whether they are still wanted */
  async #readTexts(dense, reading) {
    const { damaged } = this.#store
    let drawn = performance.now()
    for await (const [id, text] of this.#store.texts(dense)) {
      if (this.#reading !== reading) return false
      this.#texts.set(id, { text, small: text.toLowerCase() })
      if (!this.search.value.trim() || performance.now() - drawn < REDRAW_MS) continue
      this.#grow()
      drawn = performance.now()
    }
    if (this.#reading === reading && this.#store.damaged > damaged) this.#say(fill(this.#words.damaged, { n: this.#store.damaged }))
    return this.#reading === reading
  }

  /** @returns {Line[]} */
  #found() {
    const asked = this.search.value.trim()
    return asked ? this.#lines.filter(({ id, title }) => holds(this.#texts.get(id)?.small ?? title.toLowerCase(), asked)) : this.#lines
  }

  /** Nothing to list. */
  #nothing() {
    const { noThreads, noneFound, searchingThreads } = this.#words
    return !this.#lines.length ? noThreads : this.#reading ? searchingThreads : noneFound
  }

  /** Draws the list anew; the focus goes back to where it was. */
  #draw() {
    const focused = /** @type {HTMLElement | null} */ (this.list.querySelector(".thread-line :focus"))
    const id = focused?.closest("li")?.dataset.id ?? ""
    const found = this.#found()
    this.list.replaceChildren()
    this.#append(found.slice(0, this.#shown))
    if (!focused) return
    const again = /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-id="${CSS.escape(id)}"] [data-tool=${focused.dataset.tool}]`))
    ;(again ?? this.search).focus()
  }

  /** What was found since comes to the end where it belongs there: nothing moves under a finger, and nobody who writes a name is interrupted. */
  #grow() {
    const found = this.#found()
    const drawn = [...this.list.querySelectorAll("li")].map(({ dataset }) => dataset.id)
    if (drawn.length && drawn.every((id, at) => found[at]?.id === id)) this.#append(found.slice(drawn.length, Math.max(drawn.length, this.#shown)))
    else if (!this.list.querySelector("input")) this.#draw() // else when the name is written
  }

  /** Lines go on under the heading of their group, and at the end it is said whether that is all. @param {Line[]} lines in their order */
  #append(lines) {
    const { pinned, today, earlier } = this.#words
    this.list.querySelector(".empty")?.remove()
    for (const line of lines) {
      const name = line.pinned ? pinned : isToday(line.updated) ? today : earlier
      let group = this.list.lastElementChild
      if (group?.previousElementSibling?.textContent !== name) this.list.append(h("h4", {}, name), (group = h("ul", {})))
      group?.append(this.#line(line))
    }
    const searching = this.#reading !== null && this.search.value.trim() !== ""
    if (searching || !this.list.childElementCount) this.list.append(h("p", { class: "empty" }, this.#nothing()))
  }

  #more() {
    const found = this.#found()
    if (this.#shown >= found.length || this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight > 200) return
    this.#append(found.slice(this.#shown, (this.#shown += PAGE)))
    window.setTimeout(() => this.#more())
  }

  /** @param {Line} thread */
  #line(thread) {
    const words = this.#words
    const title = thread.title || words.untitled
    const format = isToday(thread.updated) ? this.#time : isThisYear(thread.updated) ? this.#day : this.#date
    const when = format.format(thread.updated)
    const count = thread.count === 1 ? words.oneQuestion : fill(words.questions, { n: thread.count })
    const line = h("li", { class: "thread-line", "data-id": thread.id })
    const open = h("button", { type: "button", class: "thread-open", "data-tool": "open", onclick: () => void this.#opened(thread) },
      h("span", { class: "thread-title", dir: "auto" }, title), this.#excerpt(thread.id), h("span", { class: "thread-when" }, `${when} · ${count}`))
    line.append(open, h("div", { class: "thread-tools" },
      iconButton("pin", `${thread.pinned ? words.unpin : words.pin}: ${title}`, () => void this.#change(thread, { pinned: !thread.pinned }), { "data-tool": "pin", "aria-pressed": String(thread.pinned) }),
      iconButton("edit", `${words.rename}: ${title}`, () => this.#rename(line, thread), { "data-tool": "edit" }),
      iconButton("export", `${words.exportMarkdown}: ${title}`, () => void this.#export(thread), { "data-tool": "export" }),
      iconButton("trash", `${words.delete}: ${title}`, single(() => void this.#delete(thread)), { "data-tool": "trash" }),
    ))
    return line
  }

  /** Another tab may have deleted it. @param {Line} thread */
  async #opened(thread) {
    if (await this.onopen(thread.id)) return
    await this.open()
    if (this.#lines.some(({ id }) => id === thread.id)) return
    this.#say(fill(this.#words.deleted, { title: thread.title || this.#words.untitled }))
    this.search.focus()
  }

  /** What a search found in a thread. @param {string} id */
  #excerpt(id) {
    const known = this.#texts.get(id)
    const found = known && excerptOf(known.text, known.small, this.search.value)
    return found && h("span", { class: "thread-found", dir: "auto" }, found[0], h("mark", {}, found[1]), found[2])
  }

  /** @param {Line} thread @param {{title?: string, pinned?: boolean}} change */
  async #change(thread, change) {
    Object.assign(thread, change)
    await this.#store.amend(thread.id, change)
    this.onchange(thread)
    await this.open()
  }

  /** @param {Line} line */
  async #export({ id, title }) {
    const thread = await this.#store.get(id)
    if (thread) download(`${title || this.#words.untitled}.md`, threadToMarkdown(thread, this.#words), "text/markdown")
  }

  /** @param {HTMLElement} line @param {Line} thread */
  #rename(line, thread) {
    const field = h("input", { class: "input", value: thread.title, "aria-label": this.#words.rename, "data-tool": "edit", maxlength: 120 })
    let done = false
    const end = (/** @type {boolean} */ save) => {
      if (done) return
      done = true
      if (save && field.value.trim()) void this.#change(thread, { title: field.value.trim() })
      else this.#draw()
    }
    field.addEventListener("keydown", (event) => {
      if (event.isComposing) return
      if (event.key === "Enter") end(true)
      if (event.key === "Escape") {
        event.stopPropagation()
        end(false)
      }
    })
    field.addEventListener("blur", () => queueMicrotask(() => field.isConnected && end(true))) // a field that was taken away saves nothing
    line.replaceChildren(field)
    field.focus()
    field.select()
  }

  /** @param {Line} thread */
  async #delete(thread) {
    await this.onending(thread.id)
    const taken = await this.#store.take(thread.id)
    this.#lines = this.#lines.filter((other) => other !== thread)
    this.#draw()
    this.ondelete(thread.id)
    const undo = wordButton("retry", this.#words.undo, async () => {
      await this.#store.giveBack(taken)
      this.bar.hidden = true
      await this.open()
    })
    this.#say(fill(this.#words.deleted, { title: thread.title || this.#words.untitled }), undo)
    this.search.focus()
  }

  /** @param {string} text @param {HTMLElement} [action] */
  #say(text, action) {
    this.bar.hidden = false
    this.bar.replaceChildren(h("span", {}, text), action ?? "")
    this.onsay(text)
    clearTimeout(this.#hiding)
    this.#hiding = window.setTimeout(() => (this.bar.hidden = true), UNDO_MS)
  }

  async #exportAll() {
    const threads = []
    for await (const thread of this.#store.all()) threads.push(thread)
    download("askbook.json", threadsToJson(threads), "application/json")
  }

  async #import() {
    const file = this.file.files?.[0]
    this.file.value = ""
    if (!file) return
    const { threads, unread } = threadsFromFile(await file.text().catch(() => ""))
    const told = await this.#store.adopt(threads)
    await this.open()
    this.#say(threads.length ? this.#told({ ...told, unread: told.unread + unread }) : this.#words.importBroken)
  }

  /** @param {{taken: number, over: number, full: number, unread: number}} counts @returns {string} what became of the threads of a file */
  #told({ taken, over, full, unread }) {
    const { imported, importOver, importFull, importUnread } = this.#words
    const left = /** @type {const} */ ([[importOver, over], [importFull, full], [importUnread, unread]]).filter(([, n]) => n)
    return [/** @type {const} */ ([imported, taken]), ...left].map(([text, n]) => fill(text, { n })).join(" ")
  }
}
