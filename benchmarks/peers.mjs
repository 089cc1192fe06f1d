// Search libraries for JavaScript on the text given: node benchmarks/peers.mjs CARDS.json QUESTIONS.json [LIBRARY…]; prints one line
// of JSON.
// Chinese comes as pairs of characters, parted by spaces, so that every library sees the same terms.
import { readFileSync } from "node:fs"

const [cardsFile, questionsFile, ...wanted] = process.argv.slice(2)
const cards = JSON.parse(readFileSync(cardsFile, "utf8"))
const questions = JSON.parse(readFileSync(questionsFile, "utf8"))

/** MiniSearch, with what a site says of how to search. @param {object} how */
const minisearch = async (how) => {
  const { default: MiniSearch } = await import("minisearch")
  const options = { fields: ["title", "text"], storeFields: ["title"] }
  return {
    build: () => {
      const index = new MiniSearch(options)
      index.addAll(cards)
      return index
    },
    save: JSON.stringify,
    load: (text) => MiniSearch.loadJSON(text, options),
    search: (index, question) => index.search(question, how).slice(0, 8),
  }
}

/** Each: `build` makes an index, `save` text of it, `load` an index of that text, `search` the hits of a question. */
const PEERS = {
  minisearch: () => minisearch({}),
  // As VitePress sets it up for its sites: beginnings of words, slips of spelling, titles first.
  "minisearch-fuzzy": () => minisearch({ prefix: true, fuzzy: 0.2, boost: { title: 4, text: 2 } }),
  async lunr() {
    const { default: lunr } = await import("lunr")
    return {
      build: () =>
        lunr(function () {
          this.ref("id")
          this.field("title", { boost: 10 })
          this.field("text")
          for (const card of cards) this.add(card)
        }),
      save: JSON.stringify,
      load: (text) => lunr.Index.load(JSON.parse(text)),
      search: (index, question) =>
        index.query((query) => {
          for (const term of question.toLowerCase().split(/[^\p{L}\p{N}]+/u)) if (term) query.term(term)
        }),
    }
  },
  async flexsearch() {
    const { Document } = await import("flexsearch")
    const made = () => new Document({ document: { id: "id", index: ["title", "text"] } })
    return {
      build: () => {
        const index = made()
        for (const card of cards) index.add(card)
        return index
      },
      save: (index) => {
        const parts = []
        index.export((key, data) => void parts.push([key, data]))
        return JSON.stringify(parts)
      },
      load: (text) => {
        const index = made()
        for (const [key, data] of JSON.parse(text)) index.import(key, data)
        return index
      },
      search: (index, question) => index.search(question, { limit: 20, suggest: true }),
    }
  },
  async orama() {
    const { create, insertMultiple, load, save, search } = await import("@orama/orama")
    const made = () => create({ schema: { title: "string", text: "string" } })
    return {
      build: async () => {
        const index = made()
        await insertMultiple(index, cards)
        return index
      },
      save: (index) => JSON.stringify(save(index)),
      load: (text) => {
        const index = made()
        load(index, JSON.parse(text))
        return index
      },
      search: (index, question) => search(index, { term: question, limit: 20 }),
    }
  },
}

/** User time of this process while `run` runs, in milliseconds. */
async function processorTime(run) {
  const start = process.cpuUsage()
  await run()
  return process.cpuUsage(start).user / 1000
}

/** What one library needs. */
async function measure(open) {
  const peer = await open()
  let index
  const build = await processorTime(async () => (index = await peer.build()))
  const text = peer.save(index)
  const loads = []
  for (let turn = 0; turn < (cards.length > 10_000 ? 1 : 3); turn++) loads.push(await processorTime(async () => (index = await peer.load(text))))
  // One half goes ahead, since the engine compiles what runs often; of the other half every question is new.
  const [ahead, asked] = [0, 1].map((rest) => questions.filter((_, at) => at % 2 === rest))
  for (const question of ahead) await peer.search(index, question)
  const times = []
  let found = 0
  for (const question of asked) {
    let hits
    times.push(await processorTime(async () => (hits = await peer.search(index, question))))
    if ((hits.length ?? hits.count) > 0) found += 1
  }
  times.sort((one, other) => one - other)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
  return { build, bytes: text.length, load: Math.min(...loads), median: at(0.5), p95: at(0.95), found: found / asked.length }
}

const rows = {}
for (const [name, open] of Object.entries(PEERS).filter(([name]) => !wanted.length || wanted.includes(name))) {
  try {
    rows[name] = await measure(open)
  } catch (error) {
    rows[name] = { skipped: String(error.message ?? error).split("\n")[0] }
  }
}
console.log(JSON.stringify(rows))
