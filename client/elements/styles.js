/** The panel's styles: read once, and then its own, so that a panel which is moved about the page stays dressed. */

const BASE = new URL("./", import.meta.url)
const NAMES = ["panel.css", "pages.css", "prose.css", "python.css"]
/** The panel does not wait for ever. */
const PATIENCE_MS = 1500

/** @type {WeakMap<ShadowRoot, Promise<unknown>>} */
const dressed = new WeakMap()

/** @param {string} url @returns {Promise<CSSStyleSheet>} */
export async function sheetOf(url) {
  const response = await fetch(url)
  if (!response.ok) throw new TypeError(`${url}: ${response.status}`)
  return new CSSStyleSheet().replace(await response.text())
}

/** @param {DocumentOrShadowRoot} root @param {CSSStyleSheet[]} sheets */
export function wear(root, sheets) {
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...sheets]
}

/** @param {DocumentOrShadowRoot} root @param {CSSStyleSheet} sheet */
export function takeOff(root, sheet) {
  root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet)
}

/** @param {ShadowRoot} root of the panel @returns {Promise<unknown>} when it is dressed, or has waited long enough */
export function dress(root) {
  const known = dressed.get(root)
  if (known) return known
  const sheets = Promise.all(NAMES.map((name) => sheetOf(new URL(name, BASE).href)))
  const worn = sheets.then((all) => wear(root, all), () => void dressed.delete(root))
  const made = Promise.race([worn, new Promise((resolve) => window.setTimeout(resolve, PATIENCE_MS))])
  dressed.set(root, made)
  return made
}
