import { isWardComputer } from './device.ts'
import { changeRows, readRow, readRows } from './queue/database.ts'

/** What somebody has begun on a screen and not sent; it outlasts the page. */
interface Draft {
  key: string
  account: number
  value: unknown
  /** When it was changed last. */
  at: number
}

const keptMs = 7 * 86_400_000

/** Whose drafts are of nobody who has signed in. */
export const nobody = 0

const keyOf = (account: number, name: string): string => `${account} ${name}`

/** What was begun under this name in the last seven days; undefined where there is nothing, or the browser keeps nothing. */
export const readDraft = async <T>(account: number, name: string): Promise<T | undefined> => {
  const row = await readRow<Draft>('drafts', keyOf(account, name)).catch(() => undefined)
  return row && row.at > Date.now() - keptMs ? (row.value as T) : undefined
}

let last: Promise<void> = Promise.resolve()

/**
 * Keeps what was begun, or forgets it where the value is undefined; one after the other. Without room, and on a ward
 * computer, the page alone has it.
 */
export const writeDraft = (account: number, name: string, value: unknown): Promise<void> => {
  if (isWardComputer()) return last
  const key = keyOf(account, name)
  last = last
    .then(() =>
      changeRows('drafts', (store) =>
        value === undefined ? store.delete(key) : store.put({ key, account, value, at: Date.now() }),
      ),
    )
    .catch(() => {})
  return last
}

/** Forgets what is old, and what people who signed in have begun, but for `account`. */
export const forgetDrafts = async (account?: number): Promise<void> => {
  const rows = await readRows<Draft>('drafts')
  const isGone = (row: Draft) =>
    row.at <= Date.now() - keptMs || (row.account !== nobody && row.account !== account)
  const gone = rows.filter(isGone)
  if (gone.length > 0)
    await changeRows('drafts', (store) => {
      for (const { key } of gone) store.delete(key)
    })
}
