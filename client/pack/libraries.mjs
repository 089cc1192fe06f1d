/** Takes the libraries into `vendor/`: formulas, the sanitizer, code colours, an unpacker; each as the ES module a browser loads. */
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Languages a textbook's code is written in; others stay uncoloured. */
const LANGUAGES = [
  "bash", "c", "clojure", "cmake", "cpp", "csharp", "css", "dart", "diff", "dockerfile", "elixir", "erlang", "fortran", "go", "graphql", "haskell",
  "http", "ini", "java", "javascript", "json", "julia", "kotlin", "latex", "less", "lisp", "lua", "makefile", "markdown", "matlab", "nginx",
  "nix", "objectivec", "ocaml", "perl", "php", "plaintext", "powershell", "prolog", "python", "r", "ruby", "rust", "scala", "scheme", "scss", "shell",
  "sql", "swift", "typescript", "vim", "wasm", "x86asm", "xml", "yaml",
]

/** @param {string} source a CommonJS file without requirements @returns {string} the same as an ES module */
function asModule(source) {
  return `// @ts-nocheck\nconst module = { exports: {} }\nconst exports = module.exports;\n${source}\nexport default module.exports.default ?? module.exports\n`
}

/** @param {string} modules the `node_modules` folder @param {string} vendor */
export function packLibraries(modules, vendor) {
  for (const name of ["katex", "dompurify", "highlight", "fzstd"]) {
    rmSync(join(vendor, name), { recursive: true, force: true })
    mkdirSync(join(vendor, name))
  }
  const katex = join(modules, "katex/dist")
  writeFileSync(join(vendor, "katex/katex.js"), asModule(readFileSync(join(katex, "katex.min.js"), "utf8")))
  cpSync(join(katex, "katex.min.css"), join(vendor, "katex/katex.css"))
  mkdirSync(join(vendor, "katex/fonts"))
  for (const font of readdirSync(join(katex, "fonts"))) {
    if (font.endsWith(".woff2")) cpSync(join(katex, "fonts", font), join(vendor, "katex/fonts", font))
  }
  const purify = readFileSync(join(modules, "dompurify/dist/purify.min.js"), "utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "")
  writeFileSync(join(vendor, "dompurify/purify.js"), asModule(purify))
  const fzstd = readFileSync(join(modules, "fzstd/esm/index.mjs"), "utf8")
  writeFileSync(join(vendor, "fzstd/fzstd.js"), `// @ts-nocheck\n${fzstd}`)
  const hljs = join(modules, "highlight.js/lib")
  writeFileSync(join(vendor, "highlight/core.js"), asModule(readFileSync(join(hljs, "core.js"), "utf8")))
  mkdirSync(join(vendor, "highlight/languages"))
  for (const name of LANGUAGES) {
    writeFileSync(join(vendor, `highlight/languages/${name}.js`), asModule(readFileSync(join(hljs, `languages/${name}.js`), "utf8")))
  }
  writeFileSync(join(vendor, "highlight/languages.json"), `${JSON.stringify(LANGUAGES)}\n`)
}
