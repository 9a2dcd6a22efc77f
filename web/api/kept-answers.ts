import type { Query } from '@tanstack/react-query'
import { isFromDevice, noteGiven } from './given-answers.ts'
import { changeRows, readRow, readRows } from './queue/database.ts'
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

const isYoung = ({ at }: KeptAnswer): boolean => at > Date.now() - keptMs

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
  const gone = rows.filter((row) => row.account !== account || !isYoung(row))
  if (gone.length > 0)
    await changeRows('answers', (store) => {
      for (const { key } of gone) store.delete(key)
    })
}

const give = ({ query, answer, at }: KeptAnswer): void => {
  noteGiven(query, at)
  queryClient.setQueryData(query, answer, { updatedAt: at })
  // It shows at once, and is read anew as soon as there is a screen for it.
  void queryClient.invalidateQueries({ queryKey: query, exact: true, refetchType: 'none' })
}

/** Gives the screens what was read of an account in the last seven days, with its time. */
export const takeKeptAnswers = async (account: number): Promise<void> => {
  const rows = await readRows<KeptAnswer>('answers', account)
  rows.filter(isYoung).forEach(give)
}

const keyOf = (account: number, query: readonly unknown[]): string => `${account} ${JSON.stringify(query)}`

/** Keeps what these calls answer to the account, now and from now on, and gives it where one of them is not answered. */
export const keepAnswers = (account: number, paths: ReadonlySet<string>): void => {
  const cache = queryClient.getQueryCache()
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
  const note = (query: Query) => {
    const { queryKey, state } = query
    if (state.data === undefined || isFromDevice(query)) return
    const key = keyOf(account, queryKey)
    changed.set(key, {
      key,
      account,
      query: queryKey,
      answer: firstPart(state.data),
      at: state.dataUpdatedAt,
    })
    if (!isDue) setTimeout(write, togetherMs)
    isDue = true
  }
  const fill = async ({ queryKey }: Query) => {
    const row = await readRow<KeptAnswer>('answers', keyOf(account, queryKey)).catch(() => undefined)
    if (row && isYoung(row) && queryClient.getQueryData(queryKey) === undefined) give(row)
  }
  const isKept = ({ queryKey }: Query): boolean => paths.has(String(queryKey[0]))
  cache.getAll().filter(isKept).forEach(note)
  cache.subscribe((event) => {
    if (event.type !== 'updated' || !isKept(event.query)) return
    if (event.action.type === 'success') note(event.query)
    if (event.action.type === 'failed' && event.query.state.data === undefined) void fill(event.query)
  })
}
