/**
 * The only file a closed page loads: a button beside the site's search, the shortcut, and the intent that fetches everything else.
 */
import { site } from "./start.js"

const LABELS = { en: "Ask this book", "zh-Hans": "问问这本书", "zh-Hant": "問問這本書" }
const LOST = { en: "Could not load. Check the network.", "zh-Hans": "无法加载，请检查网络。", "zh-Hant": "無法載入，請檢查網路。" }
const SEARCH =
  ".md-header .md-search, .VPNavBarSearch, .navbar__search, .DocSearch-Button, #mdbook-search-toggle, #search-toggle, #rtd-search-form, header [role=search], nav [role=search], header input[type=search]"
const BLOCKS = ":is(main, article, [role=main]) :is(pre, blockquote, .admonition, details[class], h1, h2, h3, h4)"
const STYLE = `:host{all:initial;font:inherit;color:inherit;display:inline-flex;vertical-align:middle}:host([place=header]){margin-inline:8px}
button{all:unset;box-sizing:border-box;cursor:pointer;display:inline-flex;align-items:center;gap:.4em;min-height:36px;padding:0 .8em;border-radius:18px;font-size:14px;font-weight:600;line-height:1;font-family:inherit;white-space:nowrap;background:#0002;border:1px solid #8886}
button:hover{background:#0004}button:focus-visible{outline:2px solid;outline-offset:2px}
svg{width:18px;height:18px;flex:none;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}path+path{fill:currentColor;stroke:none}:host([place=corner]) button{position:fixed;bottom:20px;inset-inline-end:20px;z-index:50;min-height:48px;padding:0 1.1em;border-radius:24px;background:#26324a;color:#fff;box-shadow:0 4px 16px #0004}
@media (pointer:coarse){button{min-height:44px}}@media (max-width:30em){:host(:not([place=corner])) span{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}:host(:not([place=corner])) button{padding:0 .6em}svg{width:22px;height:22px}}
@media print{:host{display:none}}`
/** Combinations that open the panel; empty where the author wants none. */
const KEYS = site.options?.shortcut ?? "Control+I Meta+I"
const OUTLINE = "M12 6.5C10 5 7 4.5 3.5 4.8v13c3.5-.3 6.5.2 8.5 1.7 2-1.5 5-2 8.5-1.7V12M12 6.5v13"
const SPARK = "M17.5 2.5l.9 2.3 2.3.9-2.3.9-.9 2.3-.9-2.3-2.3-.9 2.3-.9z"

/** @returns {"en" | "zh-Hans" | "zh-Hant"} the language of the panel, by the author's choice or the page */
export function language() {
  const lang = site.options?.lang || document.documentElement.lang || "en"
  if (!/^zh\b/i.test(lang)) return "en"
  return /hant|tw|hk|mo/i.test(lang) ? "zh-Hant" : "zh-Hans"
}

/** A button that opens the panel, beside the site's search or in the corner. */
export class AskBookButton extends HTMLElement {
  constructor() {
    super()
    const root = this.attachShadow({ mode: "open" })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    root.adoptedStyleSheets = [sheet]
    const button = document.createElement("button")
    button.type = "button"
    const make = (/** @type {string} */ name) => document.createElementNS("http://www.w3.org/2000/svg", name)
    const svg = make("svg")
    svg.setAttribute("viewBox", "0 0 24 24")
    svg.setAttribute("aria-hidden", "true")
    for (const d of [OUTLINE, SPARK]) svg.appendChild(make("path")).setAttribute("d", d)
    button.append(svg, document.createElement("span"))
    button.addEventListener("click", () => this.#say("ask-book-open"))
    for (const intent of ["pointerenter", "focus", "touchstart"]) {
      button.addEventListener(intent, () => this.#say("ask-book-warm"), { passive: true })
    }
    root.append(button)
  }

  connectedCallback() {
    const button = /** @type {HTMLButtonElement} */ (this.shadowRoot?.querySelector("button"))
    const label = LABELS[language()]
    button.setAttribute("aria-label", label)
    button.lastElementChild?.replaceChildren(label)
    if (KEYS) button.setAttribute("aria-keyshortcuts", KEYS)
  }

  /** @param {string} name */
  #say(name) {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true }))
  }

  focus() {
    this.shadowRoot?.querySelector("button")?.focus()
  }
}

/** The assistant: empty until a reader wants it. */
export class AskBook extends HTMLElement {
  /** @type {Promise<import("./elements/panels.js").Panels> | undefined} */
  #panel
  /** @type {import("./elements/outline.js").Sketch | undefined} what stands there while the panel is on its way */
  sketch
  button = /** @type {AskBookButton} */ (document.createElement("ask-book-button"))
  /** @type {AbortController | undefined} ends what is heard of the page */
  #heard

  constructor() {
    super()
    this.attachShadow({ mode: "open" })
  }

