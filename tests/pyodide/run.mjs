/**
 * The packed runtime under Node: the core answers as under CPython, and everything the page calls can be imported.
 *
 *     PYTHON=path/to/python node tests/pyodide/run.mjs
 */
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"
import { decompress } from "fzstd"
import { loadPyodide } from "pyodide"
import { interpreter } from "../../client/pack/python.mjs"
import { pump } from "../../client/worker/pump.js"

const HERE = dirname(fileURLToPath(import.meta.url))
const ROOT = resolve(HERE, "../..")
const VENDOR = join(ROOT, "client/vendor")
const manifest = JSON.parse(readFileSync(join(VENDOR, "runtime.json"), "utf8"))

/** Boots what a reader's browser boots: the pruned library and the compiled application. */
async function boot() {
  return loadPyodide({
    indexURL: join(ROOT, "node_modules/pyodide/"),
    stdLibURL,
    lockFileContents: { info: manifest.pyodide.info, packages: {} },
    packageBaseUrl: "/",
    enableRunUntilComplete: false,
    env: { HOME: "/home/pyodide", PYTHONPATH: "/lib/askbook.zip", PYTHONHASHSEED: "0" },
    fsInit: async (FS) => FS.writeFile("/lib/askbook.zip", decompress(readFileSync(join(VENDOR, manifest.app.path)))),
  })
}

/** Boots as the worker does: what was computed while packing is put in first. */
async function bootNoted() {
  const other = await boot()
  assert.ok(other.pyimport("askbook.reader.noted").begin() > 200)
  return other
}

/** @param {string} path @returns {Uint8Array} a plain array, which Python can take */
const bytes = (path) => new Uint8Array(readFileSync(path))

const folder = mkdtempSync(join(tmpdir(), "askbook-"))
const stdLibURL = join(folder, "stdlib.zip")
writeFileSync(stdLibURL, decompress(readFileSync(join(VENDOR, manifest.stdlib.path))))
const pyodide = await bootNoted()

test("a memory snapshot finds room to spare: the heap has not grown when the core is imported", async () => {
  const other = await bootNoted()
  const { HEAPU8 } = other._module
  other.pyimport("askbook.reader.warm")
  assert.equal(other._module.HEAPU8.length, HEAPU8.length)
  assert.ok(HEAPU8.length - other._module._sbrk(0) > 3 << 20)
})

test("every pattern that was compiled while packing equals the one that would be compiled here", async () => {
  const other = await boot()
  const said = other.runPython(`
import marshal
from askbook.reader import noted
_, patterns, methods = marshal.loads(noted.__loader__.get_data("/lib/askbook.zip/askbook/reader/notes.bin"))
asked = list(patterns)
given = noted.Noted(dict(patterns), {})
wrong = [source for source, flags in asked if given.pattern(source, flags) != noted.compile_anew(source, flags)]
def alike(one, other):
    if not hasattr(one, "co_code"):
        return one == other
    return one.co_code == other.co_code and all(map(alike, one.co_consts, other.co_consts))
unlike = [text for text, code in methods.items() if not alike(compile(text, "<string>", "exec", dont_inherit=True, optimize=2), code)]
str((len(asked) > 150, len(methods) > 50, given.used == len(asked), wrong, unlike))
`)
  assert.equal(said, "(True, True, True, [], [])")
})

test("every character encoding the sources name came along", () => {
  const named = new Set(["client/py", "client/worker"].flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".py"))
    .flatMap((path) => [...readFileSync(join(ROOT, folder, path), "utf8").matchAll(/\b(?:en|de)code\("([\w-]+)"/g)].map((found) => found[1]))))
  assert.ok(named.size > 3)
  for (const name of named) pyodide.pyimport("codecs").lookup(name)
})

test("the core in the packed runtime answers as it does under CPython, letter by letter", () => {
  execFileSync(interpreter(), [join(HERE, "prepare.py"), folder], { cwd: HERE, stdio: ["ignore", "ignore", "inherit"] })
  pyodide.FS.mkdirTree("/probe")
  pyodide.FS.writeFile("/probe/probe.py", readFileSync(join(HERE, "probe.py")))
  pyodide.pyimport("sys").path.append("/probe")
  const files = pyodide.toPy({})
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".json"))) files.set(name, pyodide.pyimport("builtins").bytes(bytes(join(folder, name))))
  const said = JSON.parse(pyodide.pyimport("probe").probe(files))
  assert.deepEqual(said, JSON.parse(readFileSync(join(folder, "expected.txt"), "utf8")))
})

