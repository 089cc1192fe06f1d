import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { DEFAULTS, RANGES, readChoices } from "../../client/elements/choices.js"
import { sends } from "../../client/elements/composer.js"
import { Keys, lock, unlock } from "../../client/elements/keys.js"
import { bookOfPage } from "../../client/elements/place.js"
import { PRESETS, originOf } from "../../client/elements/presets.js"
import { contrast, luminance, readColour, readable } from "../../client/elements/theme.js"
import { fill } from "../../client/elements/words.js"
import { en } from "../../client/elements/words/en.js"
import { zhHans } from "../../client/elements/words/zh-hans.js"
import { zhHant } from "../../client/elements/words/zh-hant.js"

/** @param {string} path */
const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

/** @param {any} table @param {string} [under] @returns {string[]} every name with the names it fills in */
const shape = (table, under = "") =>
  Object.entries(table).flatMap(([name, value]) => (typeof value === "string" ? [`${under}${name} ${[...value.matchAll(/\{\w+\}/g)].map(String).sort().join("")}`] : shape(value, `${under}${name}.`))).sort()

test("every language has every text, with the same names to fill in", () => {
  assert.deepEqual([shape(zhHans), shape(zhHant)], [shape(en), shape(en)])
})

test("names are filled in, unknown ones stay", () => {
  assert.equal(fill("{a} of {b} {c}", { a: 1, b: "two" }), "1 of two {c}")
})

test("the numbers a reader starts from are those of the core", () => {
  const limits = Object.fromEntries([...read("client/py/limits.py").matchAll(/^(\w+): Final = ([\d_.]+)$/gm)].map(([, name, value]) => [name, Number(value.replaceAll("_", ""))]))
  assert.deepEqual(
    [DEFAULTS.passages, RANGES.passages[1], DEFAULTS.contextLimit, DEFAULTS.answerLimit, DEFAULTS.temperature],
    [limits.PASSAGES, limits.PASSAGES_MAX, limits.CONTEXT_CHARACTERS, limits.ANSWER_TOKENS, limits.TEMPERATURE],
  )
})

test("every preset is a profile of the core with its address, and every profile a preset", () => {
  const source = read("client/py/profiles.py")
  for (const { id, endpoint } of PRESETS) {
    assert.ok(source.includes(`"${id}"`), id)
    if (endpoint) assert.ok(source.includes(`"${endpoint}"`), endpoint)
    assert.ok(id in en.preset, id)
  }
})

test("stored choices that make no sense fall back", () => {
  assert.deepEqual(readChoices("no object"), DEFAULTS)
  const { passages, temperature, models, chosen, mode } = readChoices({ passages: 99, temperature: "hot", models: [1, { id: "a", endpoint: "https://x" }], chosen: "gone", mode: "?" })
  assert.deepEqual([passages, temperature, models.length, chosen, mode], [12, DEFAULTS.temperature, 1, "", "retrieve"])
})

test("a key belongs to an origin of the web", () => {
  assert.deepEqual(["https://a.example/v1", "http://localhost:11434/v1", "javascript:alert(1)", "x"].map(originOf), ["https://a.example", "http://localhost:11434", "", ""])
})

test("a locked key opens with its passphrase and with no other", async () => {
  const locked = await lock("sk-secret", "open sesame")
  assert.ok(!locked.includes("sk-secret"))
  assert.equal(await unlock(locked, "open sesame"), "sk-secret")
  await assert.rejects(unlock(locked, "open barley"))
})

test("where nothing can be stored a key still reaches the worker, and is forgotten there", async () => {
  /** @type {string[][]} */
  const given = []
  const keys = new Keys("askbook:/", (...news) => given.push(news))
  await keys.save("https://a.example", "sk-1234567", "tab", "")
  assert.deepEqual(keys.state("https://a.example"), { custody: "tab", last: "4567", unlocked: true })
  keys.forgetAll()
  assert.deepEqual([given.at(-2), given.at(-1), keys.state("https://a.example")], [["https://a.example", "sk-1234567"], ["https://a.example", ""], null])
})

test("Enter sends; with Shift, or while an input method composes, it does not", () => {
  const press = { key: "Enter", shiftKey: false, isComposing: false, keyCode: 13 }
  assert.deepEqual([sends(press), sends({ ...press, shiftKey: true }), sends({ ...press, isComposing: true }), sends({ ...press, keyCode: 229 }), sends({ ...press, key: "a" })], [true, false, false, false, false])
})

test("the books of the page's language are searched, Chinese by its script", () => {
  const [english, simplified, traditional] = ["en", "zh-Hans", "zh-Hant"].map((lang) => ({ col: "b", book: lang.toLowerCase(), title: lang, lang, index: "" }))
  const all = [english, simplified, traditional]
  assert.deepEqual(
    ["en-GB", "zh-CN", "zh-TW", "zh", "fr"].map((lang) => bookOfPage(all, lang).books.map((book) => book.lang)),
    [["en"], ["zh-Hans"], ["zh-Hant"], ["zh-Hans"], ["en", "zh-Hans", "zh-Hant"]],
  )
})

test("a page in the folder of a book opens that one, whatever language the theme says", () => {
  const [guide, reference, chinese, deep] = [["guide", "en"], ["reference", "en"], ["书", "zh-Hans"], ["guide/deep", "en"]].map(
    ([folder, lang]) => ({ col: "b", book: folder, title: folder, lang, index: "", folder: `${folder}/` }),
  )
  const all = [guide, reference, chinese, deep]
  const opened = (/** @type {string} */ path, lang = "en") => {
    const { main, books } = bookOfPage(all, lang, path)
    return [main?.book, ...books.map((book) => book.book)]
  }
  const english = ["guide", "reference", "guide/deep"]
  assert.deepEqual(
    ["reference/a/", "书/第一章/", "guide/deep/", "guide/", "about/", "de/reference/a/", "guides/"].map((path) => opened(path)),
    [["reference", ...english], ["书", "书"], ["guide/deep", ...english], ["guide", ...english], ["guide", ...english], ["reference", ...english], ["guide", ...english]],
  )
  assert.deepEqual(opened("about/", "zh"), ["书", "书"])
  assert.deepEqual(
    bookOfPage([{ ...guide, book: "one" }, { ...guide, book: "one-zh", lang: "zh" }], "zh", "zh/guide/").main?.book,
    "one-zh",
  )
})

test("colours are read as painted, and an accent that cannot be read is replaced", () => {
  assert.deepEqual(readColour("rgba(0, 0, 0, 0.5)", [255, 255, 255]), [128, 128, 128])
  assert.equal(readColour("rgba(0, 0, 0, 0)", [255, 255, 255]), null)
  assert.equal(Math.round(contrast([0, 0, 0], [255, 255, 255])), 21)
  assert.equal(luminance([255, 255, 255]), 1)
  assert.deepEqual(readable([[255, 255, 0], [0, 0, 200]], [255, 255, 255]), [0, 0, 200])
  assert.ok(contrast(readable([[255, 255, 0]], [255, 255, 255]), [255, 255, 255]) >= 4.5)
  assert.ok(contrast(readable([], [20, 20, 30]), [20, 20, 30]) >= 4.5)
})
