import assert from "node:assert/strict"
import { test } from "node:test"
import { answerToMarkdown, threadToMarkdown, threadsFromFile, threadsFromJson, threadsToJson } from "../../client/elements/export.js"
import { historyOf, sourcesOf } from "../../client/elements/exchange.js"
import { answerText, emptyAnswer } from "../../client/elements/reducer.js"
import { excerptOf, holds, newThread, newTurn, readThread, slim, textOf } from "../../client/elements/threads.js"
import { en } from "../../client/elements/words/en.js"

const SOURCE = { n: 1, name: "books-x", card: "1/a", kind: "definition", number: "1.2", title: "Definition [1.2]", url: "/x/#a", text: "w".repeat(9000), matched: [] }

/** @param {string} question @param {string} text @param {any} [more] */
function answered(question, text, more = {}) {
  const turn = newTurn(question, { page: { url: "https://example.org/x/", title: "X" }, model: "m" })
  turn.answer = { ...emptyAnswer(), state: "completed", mode: "retrieve", sources: [SOURCE], parts: [{ part: 0, kind: "text", state: "completed", text }], ...more }
  return turn
}

/** @param {import("../../client/elements/threads.js").Turn[]} turns */
const threadOf = (...turns) => ({ ...newThread(), title: "On maps", turns })

test("a stored thread keeps of a passage its quote, title and address, and of a result what it is about", () => {
  const turn = answered("q", "a", { parts: [{ part: 0, kind: "tool-call", state: "completed", text: "", result: { content: { hits: [{ id: "1/a", text: "x".repeat(9000) }] }, error: false } }] })
  const kept = slim(threadOf(turn))
  assert.ok(JSON.stringify(kept).length < 3000)
  assert.deepEqual(kept.turns[0].answer.parts[0].result?.content, { hits: [{ id: "1/a", text: `${"x".repeat(39)}…` }] })
  assert.deepEqual([kept.turns[0].answer.sources[0].title, kept.turns[0].answer.sources[0].url], [SOURCE.title, SOURCE.url])
})

test("an answer that ran when the page went away comes back as interrupted, with what it had", () => {
  const turn = answered("q", "Half of", { state: "running", parts: [{ part: 0, kind: "text", state: "running", text: "Half of" }] })
  const thread = readThread(JSON.parse(JSON.stringify(threadOf(turn))))
  assert.deepEqual([thread?.turns[0].answer.state, thread?.turns[0].interrupted, thread?.turns[0].answer.parts[0].text], ["aborted", true, "Half of"])
})

for (const [what, value] of /** @type {[string, any][]} */ ([["nothing", null], ["text", "{"], ["a list", []], ["a thread of a version yet unknown", { version: 2, id: "a", turns: [] }], ["damage", { damaged: "{" }]])) {
  test(`${what} is no thread`, () => assert.equal(readThread(value), null))
}

for (const time of ["soon", 1e300, -1e300, null, {}]) {
  test(`${JSON.stringify(time)} is no time`, () => {
    const thread = readThread({ version: 1, id: "a", turns: [], created: time, updated: time })
    assert.deepEqual([thread?.created, thread?.updated], [0, 0])
  })
}

test("damaged turns are left out of a thread that can be read", () => {
  const thread = readThread({ version: 1, id: "a", turns: [null, 3, { question: "q" }, { question: "q", answer: { parts: "no" } }] })
  assert.deepEqual(thread?.turns.map((turn) => [turn.question, turn.answer.parts]), [["q", []]])
})

test("what is of no use in an answer is left out, and what is missing is made up for", () => {
  const source = { ...SOURCE, name: "", card: "", kind: "", number: "", title: "", url: "", text: "" }
  for (const [name, given, kept] of /** @type {[string, any, any][]} */ ([
    ["sources", [null, 3, [], { n: 1 }], [source]],
    ["sources", [{ ...SOURCE, text: null, matched: ["w", null] }], [{ ...SOURCE, text: "", matched: ["w"] }]],
    ["parts", [null, "x", { part: 0, kind: "text" }], [{ part: 0, kind: "text", text: "" }]],
    ["citations", [null, { n: 1 }], [{ n: 1 }]],
    ["notices", [undefined, { code: "stale" }], [{ code: "stale" }]],
    ["error", { status: 500 }, null],
    ["usage", 7, null],
    ["retrieval", { status: { unknown: "all" } }, null],
  ])) {
    const thread = readThread({ version: 1, id: "a", turns: [{ question: "q", answer: { [name]: given } }] })
    assert.deepEqual(/** @type {any} */ (thread?.turns[0].answer)[name], kept, name)
    assert.doesNotThrow(() => slim(/** @type {any} */ (thread)), name)
  }
})

