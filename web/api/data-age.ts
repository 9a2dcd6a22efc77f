import { useSyncExternalStore } from 'react'

/** Since when answers may be out of date, as `Date.now()` tells it; undefined while they are of now. */
let staleSince: number | undefined
const listeners = new Set<() => void>()

/** Notes whether an answer comes from a copy of the database, because the database itself is away. */
export const noteAge = ({ headers }: Response): void => {
  const age = headers.get('x-data-age')
  // The oldest of the answers on the screen counts until they are of now again.
  const since =
    age === null ? undefined : Math.min(staleSince ?? Date.now(), Date.now() - Number(age) * 1_000)
  if (since === staleSince) return
  staleSince = since
  for (const listener of listeners) listener()
}

const watch = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Since when what is shown may be out of date; undefined while it is of now. */
export const useStaleSince = (): number | undefined => useSyncExternalStore(watch, () => staleSince)
