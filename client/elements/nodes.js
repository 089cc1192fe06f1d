/**
 * The core's drawing as nodes, made one by one: of the tags and attributes that are allowed, and only where the text is written
 * exactly as the core writes it. No HTML is parsed, so nothing can be hidden in it; what is written otherwise is not read here.
 */

const VOID = new Set(["br", "hr", "img"])
const PIECE = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>|([^<]+)/y
const ATTRIBUTE = / ([a-z-]+)="([^"]*)"/g
const ENTITY = /&(?:(lt|gt|amp|quot|#x27);)?/g
const ENTITIES = /** @type {Record<string, string>} */ ({ lt: "<", gt: ">", amp: "&", quot: '"', "#x27": "'" })

/** HTML that the core does not write. */
class Unknown extends Error {}

/**
 * @typedef {object} Allowed
 * @property {Set<string>} tags
 * @property {Set<string>} attributes
 * @property {(element: Element) => boolean} fits whether the addresses of an element are ones that may be followed or loaded
 */

/** @param {string} html @param {Allowed} allowed @returns {DocumentFragment | null} null where it is not the core's */
export function nodes(html, allowed) {
  try {
    return build(html, allowed)
  } catch (error) {
    if (error instanceof Unknown) return null
    throw error
  }
}

/** @param {string} html @param {Allowed} allowed @returns {DocumentFragment} */
function build(html, allowed) {
  const fragment = document.createDocumentFragment()
  /** @type {ParentNode & Node} */
  let place = fragment
  let at = 0
  while (at < html.length) {
    PIECE.lastIndex = at
    const found = PIECE.exec(html)
    if (!found) throw new Unknown()
    at = PIECE.lastIndex
    const [, close, tag, attributes, text] = found
    if (text !== undefined) place.append(decode(text, place))
    else if (close) {
      if (/** @type {Element} */ (place).localName !== tag) throw new Unknown()
      place = /** @type {ParentNode & Node} */ (place.parentNode)
    } else {
      const made = element(tag, attributes, allowed)
      place.append(made)
      if (!VOID.has(tag)) place = made
    }
  }
  if (place !== fragment) throw new Unknown()
  return fragment
}

/** @param {string} tag @param {string} attributes @param {Allowed} allowed @returns {Element} */
function element(tag, attributes, { tags, attributes: known, fits }) {
  if (!tags.has(tag)) throw new Unknown()
  const made = document.createElement(tag)
  for (const [, name, value] of attributes ? attributes.matchAll(ATTRIBUTE) : []) {
    if (!known.has(name) || name === "src") throw new Unknown() // a source is loaded the moment it is set
    made.setAttribute(name, decode(value))
  }
  if (!fits(made)) throw new Unknown()
  return made
}

/** @param {string} text @param {Node} [place] it begins, if it does @returns {string} with its entities as characters */
function decode(text, place) {
  if (text[0] === "\n" && /** @type {Element | undefined} */ (place)?.localName === "pre") throw new Unknown() // a parser would drop it
  if (!text.includes("&")) return text
  return text.replace(ENTITY, (_, name) => {
    if (!name) throw new Unknown()
    return ENTITIES[name]
  })
}
