/** The end of a drawing is put in place of the end that stands there; what is in front of it is left alone. */

/**
 * Put a new end into an element. @param {Element} block
 * @param {ParentNode} end begins with copies of the elements it stands in, and in the last of these with what is new
 * @param {number[]} at the elements to go down into, by ordinal; then how many elements and characters stay in the last one
 */
export function graft(block, end, at) {
  const [elements, characters] = at.slice(-2)
  /** @type {[Element, ParentNode, Element, Element][]} */
  const levels = []
  let place = block
  let piece = end
  for (const ordinal of at.slice(0, -2)) {
    const [child, copy] = [place.children[ordinal], piece.firstElementChild]
    if (!child || !copy) return block.append(end)
    levels.push([place, piece, child, copy])
    place = child
    piece = copy
  }
  cutBehind(place, elements, characters)
  place.append(...piece.childNodes)
  for (const [outer, outerPiece, child, copy] of levels.reverse()) {
    while (child.nextSibling) child.nextSibling.remove()
    copy.remove()
    outer.append(...outerPiece.childNodes)
  }
}

/** Take away what follows so many elements and characters. @param {Element} place @param {number} elements @param {number} characters */
function cutBehind(place, elements, characters) {
  let node = elements ? place.children[elements - 1]?.nextSibling : place.firstChild
  while (node instanceof Text && node.length <= characters) {
    characters -= node.length
    node = node.nextSibling
  }
  if (node instanceof Text && characters) {
    node.data = node.data.slice(0, characters)
    node = node.nextSibling
  }
  while (node) {
    const next = node.nextSibling
    node.remove()
    node = next
  }
}
