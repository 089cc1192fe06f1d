/** The panels of a page, one at a time: a reader who turns to a page of another book finds that one's panel, as after loading the page anew. */
import { visit } from "./follow.js"
import { recall, remember } from "./memory.js"
import { Panel } from "./panel.js"
import { bookOfPage, isInBook, pagePath, wordsOf, written } from "./place.js"
import { attend } from "./presence.js"
import { followTheme } from "./theme.js"
import { loadWords } from "./words.js"

/** @typedef {ReturnType<typeof bookOfPage>} Book */
/** @typedef {import("../protocol.js").SiteBook} SiteBook */

/** The page a source led to, and the book that is asked there all the same. */
const LED = "askbook:led:"
/** The book a page had the panel of; pages of no book go on with it. */
const LAST = "askbook:last:"
/** The conversation that was left on a page of another book. */
const LEFT = "askbook:left:"
/** Pages change in several steps: the address, the text, the language. */
const SETTLE_MS = 60

/** @param {SiteBook | null} book */
const nameOf = (book) => (book ? `${book.col}:${book.book}` : "")

/** @param {string} name @returns {any} */
function recalled(name) {
  try {
    return JSON.parse(recall(name) ?? "null")
  } catch {
    return null
  }
}

/** @returns {string} the question in the address, which is taken out there: it is filled in once, and not again by a reload or a way back */
function takeAsked() {
  const url = new URL(location.href)
  const asked = url.searchParams.get("ask")
  if (asked === null) return ""
  url.searchParams.delete("ask")
  history.replaceState(history.state, "", url)
  return asked
}

/** What the page's button opens. */
export class Panels {
  #host
  #site
  #language
  #root
  /** Of the page, when its book was last looked for. */
  #lang = document.documentElement.lang
  #soon = 0
  /** @type {Promise<void>} */
  #turning = Promise.resolve()
  /** Where the panel's own book was last read. */
  #url = location.href
  #path = location.pathname

