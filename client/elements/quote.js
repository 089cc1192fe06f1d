/** Sentences of the book as text to look for: what of them a page shows as it is, and the text fragment that points there. */

const FORMULA = /\$\$[^]+?\$\$|\$[^$\n]+\$|\\\([^]+?\\\)|\\\[[^]+?\\\]/g
const HAN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/
const WORDS = 6
const LETTERS = 12

/** A text as bare letters, with the place each of them has. @param {string} text @returns {{letters: string, places: number[]}} */
export function bare(text) {
  let letters = ""
  const places = []
  let at = 0
  for (const char of text) {
    for (const letter of char.normalize("NFKC").toLowerCase()) {
      if (/[\p{L}\p{N}]/u.test(letter)) {
        letters += letter
        for (let unit = 0; unit < letter.length; unit++) places.push(at)
      }
    }
    at += char.length
  }
  return { letters, places }
}

/**
 * The stretches of a sentence that a page shows letter by letter: formulas are typeset there, code has lost its backticks.
 * @param {string} quote of a card's text
 * @returns {string[]}
 */
export function pieces(quote) {
  return quote.split(FORMULA).map((piece) => piece.replace(/`+/g, "").replace(/\s+/g, " ").trim()).filter((piece) => bare(piece).letters.length >= (HAN.test(piece) ? 4 : 8))
}

/** The text directive for a sentence: `:~:text=start,end`; empty where it has too few words. @param {string} quote */
export function fragment(quote) {
  const found = pieces(quote)
  if (!found.length) return ""
  const start = found[0].split("|")[0].trim()
  const end = /** @type {string} */ (found.at(-1)).split("|").at(-1)?.trim() ?? ""
  if (found.length === 1 && start === end && start.length <= (HAN.test(start) ? 3 * LETTERS : 80)) return `:~:text=${encode(start)}`
  return `:~:text=${encode(head(start))},${encode(tail(end))}`
}

/** @param {string} text */
const head = (text) => (HAN.test(text) ? text.slice(0, LETTERS) : text.split(" ").slice(0, WORDS).join(" "))
/** @param {string} text */
const tail = (text) => (HAN.test(text) ? text.slice(-LETTERS) : text.split(" ").slice(-WORDS).join(" "))
/** @param {string} text */
const encode = (text) => encodeURIComponent(text).replace(/-/g, "%2D")
