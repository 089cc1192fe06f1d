/** Text of a card as a reader sees it in few lines: prose, tables line by line, and code as code. */

/** @typedef {{code: boolean, text: string}} Block */

const FENCE = /^\s*(`{3,}|~{3,})(.*)$/
const CELLS = /\s*\|\s*/g

/**
 * Part a card's text into prose and code; prose is flat, code keeps its lines, a fence is shown by neither.
 * @param {string} text
 * @returns {Block[]}
 */
export function blocks(text) {
  /** @type {Block[]} */
  const found = []
  /** @type {string[]} */
  let lines = []
  let fence = ""
  const close = (/** @type {boolean} */ code) => {
    const body = code ? lines.join("\n").replace(/^\n+|\s+$/g, "") : flat(lines)
    if (body.trim()) found.push({ code, text: body })
    lines = []
  }
  for (const line of text.split("\n")) {
    const mark = FENCE.exec(line)
    if (mark && !fence && !mark[2].includes("`")) {
      close(false)
      fence = mark[1]
    } else if (mark && fence && mark[1].startsWith(fence) && !mark[2].trim()) {
      close(true)
      fence = ""
    } else lines.push(line)
  }
  close(fence !== "")
  return found
}

/** Lines of prose as one; the cells of a table are set apart. @param {string[]} lines */
function flat(lines) {
  const cells = (/** @type {string} */ line) => (line.includes(" | ") ? line.replace(CELLS, " · ").replace(/^ · | · $/g, "") : line)
  return lines.map(cells).join(" ").replace(/\s+/g, " ").trim()
}

/**
 * The beginning of some blocks.
 * @param {Block[]} given
 * @param {number} characters
 * @returns {Block[]}
 */
export function beginning(given, characters) {
  /** @type {Block[]} */
  const kept = []
  let left = characters
  for (const block of given) {
    if (left <= 0) break
    kept.push(block.text.length > left ? { ...block, text: `${block.text.slice(0, left - 1)}…` } : block)
    left -= block.text.length
  }
  return kept
}