  /** @param {import("../main.js").AskBook} host @param {import("../protocol.js").Site} site @param {() => import("./words.js").Language} language of the page, as it says itself */
  constructor(host, site, language) {
    this.#host = host
    this.#site = site
    this.#language = language
    this.#root = new URL(site.root, new URL("../", import.meta.url))
    const book = this.#pagesBook()
    const led = this.#led()
    this.panel = this.#make(led ?? book, language())
    if (led) this.#url = led.from
    else remember(LED + this.#root.pathname, "")
    /** Once the first panel is built; whoever made it can try again if that fails. @type {Promise<this>} */
    this.ready = this.#begin(book)
  }

  /** @param {Book} book of the page */
  async #begin(book) {
    await this.panel.built.catch((error) => {
      this.panel.leave()
      throw error
    })
    followTheme(this.#host)
    attend(/** @type {ShadowRoot} */ (this.#host.shadowRoot), () => this.panel.frame?.arrange())
    this.#watch()
    if (!this.#isShown(book)) this.#offer(book)
    return this
  }

  get connection() {
    return this.panel.connection
  }

  /** @param {string} [question] filled in @param {{selection?: string}} [about] */
  async open(question = takeAsked(), about) {
    await this.#turn(true)
    await this.panel.open(question, about)
  }

  async restore() {
    await this.#turn(true)
    await this.panel.restore()
    this.#tellLeft()
  }

  async warm() {
    await this.#turn(true)
    await this.panel.warm()
  }

  close() {
    this.panel.close()
  }

  /** @param {Book} book @param {import("./words.js").Language} language @param {Panel} [before] */
  #make(book, language, before) {
    const panel = new Panel(this.#host, this.#site, { book, language }, before)
    panel.onvisit = (href) => remember(LED + this.#root.pathname, JSON.stringify({ path: new URL(href).pathname, book: nameOf(book.main), from: this.#url }))
    return panel
  }

  /** @returns {Book} the one the page belongs to; of no book, the last one of its language */
  #pagesBook() {
    const path = pagePath(this.#root)
    const book = bookOfPage(this.#site.books, document.documentElement.lang, path)
    const last = isInBook(this.#site.books, path) ? "" : recall(LAST + this.#root.pathname)
    return { ...book, main: book.books.find((one) => nameOf(one) === last) ?? book.main }
  }

  /** @returns {Book & {from: string} | null} the one whose conversation led to this page, and from where */
  #led() {
    const led = recalled(LED + this.#root.pathname)
    const main = led?.path === location.pathname && this.#site.books.find((book) => nameOf(book) === led.book)
    return main ? { main, books: bookOfPage(this.#site.books, main.lang).books, from: String(led.from) } : null
  }

  /** @param {Book} book */
  #isShown(book) {
    return nameOf(book.main) === nameOf(this.panel.book.main)
  }

  /** Pages that change in place say so by their address, their title, or their language. */
  #watch() {
    const soon = () => {
      clearTimeout(this.#soon)
      this.#soon = window.setTimeout(() => void this.#turn(), SETTLE_MS)
    }
    const watching = new MutationObserver(soon)
    watching.observe(document.documentElement, { attributes: true, attributeFilter: ["lang"] })
    watching.observe(document.head, { childList: true, subtree: true, characterData: true })
    const { navigation } = /** @type {any} */ (globalThis)
    navigation?.addEventListener("currententrychange", soon)
    addEventListener("popstate", soon)
    addEventListener("pagehide", () => {
      remember(LAST + this.#root.pathname, nameOf(this.panel.book.main))
      this.#leaves()
    })
  }

  /** @param {() => Promise<void>} step after those before it, and whatever becomes of them */
  #next(step) {
    return (this.#turning = this.#turning.then(step).catch((error) => console.error("askbook:", error)))
  }

  /** The page may be another one. @param {boolean} [wanted] the panel is about to be used; till then a closed one waits with all it has */
  #turn(wanted) {
    return this.#next(() => this.#turned(wanted))
  }

  /** @param {boolean} [wanted] */
  async #turned(wanted = this.panel.frame?.isOpen) {
    const { lang } = document.documentElement
    if (this.#path !== (this.#path = location.pathname) && !this.#led()) remember(LED + this.#root.pathname, "")
    if (lang === this.#lang && !isInBook(this.#site.books, pagePath(this.#root))) return // of no book: the last one stays
    this.#lang = lang
    const book = this.#pagesBook()
    if (this.#isShown(book)) {
      this.#url = location.href
      this.panel.status?.drop("otherBook")
    } else if (this.panel.isNeeded || this.#isShown(this.#led() ?? book)) this.#offer(book)
    else if (wanted) await this.#follow(book, () => this.panel.isNeeded)
  }

  /** The reader goes on with one book on a page of another. @param {Book} book of the page */
  #offer(book) {
    this.panel.status?.offer("otherBook", book.main?.title ?? "", () => {
      remember(LED + this.#root.pathname, "")
      void this.#next(() => this.#follow(book))
    })
  }

  /** @param {Book} book gets its panel, if that can be had @param {() => boolean} [stays] whether something has begun here meanwhile */
  async #follow(book, stays = () => false) {
    const words = await loadWords(this.panel.choices.value.language || this.#speaks(book)).catch(() => null)
    if (!words || stays()) return this.#offer(book)
    this.#leaves()
    const before = this.panel
    before.leave()
    this.panel = this.#make(book, this.#speaks(book), before)
    await this.panel.replace(before)
    this.#url = location.href
    this.#tellLeft()
  }

  /** @param {Book} book @returns {import("./words.js").Language} of its panel: some themes change pages, and not what they say their language is */
  #speaks({ main }) {
    const { lang } = document.documentElement
    return !main || this.#site.options?.lang || written(lang) === written(main.lang) ? this.#language() : wordsOf(main.lang)
  }

  /** What is left behind is remembered until it is gone back to. */
  #leaves() {
    const { book, conversation } = this.panel
    if (!this.panel.frame?.isOpen || !conversation?.turns.length) return
    remember(LEFT + this.#root.pathname, JSON.stringify({ book: nameOf(book.main), title: book.main?.title ?? "", url: this.#url }))
  }

  /** Says once that the conversation of another book is kept, and leads back to it. */
  #tellLeft() {
    const left = recalled(LEFT + this.#root.pathname)
    if (!left || left.book === nameOf(this.panel.book.main) || !String(left.url).startsWith(this.#root.href)) return
    if (!this.panel.frame?.isOpen) return
    this.panel.status?.offer("leftBook", String(left.title), () => visit(left.url))
    remember(LEFT + this.#root.pathname, "")
  }
}
