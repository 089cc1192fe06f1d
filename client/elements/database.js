/** Values kept under names: IndexedDB, else localStorage, else memory; whichever works, and the caller can ask which. */

const STORE = "values"

/** @typedef {[string, any]} Entry a name and its value; `undefined` for none */
/** @typedef {(stored: any[]) => Entry[]} Decide what is to be written, seeing what is stored */
/**
 * @typedef {object} Area
 * @property {(names: string[]) => Promise<any[]>} read the values as they were at one moment
 * @property {(prefix: string) => Promise<string[]>} names
 * @property {(prefix: string) => Promise<Entry[]>} all what cannot be read as `undefined`
 * @property {(names: string[], decide: Decide) => Promise<void>} change reads values and writes the entries decided on, with nobody in
 *   between; settled once that is stored
 */

/** @param {IDBRequest} request @returns {Promise<any>} */
function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** @param {string} prefix */
const range = (prefix) => IDBKeyRange.bound(prefix, `${prefix}\uffff`)

/** @param {IDBObjectStore} store @param {string[]} names @param {Decide} decide @returns {Promise<void>} */
function changed(store, names, decide) {
  return new Promise((resolve, reject) => {
    const { transaction } = store
    const write = (/** @type {any[]} */ stored) => {
      try {
        for (const [name, value] of decide(stored)) {
          if (value === undefined) store.delete(name)
          else store.put(value, name)
        }
      } catch (error) {
        reject(error)
        transaction.abort()
      }
    }
    readAll(store, names, write)
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error) // an error comes before it, when the transaction does not know of it yet
  })
}

/** What cannot be read counts as not there. @param {IDBObjectStore} store @param {string[]} names @param {(stored: any[]) => void} take within the transaction */
function readAll(store, names, take) {
  const [name, ...others] = names
  if (name === undefined) return take([])
  const reading = store.get(name)
  const go = (/** @type {any} */ value) => readAll(store, others, (values) => take([value, ...values]))
  reading.onsuccess = () => go(reading.result)
  reading.onerror = (event) => {
    event.preventDefault()
    event.stopPropagation()
    go(undefined)
  }
}

/** @param {string} name @returns {Promise<Area>} */
async function indexed(name) {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  const blocked = new Promise((_, reject) => window.setTimeout(() => reject(new Error("IndexedDB does not answer")), 3000))
  /** @type {IDBDatabase} */
  const database = await Promise.race([settled(request), blocked])
  database.onversionchange = () => database.close()
  /** @param {IDBTransactionMode} mode */
  const store = (mode) => database.transaction(STORE, mode).objectStore(STORE)
  const read = (/** @type {string[]} */ names) => new Promise((/** @type {(values: any[]) => void} */ resolve) => readAll(store("readonly"), names, resolve))
  return {
    read,
    names: (prefix) => settled(store("readonly").getAllKeys(range(prefix))),
    async all(prefix) {
      const open = store("readonly")
      const [names, values] = await Promise.all([settled(open.getAllKeys(range(prefix))), settled(open.getAll(range(prefix))).catch(() => null)])
      const found = values ?? (await read(names))
      return names.map((/** @type {string} */ name, /** @type {number} */ at) => [name, found[at]])
    },
    change: async (names, decide) => changed(store("readwrite"), names, decide),
  }
}

/** @param {Storage} storage @returns {Area} */
function flat(storage) {
  /** @param {string} name */
  const read = (name) => {
    const text = storage.getItem(name)
    try {
      return text === null ? undefined : JSON.parse(text)
    } catch {
      return { damaged: text }
    }
  }
  return {
    read: async (names) => names.map(read),
    names: async (prefix) => Object.keys(storage).filter((name) => name.startsWith(prefix)),
    async all(prefix) {
      return (await this.names(prefix)).map((name) => [name, read(name)])
    },
    change: async (names, decide) => {
      for (const [name, value] of decide(names.map(read))) {
        if (value === undefined) storage.removeItem(name)
        else storage.setItem(name, JSON.stringify(value))
      }
    },
  }
}

/** @returns {Area} */
function memory() {
  /** @type {Map<string, any>} */
  const values = new Map()
  return {
    read: async (names) => names.map((name) => values.get(name)),
    names: async (prefix) => [...values.keys()].filter((name) => name.startsWith(prefix)),
    all: async (prefix) => [...values].filter(([name]) => name.startsWith(prefix)),
    change: async (names, decide) => {
      for (const [name, value] of decide(names.map((one) => values.get(one)))) {
        if (value === undefined) values.delete(name)
        else values.set(name, structuredClone(value))
      }
    },
  }
}

/**
 * Open what this browser allows.
 * @param {string} name
 * @returns {Promise<{area: Area, kind: "indexed" | "local" | "memory"}>}
 */
export async function openDatabase(name) {
  try {
    return { area: await indexed(name), kind: "indexed" }
  } catch {
    // private windows and policies forbid IndexedDB; the next best follows
  }
  try {
    localStorage.setItem(`${name}:probe`, "1")
    localStorage.removeItem(`${name}:probe`)
    return { area: flat(localStorage), kind: "local" }
  } catch {
    return { area: memory(), kind: "memory" }
  }
}

/** @param {unknown} error whether storage is full */
export function isQuota(error) {
  return error instanceof DOMException && (error.name === "QuotaExceededError" || error.name === "NS_ERROR_DOM_QUOTA_REACHED")
}
