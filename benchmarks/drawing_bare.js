// A finished answer grown again by plain appending, in so many frames, its end followed: what the browser itself needs for it.
// An expression: the page gets its text.
(async ({ frames, gap }) => {
  const { target, conversation } = /** @type {any} */ (window)
  const source = target.cloneNode(true)
  const place = target.cloneNode(false)
  target.replaceWith(place)
  /** @type {[number, Node, "open" | "close" | "whole"][]} */
  const steps = []
  const walk = (/** @type {Node} */ node) => {
    for (const child of node.childNodes) {
      const whole = child instanceof Text || (child instanceof Element && child.matches(".math, a, strong, em, :not(pre) > code"))
      if (whole) steps.push([child.textContent?.length ?? 0, child, "whole"])
      else {
        steps.push([0, child, "open"])
        walk(child)
        steps.push([0, child, "close"])
      }
    }
  }
  walk(source)
  const total = steps.reduce((sum, [length]) => sum + length, 0)
  const open = [place]
  let [at, cut, put] = [0, 0, 0]
  const began = performance.now()
  for (let frame = 1; frame <= frames; frame++) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, frame * gap - (performance.now() - began))))
    performance.mark("askbook-drawing")
    const until = frame === frames ? Infinity : (total * frame) / frames
    while (at < steps.length && put <= until) {
      const [length, node, kind] = steps[at]
      if (kind === "open") open.push(open[open.length - 1].appendChild(node.cloneNode(false)))
      else if (kind === "close") open.pop()
      else if (node instanceof Text) {
        const end = Math.min(length, cut + Math.ceil(until - put) + 1)
        open[open.length - 1].append(node.data.slice(cut, end))
        put += end - cut
        cut = end
        if (cut < length) break
        cut = 0
      } else {
        open[open.length - 1].append(node.cloneNode(true))
        put += length
      }
      at++
    }
    conversation.log.scrollTop = 1e9
  }
  await new Promise((resolve) => setTimeout(resolve, 500))
  return performance.now() - began
})
