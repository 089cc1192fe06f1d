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
import { compiler, packApp, packStdlib, packWholeStdlib, squeeze, toolSchemas } from "./python.mjs"

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..")
const VENDOR = join(ROOT, "client/vendor")
const PYODIDE = join(ROOT, "node_modules/pyodide")
/** Scripts of Pyodide and the names they are served under: some hosts give `.mjs` a type no browser runs. */
const SERVED_AS = { "pyodide.mjs": "pyodide.js", "pyodide.asm.mjs": "pyodide.asm.js" }
const MACHINE = "pyodide.asm.wasm"
const FORMAT = "askbook-runtime/2"

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
  const path = `${stem}-${hash(content)}.zip.zst`
  writeFileSync(join(VENDOR, path), content)
  return { path, bytes: content.length }
}

/**
 * Puts Pyodide, unchanged, into a folder named after its version and content; the large file of it packed.
 * @param {Awaited<ReturnType<typeof compiler>>} pyodide
 */
function placePyodide(pyodide) {
  const version = JSON.parse(readFileSync(join(PYODIDE, "package.json"), "utf8")).version
  const wasm = squeeze(pyodide, readFileSync(join(PYODIDE, MACHINE)))
  const contents = [...Object.keys(SERVED_AS).map((name) => readFileSync(join(PYODIDE, name))), wasm]
  for (const name of readdirSync(VENDOR)) if (name.startsWith("pyodide-")) rmSync(join(VENDOR, name), { recursive: true })
  const folder = `pyodide-${version}-${hash(...contents)}`
  mkdirSync(join(VENDOR, folder))
  for (const [name, served] of Object.entries(SERVED_AS)) cpSync(join(PYODIDE, name), join(VENDOR, folder, served))
  writeFileSync(join(VENDOR, folder, `${MACHINE}.zst`), wasm)
  const { info } = JSON.parse(readFileSync(join(PYODIDE, "pyodide-lock.json"), "utf8"))
  return { version, folder: `${folder}/`, info, wasm: { path: `${folder}/${MACHINE}.zst`, bytes: wasm.length } }
}

async function main() {
  const appOnly = process.argv[2] === "app" && existsSync(join(VENDOR, "runtime.json"))
  mkdirSync(VENDOR, { recursive: true })
  const found = appOnly ? JSON.parse(readFileSync(join(VENDOR, "runtime.json"), "utf8")) : null
  const before = found?.format === FORMAT ? found : null
  const pyodide = await compiler()
  const { app, needs } = packApp(pyodide)
  const same = before && JSON.stringify(before.modules) === JSON.stringify(needs)
  const manifest = {
    format: FORMAT,
    pyodide: before?.pyodide ?? placePyodide(pyodide),
    stdlib: same ? before.stdlib : place("python", packStdlib(pyodide, needs)),
    app: place("app", app),
    sandbox: before?.sandbox ?? place("sandbox", packWholeStdlib(pyodide)),
    modules: needs,
  }
  writeFileSync(join(VENDOR, "tools.json"), `${toolSchemas(pyodide)}\n`)
  writeFileSync(join(VENDOR, "runtime.json"), `${JSON.stringify(manifest, null, 1)}\n`)
  if (!before) packLibraries(join(ROOT, "node_modules"), VENDOR)
  console.log(`client/vendor: app ${manifest.app.bytes}, stdlib ${manifest.stdlib.bytes} bytes, ${needs.length} standard modules`)
}

main().catch((error) => {
  console.error(`client/vendor is not packed: ${error.type ? error.message.trim().split("\n").slice(-4).join("\n") : error.stack}`)
  process.exitCode = 1
})
