/**
 * Keyword search without Python, where a site's policy or a browser forbids WebAssembly: whole words and pairs of Chinese letters,
 * counted over the cards' texts. Provisional beside the core's search, and named so to the reader.
 */

/** As `client/py/columns.py` writes numbers and ends values. */
const ENDS = "\x7f"
const LETTERS = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter((letter) => !'"\\[{'.includes(letter)).join("")
const K1 = 1.2
const B = 0.75
/** How often the words of a title count. */
const TITLE = 3
const SNIPPET = 240
const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+/u
const TOKEN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{N}\p{M}])+(?:[.'’_-](?![\p{sc=Han}])[\p{L}\p{N}]+)*/gu
const FUNCTION_WORDS = new Set(
  "a an and are as at be by can do does for from has have how i in is it its me my of on or say says that the their there this to was we what when where which who why will with you your".split(" "),
)

/** @param {string[]} planes digits, the last ones first @returns {number[]} */
function digits(planes) {
  return Array.from(planes[0] ?? "", (_, at) => planes.reduceRight((sum, plane) => sum * LETTERS.length + LETTERS.indexOf(plane[at]), 0))
}

/** @param {string[]} planes of steps above and below zero @returns {number[]} where they lead */
function walk(planes) {
  let at = 0
  return digits(planes).map((step) => (at += (step >> 1) ^ -(step & 1)))
}

/** @param {string} title @returns {string} the fragment most generators give a heading, as `usual_anchor` of the core */
const usualAnchor = (title) => title.replace(/[^\p{L}\p{N}\p{M}_\s-]/gu, "").trim().toLowerCase().replace(/[\s-]+/g, "-")

/**
 * Titles and addresses of the cards of an index, as `client/py/catalogue.py` reads them.
 * @param {any} index
 * @returns {{title: string, number: string, kind: string, url: string}[]}
 */
export function cardsOf({ pages, cards }) {
  const addresses = [...pages, ...cards.elsewhere]
  const runs = walk(cards.run_pages)
  const page = digits(cards.run_cards).flatMap((count, run) => Array(count).fill(addresses[runs[run]]))
  const [titles, anchors, numbers] = [cards.titles, cards.anchors, cards.numbers].map((column) => column.split(ENDS))
  const kinds = digits(cards.kind)
  let title = ""
  let url = ""
  return page.map((own, at) => {
    if (titles[at]) title = titles[at].replace(/^:/, "")
    if (anchors[at] || page[at - 1] !== own) url = own + (anchors[at] === "=" ? `#${usualAnchor(title)}` : anchors[at].replace(/^:/, ""))
    return { title, number: numbers[at], kind: cards.kinds[kinds[at]], url }
  })
}

/** A word without the endings English gives it. @param {string} word */
function stem(word) {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const base = word.replace(/ies$/, "y").replace(/(ss|x|ch|sh)es$/, "$1").replace(/([^su])s$/, "$1").replace(/([a-z]{3})(?:ing|ed|ly)$/, "$1")
  return base.replace(/([^aeiouls])\1$/, "$1").replace(/e$/, "")
}

/**
 * What a text is found by: words, their parts, and pairs of letters of scripts without spaces.
 * @param {string} text
 * @returns {string[]}
 */
export function terms(text) {
  const found = []
  for (const [token] of text.normalize("NFKC").toLowerCase().matchAll(TOKEN)) {
    if (WITHOUT_SPACES.test(token)) {
      const letters = [...token]
      if (letters.length === 1) found.push(token)
      for (let at = 1; at < letters.length; at++) found.push(letters[at - 1] + letters[at])
    } else {
      const parts = /^[\d.]+$/.test(token) ? [] : token.split(/[.'’_-]/)
      if (parts.length > 1) found.push(token)
      for (const part of parts.length ? parts : [token]) found.push(stem(part))
    }
  }
  return found
}

/**
 * @typedef {{title: string, number: string, kind: string, url: string, text: string, matched: string[], score: number}} Passage
 */

/** One book, counted when it is first asked. */
export class Keywords {
  #cards
  #texts
  /** @type {Map<string, Map<number, number>> | undefined} term to card to count */
  #postings
  /** @type {number[]} */
  #lengths = []
  #average = 1

  /** @param {any} index @param {string[]} [texts] of the cards, where they are there */
  constructor(index, texts = []) {
    this.#cards = cardsOf(index)
    this.#texts = texts
  }

  get size() {
    return this.#cards.length
  }

  /** @returns {Map<string, Map<number, number>>} */
  #count() {
    /** @type {Map<string, Map<number, number>>} */
    const postings = new Map()
    this.#lengths = this.#cards.map(({ title }, card) => {
      const title_terms = terms(title)
      const all = [...Array(TITLE).fill(title_terms).flat(), ...terms(this.#texts[card] ?? "")]
      for (const term of all) {
        const posting = postings.get(term) ?? new Map()
        postings.set(term, posting.set(card, (posting.get(card) ?? 0) + 1))
      }
      return all.length
    })
    this.#average = Math.max(1, this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, this.size))
    return postings
  }

  /**
   * The cards with most of a question's words, the best first.
   * @param {string} question
   * @param {number} most
   * @returns {Passage[]}
   */
  search(question, most) {
    const postings = (this.#postings ??= this.#count())
    const all = [...new Set(terms(question))]
    const telling = all.filter((term) => !FUNCTION_WORDS.has(term))
    const asked = telling.length ? telling : all
    /** @type {Map<number, {score: number, matched: string[]}>} */
    const found = new Map()
    for (const term of asked) {
      const posting = postings.get(term) ?? new Map()
      const rare = Math.log(1 + (this.size - posting.size + 0.5) / (posting.size + 0.5))
      for (const [card, count] of posting) {
        const hit = found.get(card) ?? { score: 0, matched: [] }
        hit.score += (rare * count * (K1 + 1)) / (count + K1 * (1 - B + (B * this.#lengths[card]) / this.#average))
        hit.matched.push(term)
        found.set(card, hit)
      }
    }
    for (const hit of found.values()) hit.score *= hit.matched.length / asked.length
    const best = [...found].sort(([one, a], [other, b]) => b.score - a.score || one - other).slice(0, most)
    return best.map(([card, hit]) => ({ ...this.#cards[card], text: this.#texts[card] ?? "", ...hit }))
  }
}

/**
 * The piece of a passage where most of the words stand.
 * @param {Passage} passage
 */
export function snippet({ text, matched }) {
  const wanted = new Set(matched)
  const pieces = text.split(/\n+|(?<=[.!?])\s+|(?<=[。！？])/u).filter((piece) => piece.trim())
  const counts = pieces.map((piece) => new Set(terms(piece).filter((term) => wanted.has(term))).size)
  const best = pieces[counts.indexOf(Math.max(...counts))] ?? ""
  const letters = [...best]
  return letters.length > SNIPPET ? `${letters.slice(0, SNIPPET).join("")}…` : best
}
