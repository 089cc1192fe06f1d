/**
 * Formulas of KaTeX with fewer elements: a table in the inline flow for every index, struts and wrappers become runs of glyphs in
 * one line, each moved by its margin and raised from the base line. KaTeX has done the typesetting; widths are those of its fonts.
 * What is made otherwise than known here stays as KaTeX draws it.
 */

/** Font sizes of KaTeX, by their number. */
const SIZES = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.44, 1.728, 2.074, 2.488]
const MU = 1 / 18
/** Width of a delimiter that is not there. */
const NULL_DELIMITER = 0.12
/** Letters of no width. */
const WIDTHLESS = "\u200b"
/** Classes that choose a font. */
const FONTS = new Set(
  ("textbf textit textrm textsf texttt mathnormal mathit mathrm mathbf boldsymbol amsrm mathbb textbb mathcal mathfrak textfrak mathboldfrak textboldfrak " +
    "mathtt mathscr textscr mathsf textsf mathboldsf textboldsf mathsfit mathitsf textitsf mainrm").split(" "),
)
/** Classes that say nothing of where a thing stands. */
const PLAIN = new Set(
  ("mord mop mbin mrel mopen mclose mpunct minner mtight mspace text msupsub sqrt delimsizinginner mtable allowbreak nobreak newline op-symbol delimcenter " +
    "accent-body katex-overline katex-underline katex-smash delimsizing mult katex-sizing fontsize-ensurer enclosing").split(" "),
)
const CENTRED = new Set(["mfrac", "op-limits", "katex-accent", "col-align-c", "mover", "munder", "x-arrow"])
const LINES = new Set(["frac-line", "overline-line", "underline-line", "katex-hline"])
const PICTURES = new Set(["hide-tail", "katex-stretchy"])
/** What the style of an element may say … */
const STYLES = new Set(["marginRight", "marginLeft", "paddingLeft", "top", "left", "position", "color"])
/** … and that of one among those above one another. */
const WRAPPED = new Set(["top", "marginLeft", "marginRight"])

/** Something that is not known here. */
class Other extends Error {}

/**
 * @typedef {object} Around what an element inherits
 * @property {number} scale font size, of that of the formula
 * @property {string} font
 * @property {string} color
 * @property {"left" | "center" | "right"} align
 */
/**
 * @typedef {object} Piece
 * @property {number} x from the left end, in the formula's em
 * @property {number} y above the base line
 * @property {number} width
 * @property {number} scale
 * @property {string} font
 * @property {string} color
 * @property {string} [text]
 * @property {number} [thick] of a line
 * @property {any} [picture]
 * @property {boolean} [loose] takes no room: fonts do not say of accents how wide they are
 */
/** @typedef {{width: number, pieces: Piece[]}} Box */

/** Let symbols remember how wide their letters are, also where they are joined. @param {any} katex */
export function widths({ __domTree: { SymbolNode } }) {
  /** @type {any} */
  let read
  Object.defineProperty(SymbolNode.prototype, "text", {
    get() {
      read = this
      return this.letters
    },
    set(value) {
      if (this.letters !== undefined && value !== this.letters) this.joined = value === this.letters + read.letters ? whole(this) + whole(read) : NaN
      this.letters = value
    },
  })
}

/** @param {any} symbol @returns {number} its width without the correction behind it */
const whole = (symbol) => symbol.joined ?? (symbol.width || (WIDTHLESS.includes(symbol.letters) ? 0 : NaN))

/** Put runs of glyphs in place of what a formula is made of. @param {any} tree of KaTeX */
export function flatten(tree) {
  const display = tree.hasClass("katex-display")
  const html = (display ? tree.children[0] : tree).children.find((/** @type {any} */ child) => child.hasClass?.("katex-html"))
  if (html) html.children = html.children.map((/** @type {any} */ child) => (child.hasClass("katex-base") ? base(child, display ? "center" : "left") : child))
}

/** @param {any} node @param {"left" | "center"} align @returns {any} */
function base(node, align) {
  const [strut, ...children] = node.children
  try {
    const box = row(children, { scale: 1, font: "", color: "", align })
    return Number.isFinite(box.width) ? { toNode: () => drawn(box, strut) } : node
  } catch (error) {
    if (error instanceof Other) return node
    throw error
  }
}

