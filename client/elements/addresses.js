/** Which addresses may stand in drawn HTML: a second, narrower reading of the core's link policy. */

const LONGEST = 2048
/** A place on this page. */
const PLACE = /^#[\w.-]+$/

/** @param {string} href @returns {boolean} whether it leads to a web page, a mail form or a place on this page */
export function isSafeAddress(href) {
  if (PLACE.test(href)) return href.length <= LONGEST
  if (href.length > LONGEST + location.origin.length || /[\u0000-\u0020\\\u007f-\u00a0\u200b-\u200f\u2028-\u202f\ufeff]/.test(href)) return false
  try {
    const url = new URL(href)
    return url.href === href && !url.username && !url.password && ["http:", "https:", "mailto:"].includes(url.protocol)
  } catch {
    return false
  }
}

/** @param {string} src @returns {boolean} whether it is loaded from the site the page belongs to */
export function isOwnAddress(src) {
  try {
    return new URL(src).origin === location.origin && isSafeAddress(src)
  } catch {
    return false
  }
}
