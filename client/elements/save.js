/** What a reader takes along: files, and what goes into the clipboard. */
import { h } from "./dom.js"

/** @param {string} name @param {string} text @param {string} type */
export function download(name, text, type) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name.replace(/[\\/:*?"<>|]+/g, " ").slice(0, 80) })
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}

/** Into the clipboard, with formatting where the browser lets us. @param {string} text @param {string} html */
export async function copy(text, html) {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": new Blob([text], { type: "text/plain" }), "text/html": new Blob([html], { type: "text/html" }) })])
  } catch {
    await navigator.clipboard?.writeText(text)
  }
}

/**
 * The receipt of an answer, or the log of its events: what `askbook replay` plays again; no key and no address is in it.
 * @param {import("./connection.js").Connection} connection
 * @param {string} id of the exchange
 * @param {"receipt" | "log"} form
 */
export async function saveRecording(connection, id, form) {
  const recording = await connection.call("recording", { id, form }).catch(() => null)
  if (recording) download(`askbook-${form}.json`, `${JSON.stringify(recording, null, 1)}\n`, "application/json")
}