/** Things side by side. @param {any[]} nodes @param {Around} around @returns {Box} */
function row(nodes, around) {
  /** @type {Piece[]} */
  const pieces = []
  let width = 0
  for (const child of nodes) {
    const box = layout(child, around)
    for (const piece of box.pieces) pieces.push(moved(piece, width))
    width += box.width
  }
  return { width, pieces }
}

/** @param {any} node @param {Around} around @returns {Box} */
function layout(node, around) {
  if (!node.classes || Object.keys(node.attributes ?? {}).length) throw new Other()
  const here = within(node, around)
  const { scale } = here
  const { style } = node
  const box = isSymbol(node) ? glyphs(node, here) : isDrawing(node) ? drawing(node, here) : node.hasClass("vlist-t") ? stack(node, here) : row(node.children, here)
  const [right, up] = [em(style.left) * scale, -em(style.top) * scale]
  if (node.hasClass("accent-body")) return { width: 0, pieces: box.pieces.map((piece) => ({ ...moved(piece, right, up), width: 0, loose: true })) }
  let before = (em(style.marginLeft) + em(style.paddingLeft)) * scale
  let after = (em(style.marginRight) + (isSymbol(node) ? node.italic : 0)) * scale
  if (node.hasClass("katex-root")) [before, after] = [5 * MU * scale, -10 * MU * scale]
  const width = node.hasClass("nulldelimiter") ? NULL_DELIMITER * scale : node.hasClass("arraycolsep") ? em(style.width) * scale : box.width
  return { width: before + width + after, pieces: box.pieces.map((piece) => moved(piece, before + right, up)) }
}

/** @param {any} symbol @param {Around} around @returns {Box} */
function glyphs(symbol, { scale, font, color }) {
  const width = whole(symbol) * scale
  if (Number.isNaN(width)) throw new Other()
  return { width, pieces: [{ x: 0, y: 0, width, scale, font, color, text: symbol.text }] }
}

/** Things above one another. @param {any} table @param {Around} around @returns {Box} */
function stack(table, around) {
  const things = table.children[0].children[0].children.map((/** @type {any} */ wrap) => stacked(wrap, around))
  const width = Math.max(...things.map((/** @type {ReturnType<typeof stacked>} */ { left, width, right }) => left + width + right))
  const pieces = things.flatMap((/** @type {ReturnType<typeof stacked>} */ { left, right, y, thing, box, align, width: own }) => {
    if (!box) return [picture(thing, around, left, y, width - left - right)]
    const room = width - left - right - own
    const x = left + (align === "center" ? room / 2 : align === "right" ? room : 0)
    return box.pieces.map((piece) => moved(piece, x, y))
  })
  return { width, pieces }
}

/** One of them: how high it stands, and what it needs. @param {any} wrap @param {Around} around */
function stacked(wrap, around) {
  const { scale } = around
  const { style, classes } = wrap
  const [strut, thing] = wrap.children
  if (classes.some((/** @type {string} */ name) => name !== "svg-align") || Object.keys(style).some((name) => !WRAPPED.has(name))) throw new Other()
  const align = classes.length ? "left" : around.align
  const box = isPicture(thing) ? null : layout(thing, { ...around, align })
  const y = -(em(style.top) + em(strut.style.height)) * scale
  const width = box ? box.width : em(thing.style.minWidth) * scale
  return { left: em(style.marginLeft) * scale, right: em(style.marginRight) * scale, y, thing, box, align, width }
}

/** @param {any} node @returns {boolean} */
const isSymbol = (node) => node.letters !== undefined

/** @param {any} node @returns {boolean} whether it is lines of its own width */
const isDrawing = (node) => node.children?.length > 0 && node.children.every((/** @type {any} */ child) => child.attributes?.viewBox)

/** @param {any} node @param {Around} around @returns {Box} */
function drawing(node, { scale, font, color }) {
  const width = em(node.style.width) * scale
  return { width, pieces: [{ x: 0, y: 0, width, scale, font, color, picture: node }] }
}

/** @param {Piece} piece @param {number} x @param {number} [y] @returns {Piece} */
const moved = (piece, x, y = 0) => ({ ...piece, x: piece.x + x, y: piece.y + y })

/** @param {string | undefined} length @returns {number} */
function em(length) {
  if (!length) return 0
  if (!/^-?[\d.]+em$/.test(length)) throw new Other()
  return parseFloat(length)
}

/** @param {any} thing @returns {boolean} whether it is as wide as what it stands above or below */
const isPicture = (thing) => thing.classes?.some((/** @type {string} */ name) => LINES.has(name) || PICTURES.has(name))

