/** Everything a site has left in this browser, of all its books: conversations, choices, keys, and the files kept for later visits. */
import { openDatabase } from "./database.js"

/** @param {URL} root of the site; other sites may share its origin */
export async function forgetSite(root) {
  const prefix = `askbook:${root.pathname}:`
  await Promise.all([forgetThreads(prefix), forgetFiles(root.href)])
  forgetNames(() => localStorage, (name) => name.startsWith(prefix))
  forgetNames(() => sessionStorage, (name) => name === "askbook:jump" || (name.startsWith("askbook:") && name.includes(root.pathname)))
}

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

/** @param {string} root of every address that goes */
async function forgetFiles(root) {
  try {
    for (const name of await caches.keys()) {
      if (name !== "askbook") continue
      const cache = await caches.open(name)
      const kept = await cache.keys()
      const own = kept.filter(({ url }) => url.startsWith(root))
      if (own.length === kept.length) await caches.delete(name)
      else for (const file of own) await cache.delete(file)
    }
  } catch {
    // no cache here
  }
}
