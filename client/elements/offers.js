/** What a reader may ask: to start with, and after an answer. */
import { fill } from "./words.js"

/** @typedef {import("./panel.js").Panel} Panel */
/** @typedef {import("./words.js").Words} Words */

/** Questions to start with, where an author gives fewer. */
const SUGGESTED = 3

/** Fill up the author's questions with the book's first chapters. @param {Panel} panel */
export async function suggest(panel) {
  const { proposedQuestions: proposed } = panel
  if (proposed.length >= SUGGESTED) return
  const outline = await panel.connection.call("outline", {}).catch(() => [])
  const titles = /** @type {string[]} */ (outline.map((/** @type {{title: string}} */ chapter) => chapter.title)).filter((title) => title !== panel.book.main?.title)
  const { suggestAbout } = /** @type {Words} */ (panel.words)
  greet(panel, [...proposed, ...titles.map((title) => fill(suggestAbout, { title }))].slice(0, SUGGESTED))
}

/** @param {Panel} panel @param {string[]} questions */
export function greet(panel, questions) {
  panel.conversation?.greet({ title: panel.book.main?.title ?? "", questions })
}

/** What is being written meanwhile stays, and is no part of it. @param {Panel} panel @param {string} question that was offered */
export function askOffered(panel, question) {
  const { composer, threads } = panel
  if (!composer?.value) return panel.send(question)
  const { draft } = composer
  const { editing } = threads
  composer.clear()
  threads.editing = null
  panel.send(question)
  composer.draft = draft
  threads.editing = editing
}

/** @param {Panel} panel @param {string} typed @returns {Promise<{title: string, url: string}[]>} chapters whose titles hold it */
export async function chapters(panel, typed) {
  const outline = await panel.connection.call("outline", {}).catch(() => [])
  return outline.filter((/** @type {{title: string}} */ chapter) => chapter.title.toLowerCase().includes(typed.toLowerCase()))
}

/** @param {Panel} panel @param {import("./turn.js").TurnView} turn offers what one may ask next */
export function followUps(panel, { answer }) {
  const words = /** @type {Words} */ (panel.words)
  const cited = answer.sources.find((source) => source.title)
  if (answer.state !== "completed" || !panel.choices.model || !cited) return
  panel.conversation?.followUps([fill(words.followMore, { title: cited.title }), words.followExample])
}
