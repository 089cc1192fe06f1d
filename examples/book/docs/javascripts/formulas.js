/** Sets the formulas of a page, with the KaTeX that travels with the assistant; without it they stay as the author typed them. */
const KATEX = new URL("../assets/askbook/vendor/katex/", import.meta.url)

/** @param {any} katex @param {ParentNode} page */
function setFormulas(katex, page) {
  for (const node of page.querySelectorAll(".arithmatex:not(:has(.katex))")) {
    const source = (node.textContent ?? "").trim().replace(/^\\[([]|\\[)\]]$/g, "")
    katex.render(source, node, { displayMode: node.tagName === "DIV", throwOnError: false, trust: false, maxSize: 20, maxExpand: 1000 })
  }
}

const { default: katex } = await import(new URL("katex.js", KATEX).href)
const style = document.createElement("link")
style.rel = "stylesheet"
style.href = new URL("katex.css", KATEX).href
document.head.append(style)
setFormulas(katex, document)
// Material swaps the page under navigation.instant and says so here
const pages = /** @type {any} */ (globalThis).document$
pages?.subscribe(() => setFormulas(katex, document))
