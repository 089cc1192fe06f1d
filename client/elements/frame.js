/** Where the panel stands: beside the page, floating over it, or as a sheet on a phone; how wide; and what focus does. */
import { h } from "./dom.js"

/** @typedef {"docked" | "floating" | "sheet"} Place */

const WIDE = 1220
const PHONE = 640
const NARROWEST = 320
const WIDEST = 720
const STEP = 24
/** How far a press on the handle goes, and how far the pointer may slip in it. */
const PRESS = 120
const SLIP = 3
/** What makes room beside the panel: the page, and what the readthedocs theme puts over all of it. */
const ROOMS = "body,.wy-grid-for-nav"
/** Of the window, at most: where the page makes room, what is left of it must stay a page. */
const SHARE = { docked: 0.42, floating: 0.6, sheet: 0.6 }

/** The panel's outer region. */
export class Frame {
  /** @type {Place} */
  place = "floating"
  #wanted
  #width
  #host
  #remember
  /** @type {HTMLElement | null} */
  #before = null
  /** @type {HTMLElement[]} */
  #inert = []
  /** What the page looks like beside the panel. */
  #page = new CSSStyleSheet()
  isOpen = false

  /**
   * @param {HTMLElement} host
   * @param {import("./words.js").Words} words
   * @param {{wanted: "docked" | "floating", width: number, remember: (frame: {wanted: "docked" | "floating", width: number}) => void}} memory
   * @param {AbortSignal} gone ends it
   */
  constructor(host, words, memory, gone) {
    this.#host = host
    this.#wanted = memory.wanted
    this.#width = memory.width
    this.#remember = memory.remember
    this.handle = h("div", {
      class: "handle", role: "separator", tabindex: 0, "aria-orientation": "vertical", "aria-label": words.resize,
      "aria-valuemin": NARROWEST, "aria-valuemax": WIDEST,
      onpointerdown: (/** @type {PointerEvent} */ event) => this.#drag(event),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#step(event),
    })
    this.region = h("div", { class: "panel", role: "complementary", "aria-label": words.ask, hidden: true }, this.handle)
    for (const kind of ["keydown", "keyup", "keypress"]) this.region.addEventListener(kind, (event) => event.stopPropagation())
    addEventListener("resize", () => this.isOpen && this.arrange(), { signal: gone })
  }

  get wanted() {
    return this.#wanted
  }

  /** @param {"docked" | "floating"} wanted */
  set wanted(wanted) {
    this.#wanted = wanted
    this.arrange()
    this.#remember({ wanted, width: this.#width })
  }

  /** Shows the panel. @param {Element | null} [active] what had the focus, if that is known */
  open(active = document.activeElement) {
    if (this.isOpen) return
    this.isOpen = true
    this.#before = active instanceof HTMLElement && active !== document.body ? active : null
    this.arrange() // which measures the page, as long as nothing is to be laid out
    this.region.hidden = false
  }

  /** Hides it and gives the page back its room and its focus. @param {HTMLElement} fallback gets the focus if nothing had it */
  close(fallback) {
    if (!this.isOpen) return
    this.isOpen = false
    this.region.hidden = true
    this.#room(0, false)
    this.#setInert(false)
    const target = this.#before?.isConnected && this.#before !== this.#host ? this.#before : fallback
    target.focus()
  }

