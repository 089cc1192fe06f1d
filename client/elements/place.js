/** Which book the page belongs to, and what the page is. */

/** @typedef {import("../protocol.js").SiteBook} SiteBook */

/** @param {string} lang @returns {string} language and, for Chinese, script: what two texts must share to be one reader's */
function written(lang) {
  const tag = lang.toLowerCase()
  if (!tag.startsWith("zh")) return tag.split("-")[0]
  return /hant|tw|hk|mo/.test(tag) ? "zh-hant" : "zh-hans"
}

/**
 * The book to open first and the books to search: those in the page's language, or all of them.
 * @param {SiteBook[]} books
 * @param {string} lang of the page
 * @returns {{main: SiteBook | null, books: SiteBook[]}}
 */
export function bookOfPage(books, lang) {
  const own = books.filter((book) => written(book.lang) === written(lang))
  const near = own.length ? own : books.filter((book) => written(book.lang).slice(0, 2) === written(lang).slice(0, 2))
  const chosen = near.length ? near : books
  return { main: chosen[0] ?? null, books: chosen }
}

/** What the reader looks at now. @returns {import("../protocol.js").PageContext} */
export function pageContext() {
  const heading = document.querySelector("main h1, article h1, h1")
  return { url: location.href, title: (heading?.textContent ?? document.title).replace(/[¶#]\s*$/, "").trim(), lang: document.documentElement.lang }
}
