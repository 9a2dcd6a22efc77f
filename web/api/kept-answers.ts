import { changeRows, readRows } from './queue/database.ts'
import { queryClient } from './use-call.ts'

/** An answer on the device, so that its page opens without a network. */
interface KeptAnswer {
  key: string
  account: number
  /** The key of the query, and what was read. */
  query: readonly unknown[]
  answer: unknown
  /** When it was read. */
  at: number
}

const keptMs = 7 * 86_400_000
/** A page writes its answers together, once it has them. */
const togetherMs = 300

/** Of a list that is read in parts the first one is kept. */
const firstPart = (answer: unknown): unknown => {
  if (typeof answer !== 'object' || answer === null || !('pages' in answer && 'pageParams' in answer))
    return answer
  const { pages, pageParams } = answer as { pages: unknown[]; pageParams: unknown[] }
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
}

/** Forgets answers that are old, or belong to somebody else than `account`. */
export const forgetAnswers = async (account?: number): Promise<void> => {
  const rows = await readRows<KeptAnswer>('answers')
  const gone = rows.filter((row) => row.account !== account || row.at < Date.now() - keptMs)
  if (gone.length > 0)
    await changeRows('answers', (store) => {
      for (const { key } of gone) store.delete(key)
    })
}

/** Gives the screens what was read of an account in the last seven days, with its time. */
export const takeKeptAnswers = async (account: number): Promise<void> => {
  for (const { query, answer, at } of await readRows<KeptAnswer>('answers', account))
    if (at > Date.now() - keptMs) queryClient.setQueryData(query, answer, { updatedAt: at })
}

/** Keeps what these calls answer to the account, now and from now on. */
export const keepAnswers = (account: number, paths: ReadonlySet<string>): void => {
  const cache = queryClient.getQueryCache()
  const isKept = (query: readonly unknown[]): boolean => paths.has(String(query[0]))
  const changed = new Map<string, KeptAnswer>()
  let isDue = false
  const write = () => {
    isDue = false
    const rows = [...changed.values()]
    changed.clear()
    // Without room, or without a database, the pages need the network as before.
    changeRows('answers', (store) => {
      for (const row of rows) store.put(row)
    }).catch(() => {})
  }
  const note = (query: readonly unknown[], data: unknown, at: number) => {
    if (!isKept(query) || data === undefined) return
    const key = `${account} ${JSON.stringify(query)}`
    changed.set(key, { key, account, query, answer: firstPart(data), at })
    if (!isDue) setTimeout(write, togetherMs)
    isDue = true
  }
  for (const { queryKey, state } of cache.getAll()) note(queryKey, state.data, state.dataUpdatedAt)
  cache.subscribe(({ type, query: { queryKey, state }, ...event }) => {
    if (type === 'updated' && 'action' in event && event.action.type === 'success')
      note(queryKey, state.data, state.dataUpdatedAt)
  })
}
