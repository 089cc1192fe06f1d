/** A small button beside selected text, code, boxes and headings: “Ask about this”. */
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

/** What is selected of the page's text; empty for too little. @returns {string} */
export function selected() {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed) return ""
  const text = String(selection).trim()
  const content = document.querySelector("main, article, [role=main]")
  return text.length >= 8 && content?.contains(selection.anchorNode) ? text.slice(0, LONGEST) : ""
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

/** @type {HTMLElement | null} the block the button stands at */
let offered = null
let leaving = false

/** How long a pointer rests on a block before the button comes, and how long it may leave before the button goes. */
const DWELL_MS = 350
/** How long the button stays after a tap. */
const TAPPED_MS = 6000

/**
 * A pointer is on code, a box or a heading, or a finger has tapped there: offer to ask about it.
 * @param {PointerEvent} event
 * @param {Element} block
 * @param {import("../main.js").AskBook} host
 * @param {import("./words.js").Language} language
 */
export function pointed(event, block, host, language) {
  if (!leaving) document.addEventListener("pointerover", (moved) => moved.target !== bubble && offered && !offered.contains(/** @type {Node} */ (moved.target)) && later(drop, DWELL_MS), { passive: true })
  leaving = true
  if (String(document.getSelection() ?? "").trim().length >= 8) return
  const touched = event.pointerType !== "mouse"
  if (touched !== (event.type === "pointerup")) return
  if (touched && event.target instanceof Element && event.target.closest("a, button, summary, input, label")) return
  clearTimeout(timer)
  if (block === offered && bubble) return
  if (!touched) return later(() => void stand(/** @type {HTMLElement} */ (block), host, language), DWELL_MS)
  void stand(/** @type {HTMLElement} */ (block), host, language).then(() => later(drop, TAPPED_MS))
}

/** At a block's lower corner, where themes keep nothing; at a heading's end. @param {HTMLElement} block @param {import("../main.js").AskBook} host @param {import("./words.js").Language} language */
async function stand(block, host, language) {
  const heading = /^H[1-6]$/.test(block.tagName)
  const { left, right, top, bottom } = block.getBoundingClientRect()
  const across = getComputedStyle(block).direction === "rtl" ? left + 8 : right - 150
  await put(host, language, heading ? sectionText(block) : block.innerText.trim(), scrollY + (heading ? (top + bottom) / 2 - 18 : Math.min(bottom, innerHeight) - 42), scrollX + across)
  offered = bubble && block
}

/** A heading with what stands under it, as far as it goes along. @param {HTMLElement} heading */
function sectionText(heading) {
  const texts = [heading.innerText.replace(/[¶#]\s*$/, "").trim()]
  for (let next = heading.nextElementSibling; next && texts.join().length < LONGEST; next = next.nextElementSibling) {
    if (/^H[1-6]$/.test(next.tagName) && next.tagName <= heading.tagName) break
    texts.push(/** @type {HTMLElement} */ (next).innerText.trim())
  }
  return texts.join("\n\n")
}

/** @param {() => void} act unless something else comes @param {number} milliseconds */
function later(act, milliseconds) {
  clearTimeout(timer)
  timer = window.setTimeout(act, milliseconds)
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
    "position:absolute;z-index:49;padding:0 14px;border:0;border-radius:18px;background:#26324a;color:#fff;font:600 14px/1 system-ui,sans-serif;box-shadow:0 3px 12px #0005;cursor:pointer"
  button.style.minHeight = matchMedia("(pointer: coarse)").matches ? "44px" : "36px"
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
