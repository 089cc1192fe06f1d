import assert from "node:assert/strict"
import { test } from "node:test"
import { Keywords, snippet, terms } from "../../client/worker/keywords.js"
import { Limited } from "../../client/worker/limited.js"

const column = (/** @type {string[]} */ ...values) => values.map((value) => `${value}\x7f`).join("")
const TEXTS = [
  "An inverted index maps every term to its postings list. Postings lists are sorted.",
  "A <b>heap</b> keeps the smallest element on top. Heaps are built in linear time.",
  "倒排索引是从每个词项到其倒排列表的映射。",
]
/** Three cards, one on the first page and two on the second. */
const INDEX = {
  format: "askbook-index/1", col: "books", book: "small", title: "Small", lang: "en", hash: "0", sides: { "books-small.text.1.json": "1" },
  pages: ["one/", "two/"],
  cards: {
    elsewhere: [], run_pages: ["!$"], run_cards: ["#$"], titles: column("Theorem 1.2 (Index)", "Heaps & more", "定义 2.1"),
    anchors: column("#a", "=", "#定义"), numbers: column("1.2", "", "2.1"), kinds: ["section", "theorem"], kind: ["#!!"],
  },
}
const bytes = (/** @type {unknown} */ value) => /** @type {ArrayBuffer} */ (new TextEncoder().encode(JSON.stringify(value)).buffer)

test("words lose their endings, numbers stay whole, Chinese is cut in pairs", () => {
  assert.deepEqual(terms("Sorted postings lists"), ["sort", "post", "list"])
  assert.deepEqual(terms("Theorem 15.1 in state-of-the-art"), ["theorem", "15.1", "in", "state-of-the-art", "stat", "of", "the", "art"])
  assert.deepEqual(terms("倒排索引 index 树"), ["倒排", "排索", "索引", "index", "树"])
})

test("numbers are read as the core writes them, large ones too", () => {
  const book = (/** @type {string[]} */ planes, /** @type {number} */ cards) =>
    new Keywords({ ...INDEX, cards: { ...INDEX.cards, run_pages: ["!"], run_cards: planes, titles: column(...Array(cards).fill("")), anchors: column(...Array(cards).fill("")), numbers: column(...Array(cards).fill("")), kind: ["!".repeat(cards)] } })
  assert.deepEqual([book(["]"], 57).size, book(["#", "#"], 91).size, book(["~", "!"], 89).size], [57, 91, 89])
})

test("a question finds the cards with most of its words, whatever their form", () => {
  const book = new Keywords(INDEX, TEXTS)
  const urls = (/** @type {string} */ question) => book.search(question, 8).map((hit) => hit.url)
  assert.deepEqual(urls("What is an inverted index?"), ["one/#a"])
  assert.deepEqual(urls("the smallest heap"), ["two/#heaps-more"])
  assert.deepEqual(urls("什么是倒排索引"), ["two/#定义"])
  assert.deepEqual(urls("Theorem 1.2"), ["one/#a"])
  assert.deepEqual(urls("zebra"), [])
  assert.deepEqual(urls(""), [])
})

test("a snippet is the sentence with most of the words, and not too long", () => {
  const [hit] = new Keywords(INDEX, TEXTS).search("sorted postings", 1)
  assert.equal(snippet(hit), "Postings lists are sorted.")
  assert.equal([...snippet({ ...hit, text: `sorted ${"x".repeat(900)}` })].length, 241)
})

/** @param {Partial<{question: string, lang: string}>} asked */
async function ask(asked) {
  const reader = new Limited()
  reader.begin("https://example.org/books/small/")
  const info = JSON.parse(reader.open_book("books-small", bytes(INDEX)))
  reader.attach("books-small", "books-small.text.1.json", bytes({ texts: TEXTS }))
  /** @type {any[]} */
  const frames = []
  const question = { question: "heaps", books: ["books-small", "unknown"], passages: 8, lang: "en", ...asked }
  await reader.ask("x", JSON.stringify(question), (json) => frames.push(JSON.parse(json)))
  return { info, frame: frames[0], frames: frames.length }
}

test("an answer names itself a keyword search, links its passages, and lets no text become markup", async () => {
  const { info, frame, frames } = await ask({})
  assert.deepEqual([info.name, info.cards, frames], ["books-small", 3, 1])
  const source = frame.events.find((/** @type {any} */ event) => event.type === "source-add").source
  assert.deepEqual([source.n, source.name, source.title, source.url], [1, "books-small", "Heaps & more", "/books/small/two/#heaps-more"])
  assert.match(frame.patches[0].html, /^<p>Keyword search alone/)
  assert.equal(frame.patches[1].html, '<ol><li><a href="https://example.org/books/small/two/#heaps-more">Heaps &#38; more</a>: A &#60;b&#62;heap&#60;/b&#62; keeps the smallest element on top.</li></ol>')
  assert.deepEqual([frame.events[0].type, frame.events.at(-1).type, frame.events.at(-1).state], ["exchange-start", "exchange-end", "completed"])
})

test("the reader's language is spoken, and nothing found is said", async () => {
  assert.match((await ask({ lang: "zh-Hans" })).frame.patches[0].html, /关键词搜索/)
  const { frame } = await ask({ question: "zebra", lang: "fr" })
  assert.deepEqual(frame.patches.map((/** @type {any} */ patch) => patch.html), ["<p>Keyword search alone, for the assistant cannot run here. No passage has any of your words.</p>"])
})

test("stored answers are shown as plain text, and what needs Python says so", async () => {
  const reader = new Limited()
  const drawn = JSON.parse(await reader.call("draw", JSON.stringify({ parts: [{ part: 0, text: "a < b\nc" }] })))
  assert.deepEqual(drawn, [{ part: 0, blocks: ["<p>a &#60; b</p>", "<p>c</p>"] }])
  assert.deepEqual(JSON.parse(await reader.call("outline", "{}")), [])
  await assert.rejects(reader.call("models", "{}"), /WebAssembly/)
  assert.throws(() => reader.open_book("x", bytes({ format: "other" })), /format/)
})
