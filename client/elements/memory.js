/** What a tab remembers from page to page, where its browser lets it. */

/** @param {string} name @param {string} value empty forgets */
export function remember(name, value) {
  try {
    if (value) sessionStorage.setItem(name, value)
    else sessionStorage.removeItem(name)
  } catch {
    // a browser that keeps nothing starts closed on every page
  }
}

/** @param {string} name */
export function recall(name) {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null
  }
}
