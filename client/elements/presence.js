/** Whether the assistant is on the page: a page may move it, take it away, and bring it back. */
import { painted } from "./breath.js"
import { takeOff, wear } from "./styles.js"

/** Stands in its shadow, and is told with it. */
class Presence extends HTMLElement {
  onhere = () => {}
  ongone = () => {}

  connectedCallback() {
    this.onhere()
  }

  disconnectedCallback() {
    this.ongone()
  }
}
customElements.define("ask-book-presence", Presence)

/**
 * @param {ShadowRoot} root
 * @param {() => void} arrange the panel as the assistant is there or not
 */
export function attend(root, arrange) {
  const presence = /** @type {Presence} */ (document.createElement("ask-book-presence"))
  const scrolled = keepScrolled(root)
  root.append(presence)
  presence.onhere = () => {
    arrange()
    scrolled()
  }
  presence.ongone = arrange
}

/** What is taken away forgets where it was scrolled to, and how high it is where nobody sees it. @param {ShadowRoot} root @returns {() => void} puts it where it stood */
function keepScrolled(root) {
  /** @type {WeakMap<Element, [number, number]>} */
  const places = new WeakMap()
  const whole = new CSSStyleSheet()
  whole.replaceSync("*{content-visibility:visible!important}")
  const scrolled = (/** @type {Event} */ { target }) => {
    if (root.isConnected && target instanceof Element) places.set(target, [target.scrollLeft, target.scrollTop])
  }
  root.addEventListener("scroll", scrolled, { capture: true, passive: true })
  return () => {
    wear(root, [whole])
    for (const element of root.querySelectorAll("*")) {
      const place = places.get(element)
      if (place) element.scrollTo({ left: place[0], top: place[1], behavior: "instant" })
    }
    void painted().then(() => takeOff(root, whole))
  }
}
