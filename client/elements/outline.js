/** Painted at once when the panel is wanted and still on its way: its outline, in the page's colours, and a field to type in. */
import { site } from "../site.js"

const LABELS = { en: ["Ask this book", "Your question", "Ask anything in this book"], "zh-Hans": ["问问这本书", "你的问题", "就这本书提问"], "zh-Hant": ["問問這本書", "你的問題", "就這本書提問"] }
const STYLE = `.outline{all:initial;position:fixed;inset-block:0;inset-inline-end:0;z-index:60;display:flex;flex-direction:column;justify-content:flex-end;box-sizing:border-box;width:400px;border-inline-start:1px solid #8884;font-family:inherit}
.outline[data-place=floating]{inset-block:auto 16px;inset-inline-end:16px;height:min(720px,calc(100dvh - 32px));max-width:calc(100vw - 32px);border:1px solid #8884;border-radius:16px;box-shadow:0 12px 40px #0004}
.outline[data-place=sheet]{inset:0;width:auto;border:0}
.outline textarea{all:unset;box-sizing:border-box;margin:12px 16px 60px;padding:12px;min-height:48px;border:1px solid #8886;border-radius:12px;font:15px/1.5 inherit;white-space:pre-wrap;overflow-wrap:anywhere}`

/**
 * @typedef {object} Sketch
 * @property {() => {text: string, send: boolean, before: Element | null, closed: boolean}} end takes it away; what was typed, where
 *   the focus was, and whether the reader has closed it
 */

/** @param {string} prefix @param {number} width of the page @returns {{place: string, panel: number}} as the panel will stand */
function placeOf(prefix, width) {
  try {
    const { place = "docked", width: panel = 400 } = JSON.parse(localStorage.getItem(`${prefix}:choices`) ?? "{}")
    return { place: width < 640 ? "sheet" : place === "docked" && width >= 1220 ? "docked" : "floating", panel }
  } catch {
    return { place: width < 640 ? "sheet" : "floating", panel: 400 }
  }
}

/** @param {Element} element @returns {string} the ground it stands on */
function groundOf(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at)
    if (!/^rgba\(.*, 0\)$|transparent/.test(backgroundColor)) return backgroundColor
  }
  return "Canvas"
}

/**
 * @param {HTMLElement & {sketch?: Sketch}} host
 * @param {import("./words.js").Language} language
 * @param {Promise<unknown>} coming the panel; without it the outline goes again
 */
export function outline(host, language, coming) {
  const root = /** @type {ShadowRoot} */ (host.shadowRoot)
  if (host.sketch || root.querySelector(".panel:not([hidden])")) return
  const before = document.activeElement
  coming.catch(() => host.sketch?.end())
  const prefix = `askbook:${new URL(site.root, new URL("../", import.meta.url)).pathname}`
  const { place, panel } = placeOf(prefix, document.documentElement.clientWidth)
  const [ask, label, placeholder] = LABELS[language]
  const region = document.createElement("div")
  region.className = "outline"
  region.dataset.place = place
  region.setAttribute("role", place === "sheet" ? "dialog" : "complementary")
  region.setAttribute("aria-label", ask)
  region.style.background = groundOf(document.body)
  region.style.color = getComputedStyle(document.body).color
  if (place !== "sheet") region.style.width = `${panel}px`
  const field = Object.assign(document.createElement("textarea"), { rows: 1, placeholder })
  field.setAttribute("aria-label", label)
  let send = false
  let closed = false
  region.addEventListener("keydown", (event) => {
    event.stopPropagation()
    if (event.key === "Escape" && !event.isComposing) {
      closed = true
      region.remove()
      if (before instanceof HTMLElement && before !== document.body) before.focus()
    }
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return
    event.preventDefault()
    send = field.value.trim() !== ""
  })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  region.append(field)
  root.append(region)
  const selection = document.getSelection()
  const range = selection?.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : null // which the focus takes away
  field.focus({ preventScroll: true })
  host.sketch = {
    end() {
      const text = field.value
      region.remove()
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet)
      delete host.sketch
      if (range) selection?.removeAllRanges(), selection?.addRange(range)
      return { text, send, before, closed }
    },
  }
}
