/**
 * Fills `client/vendor/`: the Python runtime, our compiled code, and the page's libraries, with content hashes in their names.
 *
 *     node client/pack/pack.mjs          everything
 *     node client/pack/pack.mjs app      our Python alone (after a change of the core)
 */
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { packLibraries } from "./libraries.mjs"
import { compiler, packApp, packStdlib, packWholeStdlib, toolSchemas } from "./python.mjs"

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..")
const VENDOR = join(ROOT, "client/vendor")
const PYODIDE = join(ROOT, "node_modules/pyodide")
/** Files of Pyodide and the names they are served under: some hosts give `.mjs` a type no browser runs. */
const SERVED_AS = { "pyodide.mjs": "pyodide.js", "pyodide.asm.mjs": "pyodide.asm.js", "pyodide.asm.wasm": "pyodide.asm.wasm" }

/** @param {...Uint8Array} parts @returns {string} twelve hex digits that name the content */
function hash(...parts) {
  const sum = createHash("sha256")
  for (const part of parts) sum.update(part)
  return sum.digest("hex").slice(0, 12)
}

/**
 * Writes one file under a name that carries its hash, and takes older ones of its stem away.
 * @param {string} stem
 * @param {Uint8Array} content
 * @returns {{path: string, bytes: number}}
 */
function place(stem, content) {
  for (const name of readdirSync(VENDOR)) if (name.startsWith(`${stem}-`)) rmSync(join(VENDOR, name), { recursive: true })
  const path = `${stem}-${hash(content)}.zip.gz`
  writeFileSync(join(VENDOR, path), content)
  return { path, bytes: content.length }
}

/** Copies Pyodide unchanged into a folder named after its version and content. */
function placePyodide() {
  const version = JSON.parse(readFileSync(join(PYODIDE, "package.json"), "utf8")).version
  const contents = Object.keys(SERVED_AS).map((name) => readFileSync(join(PYODIDE, name)))
  for (const name of readdirSync(VENDOR)) if (name.startsWith("pyodide-")) rmSync(join(VENDOR, name), { recursive: true })
  const folder = `pyodide-${version}-${hash(...contents)}`
  mkdirSync(join(VENDOR, folder))
  for (const [name, served] of Object.entries(SERVED_AS)) cpSync(join(PYODIDE, name), join(VENDOR, folder, served))
  const [loader, module, wasm] = contents.map((content) => content.length)
  const { info } = JSON.parse(readFileSync(join(PYODIDE, "pyodide-lock.json"), "utf8"))
  return { version, folder: `${folder}/`, info, bytes: { loader, module, wasm } }
}

async function main() {
  const appOnly = process.argv[2] === "app" && existsSync(join(VENDOR, "runtime.json"))
  mkdirSync(VENDOR, { recursive: true })
  const before = appOnly ? JSON.parse(readFileSync(join(VENDOR, "runtime.json"), "utf8")) : null
  const pyodide = await compiler()
  const { app, needs } = packApp(pyodide)
  const same = before && JSON.stringify(before.modules) === JSON.stringify(needs)
  const manifest = {
    format: "askbook-runtime/1",
    pyodide: before?.pyodide ?? placePyodide(),
    stdlib: same ? before.stdlib : place("python", packStdlib(pyodide, needs)),
    app: place("app", app),
    sandbox: before?.sandbox ?? place("sandbox", packWholeStdlib(pyodide)),
    modules: needs,
  }
  writeFileSync(join(VENDOR, "tools.json"), `${toolSchemas(pyodide)}\n`)
  writeFileSync(join(VENDOR, "runtime.json"), `${JSON.stringify(manifest, null, 1)}\n`)
  if (!appOnly) packLibraries(join(ROOT, "node_modules"), VENDOR)
  console.log(`client/vendor: app ${manifest.app.bytes}, stdlib ${manifest.stdlib.bytes} bytes, ${needs.length} standard modules`)
}

main().catch((error) => {
  console.error(`client/vendor is not packed: ${error.type ? error.message.trim().split("\n").slice(-4).join("\n") : error.stack}`)
  process.exitCode = 1
})
