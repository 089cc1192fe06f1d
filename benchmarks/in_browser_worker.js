// One library in a worker of the reader's browser: told which, it fetches its code and its index; asked, it says how many hits.
const at = (/** @type {string} */ path) => new URL(path, location.href).href
const read = async (/** @type {string} */ url) => (await fetch(url)).json()

/** @type {Record<string, (index: string) => Promise<(question: string) => number | Promise<number>>>} */
const OPEN = {
  async minisearch(index) {
    const { default: MiniSearch } = await import(at("lib/minisearch/dist/es/index.js"))
    const made = MiniSearch.loadJS(await read(index), { fields: ["title", "text"], storeFields: ["title"] })
    return (question) => made.search(question).slice(0, 8).map((/** @type {any} */ hit) => hit.title).length
  },
  // As MkDocs' own worker does: the index is made of the texts when the page is opened.
  async lunr(index) {
    const { default: lunr } = await import(at("lib/lunr.js"))
    const { docs } = await read(index)
    const made = lunr(function () {
      this.ref("location")
      this.field("title")
      this.field("text")
      for (const doc of docs) this.add(doc)
    })
    return (question) => {
      try {
        return made.search(question).length
      } catch {
        return 0 // a colon in a question is syntax to it
      }
    }
  },
  async flexsearch(index) {
    const { Document } = await import(at("lib/flexsearch/dist/flexsearch.bundle.module.min.mjs"))
    const made = new Document({ document: { id: "id", index: ["title", "text"] } })
    for (const [key, data] of await read(index)) made.import(key, data)
    return (question) => new Set(made.search(question, { limit: 20, suggest: true }).flatMap((/** @type {any} */ field) => field.result)).size
  },
  async orama(index) {
    const { create, load, search } = await import(at("lib/@orama/orama/dist/browser/index.js"))
    const made = create({ schema: { title: "string", text: "string" } })
    load(made, await read(index))
    return async (question) => (await search(made, { term: question, limit: 20 })).count
  },
}

/** @type {Promise<(question: string) => number | Promise<number>>} */
let search
addEventListener("message", async ({ data }) => {
  if (data.library) search = OPEN[data.library](data.index)
  else {
    const find = await search
    const began = performance.now()
    const hits = await find(data.question)
    postMessage({ hits, took: performance.now() - began })
  }
})
