/** A Python with NumPy beside the one in Pyodide, whose answers can be waited for without giving up the thread. */
import { execFileSync, spawn } from "node:child_process"
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const SCRIPT = join(dirname(fileURLToPath(import.meta.url)), "host.py")

/** @param {string} python @returns {(call: Uint8Array) => Uint8Array} what `host.py` answers to a call */
export function host(python) {
  const folder = mkdtempSync(join(tmpdir(), "host-"))
  const [calls, answers] = ["calls", "answers"].map((name) => join(folder, name))
  execFileSync("mkfifo", [calls, answers])
  const [ask, hear] = [calls, answers].map((path) => openSync(path, constants.O_RDWR)) // opening one end alone would wait for the other
  const theirs = [openSync(calls, "r"), openSync(answers, "w")]
  spawn(python, [SCRIPT], { stdio: [...theirs, "inherit"] }).unref()
  theirs.forEach(closeSync)
  rmSync(folder, { recursive: true })
  return (call) => {
    send(ask, Buffer.concat([length(call.length), call]))
    return new Uint8Array(take(hear, take(hear, 4).readUInt32BE()))
  }
}

/** @param {number} size */
function length(size) {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(size)
  return head
}

/** @param {number} file @param {Buffer} content */
function send(file, content) {
  for (let at = 0; at < content.length; ) at += writeSync(file, content, at)
}

/** @param {number} file @param {number} size */
function take(file, size) {
  const content = Buffer.alloc(size)
  for (let at = 0; at < size; ) at += readSync(file, content, at, size - at, null)
  return content
}