/** @param {any} thing @param {Around} around @param {number} x @param {number} y @param {number} width @returns {Piece} */
function picture(thing, { scale, color }, x, y, width) {
  const place = { x, y, width, scale, font: "", color }
  if (thing.classes.some((/** @type {string} */ name) => LINES.has(name))) return { ...place, thick: em(thing.style.borderBottomWidth) * scale }
  return { ...place, picture: thing }
}

/** What a node hands on. @param {any} node @param {Around} around @returns {Around} */
function within(node, around) {
  let { scale, font, color, align } = around
  const { classes, style } = node
  if (classes.includes("katex-rule") && em(style.borderRightWidth) === 0) return around
  const delimiter = classes.includes("delimsizing")
  const from = classes.find((/** @type {string} */ name) => name.startsWith("reset-size"))
  const fonts = []
  for (const name of classes) {
    const size = /^size(\d+)$/.exec(name)
    if (size && delimiter) font = `delimsizing size${size[1]}`
    else if (size && from) scale *= SIZES[Number(size[1])] / SIZES[Number(from.slice(10))]
    else if (name === "small-op" || name === "large-op") font = `delimsizing size${name === "small-op" ? 1 : 2}`
    else if (name === "delim-size1" || name === "delim-size4") font = `delimsizing size${name.slice(-1)}`
    else if (FONTS.has(name)) fonts.push(name)
    else if (CENTRED.has(name)) align = "center"
    else if (name === "col-align-l" || name === "msupsub") align = "left"
    else if (name === "col-align-r") align = "right"
    else if (name && name !== from && !PLAIN.has(name) && !["vlist-t", "vlist-t2", "nulldelimiter", "arraycolsep", "katex-root", "katex-overlay"].includes(name)) throw new Other()
  }
  if (fonts.length) font = fonts.join(" ")
  const sized = classes.includes("arraycolsep") || isDrawing(node)
  for (const name of Object.keys(style)) if (!STYLES.has(name) && !(sized && (name === "width" || name === "height"))) throw new Other()
  return { scale, font, color: style.color ?? color, align }
}

/** @param {Box} box @param {any} strut @returns {HTMLElement} */
function drawn({ width, pieces }, strut) {
  const made = document.createElement("span")
  made.className = "katex-base runs"
  made.append(strut.toNode())
  let cursor = 0
  /** @type {{piece: Piece, element: HTMLElement} | undefined} */
  let last
  for (const piece of pieces) {
    const gap = piece.x - cursor
    if (last && joins(last.piece, piece, gap)) last.element.append(piece.text ?? "")
    else {
      const element = run(piece, gap)
      made.append(element)
      last = { piece, element }
    }
    cursor = piece.x + piece.width
  }
  if (last && Math.abs(width - cursor) > 1e-4) last.element.style.marginRight = length((width - cursor) / last.piece.scale)
  if (!last) made.style.marginRight = length(width)
  return made
}

/** @param {Piece} before @param {Piece} piece @param {number} gap @returns {boolean} whether one run holds both */
function joins(before, piece, gap) {
  return Math.abs(gap) < 1e-4 && !before.loose && !piece.loose && before.text !== undefined && piece.text !== undefined && before.y === piece.y && before.scale === piece.scale && before.font === piece.font && before.color === piece.color
}

/** @param {number} value */
const length = (value) => `${Number(value.toFixed(4))}em`

/** @param {Piece} piece @param {number} gap @returns {HTMLElement} */
function run({ y, width, scale, font, color, text, thick, picture, loose }, gap) {
  const element = document.createElement("span")
  const { style } = element
  if (font || loose) element.className = loose ? `${font} loose` : font
  if (text !== undefined) element.append(text)
  const size = thick === undefined ? scale : 1
  if (size !== 1) style.fontSize = length(size)
  if (Math.abs(gap) > 1e-4) style.marginLeft = length(gap / size)
  if (y) style.verticalAlign = length(y / size)
  if (color) style.color = color
  if (text === undefined) style.width = length(width / size)
  if (thick !== undefined) {
    element.className = "line"
    style.borderBottomWidth = length(thick)
  }
  if (picture) {
    element.className = "picture"
    const drawn = picture.toNode()
    Object.assign(drawn.style, { position: "relative", top: `-${picture.style.height}` })
    element.append(drawn)
  }
  return element
}
