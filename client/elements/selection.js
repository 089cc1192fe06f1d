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
  offered = null
}

/** @param {import("../main.js").AskBook} host @param {import("./words.js").Language} language */
async function show(host, language) {
  const selection = document.getSelection()
  const text = String(selection ?? "").trim()
  const content = document.querySelector("main, article, [role=main]")
  drop()
  if (!selection || selection.isCollapsed || text.length < 8 || !content?.contains(selection.anchorNode)) return
  const place = selection.getRangeAt(0).getBoundingClientRect()
  const button = await put(host, language, text, scrollY + place.top - 46, scrollX + place.left + place.width / 2 - 60)
  if (button) document.addEventListener("selectionchange", () => String(document.getSelection() ?? "") || drop(), { once: true })
}

/** What can be asked about as a whole: code, and the boxes of statements, examples and notes. */
const WHOLE = "pre, .admonition, details.note, details[class], blockquote"

/** @type {HTMLElement | null} the block the button stands at */
let offered = null

/**
 * Offer to ask about the block under the pointer, at its lower corner, where themes keep nothing.
 * @param {import("../main.js").AskBook} host
 * @param {import("./words.js").Language} language
 * @param {() => boolean} wanted
 */
export function watchBlocks(host, language, wanted) {
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse" || event.target === bubble || !wanted() || String(document.getSelection() ?? "").trim().length >= 8) return
    const at = event.target instanceof Element ? event.target : null
    const block = /** @type {HTMLElement | null} */ (at?.closest("main, article, [role=main]") ? at.closest(WHOLE) : null)
    clearTimeout(timer)
    if (!block) offered && later(drop)
    else if (block !== offered || !bubble) void stand(block, host, language)
  }, { passive: true })
}

/** @param {HTMLElement} block @param {import("../main.js").AskBook} host @param {import("./words.js").Language} language */
async function stand(block, host, language) {
  const place = block.getBoundingClientRect()
  await put(host, language, block.innerText.trim(), scrollY + Math.min(place.bottom, innerHeight) - 42, scrollX + place.right - 150)
  offered = bubble && block
}

/** @param {() => void} act unless the pointer comes back */
function later(act) {
  timer = window.setTimeout(act, 400)
}

/**
 * Put the button on the page.
 * @param {import("../main.js").AskBook} host @param {import("./words.js").Language} language
 * @param {string} text @param {number} top @param {number} left
 */
async function put(host, language, text, top, left) {
  const words = await loadWords(language)
  drop()
  if (text.length < 8) return null
  const button = document.createElement("button")
  button.type = "button"
  button.textContent = words.askAboutThis
  button.style.cssText =
    "position:absolute;z-index:49;min-height:36px;padding:0 14px;border:0;border-radius:18px;background:#26324a;color:#fff;font:600 14px/1 system-ui,sans-serif;box-shadow:0 3px 12px #0005;cursor:pointer"
  button.style.top = `${Math.max(0, top)}px`
  button.style.left = `${Math.max(scrollX + 8, Math.min(left, scrollX + innerWidth - 150))}px`
  button.addEventListener("mousedown", (event) => event.preventDefault())
  button.addEventListener("click", () => {
    drop()
    void host.open("", { selection: text.slice(0, LONGEST) })
  })
  bubble = button
  document.body.append(button)
  return button
}
