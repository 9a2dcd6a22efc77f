import { appRoot } from '../root.ts'

const taken = new Set<string>()

/** Without locks of the browser a window knows its own work only; the keys see to it that nothing counts twice. */
const aloneInWindow = async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> => {
  if (taken.has(name)) return undefined
  taken.add(name)
  try {
    return await work()
  } finally {
    taken.delete(name)
  }
}

/**
 * Does something that no other window and no service worker does at the same time; undefined where one of them is at it. The
 * lock of a window that is closed or killed is free.
 */
export const alone = async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> =>
  navigator.locks
    ? navigator.locks.request(`practicum${appRoot} ${name}`, { ifAvailable: true }, (lock) =>
        lock ? work() : undefined,
      )
    : aloneInWindow(name, work)