test("threads are found by every word of the search, in titles, questions and answers", () => {
  const texts = [threadOf(answered("What is a map?", "It maps terms.")), threadOf(answered("列表", "A list."))].map(textOf)
  const found = (/** @type {string} */ asked) => texts.map((text) => holds(text.toLowerCase(), asked))
  assert.deepEqual([found("MAP terms"), found("列表"), found("on maps list")], [[true, false], [false, true], [false, true]])
})

test("what a search found is shown where the title does not say it", () => {
  const text = textOf(threadOf(answered("What is a map?", `It maps terms\nto lists. ${"More words. ".repeat(9)}The End.`)))
  const found = (/** @type {string} */ asked) => excerptOf(text, text.toLowerCase(), asked)
  assert.deepEqual([found("maps"), found("on LISTS"), found("end")], [null, ["…a map? It maps terms to ", "lists", `. ${"More words. ".repeat(5)}More words`], ["… words. More words. The ", "End", "."]].map((one) => one && [...one]))
})

test("how long a part took is kept of reasoning alone", () => {
  const timed = { state: "completed", text: "t", began: 5, ended: 9 }
  const kept = slim(threadOf(answered("q", "", { parts: [{ part: 0, kind: "reasoning", ...timed }, { part: 1, kind: "text", ...timed }] })))
  assert.deepEqual(kept.turns[0].answer.parts.map((part) => [part.began, part.ended]), [[5, 9], [undefined, undefined]])
})

test("what was exported can be imported, under new names", () => {
  const thread = threadOf(answered("q", "a"))
  const { threads: [back] } = threadsFromJson(threadsToJson([thread]))
  assert.notEqual(back.id, thread.id)
  assert.deepEqual([back.title, back.turns[0].question, back.turns[0].answer.parts], ["On maps", "q", thread.turns[0].answer.parts])
  assert.equal(back.updated, thread.updated)
})

test("of a file that holds other things what is no thread is counted", () => {
  const [good] = JSON.parse(threadsToJson([threadOf(answered("q", "a"))])).threads
  const read = (/** @type {any[]} */ ...threads) => threadsFromJson(JSON.stringify({ format: "askbook-threads/1", threads }))
  const counted = [read(good, { version: 9 }, null), threadsFromJson("[]"), threadsFromJson("no JSON")]
  assert.deepEqual(counted.map(({ threads, unread }) => [threads.length, unread]), [[1, 2], [0, 0], [0, 0]])
})

test("a copied answer is Markdown with its sources as links", () => {
  assert.equal(answerToMarkdown(answered("q", "It is a map [1]."), en, "https://example.org/x/"), "It is a map [1].\n\n**Sources**\n\n1. [Definition \\[1.2\\]](https://example.org/x/#a)")
  assert.match(threadToMarkdown(threadOf(answered("*q*", "a")), en, "https://example.org/"), /^# On maps\n\n<!-- askbook: question -->\n\n## \\\*q\\\*\n\n<!-- askbook: answer -->\n\na\n/)
})

test("what was exported as Markdown comes back with all that was said, whatever was said", () => {
  const said = "# A map\n\n<!-- askbook: question -->\n\n\\<!-- askbook: answer -->\n\n## No question [1]\n\n```html\n<!-- askbook: sources -->\n```"
  const asked = "Is *this* <b>\nor > that?\n## [x](y) \\ <!-- askbook: answer -->"
  const thread = threadOf(answered(asked, said), answered("?", ""))
  thread.turns[0].selection = "two lines\n\n> of the page"
  const { threads: [back], unread } = threadsFromFile(threadToMarkdown(thread, en, "https://example.org/x/").replaceAll("\n", "\r\n"))
  assert.deepEqual([back.title, unread, back.id === thread.id], ["On maps", 0, false])
  assert.deepEqual(back.turns.map(({ question, selection, answer }) => [question, selection, answerText(answer)]), [[asked, thread.turns[0].selection, said], ["?", "", ""]])
  assert.deepEqual(back.turns[0].answer.sources.map(({ n, title, url }) => [n, title, url]), [[1, "Definition [1.2]", "https://example.org/x/#a"]])
})

test("a file in Markdown that holds no conversation is none", () => {
  assert.deepEqual([threadsFromFile("# A page\n\n## A heading\n"), threadsFromFile("")], Array(2).fill({ threads: [], unread: 0 }))
})

test("the model is told of questions and answers, not of the book's own sentences", () => {
  const turns = [answered("one", "first"), answered("two", "sentence", { mode: "extractive" })]
  assert.deepEqual(historyOf(turns).map((message) => [message.role, message.parts[0].text]), [["user", "one"], ["assistant", "first"]])
  assert.deepEqual(sourcesOf(turns).map((source) => source.n), [1])
})
