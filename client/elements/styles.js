/** The panel's styles: read once, and then its own, so that a panel which is moved about the page stays dressed. */

const BASE = new URL("./", import.meta.url)
const NAMES = ["panel.css", "pages.css", "prose.css", "python.css"]
/** The panel does not wait for ever. */
const PATIENCE_MS = 1500

/** @type {WeakMap<ShadowRoot, Promise<unknown>>} */
const dressed = new WeakMap()
/** What has come of them, by name. @type {WeakMap<ShadowRoot, Map<string, CSSStyleSheet>>} */
const worn = new WeakMap()

/** @param {string} url @returns {Promise<CSSStyleSheet>} */
export async function sheetOf(url) {
  const response = await fetch(url).catch(() => null)
  if (response && !response.ok) throw new TypeError(`${url}: ${response.status}`)
  return new CSSStyleSheet().replace(await (response ? response.text() : linked(url)))
}

/** A policy may forbid scripts to fetch what pages may still link to (`connect-src`). @param {string} url @returns {Promise<string>} */
function linked(url) {
  const link = document.createElement("link")
  Object.assign(link, { rel: "stylesheet", media: "not all", href: url }) // read, and applied to nothing
  return new Promise((resolve, reject) => {
    link.onload = () => resolve([...(link.sheet?.cssRules ?? [])].map(({ cssText }) => cssText).join("\n"))
    link.onerror = () => reject(new TypeError(`${url}: blocked or out of reach`))
    document.head.append(link)
  }).finally(() => link.remove())
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
  const made = Promise.race([putOn(root), new Promise((resolve) => window.setTimeout(resolve, PATIENCE_MS))])
  dressed.set(root, made)
  return made
}

/** What has come is worn in the order of the names; what has not is asked for again when the next panel is dressed. @param {ShadowRoot} root */
async function putOn(root) {
  const sheets = worn.get(root) ?? new Map()
  const before = new Set(sheets.values())
  worn.set(root, sheets)
  const missing = NAMES.filter((name) => !sheets.has(name))
  await Promise.allSettled(missing.map(async (name) => sheets.set(name, await sheetOf(new URL(name, BASE).href))))
  if (sheets.size < NAMES.length) dressed.delete(root)
  const now = root.adoptedStyleSheets
  const at = now.findIndex((sheet) => before.has(sheet))
  const others = now.filter((sheet) => !before.has(sheet))
  others.splice(at < 0 ? others.length : at, 0, ...NAMES.flatMap((name) => sheets.get(name) ?? []))
  root.adoptedStyleSheets = others
}
