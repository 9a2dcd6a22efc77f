import { useSyncExternalStore } from 'react'

let isReady = false
const listeners = new Set<() => void>()

/** Told once the device has the pages of the day and what they show. */
export const setReadyOffline = (): void => {
  isReady = true
  for (const listener of listeners) listener()
}

const watch = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the pages of the day would open without a network. */
export const useReadyOffline = (): boolean => useSyncExternalStore(watch, () => isReady)
