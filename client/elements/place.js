/** Which book the page belongs to, and what the page is. */

/** @typedef {import("../protocol.js").SiteBook} SiteBook */

/** @param {string} lang @returns {string} language and, for Chinese, script: what two texts must share to be one reader's */
export function written(lang) {
  const tag = lang.toLowerCase()
  if (!tag.startsWith("zh")) return tag.split("-")[0]
  return /hant|tw|hk|mo/.test(tag) ? "zh-hant" : "zh-hans"
}

/**
 * The book to open first, the one whose page it is if that is known, and the books to search: those in its language, or all of them.
 * @param {SiteBook[]} books
 * @param {string} lang of the page, as far as the theme knows
 * @param {string} [path] of the page from the site's root, decoded
 * @returns {{main: SiteBook | null, books: SiteBook[]}}
 */
export function bookOfPage(books, lang, path = "") {
  const here = around(books, path)
  const spoken = here.length && !here.some((book) => written(book.lang) === written(lang)) ? here[0].lang : lang
  const own = books.filter((book) => written(book.lang) === written(spoken))
  const near = own.length ? own : books.filter((book) => written(book.lang).slice(0, 2) === written(spoken).slice(0, 2))
  const chosen = near.length ? near : books
  return { main: here.find((book) => chosen.includes(book)) ?? chosen[0] ?? null, books: chosen }
}

/** @param {SiteBook[]} books @param {string} path @returns {boolean} whether a page is in the folder of a book */
export const isInBook = (books, path) => around(books, path).length > 0

/** @param {SiteBook[]} books @param {string} path @returns {SiteBook[]} those whose folder a page is in, the deepest first; it may stand below one of its language */
function around(books, path) {
  const below = [path, path.slice(path.indexOf("/") + 1)].map((place) => books.filter(({ folder }) => folder && place.startsWith(folder)))
  const found = below.find((some) => some.length) ?? []
  return found.sort((one, other) => (other.folder ?? "").length - (one.folder ?? "").length)
}

/** @param {URL} root of the site @returns {string} where the page stands below it, decoded */
export function pagePath({ pathname }) {
  const path = location.pathname.startsWith(pathname) ? location.pathname.slice(pathname.length) : ""
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** @param {string} lang @returns {"en" | "zh-Hans" | "zh-Hant"} the panel's language on a page of a book */
export function wordsOf(lang) {
  const tag = written(lang)
  return tag === "zh-hans" ? "zh-Hans" : tag === "zh-hant" ? "zh-Hant" : "en"
}

/** What the reader looks at now. @returns {import("../protocol.js").PageContext} */
export function pageContext() {
  const heading = document.querySelector("main h1, article h1, h1")
  return { url: location.href, title: (heading?.textContent ?? document.title).replace(/[¶#]\s*$/, "").trim(), lang: document.documentElement.lang }
}

const SCRIPTS = { ja: /\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Han}/u, ko: /\p{Script=Hangul}/u, zh: /\p{Script=Han}/u, ru: /\p{Script=Cyrillic}/u, el: /\p{Script=Greek}/u, ar: /\p{Script=Arabic}/u }

/**
 * The questions written as a book is: an author's list may hold those of several books.
 * @param {readonly string[]} questions
 * @param {string} lang of the book
 * @returns {string[]}
 */
export function inScript(questions, lang) {
  const script = SCRIPTS[/** @type {keyof typeof SCRIPTS} */ (lang.toLowerCase().split("-")[0])]
  const foreign = Object.values(SCRIPTS)
  return questions.filter((question) => (script ? script.test(question) : !foreign.some((other) => other.test(question))))
}
