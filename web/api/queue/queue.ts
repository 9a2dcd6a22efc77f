import type { AnyEndpoint, InputOf } from '#contract/core/endpoint.ts'
import { newKey } from '../new-key.ts'
import { announce } from './changes.ts'
import type { AnyQueueKind, Item, QueueKind } from './item.ts'
import { alone } from './locks.ts'
import { dropItem, type Kept, listItems, putItem } from './stores.ts'

/** Who makes an item. */
export interface Owner {
  account: number
  program: number | null
}

/** How a lock is named while an item is being worked on. */
export const lockOf = ({ key }: Pick<Item, 'key'>): string => `item ${key}`

const add = async (item: Omit<Item, 'order'>): Promise<Kept> => {
  const before = await listItems(item.account)
  const known = before.find(({ key }) => key === item.key)
  if (known) return known
  const order = Math.max(Date.now(), (before.at(-1)?.order ?? 0) + 1)
  await putItem({ ...item, order })
  announce({ account: item.account })
  // The best store that took it has it.
  return (
    (await listItems(item.account)).find(({ key }) => key === item.key) ?? {
      ...item,
      order,
      isLasting: false,
    }
  )
}

/** What is kept of a change besides its input. */
export interface Keeping {
  /** One of its own unless given; the same key is kept once. */
  key?: string
  files?: Record<string, File[]>
  madeAt?: string
}

/** Keeps a change until the server has answered it. */
export const keep = <E extends AnyEndpoint>(
  kind: QueueKind<E>,
  { account, program }: Owner,
  input: InputOf<E>,
  { key = newKey(), files, madeAt = new Date().toISOString() }: Keeping = {},
): Promise<Kept> =>
  add({
    key,
    kind: kind.name,
    version: kind.call.keptOffline?.version ?? 1,
    account,
    program,
    madeAt,
    group: kind.groupOf ? `${kind.name} ${kind.groupOf(input)}` : kind.name,
    input: input as Item['input'],
    ...(files && { files }),
  })

/** Changes what waits, such as an input that is known better by now. */
export const change = async (item: Item): Promise<void> => {
  await putItem(item)
  announce({ account: item.account })
}

/** Takes an item away: it was answered, or its refusal was seen. */
export const drop = async ({ key, account }: Pick<Item, 'key' | 'account'>): Promise<void> => {
  await dropItem(key)
  announce({ account })
}

export const isTaken = ({ takenAt }: Item): boolean => takenAt !== undefined

export const isWaiting = (item: Item): boolean => item.refusal === undefined && !isTaken(item)

/** The server has taken an item: it goes, unless its kind stays until it was read. */
export const settle = ({ staysUntilRead }: AnyQueueKind, item: Item): Promise<void> =>
  staysUntilRead ? change({ ...item, takenAt: Date.now() }) : drop(item)

/**
 * Works on a new item, under a new key, that nobody else sends meanwhile: keeps it first, so that closing the page loses
 * nothing.
 */
export const enqueueHeld = async <E extends AnyEndpoint>(
  kind: QueueKind<E>,
  owner: Owner,
  input: InputOf<E>,
  key: string,
  work: (item: Kept) => Promise<void>,
  files?: Record<string, File[]>,
): Promise<void> => {
  await alone(lockOf({ key }), async () =>
    work(await keep(kind, owner, input, { key, ...(files && { files }) })),
  )
}

let isAsked = false

/**
 * What could not be sent stays: the browser is asked not to clear it when room is short, and to wake the service worker when
 * the network is back, where it can do either.
 */
export const askToStay = async (): Promise<void> => {
  const wakes = navigator.serviceWorker
    ?.getRegistration()
    .then((found) => (found as SyncRegistration | undefined)?.sync?.register(syncTag))
  const stays = isAsked ? undefined : navigator.storage?.persist?.()
  isAsked = true
  await Promise.allSettled([wakes, stays])
}

/** The name by which the browser wakes the service worker. */
export const syncTag = 'practicum-queue'

/** Not in every browser, and so not in the types of the library. */
type SyncRegistration = ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } }
