/** What the keyword search reads and finds: `node keywords.mjs INDEX TEXT QUESTIONS` prints the cards, and the addresses of the hits. */
import { readFileSync } from "node:fs"
import { Keywords, cardsOf } from "../../client/worker/keywords.js"

const [index, text, questions] = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, "utf8")))
const book = new Keywords(index, text.texts)
const hits = questions.map((/** @type {string} */ question) => book.search(question, 10).map(({ url, score }) => [url, score]))
process.stdout.write(JSON.stringify({ cards: cardsOf(index), hits }))
