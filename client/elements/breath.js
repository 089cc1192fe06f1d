/** Long work in pieces: the page may do something else in between. */

/** Longest time in one piece. */
const SLICE_MS = 8
/** The same for what is drawn: laying it out takes the page several times as long. */
const DRAWN_MS = 3

/** @param {number} slice @param {() => Promise<unknown>} pause @returns {() => Promise<void>} */
function inSlices(slice, pause) {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < slice) return
    await pause()
    began = performance.now()
  }
}

/** Browsers make timers that follow on each other wait, and tasks not. @type {{scheduler?: {postTask(act: () => void): Promise<void>}}} */
const { scheduler } = /** @type {any} */ (globalThis)

/** @returns {Promise<void>} in another task, after those that are due by now */
export const nextTask = () => scheduler?.postTask(() => {}) ?? new Promise((resolve) => setTimeout(resolve))

/** @returns {() => Promise<void>} to be awaited between steps: goes on at once, or in another task where the piece has grown long */
export const breaths = () => inSlices(SLICE_MS, nextTask)

/** @returns {() => Promise<void>} the same for what is drawn: the next piece comes when this one has been painted */
export const frames = () => inSlices(DRAWN_MS, painted)

/** @returns {Promise<void>} when the page has been painted; pages nobody sees are not */
export function painted() {
  return new Promise((resolve) => {
    const after = () => setTimeout(resolve)
    if (document.hidden) after()
    else requestAnimationFrame(after)
  })
}
