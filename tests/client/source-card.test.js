import assert from "node:assert/strict"
import { test } from "node:test"
import { bestCitation, parted } from "../../client/elements/source-card.js"

const citation = (/** @type {number} */ n, /** @type {any} */ support) => ({ n, support, quote: "", url: "", sentence: "" })

test("a source shows the best of what the answer says with it", () => {
  const citations = [citation(1, "missing"), citation(1, "quoted"), citation(2, "loose"), citation(1, "loose")]
  assert.deepEqual([bestCitation(citations, 1)?.support, bestCitation(citations, 2)?.support, bestCitation(citations, 3)], ["quoted", "loose", undefined])
})

test("matched words are set off with their endings, and only as words", () => {
  assert.deepEqual(parted("Compactness, incompact C++ 紧集", ["compact", "C++", "紧"]), [
    { text: "Compactness", matched: true }, { text: ", incompact ", matched: false }, { text: "C++", matched: true }, { text: " ", matched: false },
    { text: "紧", matched: true }, { text: "集", matched: false },
  ])
  assert.deepEqual(parted("nothing", []), [{ text: "nothing", matched: false }])
})
