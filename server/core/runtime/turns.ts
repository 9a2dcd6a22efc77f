import { coreFailures } from '#contract/core/failures.ts'
import { fail } from './failure.ts'

/** Work of which few run in this process at a time; the others wait in the order of coming, those that go first before them. */
export interface Turns {
  /**
   * Waits for the turn.
   *
   * @returns to be called when the work is over
   * @throws Failure 503 when too many wait already
   */
  enter(isFirst?: boolean): Promise<() => void>
}

export const createTurns = (maxRunning: number, maxWaiting: number): Turns => {
  const first: (() => void)[] = []
  const others: (() => void)[] = []
  let running = 0
  const leave = (): void => {
    running--
    const next = first.shift() ?? others.shift()
    next?.()
  }
  const begin = (): (() => void) => {
    running++
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      leave()
    }
  }
  return {
    enter: async (isFirst = false) => {
      if (running < maxRunning) return begin()
      if (!isFirst && others.length >= maxWaiting)
        throw fail(coreFailures.busy, {
          retryAfterSeconds: 3,
        })
      return new Promise((resolve) => {
        const queue = isFirst ? first : others
        queue.push(() => resolve(begin()))
      })
    },
  }
}
