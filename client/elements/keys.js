/**
 * Keys by the origin they belong to: for this tab, on this device, or locked with a passphrase. After saving, nothing but the
 * last four characters is ever drawn.
 */

/** @typedef {"tab" | "device" | "locked"} Custody */
/** @typedef {{custody: Custody, last: string, unlocked: boolean}} KeyState */

const ROUNDS = 600_000

/** @param {Uint8Array} bytes */
const toText = (bytes) => btoa(String.fromCharCode(...bytes))
/** @param {string} text */
const toBytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))

/** @param {string} passphrase @param {Uint8Array<ArrayBuffer>} salt */
async function derive(passphrase, salt) {
  const base = await crypto.subtle.importKey("raw", new TextEncoder().encode(passphrase), "PBKDF2", false, ["deriveKey"])
  return crypto.subtle.deriveKey({ name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS }, base, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
}

/**
 * Lock a key.
 * @param {string} key
 * @param {string} passphrase
 * @returns {Promise<string>} JSON of salt, start value and cipher text
 */
export async function lock(key, passphrase) {
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const cipher = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await derive(passphrase, salt), new TextEncoder().encode(key))
  return JSON.stringify({ salt: toText(salt), iv: toText(iv), cipher: toText(new Uint8Array(cipher)) })
}

/**
 * Open a locked key; rejects when the passphrase is wrong.
 * @param {string} locked
 * @param {string} passphrase
 */
export async function unlock(locked, passphrase) {
  const { salt, iv, cipher } = JSON.parse(locked)
  const key = await derive(passphrase, toBytes(salt))
  return new TextDecoder().decode(await crypto.subtle.decrypt({ name: "AES-GCM", iv: toBytes(iv) }, key, toBytes(cipher)))
}

/** @param {"localStorage" | "sessionStorage"} name @returns {Storage | null} */
function storage(name) {
  try {
    return globalThis[name]
  } catch {
    return null
  }
}

/** The keys of one site in this browser. */
export class Keys {
  #prefix
  /** @type {Map<string, KeyState>} */
  #known = new Map()
  /** @type {(origin: string, key: string) => void} */
  #give

  /**
   * @param {string} prefix `askbook:<site path>`
   * @param {(origin: string, key: string) => void} give hands a key to the worker, the only place it lives in
   */
  constructor(prefix, give) {
    this.#prefix = `${prefix}:key:`
    this.#give = give
    this.#read("sessionStorage", "tab")
    this.#read("localStorage", "device")
  }

  /** @param {"localStorage" | "sessionStorage"} where @param {Custody} custody */
  #read(where, custody) {
    const kept = storage(where)
    for (const name of Object.keys(kept ?? {})) {
      if (!name.startsWith(this.#prefix)) continue
      const origin = name.slice(this.#prefix.length)
      const value = kept?.getItem(name) ?? ""
      if (value.startsWith("{")) this.#known.set(origin, { custody: "locked", last: "", unlocked: false })
      else {
        this.#known.set(origin, { custody, last: value.slice(-4), unlocked: true })
        this.#give(origin, value)
      }
    }
  }

  /** @param {string} origin @returns {KeyState | null} */
  state(origin) {
    return this.#known.get(origin) ?? null
  }

  /**
   * @param {string} origin
   * @param {string} key
   * @param {Custody} custody
   * @param {string} passphrase used for `locked` only
   */
  async save(origin, key, custody, passphrase) {
    const value = custody === "locked" ? await lock(key, passphrase) : key
    this.forget(origin)
    storage(custody === "tab" ? "sessionStorage" : "localStorage")?.setItem(this.#prefix + origin, value)
    this.#known.set(origin, { custody, last: key.slice(-4), unlocked: true })
    this.#give(origin, key)
  }

  /** @param {string} origin @param {string} passphrase */
  async unlock(origin, passphrase) {
    const key = await unlock(storage("localStorage")?.getItem(this.#prefix + origin) ?? "", passphrase)
    this.#known.set(origin, { custody: "locked", last: key.slice(-4), unlocked: true })
    this.#give(origin, key)
  }

  /** @param {string} origin */
  forget(origin) {
    for (const where of /** @type {const} */ (["sessionStorage", "localStorage"])) storage(where)?.removeItem(this.#prefix + origin)
    this.#known.delete(origin)
    this.#give(origin, "")
  }

  forgetAll() {
    for (const origin of [...this.#known.keys()]) this.forget(origin)
  }
}
