/**
 * The core's own test suite under pytest inside Pyodide: what readers run is what is tested.
 *
 *     PYTHON=path/to/python node tests/pyodide/suite.mjs [pytest's arguments]
 */
import { execFileSync } from "node:child_process"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { loadPyodide } from "pyodide"
import { interpreter } from "../../client/pack/python.mjs"
import { host } from "./host.mjs"

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..")
const SITE_PACKAGES = execFileSync(interpreter(), ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], { encoding: "utf8" }).trim()
/** Package of `askbook` → its folder, as `pyproject.toml` maps them. */
const MAPPED = { core: "client/py", builder: "builder", site_plugin: "site_plugin", mcp_server: "mcp_server", terminal: "terminal", client: "client", examples: "examples" }
/** What cannot run here: NumPy behind the reference, a second program, the builder's other libraries. */
const ELSEWHERE = ["--deselect=tests/core/test_bm25.py::test_scores_agree_with_rank_bm25", "--deselect=tests/core/test_bm25.py::test_scores_of_a_written_index_agree_with_rank_bm25", "--deselect=tests/core/test_links.py::test_the_result_is_what_a_browser_would_write", "-m", "not shared"]

const pyodide = await loadPyodide({ enableRunUntilComplete: false, env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1" } })
const { FS } = pyodide
for (const [at, root] of [["/checkout", ROOT], ["/packages", SITE_PACKAGES]]) {
  FS.mkdirTree(at)
  FS.mount(FS.filesystems.NODEFS, { root }, at)
}
FS.mkdirTree("/mapped/askbook")
for (const [name, folder] of Object.entries(MAPPED)) FS.symlink(`/checkout/${folder}`, `/mapped/askbook/${name}`)
pyodide.registerJsModule("host_python", { call: host(interpreter()) })
pyodide.pyimport("sys").path.append("/packages")
pyodide.pyimport("sys").path.append("/checkout/tests/pyodide")
const chosen = process.argv.slice(2)
const options = ["-p", "no:cacheprovider", ...ELSEWHERE]
process.exit(pyodide.pyimport("suite").main(pyodide.toPy([...options, ...(chosen.length ? chosen : ["tests/core"])])))
