// Ours as the other libraries are measured: in a worker of the reader's browser, asked one question after another.
import { boot } from "./assets/askbook/worker/boot.js"

/** @param {{runtime: string, index: string, text: string}} from */
async function open({ runtime, index, text }) {
  const [{ pyodide }, ...files] = await Promise.all([boot(runtime, () => {}), ...[index, text].map(async (url) => (await fetch(url)).arrayBuffer())])
  const [told, prose] = files.map((file) => pyodide.pyimport("builtins").bytes(new Uint8Array(/** @type {ArrayBuffer} */ (file))))
  const book = pyodide.pyimport("askbook.core.index").load(told)
  book.attach(text.split("/").pop(), prose)
  const shelf = pyodide.toPy([book])
  const { search } = pyodide.pyimport("askbook.core.search")
  return (/** @type {string} */ question) => search.callKwargs(shelf, question, { k: 8 }).hits.length
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
