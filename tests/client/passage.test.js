import assert from "node:assert/strict"
import { test } from "node:test"
import { beginning, blocks } from "../../client/elements/passage.js"
import { inScript } from "../../client/elements/place.js"
import { kindOf } from "../../client/elements/source-card.js"
import { en } from "../../client/elements/words/en.js"

test("a passage is prose and code, and its fences are shown by neither", () => {
  assert.deepEqual(blocks('An index in\na few lines.\n\n``` title="Listing 1.1"\nindex = {}\n\nfor x in y:\n    pass\n```\n\nNo. | Text\n1 | rank'), [
    { code: false, text: "An index in a few lines." }, { code: true, text: "index = {}\n\nfor x in y:\n    pass" }, { code: false, text: "No. · Text 1 · rank" },
  ])
  assert.deepEqual(blocks("````md\n```\ninner\n```\n````"), [{ code: true, text: "```\ninner\n```" }])
  assert.deepEqual(blocks("~~~\ncut off"), [{ code: true, text: "cut off" }])
})

test("the beginning of a passage ends with a sign that there is more", () => {
  assert.deepEqual(beginning([{ code: false, text: "abcdef" }, { code: true, text: "ghijkl" }], 9), [{ code: false, text: "abcdef" }, { code: true, text: "gh…" }])
})

test("a kind is a word of the table, or the author's own with a capital, and is not said twice", () => {
  const source = (/** @type {string} */ kind, /** @type {string} */ title, number = "") => /** @type {any} */ ({ kind, title, number })
  assert.deepEqual(
    [source("tip", "Rare words"), source("case-study", "Ships"), source("theorem", "Theorem 2.1 (Falls)", "2.1"), source("section", "Ranking"), source("definition", "定义 1.2（倒排索引）", "1.2"), source("exercise", "2.3 Sums", "3")].map((one) => kindOf(one, en)),
    ["Tip", "Case study", "", "", "", "Exercise"],
  )
})

test("only questions written as the book is are proposed", () => {
  const questions = ["What is an index?", "什么是倒排索引？", "Что это?"]
  assert.deepEqual([inScript(questions, "en"), inScript(questions, "zh-Hans"), inScript(questions, "ru"), inScript(questions, "fr")], [["What is an index?"], ["什么是倒排索引？"], ["Что это?"], ["What is an index?"]])
})
