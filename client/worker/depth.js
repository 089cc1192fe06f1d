/**
 * JSON nested too deeply is kept from Python: in a browser its parser overruns the stack of the WebAssembly engine, which ends Python for
 * good and raises nothing. `nesting.py` looks at what models and tools send; files of a book are looked at here, where it is quicker.
 */

/** Levels that are parsed, as in `nesting.py`; a file of a book has a dozen. */
export const DEEPEST = 500
const [QUOTE, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = Array.from('"\\[]{}', (sign) => sign.charCodeAt(0))

/** Whether there are too few openings to go deep. @param {Uint8Array} json */
function hasFew(json) {
  let left = DEEPEST
  for (const sign of [LIST, OBJECT]) {
    for (let at = json.indexOf(sign); at >= 0 && left >= 0; at = json.indexOf(sign, at + 1)) left--
  }
  return left >= 0
}

/** @param {ArrayBuffer} file @returns {boolean} */
export function isTooDeep(file) {
  const json = new Uint8Array(file)
  if (hasFew(json)) return false
  let depth = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    if (sign === QUOTE) inString = !inString
    else if (inString) {
      if (sign === BACKSLASH) at++
    } else if (sign === LIST || sign === OBJECT) {
      if (++depth > DEEPEST) return true
    } else if (sign === LIST_END || sign === OBJECT_END) depth--
  }
  return false
}