  /** Another one takes its place. @returns {{isOpen: boolean, before: Element | null}} whether it was shown, and what had the focus before it was */
  leave() {
    const { isOpen } = this
    this.isOpen = false
    this.region.remove()
    this.#room(0, false)
    this.#setInert(false)
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#page)
    return { isOpen, before: this.#before }
  }

  /** The page makes room where the panel will stand, and is laid out for that alone. */
  makeRoom() {
    this.arrange(true)
    void document.documentElement.offsetHeight
  }

  /** As the window, the reader and the page have it, which may have taken the assistant away. @param {boolean} [opens] it is about to be shown */
  arrange(opens = this.isOpen) {
    const shows = opens && this.#host.isConnected
    const width = document.documentElement.clientWidth
    const docked = this.#wanted === "docked" && width >= WIDE
    this.place = width < PHONE ? "sheet" : docked ? "docked" : "floating"
    const sheet = this.place === "sheet"
    this.#host.dataset.place = this.place
    this.region.setAttribute("role", sheet ? "dialog" : "complementary")
    if (sheet) this.region.setAttribute("aria-modal", "true")
    else this.region.removeAttribute("aria-modal")
    const shown = Math.max(NARROWEST, Math.min(this.#width, Math.round(innerWidth * SHARE[this.place])))
    this.#host.style.setProperty("--ab-width", `${shown}px`)
    this.handle.setAttribute("aria-valuenow", String(shown))
    this.#room(shows && docked ? shown : 0, shows && sheet)
    this.#setInert(shows && sheet)
  }

  /** @param {number} width room the page leaves at its end @param {boolean} still whether it does not scroll; neither is printed */
  #room(width, still) {
    const room = width ? `${ROOMS}{padding-inline-end:${width}px!important;box-sizing:border-box!important}` : ""
    this.#page.replaceSync(`@media screen{${room}${still ? "html{overflow:hidden!important}" : ""}}`)
    if (!document.adoptedStyleSheets.includes(this.#page)) document.adoptedStyleSheets.push(this.#page)
  }

  /** @param {boolean} on whether the page behind a sheet is out of reach */
  #setInert(on) {
    if (on === this.#inert.length > 0) return
    for (const element of this.#inert) element.inert = false
    this.#inert = []
    if (!on) return
    for (const element of document.body.children) {
      if (element instanceof HTMLElement && !element.contains(this.#host) && !element.inert && element.tagName !== "SCRIPT") {
        element.inert = true
        this.#inert.push(element)
      }
    }
  }

  /** @param {number} width */
  #resize(width) {
    this.#width = Math.round(Math.min(WIDEST, Math.max(NARROWEST, Math.min(width, innerWidth * SHARE[this.place]))))
    this.arrange()
  }

  /** @param {PointerEvent} down */
  #drag(down) {
    down.preventDefault()
    this.handle.setPointerCapture(down.pointerId)
    const leftward = getComputedStyle(this.#host).direction !== "rtl"
    const end = this.region.getBoundingClientRect()
    const reach = (/** @type {PointerEvent} */ event) => (leftward ? end.right - event.clientX : event.clientX - end.left)
    const grip = end.width - reach(down)
    let drawn = false
    const move = (/** @type {PointerEvent} */ event) => {
      drawn ||= Math.abs(reach(event) + grip - end.width) > SLIP
      if (drawn) this.#resize(reach(event) + grip)
    }
    const up = () => {
      this.handle.removeEventListener("pointermove", move)
      if (!drawn) this.#widen()
      this.#remember({ wanted: this.#wanted, width: this.#width })
    }
    this.handle.addEventListener("pointermove", move)
    this.handle.addEventListener("pointerup", up, { once: true })
    this.handle.addEventListener("pointercancel", up, { once: true })
  }

  /** A press without drawing: wider, and from the widest the narrowest again. */
  #widen() {
    const before = this.#width
    this.#resize(before + PRESS)
    if (this.#width === before) this.#resize(NARROWEST)
  }

  /** @param {KeyboardEvent} event */
  #step(event) {
    const leftward = getComputedStyle(this.#host).direction !== "rtl" ? 1 : -1
    const steps = { ArrowLeft: STEP * leftward, ArrowRight: -STEP * leftward, Home: -WIDEST, End: WIDEST }
    const step = steps[/** @type {keyof typeof steps} */ (event.key)]
    if (!step) return
    event.preventDefault()
    this.#resize(this.#width + step)
    this.#remember({ wanted: this.#wanted, width: this.#width })
  }
}
