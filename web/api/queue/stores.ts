import { appRoot } from '../root.ts'
import { changeRows, readRows } from './database.ts'
import type { Item } from './item.ts'

/** A place where items wait. Whatever it cannot do, it throws. */
interface Store {
  list: (account?: number) => Promise<Item[]>
  put: (item: Item) => Promise<void>
  drop: (key: string) => Promise<void>
}

const inDatabase: Store = {
  list: (account) => readRows('items', account),
  put: (item) => changeRows('items', (store) => store.put(item)),
  drop: (key) => changeRows('items', (store) => store.delete(key)),
}

const listName = `practicum-queue${appRoot}`
const readList = (): Item[] => JSON.parse(localStorage.getItem(listName) ?? '[]')
const writeList = (items: readonly Item[]): void =>
  items.length > 0 ? localStorage.setItem(listName, JSON.stringify(items)) : localStorage.removeItem(listName)
const isOf = (account: number | undefined) => (item: Item) =>
  account === undefined || item.account === account
const without = (items: readonly Item[], key: string): Item[] => items.filter((item) => item.key !== key)

/** For browsers without a database. Texts only. */
const inList: Store = {
  list: async (account) => readList().filter(isOf(account)),
  put: async (item) => {
    if (item.files) throw new DOMException('Files need the database of the browser.')
    writeList([...without(readList(), item.key), item])
  },
  drop: async (key) => {
    const items = readList()
    if (items.some((item) => item.key === key)) writeList(without(items, key))
  },
}

let onPage: Item[] = []

/** Where the browser keeps nothing, or has no room: it is sent as long as the page is open. */
const inPage: Store = {
  list: async (account) => onPage.filter(isOf(account)),
  put: async (item) => {
    onPage = [...without(onPage, item.key), item]
  },
  drop: async (key) => {
    onPage = without(onPage, key)
  },
}

const stores = [inDatabase, inList, inPage]

/** An item with whether it outlasts the page. */
export type Kept = Item & { isLasting: boolean }

/** What waits, oldest first: of an account, or of everybody. */
export const listItems = async (account?: number): Promise<Kept[]> => {
  const found = await Promise.all(
    stores.map(async (store) => {
      const items = await store.list(account).catch(() => [])
      return items.map((item) => ({ ...item, isLasting: store !== inPage }))
    }),
  )
  const byKey = new Map(
    found
      .flat()
      .reverse()
      .map((item) => [item.key, item]),
  )
  return [...byKey.values()].sort((one, other) => one.order - other.order)
}

/** Keeps an item, or what has changed of it, on the best store that takes it. */
export const putItem = async (item: Item): Promise<void> => {
  for (const store of stores) {
    try {
      await store.put(item)
      await Promise.allSettled(stores.filter((other) => other !== store).map(({ drop }) => drop(item.key)))
      return
    } catch {
      // The next one takes it; the last one always does.
    }
  }
}

export const dropItem = async (key: string): Promise<void> => {
  await Promise.allSettled(stores.map(({ drop }) => drop(key)))
}
