import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { DEFAULTS, RANGES, readChoices } from "../../client/elements/choices.js"
import { sends } from "../../client/elements/composer.js"
import { Keys, lock, unlock } from "../../client/elements/keys.js"
import { bookOfPage } from "../../client/elements/place.js"
import { PRESETS, isLocal, originOf } from "../../client/elements/presets.js"
import { contrast, luminance, muted, readColour, readable } from "../../client/elements/theme.js"
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
  assert.deepEqual([readChoices({ passages: 3.7, temperature: 0.35 })].map((choices) => [choices.passages, choices.temperature]), [[4, 0.35]])
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

/** Storage as a browser has it, as far as keys need it. @param {Record<string, string>} [kept] @param {boolean} [full] */
const shelf = (kept = {}, full = false) =>
  /** @type {any} */ (
    Object.assign(Object.create({
      getItem(/** @type {string} */ name) { return this[name] ?? null },
      setItem(/** @type {string} */ name, /** @type {string} */ value) {
        if (full) throw new DOMException("full", "QuotaExceededError")
        this[name] = value
      },
      removeItem(/** @type {string} */ name) { delete this[name] },
    }), kept)
  )

/** @param {{tab?: any, device?: any}} shelves @param {(keys: Keys, given: string[][], where: {tab: any, device: any}) => Promise<void>} act */
async function withKeys({ tab = shelf(), device = shelf() }, act) {
  const before = ["sessionStorage", "localStorage"].map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)])
  for (const [name, value] of [["sessionStorage", tab], ["localStorage", device]]) Object.defineProperty(globalThis, name, { value, configurable: true })
  /** @type {string[][]} */
  const given = []
  try {
    await act(new Keys("askbook:/", (...news) => given.push(news)), given, { tab, device })
  } finally {
    for (const [name, described] of before) {
      if (described) Object.defineProperty(globalThis, String(name), /** @type {PropertyDescriptor} */ (described))
      else delete (/** @type {any} */ (globalThis)[String(name)])
    }
  }
}

const A = "https://a.example"

test("where nothing can be stored a key still reaches the worker, is said not to be kept, and is forgotten there", () =>
  withKeys({ tab: shelf({}, true) }, async (keys, given) => {
    await keys.save(A, "sk-1234567890", "tab", "")
    assert.deepEqual(keys.state(A), { custody: "tab", last: "7890", unlocked: true, kept: false })
    keys.forgetAll()
    assert.deepEqual([given.at(-2), given.at(-1), keys.state(A)], [[A, "sk-1234567890"], [A, ""], null])
  }))

test("of a short key nothing is shown", () =>
  withKeys({}, async (keys) => {
    await keys.save(A, "sk-12345", "tab", "")
    assert.equal(keys.state(A)?.last, "")
  }))

test("a key that is there moves from tab to device to a lock and back, and leaves nothing where it was", () =>
  withKeys({}, async (keys, given, { tab, device }) => {
    const name = `askbook:/:key:${A}`
    await keys.save(A, "sk-1234567890", "tab", "")
    await keys.move(A, "device", "")
    assert.deepEqual([{ ...tab }, { ...device }], [{}, { [name]: "sk-1234567890" }])
    await keys.move(A, "locked", "open sesame")
    assert.deepEqual([{ ...tab }, Object.keys(device), device[name].includes("sk-")], [{}, [name], false])
    await assert.rejects(keys.move(A, "tab", "open barley"))
    await keys.move(A, "tab", "open sesame")
    assert.deepEqual([{ ...tab }, { ...device }, given.at(-1)], [{ [name]: "sk-1234567890" }, {}, [A, "sk-1234567890"]])
  }))

test("a key that is only tried is taken back, and one that is saved meanwhile is not", () =>
  withKeys({}, async (keys, given) => {
    await keys.lend(A, "sk-1234567890", async () => {})
    assert.deepEqual(given, [[A, "sk-1234567890"], [A, ""]])
    await keys.lend(A, "sk-1234567890", () => keys.save(A, "sk-0987654321", "tab", ""))
    assert.deepEqual([given.at(-1), keys.state(A)?.last], [[A, "sk-0987654321"], "4321"])
  }))

test("a key that is tried goes before the one that is known, which is given back", () =>
  withKeys({}, async (keys, given) => {
    await keys.save(A, "sk-1234567890", "tab", "")
    given.length = 0
    await keys.lend(A, "sk-0987654321", async () => {})
    assert.deepEqual(given, [[A, "sk-0987654321"], [A, "sk-1234567890"]])
  }))

