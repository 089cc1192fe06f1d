/** The sources under an answer. */
export { sourceList, sourcePrefix } from "./source-list.js"
