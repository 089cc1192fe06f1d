/**
 * Keys by the origin they belong to: for this tab, on this device, or locked with a passphrase. After saving, nothing but the
 * last four characters is ever drawn.
 */

/** @typedef {"tab" | "device" | "locked"} Custody */
/** @typedef {{custody: Custody, last: string, unlocked: boolean, kept: boolean}} KeyState `kept`: not only as long as the page */

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

/** Shorter keys are shown by nothing: their last four characters would be too much of them. */
const SHOWN_FROM = 12

/** @param {string} key what may be shown of it */
const endOf = (key) => (key.length < SHOWN_FROM ? "" : key.slice(-4))

/** Where each custody keeps a key. @type {Record<Custody, "localStorage" | "sessionStorage">} */
const PLACES = { tab: "sessionStorage", device: "localStorage", locked: "localStorage" }

/** @param {"localStorage" | "sessionStorage"} where @param {string} name @param {string} value @returns {boolean} whether it is kept; storage may be full, or forbidden */
function write(where, name, value) {
  const kept = storage(where)
  try {
    kept?.setItem(name, value)
    return kept !== null && kept !== undefined
  } catch {
    return false
  }
}

/** The keys of one site in this browser. */
export class Keys {
  #prefix
  /** @type {Map<string, KeyState>} */
  #known = new Map()
  /** @type {(origin: string, key: string) => void} */
  #give
  /** What is known of keys was changed by another tab. */
  onchange = () => {}

  /**
   * @param {string} prefix `askbook:<site path>`
   * @param {(origin: string, key: string) => void} give hands a key to the worker, the only place it lives in
   */
  constructor(prefix, give) {
    this.#prefix = `${prefix}:key:`
    this.#give = give
    for (const custody of /** @type {const} */ (["device", "tab"])) {
      for (const name of this.#names(PLACES[custody])) this.#take(name.slice(this.#prefix.length), storage(PLACES[custody])?.getItem(name) ?? "", custody)
    }
    globalThis.addEventListener?.("storage", ({ key, newValue }) => this.#heard(key, newValue))
  }

  /** @param {"localStorage" | "sessionStorage"} where @returns {string[]} */
  #names(where) {
    return Object.keys(storage(where) ?? {}).filter((name) => name.startsWith(this.#prefix))
  }

  /** @param {string} origin @param {string} value as it is kept @param {Custody} custody */
  #take(origin, value, custody) {
    if (value.startsWith("{")) this.#known.set(origin, { custody: "locked", last: "", unlocked: false, kept: true })
    else {
      this.#known.set(origin, { custody, last: endOf(value), unlocked: true, kept: true })
      this.#give(origin, value)
    }
  }

  /** @param {string | null} name none where another tab has emptied the storage @param {string | null} value */
  #heard(name, value) {
    if (name !== null && !name.startsWith(this.#prefix)) return
    for (const origin of name === null ? [...this.#known.keys()] : [name.slice(this.#prefix.length)]) this.#changed(origin, value)
    this.onchange()
  }

  /** Another tab has kept, locked or forgotten a key of this device; a key of this tab stays what it is. @param {string} origin @param {string | null} value */
  #changed(origin, value) {
    if (this.#known.get(origin)?.custody === "tab") return
    if (value?.startsWith("{")) this.#give(origin, "")
    if (value) return this.#take(origin, value, "device")
    this.#known.delete(origin)
    this.#give(origin, "")
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
    const kept = write(PLACES[custody], this.#prefix + origin, value)
    this.#known.set(origin, { custody, last: endOf(key), unlocked: true, kept })
    this.#give(origin, key)
  }

  /**
   * Keep a key elsewhere; one that is locked is opened first, and rejects where the passphrase is wrong.
   * @param {string} origin
   * @param {Custody} custody
   * @param {string} passphrase
   */
  async move(origin, custody, passphrase) {
    const known = this.#known.get(origin)
    const kept = known && storage(PLACES[known.custody])?.getItem(this.#prefix + origin)
    if (!kept || known.custody === custody) return
    await this.save(origin, known.custody === "locked" ? await unlock(kept, passphrase) : kept, custody, passphrase)
  }

  /**
   * Hand over a key that is not to be kept, as long as something is done with it; one that is known takes its place again. Where
   * that could not be given back, because only the worker has it, nothing is lent.
   * @template T
   * @param {string} origin @param {string} key @param {() => Promise<T>} act
   */
  async lend(origin, key, act) {
    const known = this.#known.get(origin)
    const before = known?.unlocked ? this.#plain(origin, known) : ""
    const lends = key !== "" && before !== null
    if (lends) this.#give(origin, key)
    try {
      return await act()
    } finally {
      if (lends && this.#known.get(origin) === known) this.#give(origin, before)
    }
  }

  /** @param {string} origin @param {KeyState} known @returns {string | null} the key as it is stored for use without a passphrase */
  #plain(origin, { custody, kept }) {
    return custody === "locked" || !kept ? null : (storage(PLACES[custody])?.getItem(this.#prefix + origin) ?? null)
  }

  /** @param {string} origin @param {string} passphrase */
  async unlock(origin, passphrase) {
    const key = await unlock(storage("localStorage")?.getItem(this.#prefix + origin) ?? "", passphrase)
    this.#known.set(origin, { custody: "locked", last: endOf(key), unlocked: true, kept: true })
    this.#give(origin, key)
  }

  /** @param {string} origin */
  forget(origin) {
    for (const where of new Set(Object.values(PLACES))) storage(where)?.removeItem(this.#prefix + origin)
    this.#known.delete(origin)
    this.#give(origin, "")
  }

  /** Also of keys this page has not heard of. */
  forgetAll() {
    const kept = [...new Set(Object.values(PLACES))].flatMap((where) => this.#names(where)).map((name) => name.slice(this.#prefix.length))
    for (const origin of new Set([...this.#known.keys(), ...kept])) this.forget(origin)
  }
}
