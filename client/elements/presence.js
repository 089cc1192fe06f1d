/** Whether the assistant is on the page: a page may move it, take it away, and bring it back. */

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
 * @param {{arrange: () => void}} frame arranges itself as the assistant is there or not
 */
export function attend(root, frame) {
  const presence = /** @type {Presence} */ (document.createElement("ask-book-presence"))
  const scrolled = keepScrolled(root)
  root.append(presence)
  presence.onhere = () => {
    frame.arrange()
    void scrolled()
  }
  presence.ongone = () => frame.arrange()
}

/** Its styles are loaded anew when it was moved, and until then nothing scrolls. @param {ShadowRoot} root @returns {() => Promise<void>} puts what was scrolled where it stood */
function keepScrolled(root) {
  /** @type {WeakMap<Element, [number, number]>} */
  const places = new WeakMap()
  let waiting = 0
  const scrolled = (/** @type {Event} */ event) => {
    if (waiting || !root.isConnected) event.stopPropagation()
    else if (event.target instanceof Element) places.set(event.target, [event.target.scrollLeft, event.target.scrollTop])
  }
  root.addEventListener("scroll", scrolled, { capture: true, passive: true })
  return async () => {
    waiting += 1
    await styled(root)
    for (const element of root.querySelectorAll("*")) {
      const place = places.get(element)
      if (place) element.scrollTo({ left: place[0], top: place[1], behavior: "instant" })
    }
    waiting -= 1
  }
}

/** Waits for the styles of the panel, though not for ever. @param {ShadowRoot} root */
export async function styled(root) {
  const links = [...root.querySelectorAll("link")].filter(({ sheet }) => !sheet)
  const loaded = links.map((link) => new Promise((resolve) => link.addEventListener("load", resolve, { once: true }) ?? link.addEventListener("error", resolve, { once: true })))
  await Promise.race([Promise.all(loaded), new Promise((resolve) => window.setTimeout(resolve, 1500))])
}
