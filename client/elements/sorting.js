/** The signs of a text in the order of what follows them, where like stands by like; and back. */

/** What counts the signs, or ranks, of an order. @param {Int32Array} keys @param {Int32Array} counts is filled with where each key begins */
function starts(keys, counts) {
  counts.fill(0)
  for (let at = 0; at < keys.length; at++) counts[keys[at] + 1]++
  for (let key = 1; key < counts.length; key++) counts[key] += counts[key - 1]
}

/**
 * The ends of a text in their order, by ranks of pieces that double in length.
 * @param {Int32Array} signs from 1 on; a last one, 0, stands nowhere else
 * @returns {Generator<void, Int32Array>} in steps; where each end begins
 */
function* sorted(signs) {
  const size = signs.length
  let [ranks, next] = [signs.slice(), new Int32Array(size)]
  const [order, byEnd] = [new Int32Array(size), new Int32Array(size)]
  const counts = new Int32Array(Math.max(size, signs.reduce((a, b) => Math.max(a, b), 0)) + 2)
  starts(ranks, counts)
  for (let at = 0; at < size; at++) order[counts[ranks[at]]++] = at
  for (let length = 1; ; length *= 2) {
    yield
    let count = 0
    for (let at = Math.max(0, size - length); at < size; at++) byEnd[count++] = at
    for (let at = 0; at < size; at++) if (order[at] >= length) byEnd[count++] = order[at] - length
    starts(ranks, counts)
    yield
    for (let at = 0; at < size; at++) order[counts[ranks[byEnd[at]]]++] = byEnd[at]
    yield
    const rank = (/** @type {number} */ at) => (at < size ? ranks[at] : -1)
    next[order[0]] = count = 0
    for (let at = 1; at < size; at++) {
      const [one, other] = [order[at - 1], order[at]]
      if (ranks[one] !== ranks[other] || rank(one + length) !== rank(other + length)) count++
      next[other] = count
    }
    ;[ranks, next] = [next, ranks]
    if (count === size - 1) return order
  }
}

/**
 * @param {Int32Array} signs of a text, from 1 on
 * @returns {Generator<void, {signs: Int32Array, end: number}>} in steps; the signs in their new order, and where among them the end of the text would stand
 */
export function* forward(signs) {
  const closed = new Int32Array(signs.length + 1)
  closed.set(signs)
  const order = yield* sorted(closed)
  const made = new Int32Array(signs.length)
  let [count, end] = [0, 0]
  for (let at = 0; at < order.length; at++) {
    if (order[at]) made[count++] = closed[order[at] - 1]
    else end = at
  }
  return { signs: made, end }
}

/** @param {Int32Array} signs in the order of what follows them @param {number} end @returns {Int32Array} the text */
export function backward(signs, end) {
  const size = signs.length + 1
  const closed = new Int32Array(size)
  closed.set(signs.subarray(0, end))
  closed.set(signs.subarray(end), end + 1)
  const counts = new Int32Array(signs.reduce((a, b) => Math.max(a, b), 0) + 2)
  starts(closed, counts)
  const before = new Int32Array(size)
  for (let at = 0; at < size; at++) before[at] = counts[closed[at]]++
  const text = new Int32Array(signs.length)
  for (let at = 0, place = signs.length - 1; place >= 0; place--, at = before[at]) text[place] = closed[at]
  return text
}
