// Measure index load and search inside Pyodide: node benchmarks/retrieval_speed.mjs FOLDER ZIP; prints one line of JSON.
import { readFileSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { createRequire } from "node:module"

const require = createRequire(join(process.cwd(), "package.json"))
const runtime = dirname(require.resolve("pyodide"))
const { loadPyodide } = await import(join(runtime, "pyodide.mjs"))
const [folder, core] = process.argv.slice(2)
const pyodide = await loadPyodide({ indexURL: runtime + "/" })
pyodide.unpackArchive(bytes(core), "zip", { extractDir: "/app" })

pyodide.runPython(`
import json, sys
sys.path.insert(0, "/app")
from askbook.core.index import load
from askbook.core.search import search

def read_index(data):
    return load(data.to_bytes())

def attach(index, text):
    index.attach(next(iter(index.sides)), text.to_bytes())

def ask(index, question):
    return json.dumps([hit.index.titles[hit.ordinal] for hit in search([index], question).hits])
`)
const readIndex = pyodide.globals.get("read_index")
const attach = pyodide.globals.get("attach")
const ask = pyodide.globals.get("ask")
const rows = []
const files = readdirSync(folder).filter((name) => name.endsWith(".index.json")).sort()
for (const [place, file] of [files[0], ...files].entries()) {
  const name = file.replace(".index.json", "")
  const data = bytes(join(folder, file))
  const text = bytes(join(folder, `${name}.text.json`))
  const questions = JSON.parse(readFileSync(join(folder, `${name}.questions.json`), "utf8"))
  const parse = best(() => JSON.parse(new TextDecoder().decode(data)))
  const load = best(() => readIndex(data).destroy())
  const index = readIndex(data)
  attach(index, text)
  // One half goes ahead, since the engine compiles what runs often; of the other half every question is new.
  const [ahead, asked] = [0, 1].map((rest) => questions.filter((_, at) => at % 2 === rest))
  measure(index, ahead)
  const cold = measure(index, asked)
  const warm = measure(index, asked)
  const found = questions.filter((question) => ask(index, question) !== "[]").length / questions.length
  // The first file is measured twice: the engine compiles the runtime while it runs.
  if (place) rows.push({ name, bytes: data.length, parse, load, median: cold[0], p95: cold[1], worst: cold[2], warm: warm[0], warm95: warm[1], found })
  index.destroy()
}
console.log(JSON.stringify(rows))

/** Median, 95th percentile and worst processor time of a question in milliseconds, whatever else the machine does. */
function measure(index, questions) {
  const times = questions.map((question) => processorTime(() => ask(index, question))).sort((one, other) => one - other)
  return [times[times.length >> 1], times[Math.floor(times.length * 0.95)], times.at(-1)]
}

/** User time of this process while `run` runs. */
function processorTime(run) {
  const start = process.cpuUsage()
  run()
  return process.cpuUsage(start).user / 1000
}

/** A file as plain bytes: Pyodide does not take Node's buffers. */
function bytes(file) {
  return new Uint8Array(readFileSync(file))
}

/** Milliseconds of a run: the best of three rounds, each of as many runs as the clock needs to tell them. */
function best(run) {
  run()
  const rounds = [1, 2, 3].map(() => {
    let [runs, total] = [0, 0]
    for (; total < 30; runs++) total += processorTime(run)
    return total / runs
  })
  return Math.min(...rounds)
}
