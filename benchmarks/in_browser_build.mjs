// Indexes of the other libraries as a site would serve them: node benchmarks/in_browser_build.mjs CARDS.json OUT
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Document } from "flexsearch"
import MiniSearch from "minisearch"
import { create, insertMultiple, save } from "@orama/orama"

const [cardsFile, out] = process.argv.slice(2)
const cards = JSON.parse(readFileSync(cardsFile, "utf8"))
/** @param {string} name @param {unknown} index */
const write = (name, index) => writeFileSync(join(out, `${name}.json`), JSON.stringify(index))

const minisearch = new MiniSearch({ fields: ["title", "text"], storeFields: ["title"] })
minisearch.addAll(cards)
write("minisearch", minisearch)

const flexsearch = new Document({ document: { id: "id", index: ["title", "text"] } })
for (const card of cards) flexsearch.add(card)
/** @type {[string, string][]} */
const parts = []
flexsearch.export((key, data) => void parts.push([key, data]))
write("flexsearch", parts)

const orama = create({ schema: { title: "string", text: "string" } })
await insertMultiple(orama, cards)
write("orama", save(orama))

// MkDocs sends the texts, and its worker makes the index.
write("lunr", { docs: cards.map((/** @type {any} */ card) => ({ location: card.id, title: card.title, text: card.text })) })
