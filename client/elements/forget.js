/** Everything a site has left in this browser, of all its books: conversations, choices, keys, and the files kept for later visits. */
import { openDatabase } from "./database.js"

/** Where the client of this site is, and with it what Python is made of. */
const ASSETS = new URL("../", import.meta.url).href

/** @param {URL} root of the site; other sites may share its origin, and lie in its folders @param {string[]} [indexes] addresses of its books */
export async function forgetSite(root, indexes = []) {
  const prefix = `askbook:${root.pathname}:`
  const folders = new Set(indexes.map(folderOf))
  await Promise.all([forgetThreads(prefix), forgetFiles((url) => url.startsWith(ASSETS) || folders.has(folderOf(url)))])
  forgetNames(() => localStorage, (name) => name.startsWith(prefix))
  forgetTab(root)
}

/** @param {URL} root */
const forgetTab = (root) => forgetNames(() => sessionStorage, (name) => name === "askbook:jump" || isOf(name, root.pathname))

/** What runs ends, and the keys go. @param {import("./panel.js").Panel} panel */
export function letGo(panel) {
  panel.connection.endSnapshots()
  panel.exchange?.abandon()
  panel.keys.forgetAll()
  panel.allowance.forget()
}

/** Nothing is open any more. @param {import("./panel.js").Panel} panel */
export function startAnew(panel) {
  panel.tabs?.clear()
  panel.threads.start({ stay: true })
}

/** Another tab has forgotten everything, and what this one knows goes too. @param {import("./panel.js").Panel} panel */
export async function forgottenElsewhere(panel) {
  letGo(panel)
  await panel.store.clear()
  startAnew(panel)
  forgetTab(panel.root)
  panel.status?.say(panel.words?.forgotten ?? "")
}

/** @param {string} url */
const folderOf = (url) => new URL("./", url).href

/** @param {string} name of what a tab keeps: what it is, the site's path, and what it is for @param {string} path */
const isOf = (name, path) => name.startsWith("askbook:") && `${name.slice(name.indexOf(":/") + 1)}:`.startsWith(`${path}:`)

/** @param {string} prefix */
async function forgetThreads(prefix) {
  const { area } = await openDatabase("askbook")
  const names = await area.names(prefix).catch(() => [])
  await area.change([], () => names.map((name) => [name, undefined])).catch(() => {})
}

/** @param {() => Storage} storage may be forbidden @param {(name: string) => boolean} own whether a name is the site's */
function forgetNames(storage, own) {
  try {
    for (const name of Object.keys(storage()).filter(own)) storage().removeItem(name)
  } catch {
    // nothing was kept
  }
}

/** @param {(url: string) => boolean} isOwn whether an address goes */
async function forgetFiles(isOwn) {
  try {
    for (const name of await caches.keys()) {
      if (name !== "askbook") continue
      const cache = await caches.open(name)
      const kept = await cache.keys()
      const own = kept.filter(({ url }) => isOwn(url))
      if (own.length === kept.length) await caches.delete(name)
      else for (const file of own) await cache.delete(file)
    }
  } catch {
    // no cache here
  }
}
