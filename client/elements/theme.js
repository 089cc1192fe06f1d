/** The panel wears the page's clothes: colours are read from what the page shows, not from any theme's names. */

/** @typedef {[number, number, number]} Colour */

/** @param {Colour} colour @returns {number} relative luminance as in WCAG */
export function luminance(colour) {
  const [r, g, b] = colour.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** @param {Colour} one @param {Colour} other @returns {number} 1 to 21 */
export function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/**
 * Read a computed colour over a ground.
 * @param {string} text
 * @param {Colour} ground
 * @returns {Colour | null} null when nothing is painted
 */
export function readColour(text, ground) {
  const numbers = text.match(/[\d.]+%?/g)?.map((part) => (part.endsWith("%") ? parseFloat(part) / 100 : parseFloat(part)))
  if (!numbers || numbers.length < 3 || !/^(rgb|color\(srgb)/.test(text)) return null
  const scale = text.startsWith("color") ? 255 : 1
  const alpha = numbers[3] ?? 1
  if (alpha < 0.05) return null
  return /** @type {Colour} */ ([0, 1, 2].map((i) => Math.round(numbers[i] * scale * alpha + ground[i] * (1 - alpha))))
}

/** @param {Colour} colour */
const css = (colour) => `rgb(${colour.join(" ")})`

/** @type {Colour} */
const WHITE = [255, 255, 255]
/** @type {Colour} */
const INK = [28, 32, 40]
/** @type {Record<"light" | "dark", Colour>} */
const OWN_ACCENT = { light: [45, 86, 190], dark: [150, 182, 255] }

/** How much of the accent tints the ground behind marks and chosen rows, as in `panel.css`. */
const TINT = 0.11

/** @param {Colour} colour @param {Colour} ground @returns {Colour} the ground behind a mark of this colour */
const tinted = (colour, ground) => /** @type {Colour} */ (colour.map((part, at) => part * TINT + ground[at] * (1 - TINT)))

/**
 * The first candidate that can be read on the ground, tinted with itself or not.
 * @param {(Colour | null)[]} candidates
 * @param {Colour} ground
 * @returns {Colour}
 */
export function readable(candidates, ground) {
  const own = luminance(ground) < 0.3 ? OWN_ACCENT.dark : OWN_ACCENT.light
  return candidates.find((candidate) => candidate && contrast(candidate, tinted(candidate, ground)) >= 4.6 && spread(candidate) > 24) ?? own
}

/** How much of the ink grounds that are only told apart have, as in `panel.css`. */
const SOFTER = 0.09
/** How much of it secondary text has, where that can be read. */
const MUTED = 0.72

/** @param {Colour} ink @param {Colour} ground @param {number} share @returns {Colour} */
const mixed = (ink, ground, share) => /** @type {Colour} */ (ink.map((part, at) => Math.round(part * share + ground[at] * (1 - share))))

/** @param {Colour} ink @param {Colour} ground @returns {Colour} secondary text, as much lighter than the ink as can be read wherever it stands */
export function muted(ink, ground) {
  const darkest = mixed(ink, ground, SOFTER)
  let share = MUTED
  while (share < 1 && contrast(mixed(ink, ground, share), darkest) < 4.6) share += 0.04
  return mixed(ink, ground, Math.min(share, 1))
}

/** @param {Colour} colour how far from grey */
const spread = (colour) => Math.max(...colour) - Math.min(...colour)

/** @param {string} text of a style sheet @param {Colour} ground @param {Element} at where it is asked for @returns {Colour | null} a colour as it is painted */
function painted(text, ground, at) {
  const probe = document.createElement("i")
  probe.style.cssText = `display:none;color:${text}`
  at.append(probe)
  const found = readColour(getComputedStyle(probe).color, ground)
  probe.remove()
  return found
}

/** @param {string} name @param {Colour} ground @param {Element} at @returns {Colour | null} a custom property as a painted colour */
const property = (name, ground, at) => painted(`var(${name},transparent)`, ground, at)

/** @param {Element} around what the panel stands in @returns {{ground: Colour, ink: Colour, accent: Colour}} */
export function pageColours(around) {
  const styles = [document.body, document.documentElement].map((element) => getComputedStyle(element))
  const ground = [property("--askbook-ground", WHITE, around), ...styles.map((style) => readColour(style.backgroundColor, WHITE))].find(Boolean) ?? painted("Canvas", WHITE, document.body) ?? WHITE
  const content = document.querySelector("main, article, [role=main]") ?? document.body
  const named = property("--askbook-ink", ground, around)
  const inks = [getComputedStyle(content).color, styles[0].color].map((text) => readColour(text, ground))
  const ink = named && contrast(named, ground) >= 4.6 ? named : inks.find((found) => found && contrast(found, ground) >= 7)
  const link = document.querySelector("main a[href], article a[href], [role=main] a[href]")
  const accent = readable(
    [property("--askbook-accent", ground, around), property("--md-typeset-a-color", ground, around), property("--md-accent-fg-color", ground, around), link && readColour(getComputedStyle(link).color, ground)],
    ground,
  )
  return { ground, ink: ink ?? (luminance(ground) < 0.3 ? [236, 238, 242] : INK), accent }
}

/**
 * Follow the page's palette from now on.
 * @param {HTMLElement} host
 */
export function followTheme(host) {
  const around = () => host.parentElement ?? document.body
  const apply = () => {
    const { ground, ink, accent } = pageColours(around())
    const dark = luminance(ground) < 0.3
    host.dataset.scheme = dark ? "dark" : "light"
    host.style.setProperty("--ab-ground", css(ground))
    host.style.setProperty("--ab-ink", css(ink))
    host.style.setProperty("--ab-muted", css(muted(ink, ground)))
    host.style.setProperty("--ab-accent", css(accent))
    host.style.setProperty("--ab-on-accent", contrast(WHITE, accent) >= 4.5 ? "#fff" : "#101418")
  }
  let asked = 0
  const soon = () => {
    clearTimeout(asked)
    asked = window.setTimeout(apply, 60)
  }
  apply()
  const observer = new MutationObserver(soon)
  for (const element of new Set([document.documentElement, document.body, around()])) {
    observer.observe(element, { attributes: true, attributeFilter: ["class", "style", "data-md-color-scheme", "data-md-color-primary", "data-theme", "data-bs-theme"] })
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", soon)
}
