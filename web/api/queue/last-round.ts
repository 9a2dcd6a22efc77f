import { useSyncExternalStore } from 'react'

/** How a round of sending ended: all was answered, something still waits, or nobody is signed in. */
export type Round = 'done' | 'waiting' | 'signed-out'

let last: Round = 'done'
const listeners = new Set<() => void>()

export const noteRound = (round: Round): void => {
  if (round === last) return
  last = round
  for (const tell of listeners) tell()
}

/** How this window's last round ended: `signed-out` while something waits for the person to sign in again. */
export const useLastRound = (): Round =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => last,
  )
