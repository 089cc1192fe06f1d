/** Values kept under names: IndexedDB, else localStorage, else memory; whichever works, and the caller can ask which. */

const STORE = "values"

/**
 * @typedef {object} Area
 * @property {(name: string) => Promise<any>} get
 * @property {(prefix: string) => Promise<[string, any][]>} all
 * @property {(name: string, decide: (stored: any) => [string, any] | null) => Promise<void>} change reads a value and writes the name
 *   and value decided on, with nobody in between; settled once that is stored
 * @property {(name: string) => Promise<void>} delete
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

/** @param {IDBObjectStore} store @param {string} key @param {(stored: any) => [string, any] | null} decide @returns {Promise<void>} */
function changed(store, key, decide) {
  return new Promise((resolve, reject) => {
    const { transaction } = store
    const write = (/** @type {any} */ stored) => {
      try {
        const decided = decide(stored)
        if (decided) store.put(decided[1], decided[0])
      } catch (error) {
        reject(error)
        transaction.abort()
      }
    }
    const reading = store.get(key)
    reading.onsuccess = () => write(reading.result)
    reading.onerror = (event) => {
      event.preventDefault()
      event.stopPropagation()
      write(undefined)
    }
    transaction.oncomplete = () => resolve()
    transaction.onabort = transaction.onerror = () => reject(transaction.error)
  })
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
  return {
    get: (key) => settled(store("readonly").get(key)),
    async all(prefix) {
      const open = store("readonly")
      const [keys, values] = await Promise.all([settled(open.getAllKeys(range(prefix))), settled(open.getAll(range(prefix)))])
      return keys.map((/** @type {string} */ key, /** @type {number} */ at) => [key, values[at]])
    },
    change: (key, decide) => changed(store("readwrite"), key, decide),
    delete: (key) => settled(store("readwrite").delete(key)),
  }
}

/** @param {Storage} storage @returns {Area} */
function flat(storage) {
  /** @param {string} key */
  const read = (key) => {
    const text = storage.getItem(key)
    try {
      return text === null ? undefined : JSON.parse(text)
    } catch {
      return { damaged: text }
    }
  }
  return {
    get: async (key) => read(key),
    all: async (prefix) => Object.keys(storage).filter((key) => key.startsWith(prefix)).map((key) => [key, read(key)]),
    change: async (key, decide) => {
      const decided = decide(read(key))
      if (decided) storage.setItem(decided[0], JSON.stringify(decided[1]))
    },
    delete: async (key) => storage.removeItem(key),
  }
}

/** @returns {Area} */
function memory() {
  /** @type {Map<string, any>} */
  const values = new Map()
  return {
    get: async (key) => values.get(key),
    all: async (prefix) => [...values].filter(([key]) => key.startsWith(prefix)),
    change: async (key, decide) => {
      const decided = decide(values.get(key))
      if (decided) values.set(decided[0], structuredClone(decided[1]))
    },
    delete: async (key) => void values.delete(key),
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
