/** Colours and a copy button for the code of an answer; the colouring is loaded with the first language it knows. */
import { h } from "./dom.js"

const LIBRARY = "../vendor/highlight/"
const LONGEST = 20_000
const ALIASES = /** @type {Record<string, string>} */ ({
  "c++": "cpp", cc: "cpp", "c#": "csharp", cs: "csharp", console: "shell", golang: "go", html: "xml", svg: "xml", js: "javascript", jsx: "javascript", kt: "kotlin",
  md: "markdown", objc: "objectivec", py: "python", python3: "python", rb: "ruby", rs: "rust", sh: "bash", zsh: "bash", tex: "latex", toml: "ini",
  ts: "typescript", tsx: "typescript", vue: "xml", yml: "yaml", text: "plaintext", txt: "plaintext",
})

/** @type {Promise<any> | undefined} */
let core
/** @type {Promise<Set<string>> | undefined} */
let names
/** @type {Set<string>} */
const known = new Set()

/** Colour the finished code blocks inside an element. @param {HTMLElement} place */
export function colour(place) {
  for (const code of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("pre > code:not([data-coloured])"))) {
    code.dataset.coloured = ""
    const language = languageOf(code)
    if (language && (code.textContent ?? "").length <= LONGEST) void colourOne(code, language)
  }
}

/** @param {Element} code @returns {string} the language a fence names, in the words of highlight.js */
export function languageOf(code) {
  const named = [...code.classList].find((name) => name.startsWith("language-"))?.slice(9).toLowerCase() ?? ""
  return ALIASES[named] ?? named
}

/** @param {HTMLElement} code @param {string} language */
async function colourOne(code, language) {
  names ??= fetch(new URL(`${LIBRARY}languages.json`, import.meta.url)).then(async (answer) => new Set(answer.ok ? await answer.json() : []))
  if (!(await names.catch(() => new Set())).has(language)) return
  core ??= import("../vendor/highlight/core.js").then((module) => module.default)
  const library = await core
  if (!known.has(language)) {
    library.registerLanguage(language, (await import(`../vendor/highlight/languages/${language}.js`)).default)
    known.add(language)
  }
  const text = code.textContent ?? ""
  const { _emitter } = library.highlight(text, { language, ignoreIllegals: true })
  const tree = _emitter?.rootNode
  if (tree && code.isConnected && code.textContent === text) code.replaceChildren(...tree.children.map(node))
}

/** The tree of the colouring as nodes: no HTML text in between. @param {any} part @returns {Node} */
function node(part) {
  if (typeof part === "string") return document.createTextNode(part)
  const scope = String(part.scope ?? "")
  return h("span", scope ? { class: scope.split(".").map((name, at) => (at ? `${name}${"_".repeat(at)}` : `hljs-${name}`)).join(" ") } : {}, ...part.children.map(node))
}
