/**
 * Threads as long use leaves them. Where no text is given, their words are drawn by lot, as often as words of a language come, so that
 * gzip takes of the text what it takes of prose in real books: 0.33 bytes a character of English, 0.95 of Chinese; nothing is said
 * twice but what a thread says twice: the passages of its topic, and the sentences that carry a mark.
 */

const VOWELS = "aeiou"
const CONSONANTS = "bcdfghklmnprstvw"

/** Numbers by lot, the same in every run. @param {number} seed */
const lots = (seed) => (/** @type {number} */ below) => (seed = (seed * 48271) % 2147483647) % below

/** @param {"en" | "zh"} lang */
export function wordsOf(lang) {
  const random = lots(7)
  const syllable = () => CONSONANTS[random(16)] + VOWELS[random(5)] + ["", "n", "r", "s"][random(4)]
  // the commonest characters stand alone or in many words, as they do
  const char = () => String.fromCharCode(0x4e00 + Math.floor(2500 ** (random(10_000) / 10_000)) * 8)
  const word = lang === "en" ? () => Array.from({ length: 1 + random(4) }, syllable).join("") : () => Array.from({ length: 1 + random(3) }, char).join("")
  return Array.from({ length: 9000 }, word)
}

/** Prose of one language, as long as asked for; of a text, piece by piece, where one is given. @param {"en" | "zh"} lang @param {number} seed @param {string} [given] */
export function author(lang, seed, given = "") {
  const random = lots(seed)
  if (given) return reader(random, given)
  const words = wordsOf(lang)
  const [space, comma, stop] = lang === "en" ? [" ", ", ", ". "] : ["", "，", "。"]
  const word = () => words[Math.floor(words.length ** (random(1_000_000) / 1_000_000)) - 1]
  const sentence = () => {
    let said = ""
    for (let left = 8 + random(18); left; left--) said += word() + (left > 1 ? (random(9) ? space : comma) : stop)
    return said
  }
  return {
    random,
    prose(/** @type {number} */ length) {
      let text = ""
      while (text.length < length) text += sentence()
      return text.slice(0, length)
    },
  }
}

/** Says a text, each thread from another place of it on. @param {ReturnType<typeof lots>} random @param {string} text */
function reader(random, text) {
  let at = 0
  return {
    random,
    begin: () => (at = random(text.length)),
    prose: (/** @type {number} */ length) => {
      if (at + length > text.length) at = 0
      return text.slice(at, (at += Math.floor(length)))
    },
  }
}

/**
 * A thread of a topic: every turn cites four of eight sources of its forty passages after a lookup, and thinks before it answers.
 * @param {{newThread: () => any, newTurn: (question: string, about: any) => any}} made
 * @param {{random: (below: number) => number, prose: (length: number) => string, begin?: () => void}} writer
 * @param {{turns: number, question: number, answer: number}} size
 */
export function threadOf({ newThread, newTurn }, { random, prose, begin }, size) {
  begin?.()
  const passages = Array.from({ length: 40 }, (_, at) => ({
    card: `${1 + random(9)}-${random(9)}/definition-${at}`, kind: "definition", number: `${1 + random(9)}.${at}`, title: prose(size.question / 2),
    url: `chapter-${1 + random(9)}/#definition-${at}`, text: prose(400), name: "books-ranking-en", matched: [],
  }))
  const thread = { ...newThread(), title: prose(size.question) }
  for (let turn = 0; turn < size.turns; turn++) thread.turns.push(turnOf(newTurn, { random, prose }, passages, size))
  return thread
}

/** @param {any} newTurn @param {{random: (below: number) => number, prose: (length: number) => string}} writer @param {any[]} passages @param {{question: number, answer: number}} size */
function turnOf(newTurn, { random, prose }, passages, { question, answer }) {
  const asked = prose(question)
  const made = newTurn(asked, { page: { url: location.href, title: document.title }, model: "some-model-4" })
  const text = prose(answer)
  const sources = Array.from({ length: 8 }, (_, at) => ({ ...passages[random(40)], n: 1 + at + random(300), matched: [asked.slice(0, 4), asked.slice(5, 9)] }))
  const sentences = text.split(/(?<=[.。])/)
  const citations = sources.slice(0, 4).map(({ n, text: passage, url }, mark) => ({
    mark, n, sentence: sentences[mark] ?? "", support: "quoted", quote: passage.slice(0, 80), url: `/${url}`, score: random(1000) / 1000,
  }))
  const results = sources.slice(0, 4).map(({ card, title, url, text: passage }) => ({ id: card, type: "definition", title, url, score: random(1e6) / 1e5, matched: [], text: passage }))
  const now = Date.now() + random(1e6)
  const part = (/** @type {any} */ more) => ({ state: "completed", text: "", began: now, ended: now + random(9000), ...more })
  Object.assign(made.answer, {
    state: "completed", mode: "retrieve", sources, citations, grounding: 1, usage: { input: random(9000), output: random(900) }, finish: "stop",
    retrieval: { hits: 8, status: { terms: [asked.slice(0, 4), asked.slice(5, 9)], unknown: [], nearest: {}, confidence: random(1000) / 1000, expanded: {} } },
    parts: [
      part({ part: 0, kind: "reasoning", text: prose(question) }),
      part({ part: 1, kind: "tool-call", id: `call_${random(1e9).toString(36)}`, name: "book_retrieve", arguments: { query: prose(question / 4) }, result: { content: { results }, error: false } }),
      part({ part: 2, kind: "text", text }),
    ],
  })
  return made
}
