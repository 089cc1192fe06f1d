/** Packs Python for the browser: sources in, two archives out, compiled by Pyodide itself. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { loadPyodide } from "pyodide"

const HERE = dirname(fileURLToPath(import.meta.url))
const ROOT = resolve(HERE, "../..")
const THIRD_PARTY = ["markdown_it", "mdit_py_plugins", "mdurl"]

/**
 * Every Python file under a folder.
 * @param {string} folder
 * @returns {string[]} paths below it, in order
 */
function pythonFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".py") && !path.includes("__pycache__"))
    .map((path) => path.split(sep).join("/"))
    .sort()
}

/** The interpreter whose environment holds the third-party sources: `PYTHON`, the project's own, or the one on the path. */
export function interpreter() {
  const own = join(ROOT, ".venv/bin/python")
  return process.env.PYTHON || (existsSync(own) ? own : "python3")
}

/**
 * Where the interpreter's environment keeps the packages that travel.
 * @returns {Record<string, string>} package to folder
 */
function thirdParty() {
  const ask = `import importlib.util, json; print(json.dumps({n: importlib.util.find_spec(n).submodule_search_locations[0] for n in ${JSON.stringify(THIRD_PARTY)}}))`
  return JSON.parse(execFileSync(interpreter(), ["-c", ask], { encoding: "utf8" }))
}

/** @returns {Record<string, string>} archive path to source text, for all that may travel */
export function sources() {
  /** @type {Record<string, string>} */
  const found = {}
  const core = join(ROOT, "client/py")
  for (const path of pythonFiles(core)) found[`askbook/core/${path}`] = readFileSync(join(core, path), "utf8")
  for (const path of pythonFiles(join(ROOT, "client/worker"))) {
    found[`askbook/reader/${path}`] = readFileSync(join(ROOT, "client/worker", path), "utf8")
  }
  for (const [name, folder] of Object.entries(thirdParty())) {
    for (const path of pythonFiles(folder)) found[`${name}/${path}`] = readFileSync(join(folder, path), "utf8")
  }
  return found
}

/** Boots the runtime that compiles; the fixed hash seed keeps the order of constants, and no columns are kept beside the lines. */
export async function compiler() {
  const indexURL = join(ROOT, "node_modules/pyodide") + sep
  const pyodide = await loadPyodide({ indexURL, env: { PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1", HOME: "/home/pyodide" } })
  pyodide.FS.mkdirTree("/pack")
  pyodide.FS.writeFile("/pack/packing.py", readFileSync(join(HERE, "compile.py")))
  pyodide.FS.writeFile("/pack/noting.py", readFileSync(join(HERE, "noting.py")))
  pyodide.pyimport("sys").path.append("/pack")
  return pyodide
}

/**
 * Compiles the application.
 * @param {Awaited<ReturnType<typeof compiler>>} pyodide
 * @returns {{app: Uint8Array, needs: string[]}} the archive, and the standard modules it needs
 */
export function packApp(pyodide) {
  const files = sources()
  for (const [path, text] of Object.entries(files)) {
    pyodide.FS.mkdirTree(`/src/${dirname(path)}`)
    pyodide.FS.writeFile(`/src/${path}`, text)
  }
  const given = pyodide.toPy(files)
  const packing = pyodide.pyimport("packing")
  const [app, needs] = packing.pack_app(given).toJs()
  return { app, needs: new TextDecoder().decode(needs).split("\n") }
}

/**
 * Compiles the standard modules named.
 * @param {Awaited<ReturnType<typeof compiler>>} pyodide
 * @param {string[]} names
 * @returns {Uint8Array}
 */
export function packStdlib(pyodide, names) {
  return pyodide.pyimport("packing").pack_stdlib(pyodide.toPy(names)).toJs()
}

/**
 * Compiles the whole standard library, for the programs of a model.
 * @param {Awaited<ReturnType<typeof compiler>>} pyodide
 * @returns {Uint8Array}
 */
export function packWholeStdlib(pyodide) {
  return pyodide.pyimport("packing").pack_whole_stdlib().toJs()
}

/**
 * Packs a file; any machine makes the same of it.
 * @param {Awaited<ReturnType<typeof compiler>>} pyodide
 * @param {Uint8Array} content
 * @returns {Uint8Array}
 */
export function squeeze(pyodide, content) {
  return pyodide.pyimport("packing").squeeze(new Uint8Array(content), 18).toJs()
}

/**
 * The tools as an agent of the browser is told of them.
 * @param {Awaited<ReturnType<typeof compiler>>} pyodide
 * @returns {string} JSON
 */
export function toolSchemas(pyodide) {
  return pyodide.pyimport("packing").tool_schemas()
}

/** @param {string} path @returns {string} the path below the project, for messages */
export const shown = (path) => relative(ROOT, path)
