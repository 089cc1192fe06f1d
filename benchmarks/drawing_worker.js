// The worker's part of a growing answer, in the reader's runtime: told an answer, it says how long each of its drawings took.
import { boot } from "./client/worker/boot.js"

const GROW = `
import json
from time import perf_counter
from askbook.core.render import AnswerView, render_answer

def grow(text, site, sources, prefix, pieces):
    view, times, at = AnswerView(site=site, sources=sources, prefix=prefix), [], 0
    for size in json.loads(pieces):
        began = perf_counter()
        patches = view.feed(text[at : at + size])
        json.dumps([patch.to_json() for patch in patches], ensure_ascii=False)
        times.append(perf_counter() - began)
        at += size
    began = perf_counter()
    view.finish()
    return json.dumps([*times, perf_counter() - began])
`

/** @type {Promise<any> | undefined} */
let python
addEventListener("message", async ({ data }) => {
  python ??= boot(data.runtime, () => {}).then(({ pyodide }) => {
    pyodide.runPython(GROW)
    return pyodide.globals.get("grow")
  })
  const grow = await python
  postMessage(JSON.parse(grow(data.text, data.site, data.sources, data.prefix, JSON.stringify(data.pieces))))
})
