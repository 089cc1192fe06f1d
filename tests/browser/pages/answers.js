import { applyPatch, finishDrawing, prepare, showBlocks } from "/client/elements/insert.js"
import { sourceList } from "/client/elements/source-list.js"
import { zhHans } from "/client/elements/words/zh-hans.js"

const main = /** @type {HTMLElement} */ (document.querySelector("main"))

/** A place as the panel has it: a shadow root with the panel's styles. */
function place() {
  const host = document.createElement("section")
  main.append(host)
  host.dataset.scheme = document.documentElement.hasAttribute("data-dark") ? "dark" : "light"
  const root = host.attachShadow({ mode: "open" })
  for (const name of ["panel.css", "prose.css"]) {
    const link = document.createElement("link")
    link.rel = "stylesheet"
    link.href = `/client/elements/${name}`
    root.append(link)
  }
  const made = document.createElement("div")
  made.className = "text prose"
  root.append(made)
  return made
}

const longest = { task: 0, all: /** @type {number[]} */ ([]) }
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    longest.task = Math.max(longest.task, entry.duration)
    longest.all.push(Math.round(entry.startTime), entry.duration)
  }
}).observe({ entryTypes: ["longtask"] })

/** @param {HTMLElement} at @param {string} html */
const showHtml = (at, html) => [...showBlocks(at, [html])]

Object.assign(window, { place, applyPatch, showHtml, finishDrawing, prepare, sourceList, words: zhHans, longest })
