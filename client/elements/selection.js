/** A small button beside selected text: “Ask about this”. */
import { loadWords } from "./words.js"

/** @type {HTMLElement | null} */
let bubble = null
let timer = 0

/** Longest selection that goes along with a question. */
const LONGEST = 2000

/**
 * Offer to ask about what is selected, once the reader has stopped selecting.
 * @param {import("../main.js").AskBook} host
 * @param {import("./words.js").Language} language
 */
export function offer(host, language) {
  clearTimeout(timer)
  timer = window.setTimeout(() => void show(host, language), 250)
}

function drop() {
  bubble?.remove()
  bubble = null
}

/** @param {import("../main.js").AskBook} host @param {import("./words.js").Language} language */
async function show(host, language) {
  const selection = document.getSelection()
  const text = String(selection ?? "").trim()
  const content = document.querySelector("main, article, [role=main]")
  drop()
  if (!selection || selection.isCollapsed || text.length < 8 || !content?.contains(selection.anchorNode)) return
  const place = selection.getRangeAt(0).getBoundingClientRect()
  const words = await loadWords(language)
  const button = document.createElement("button")
  button.type = "button"
  button.textContent = words.askAboutThis
  button.style.cssText =
    "position:absolute;z-index:49;min-height:36px;padding:0 14px;border:0;border-radius:18px;background:#26324a;color:#fff;font:600 14px/1 system-ui,sans-serif;box-shadow:0 3px 12px #0005;cursor:pointer"
  button.style.top = `${Math.max(0, scrollY + place.top - 46)}px`
  button.style.left = `${scrollX + Math.max(8, Math.min(place.left + place.width / 2 - 60, innerWidth - 150))}px`
  button.addEventListener("mousedown", (event) => event.preventDefault())
  button.addEventListener("click", () => {
    drop()
    void host.open("", { selection: text.slice(0, LONGEST) })
  })
  document.addEventListener("selectionchange", () => String(document.getSelection() ?? "") || drop(), { once: true })
  bubble = button
  document.body.append(button)
}
