/** Building elements without HTML text: names, attributes, listeners, children. */

const SVG = "http://www.w3.org/2000/svg"

/** Drawn on 24 × 24 with lines of one width. */
const PATHS = {
  add: ["M12 5v14M5 12h14"],
  back: ["M15 5l-7 7 7 7"],
  book: ["M12 6.500C10 5 7 4.500 3.500 4.800v13c3.500-.3 6.500.2 8.500 1.700 2-1.500 5-2 8.500-1.700v-13C17 4.500 14 5 12 6.500zM12 6.500v13"],
  brain: ["M12 3a4 4 0 0 0-4 4 4 4 0 0 0-2 7 4 4 0 0 0 4 6h4a4 4 0 0 0 4-6 4 4 0 0 0-2-7 4 4 0 0 0-4-4z", "M9.500 20v2h5v-2"],
  check: ["M5 12.500l4.500 4.500L19 7.500"],
  chevron: ["M9 6l6 6-6 6"],
  clock: ["M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17zM12 7.500V12l3 2"],
  close: ["M6 6l12 12M18 6L6 18"],
  copy: ["M9 9h11v11H9z", "M5 15H4V4h11v1"],
  dock: ["M4 5h16v14H4z", "M14.500 5v14"],
  down: ["M12 5v14M6 13l6 6 6-6"],
  edit: ["M4 20h4L19 9l-4-4L4 16z"],
  export: ["M12 15V4M8 8l4-4 4 4", "M5 14v6h14v-6"],
  float: ["M4 5h16v14H4z", "M12 12h5v4h-5z"],
  key: ["M14.500 9.500a4 4 0 1 1-4 4l-7 7M6 18l2 2"],
  list: ["M4 7h16M4 12h16M4 17h10"],
  more: ["M6 12h.01M12 12h.01M18 12h.01"],
  pin: ["M9 4h6l-1 6 3 3H7l3-3zM12 13v7"],
  plan: ["M5 6h2M5 12h2M5 18h2M10 6h9M10 12h9M10 18h9"],
  retry: ["M19.500 12a7.500 7.500 0 1 1-2.200-5.300L20 9.500M20 4.500v5h-5"],
  search: ["M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM15.500 15.500L21 21"],
  send: ["M12 19V5M6 11l6-6 6 6"],
  sliders: ["M4 7h9M17 7h3M4 17h3M11 17h9", "M15 9.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400zM9 19.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400z"],
  stop: ["M7.500 7.500h9v9h-9z"],
  trash: ["M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13"],
  warning: ["M12 4L2.800 20h18.400zM12 10v4.500M12 17.300v.2"],
}

/** @typedef {keyof typeof PATHS} IconName */

/** @param {IconName} name @returns {SVGSVGElement} */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg")
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" })) {
    svg.setAttribute(key, value)
  }
  for (const d of PATHS[name]) {
    const path = document.createElementNS(SVG, "path")
    path.setAttribute("d", d)
    svg.append(path)
  }
  return svg
}

/**
 * @typedef {string | Node | null | undefined | false} Child
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes
 */

/**
 * Make an element. `onX` attributes become listeners; false, null and undefined leave an attribute out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value)
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : String(value))
  }
  for (const child of children) if (child) element.append(child)
  return element
}

/** The second click of a double one is for a button that is no longer what it was. @param {() => void} press @returns {(event: MouseEvent) => void} */
export const single = (press) => ({ detail }) => void (detail < 2 && press())

/**
 * A button that shows an icon and is named by words.
 * @param {IconName} name
 * @param {string} label
 * @param {(event: MouseEvent) => void} press
 * @param {Attributes} [attributes]
 */
export function iconButton(name, label, press, attributes = {}) {
  return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick: press, ...attributes }, icon(name))
}

/**
 * A button with an icon and its words.
 * @param {IconName} name
 * @param {string} label
 * @param {(event: MouseEvent) => void} press
 * @param {Attributes} [attributes]
 */
export function wordButton(name, label, press, attributes = {}) {
  return h("button", { type: "button", class: "word-button", onclick: press, ...attributes }, icon(name), h("span", {}, label))
}
