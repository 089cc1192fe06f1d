/** The site's own search offers to ask instead: one row “Ask: …” above its results. */
import { fill, loadWords } from "./words.js"

/** @type {WeakSet<Element>} */
const joined = new WeakSet()

/**
 * Put the row into the search a field belongs to; does nothing the second time.
 * @param {HTMLInputElement} field
 * @param {import("../main.js").AskBook} host
 * @param {import("./words.js").Language} language
 */
export async function join(field, host, language) {
  const results = field.closest(".md-search")?.querySelector(".md-search-result")
  if (!results || joined.has(results)) return
  joined.add(results)
  const words = await loadWords(language)
  const row = document.createElement("button")
  row.type = "button"
  row.className = "md-search-result__link"
  row.style.cssText = "width:100%;padding:.6rem .8rem;font:inherit;font-size:.64rem;text-align:start;color:var(--md-typeset-a-color);cursor:pointer"
  const draw = () => {
    row.hidden = field.value.trim() === ""
    row.textContent = fill(words.askRow, { question: field.value.trim() })
  }
  row.addEventListener("click", () => {
    const question = field.value.trim()
    const toggle = /** @type {HTMLInputElement | null} */ (document.getElementById("__search"))
    if (toggle?.checked) toggle.click()
    void host.open(question)
  })
  field.addEventListener("input", draw)
  draw()
  results.before(row)
}
