/** Words of the panel: one table per language, fetched when needed, and the function that fills names in. */

/** @typedef {typeof import("./words/en.js").en} Words */
/** @typedef {"en" | "zh-Hans" | "zh-Hant"} Language */

/** Languages by their own names, for the chooser. */
export const LANGUAGES = { en: "English", "zh-Hans": "简体中文", "zh-Hant": "繁體中文" }

/** @param {Language} language @returns {Promise<Words>} */
export async function loadWords(language) {
  if (language === "zh-Hans") return (await import("./words/zh-hans.js")).zhHans
  if (language === "zh-Hant") return (await import("./words/zh-hant.js")).zhHant
  return (await import("./words/en.js")).en
}

/**
 * Fill `{name}` in a text.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole))
}
