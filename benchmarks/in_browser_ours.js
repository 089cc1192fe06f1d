// Ours as the other libraries are measured: in a worker of the reader's browser, asked one question after another.
import { boot } from "./assets/askbook/worker/boot.js"

// What of a hit the others store beside it: its title. Their texts are not read, nor are ours.
const TITLES = `
import json
from askbook.core.search import search

def titles(question):
    return json.dumps([hit.index.titles[hit.ordinal] for hit in search(shelf, question, k=8).hits])
`

/** @param {{runtime: string, index: string, text: string}} from */
async function open({ runtime, index, text }) {
  const [{ pyodide }, ...files] = await Promise.all([boot(runtime, () => {}), ...[index, text].map(async (url) => (await fetch(url)).arrayBuffer())])
  const [told, prose] = files.map((file) => pyodide.pyimport("builtins").bytes(new Uint8Array(/** @type {ArrayBuffer} */ (file))))
  const book = pyodide.pyimport("askbook.core.index").load(told)
  book.attach(text.split("/").pop(), prose)
  pyodide.globals.set("shelf", pyodide.toPy([book]))
  pyodide.runPython(TITLES)
  const titles = pyodide.globals.get("titles")
  return (/** @type {string} */ question) => JSON.parse(titles(question)).length
}

/** @type {Promise<(question: string) => number>} */
let ask
addEventListener("message", async ({ data }) => {
  if (data.runtime) ask = open(data)
  else {
    const search = await ask
    const began = performance.now()
    const hits = search(data.question)
    postMessage({ hits, took: performance.now() - began })
  }
})
