/** The page's one Trusted Types policy: what it has not made, an enforcing page does not let through. */

const OWN = new URL("../", import.meta.url).href

/**
 * @typedef {{createHTML: (html: string) => any, createScriptURL: (url: string) => any}} Policy
 */

/**
 * HTML is for the sanitizer alone, which parses it where nothing runs; scripts come from this package's folder.
 * @type {Policy}
 */
const RULES = {
  createHTML: (html) => html,
  createScriptURL: (url) => {
    if (!new URL(url, OWN).href.startsWith(OWN)) throw new TypeError(`not a script of this package: ${url}`)
    return url
  },
}

/** @type {Policy} */
export const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("askbook", RULES) ?? RULES

/** An address a worker may be started from. @param {string | URL} url @returns {any} */
export const scriptUrl = (url) => policy.createScriptURL(String(url))