test("BM25 is the same here, under CPython and by rank-bm25, to a millionth", () => {
  pyodide.FS.writeFile("/probe/parity.py", readFileSync(join(HERE, "parity.py")))
  const data = pyodide.pyimport("builtins").bytes(bytes(join(folder, "parity.index")))
  /** @type {number[][]} */
  const here = JSON.parse(pyodide.pyimport("parity").probe(data))
  for (const there of JSON.parse(readFileSync(join(folder, "parity.txt"), "utf8"))) {
    assert.deepEqual(there.map((/** @type {number[]} */ row) => row.length), here.map((row) => row.length))
    assert.ok(here.flat().every((score, at) => Math.abs(score - there.flat()[at]) <= 1e-6))
  }
  assert.ok(here.flat().filter((score) => score > 0).length > 100)
})

test("the worker answers a question without a model, and its frames end with the exchange", async () => {
  const reader = pyodide.pyimport("askbook.reader.worker")
  reader.begin("https://example.org/books/", fetch, pump)
  const name = "books-probe"
  const { sides } = JSON.parse(reader.open_book(name, bytes(join(folder, `${name}.json`))))
  for (const side of Object.keys(sides)) reader.attach(name, side, bytes(join(folder, side)))
  const question = {
    question: "What is an inverted index?", mode: "retrieve", model: null, books: [name], history: [], sources: [], lang: "en",
    page: { url: "https://example.org/books/one/", title: "One", lang: "en" }, passages: 8, contextLimit: 6000, answerLimit: 4096, temperature: 0.3, prefix: "p",
  }
  /** @type {any[]} */
  const frames = []
  await reader.ask("x", JSON.stringify(question), (/** @type {string} */ json) => frames.push(JSON.parse(json)), async () => "{}")
  const events = frames.flatMap((frame) => frame.events)
  assert.deepEqual([events[0].type, events.at(-1).type, events.at(-1).state], ["exchange-start", "exchange-end", "completed"])
  assert.match(frames.flatMap((frame) => frame.patches).map((patch) => patch.html).join(""), /map from every term.*cite-ref/s)
  assert.deepEqual(JSON.parse(await reader.call("outline", "{}")).map((/** @type {any} */ chapter) => chapter.title), ["Chapter 1"])
})

test("a question that was stopped and is asked again under its name can be stopped again", async () => {
  const reader = pyodide.pyimport("askbook.reader.worker")
  /** @type {string[]} */
  const sent = []
  /** @param {string} url @param {RequestInit} options */
  const silent = (url, { signal }) => new Promise((_, refuse) => {
    sent.push(url)
    signal?.addEventListener("abort", () => refuse(new DOMException("stopped", "AbortError")))
  })
  reader.begin("https://example.org/books/", silent, pump)
  const question = {
    question: "What is an inverted index?", mode: "retrieve", model: { endpoint: "https://models.example/v1", model: "m" }, books: ["books-probe"], history: [], sources: [],
    lang: "en", page: { url: "https://example.org/books/one/", title: "One", lang: "en" }, passages: 8, contextLimit: 6000, answerLimit: 4096, temperature: 0.3, prefix: "p",
  }
  const ask = async () => {
    /** @type {any[]} */
    const events = []
    await reader.ask("same", JSON.stringify(question), (/** @type {string} */ json) => events.push(...JSON.parse(json).events), async () => "{}")
    return events.at(-1).state
  }
  /** @param {number} count */
  const asked = async (count) => {
    while (sent.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const first = ask()
  await asked(1)
  reader.stop("same")
  const second = ask()
  assert.equal(await first, "aborted")
  await asked(2)
  reader.stop("same")
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let patience
  const late = new Promise((resolve) => (patience = setTimeout(resolve, 5_000, "not stopped")))
  assert.equal(await Promise.race([second, late]), "aborted")
  clearTimeout(patience)
})

process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
