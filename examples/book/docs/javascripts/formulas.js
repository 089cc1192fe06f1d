/** Sets the formulas of a page with KaTeX, fetched when a page has formulas; without it they stay as the author typed them. */
const KATEX = new URL("../assets/katex/", import.meta.url)
const FORMULAS = ".arithmatex:not(:has(.katex))"

/** @type {Promise<any> | undefined} */
let library

/** Fetches library and style once. */
function fetchLibrary() {
  const style = document.createElement("link")
  style.rel = "stylesheet"
  style.href = new URL("katex.css", KATEX).href
  document.head.append(style)
  return import(new URL("katex.js", KATEX).href)
}

async function setFormulas() {
  if (!document.querySelector(FORMULAS)) return
  library ??= fetchLibrary()
  const { default: katex } = await library
  for (const node of document.querySelectorAll(FORMULAS)) {
    const source = (node.textContent ?? "").trim().replace(/^\\[([]|\\[)\]]$/g, "")
    katex.render(source, node, { displayMode: node.tagName === "DIV", throwOnError: false, trust: false, maxSize: 20, maxExpand: 1000 })
  }
}

// Material swaps the page under navigation.instant and says so here; it tells of the first page too
const pages = /** @type {any} */ (globalThis).document$
if (pages) pages.subscribe(setFormulas)
else setFormulas()