test("what another tab does to keys of the device is heard of, and a key of this tab stays", async () => {
  /** @type {(news: {key: string | null, newValue: string | null}) => void} */
  let hear = () => {}
  const scope = /** @type {any} */ (globalThis)
  const before = scope.addEventListener
  scope.addEventListener = (/** @type {string} */ name, /** @type {typeof hear} */ heard) => name === "storage" && (hear = heard)
  try {
    await withKeys({}, async (keys, given) => {
      let told = 0
      keys.onchange = () => (told += 1)
      const B = "https://b.example"
      await keys.save(A, "sk-of-this-tab-1", "tab", "")
      hear({ key: `askbook:/:key:${A}`, newValue: "sk-of-another-2" })
      hear({ key: `askbook:/:key:${B}`, newValue: "sk-of-another-3" })
      hear({ key: `askbook:/other/:key:${B}`, newValue: "sk-of-another-4" })
      assert.deepEqual([keys.state(A)?.custody, keys.state(B)?.custody, given, told], ["tab", "device", [[A, ""], [A, "sk-of-this-tab-1"], [B, "sk-of-another-3"]], 2])
      hear({ key: null, newValue: null })
      assert.deepEqual([keys.state(A)?.custody, keys.state(B), given.at(-1), told], ["tab", null, [B, ""], 3])
    })
  } finally {
    scope.addEventListener = before
  }
})

test("everything is forgotten, also a key that another tab has kept since", () =>
  withKeys({}, async (keys, given, { device }) => {
    device.setItem("askbook:/:key:https://b.example", "sk-of-another-tab")
    device.setItem("askbook:/other/:key:https://b.example", "sk-of-another-site")
    keys.forgetAll()
    assert.deepEqual({ ...device }, { "askbook:/other/:key:https://b.example": "sk-of-another-site" })
  }))

test("what is painted before the panel has arrived says what the panel says", () => {
  const outline = read("client/elements/outline.js")
  const button = read("client/main.js")
  for (const words of [en, zhHans, zhHant]) {
    assert.ok(outline.includes(`["${words.ask}", "${words.question}", "${words.placeholder}"]`), words.placeholder)
    assert.ok(button.includes(`"${words.ask}"`), words.ask)
  }
})

test("an address on the reader's own computer is known by its host alone", () => {
  const local = ["http://localhost:11434/v1", "http://127.0.0.1:8080/v1", "http://[::1]:1234/v1", "http://model.localhost/v1"]
  const not = ["https://localhost.example/v1", "https://127.example/v1", "http://192.168.0.2:8080/v1", "https://a.example/localhost", ""]
  assert.deepEqual([local.map(isLocal), not.map(isLocal)], [local.map(() => true), not.map(() => false)])
})

test("no word of one Chinese script stands in the table of the other", () => {
  const letters = (/** @type {any} */ table) => new Set(JSON.stringify(table).replace(/[^\u4e00-\u9fff]/g, ""))
  const shown = { simplified: letters(zhHans), traditional: letters(zhHant) }
  const only = { simplified: "们这说个为时从来对没问发现开关页书键钥设备网络软标签页删记录读写还请连线传输载条级观问题语", traditional: "們這說個為時從來對沒問發現開關頁書鍵鑰設備網絡標籤刪記錄讀寫還請連線傳輸載條級觀問題語" }
  const common = new Set([...only.simplified].filter((letter) => only.traditional.includes(letter)))
  const found = (/** @type {string} */ foreign, /** @type {Set<string>} */ table) => [...foreign].filter((letter) => !common.has(letter) && table.has(letter))
  assert.deepEqual([found(only.simplified, shown.traditional), found(only.traditional, shown.simplified)], [[], []])
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

test("secondary text is lighter than the ink, and no lighter than can be read", () => {
  /** @type {[import("../../client/elements/theme.js").Colour, import("../../client/elements/theme.js").Colour][]} */
  const pages = [[[85, 85, 85], [255, 255, 255]], [[64, 64, 64], [252, 252, 252]], [[28, 32, 40], [255, 255, 255]], [[226, 228, 233], [30, 33, 41]], [[173, 181, 189], [33, 37, 41]]]
  for (const [ink, ground] of pages) {
    const text = muted(ink, ground)
    assert.ok(contrast(text, ground) > 4.6 && contrast(text, ground) <= contrast(ink, ground), `${ink} on ${ground}: ${text}`)
  }
})
