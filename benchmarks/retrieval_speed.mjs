// Measure index load and search inside Pyodide: node benchmarks/retrieval_speed.mjs INDEXES CORE_ZIP [SNOWBALL_ZIP]; prints JSON.
import { readFileSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { createRequire } from "node:module"

const require = createRequire(join(process.cwd(), "package.json"))
const { loadPyodide } = await import(require.resolve("pyodide"))
const [folder, ...zips] = process.argv.slice(2)
const pyodide = await loadPyodide({ indexURL: dirname(require.resolve("pyodide")) + "/" })
for (const zip of zips) pyodide.unpackArchive(readFileSync(zip), "zip", { extractDir: "/app" })

pyodide.runPython(`
import sys, time
sys.path.insert(0, "/app")
from askbook.core.index import load
from askbook.core.search import search

def measure_load(data, text):
    start = time.perf_counter()
    index = load(data.to_bytes())
    loaded = time.perf_counter() - start
    index.attach(next(iter(index.sides)), text.to_bytes())
    return index, 1000 * loaded

def measure(index, questions):
    times = []
    for question in questions:
        start = time.perf_counter()
        search([index], question)
        times.append(1000 * (time.perf_counter() - start))
    times.sort()
    return [times[len(times) // 2], times[int(len(times) * 0.95)], times[-1]]
`)
const measureLoad = pyodide.globals.get("measure_load")
const measure = pyodide.globals.get("measure")
const rows = []
for (const file of readdirSync(folder).filter((name) => name.endsWith(".index.json")).sort()) {
  const name = file.replace(".index.json", "")
  const data = readFileSync(join(folder, file))
  const text = readFileSync(join(folder, `${name}.text.json`))
  const questions = pyodide.toPy(JSON.parse(readFileSync(join(folder, `${name}.questions.json`), "utf8")))
  const parse = best(() => JSON.parse(new TextDecoder().decode(data)))
  const loads = [1, 2, 3].map(() => {
    const [index, load] = measureLoad(data, text)
    index.destroy()
    return load
  })
  const [index] = measureLoad(data, text)
  const cold = measure(index, questions).toJs()
  const warm = measure(index, questions).toJs()
  rows.push({ name, bytes: data.length, parse, load: Math.min(...loads), median: cold[0], p95: cold[1], worst: cold[2], warm: warm[0], warm95: warm[1] })
  index.destroy()
}
console.log(JSON.stringify(rows))

/** Best of three runs in milliseconds. */
function best(run) {
  return Math.min(...[1, 2, 3].map(() => {
    const start = performance.now()
    run()
    return performance.now() - start
  }))
}