  connectedCallback() {
    this.placeButton()
    const moved = this.#heard
    this.#heard = new AbortController()
    const { signal } = this.#heard
    const pointed = (/** @type {PointerEvent} */ event) => this.#pointed(event)
    /** @type {Record<string, (event: any) => void>} */
    const acts = {
      "ask-book-open": () => this.open(),
      "ask-book-warm": () => {
        import("./elements/outline.js").catch(() => {})
        this.panel().then((panel) => panel.warm(), () => {}) // said at the click
      },
      keydown: (event) => this.#shortcut(event),
      focusin: ({ target }) => {
        if (target instanceof HTMLInputElement && target.matches(".md-search__input")) import("./elements/searchrow.js").then(({ join }) => join(target, this, language()))
      },
      selectionchange: () => this.#selected(),
      pointerover: pointed,
      pointerup: pointed,
    }
    for (const kind in acts) document.addEventListener(kind, acts[kind], { signal })
    addEventListener("resize", () => this.placeButton(), { signal })
    let at = ""
    const look = () => {
      this.button.isConnected || this.placeButton()
      at !== (at = location.search) && /[?&]ask=/.test(at) && this.open() // with that question
    }
    const watching = new MutationObserver(look)
    watching.observe(document.body, { childList: true, subtree: true })
    signal.onabort = () => watching.disconnect()
    const { modelContext } = /** @type {any} */ (document)
    if (modelContext?.registerTool && site.options?.webmcp !== false && site.runtime) import("./elements/webmcp.js").then(({ offerPanel }) => offerPanel(modelContext, this, signal))
    if (moved) return
    try {
      if (sessionStorage["askbook:open"]) this.panel().then((panel) => panel.restore(), () => this.#tellLost())
    } catch {
      // nothing is kept here
    }
    look()
  }

  disconnectedCallback() {
    this.#heard?.abort()
    this.button.remove()
  }

  /** Fetches the panel once, and what takes longest before it. */
  panel() {
    const told = import("./site.js")
    told.catch(() => {}) // heard of below
    this.#panel ??= Promise.all([import("./elements/ahead.js"), import("./elements/trusted.js")])
      .then(([{ fetchAhead }]) => fetchAhead(site))
      .catch(() => {})
      .then(() => Promise.all([told, import("./elements/panels.js")]))
      .then(([{ site }, { Panels }]) => new Panels(this, site, language).ready)
    this.#panel.catch(() => (this.#panel = undefined)) // tried again with the next click
    return this.#panel
  }

  /** @param {string} [question] filled in, never sent by itself @param {{selection?: string}} [about] */
  async open(question, about) {
    const coming = this.panel()
    import("./elements/outline.js").then(({ outline }) => outline(this, language(), coming), () => {})
    const panel = await coming.catch(() => this.#tellLost())
    panel?.open(question, about)
  }

  /** The panel's files are out of reach: said above the corner, for a while. */
  #tellLost() {
    const said = document.createElement("div")
    said.setAttribute("role", "status")
    said.style.cssText = "position:fixed;z-index:60;inset:auto 20px 80px auto;max-width:20em;padding:.6em 1em;border-radius:8px;font:14px/1.5 sans-serif;background:#26324a;color:#fff"
    this.shadowRoot?.append(said)
    setTimeout(() => (said.textContent = LOST[language()]), 50) // once it is there, so that it is read out
    setTimeout(() => said.remove(), 8000)
  }

  /** Beside the first visible search, else in the corner. */
  placeButton() {
    const search = [...document.querySelectorAll(SEARCH)].find((found) => found.getClientRects()[0]?.right > 0)
    this.button.setAttribute("place", search ? "header" : "corner")
    const before = search ?? this
    if (before.nextSibling !== this.button) before.after(this.button)
  }

  /** @param {KeyboardEvent} event */
  #shortcut(event) {
    if (!event.getModifierState) return // a browser's autofill says "keydown" without a key
    const pressed = [...["Control", "Meta", "Alt", "Shift"].filter((name) => event.getModifierState(name)), event.key].join("+")
    if (!KEYS.toLowerCase().split(" ").includes(pressed.toLowerCase())) return
    const at = /** @type {HTMLElement} */ (event.composedPath()[0])
    if (at.closest?.("input, textarea, select, [contenteditable]")) return
    event.preventDefault()
    if (this.shadowRoot?.querySelector(".panel:not([hidden])")) this.panel().then((panel) => panel.close())
    else this.open()
  }

  /** @param {PointerEvent} event */
  #pointed(event) {
    const block = event.target instanceof Element && event.target.closest(BLOCKS)
    if (block) import("./elements/selection.js").then(({ pointed }) => pointed(event, block, this, language()))
  }

  #selected() {
    const text = String(document.getSelection()).trim()
    if (text.length > 7) import("./elements/selection.js").then(({ offer }) => offer(this, language()))
  }
}

customElements.define("ask-book-button", AskBookButton)
customElements.define("ask-book", AskBook)
if (!document.querySelector("ask-book")) document.body.append(document.createElement("ask-book"))
