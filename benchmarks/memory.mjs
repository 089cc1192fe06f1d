// The reader's runtime with one book: node benchmarks/memory.mjs VENDOR INDEX TEXT QUESTIONS; prints one line of JSON.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { decompress } from "fzstd"

const require = createRequire(join(process.cwd(), "package.json"))
const runtime = dirname(require.resolve("pyodide"))
const { loadPyodide } = await import(join(runtime, "pyodide.mjs"))
const [vendor, indexFile, textFile, questionsFile] = process.argv.slice(2)
const manifest = JSON.parse(readFileSync(join(vendor, "runtime.json"), "utf8"))
const folder = mkdtempSync(join(tmpdir(), "askbook-"))
writeFileSync(join(folder, "stdlib.zip"), decompress(readFileSync(join(vendor, manifest.stdlib.path))))
const pyodide = await loadPyodide({
  indexURL: `${runtime}/`,
  stdLibURL: join(folder, "stdlib.zip"),
  lockFileContents: { info: manifest.pyodide.info, packages: {} },
  env: { HOME: "/home/pyodide", PYTHONPATH: "/lib/askbook.zip", PYTHONHASHSEED: "0" },
  fsInit: async (FS) => FS.writeFile("/lib/askbook.zip", decompress(readFileSync(join(vendor, manifest.app.path)))),
})
rmSync(folder, { recursive: true })
const heap = () => pyodide._module.HEAPU8.length
const used = () => pyodide._module._sbrk(0)
const bare = { heap: heap(), used: used() }
pyodide.pyimport("askbook.reader.warm")
const core = { heap: heap(), used: used() }

pyodide.runPython(`
from askbook.core.index import load
from askbook.core.search import search
held = []
def open_book(data):
    held.append(load(data.to_bytes()))
def attach(data):
    held[0].attach(next(iter(held[0].sides)), data.to_bytes())
def ask(question):
    return [hit.card.text for hit in search(held, question).hits]
`)
const call = (name, argument) => pyodide.globals.get(name)(argument)
const bytes = (file) => new Uint8Array(readFileSync(file))
call("open_book", bytes(indexFile))
const loaded = { heap: heap(), used: used() }
call("attach", bytes(textFile))
for (const question of JSON.parse(readFileSync(questionsFile, "utf8"))) call("ask", question).destroy()
console.log(JSON.stringify({ bare, core, loaded, asked: { heap: heap(), used: used() } }))
