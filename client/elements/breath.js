/** Long work in pieces: the page may do something else in between. */

/** Longest time in one piece. */
const SLICE_MS = 8

/** @returns {() => Promise<void>} to be awaited between steps: goes on at once, or in another task where the piece has grown long */
export function breaths() {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < SLICE_MS) return
    await new Promise((resolve) => setTimeout(resolve))
    began = performance.now()
  }
}
