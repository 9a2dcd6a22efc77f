import { appRoot } from '../root.ts'

/**
 * What a browser keeps for the people of this installation: changes that wait, answers that were read, what was begun on a
 * screen, and whom notifications are shown to.
 */
const stores = { items: ['account'], answers: ['account'], drafts: ['account'], push: [] } as const

/** Grows with the stores: those that a browser has not yet are made. */
const version = 3
/** Some browsers never answer the first request of a visit: whoever waits for one loses what they have just pressed. */
const openMs = 3_000

/** One that did not open is tried again after this. */
const retryMs = 60_000

let opening: Promise<IDBDatabase> | undefined
const forget = (): void => {
  opening = undefined
}

const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const open = async (): Promise<IDBDatabase> => {
  // Installations below different roots of one host share its storage.
  const request = indexedDB.open(`practicum${appRoot}`, version)
  request.onupgradeneeded = () => {
    const known = request.result.objectStoreNames
    for (const [name, indexes] of Object.entries(stores)) {
      if (known.contains(name)) continue
      const store = request.result.createObjectStore(name, { keyPath: 'key' })
      for (const index of indexes) store.createIndex(index, index)
    }
  }
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new DOMException('The database of the browser does not open.')), openMs)
  })
  const opened = await Promise.race([answerOf(request), late])
  opened.onclose = forget
  opened.onversionchange = () => {
    opened.close()
    forget()
  }
  return opened
}

const database = (): Promise<IDBDatabase> => {
  opening ??= open().catch((error: unknown) => {
    setTimeout(forget, retryMs)
    throw error
  })
  return opening
}

const storeOf = async (name: keyof typeof stores, mode: IDBTransactionMode): Promise<IDBObjectStore> => {
  // Strict: what was answered is on the disk, also when the phone goes out a moment later.
  const begin = (open: IDBDatabase) =>
    open.transaction(name, mode, { durability: 'strict' }).objectStore(name)
  const known = await database()
  try {
    return begin(known)
  } catch {
    // The browser has closed it, as it does when room is short or somebody clears it.
    forget()
    return begin(await database())
  }
}

/** All rows of an account, or of everybody. */
export const readRows = async <T>(name: keyof typeof stores, account?: number): Promise<T[]> => {
  const store = await storeOf(name, 'readonly')
  return answerOf<T[]>(account === undefined ? store.getAll() : store.index('account').getAll(account))
}

export const readRow = async <T>(name: keyof typeof stores, key: string): Promise<T | undefined> =>
  answerOf<T | undefined>((await storeOf(name, 'readonly')).get(key))

/** Changes a store; done when all of it is kept. */
export const changeRows = async (
  name: keyof typeof stores,
  work: (store: IDBObjectStore) => void,
): Promise<void> => {
  const store = await storeOf(name, 'readwrite')
  const { transaction } = store
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
  work(store)
  return done
}
