import { availableParallelism } from 'node:os'
import { coreFailures } from '#contract/core/failures.ts'
import { AbandonedError } from '#server/core/database/cancel.ts'
import { type Failure, fail } from './failure.ts'

/**
 * Heavy pages keep the database at work from their beginning to their end: more of them than processors are answered no
 * sooner, and everything else later. Never more than a third of the connections.
 */
const maxPages = Math.min(6, Math.max(2, availableParallelism()))
/** Files wait for whoever downloads them, most of their time. */
const maxFiles = 4
const maxRunningOfAccount = 2
const maxWaiting = 60
const maxWaitingOfAccount = 6
const maxWaitMs = 20_000

interface Waiting {
  accountId: number
  begin: () => void
}

/**
 * The turn of calls that take long: few run in this process at a time, fewer of one account, a short queue waits in the order
 * of coming, and whoever comes beyond that is told to come again.
 */
export interface HeavyCalls {
  /**
   * Waits for the turn.
   *
   * @returns to be called when the call is over
   * @throws Failure 429 when the account has too many of them, 503 when everybody together has; AbandonedError when the caller
   * leaves while waiting
   */
  enter(accountId: number, hasLeft?: AbortSignal): Promise<() => void>
  counts(): { running: number; waiting: number }
}

/** Those of a process: what answers a page, and what is downloaded, which never wait for each other. */
export interface HeavyLanes {
  pages: HeavyCalls
  files: HeavyCalls
}

const tooMany = (accounts: 'own' | 'all'): Failure =>
  accounts === 'own'
    ? fail(coreFailures.too_many_heavy_calls, { retryAfterSeconds: 3 })
    : fail(coreFailures.heavy_calls_busy, {
        retryAfterSeconds: 5,
      })

export const createHeavyCalls = (maxRunning: number): HeavyCalls => {
  const running = new Map<number, number>()
  const waiting: Waiting[] = []
  let count = 0

  const isFree = (accountId: number): boolean =>
    count < maxRunning && (running.get(accountId) ?? 0) < maxRunningOfAccount
  const begin = (accountId: number): (() => void) => {
    count++
    running.set(accountId, (running.get(accountId) ?? 0) + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      count--
      const left = running.get(accountId)! - 1
      if (left > 0) running.set(accountId, left)
      else running.delete(accountId)
      const next = waiting.find((one) => isFree(one.accountId))
      next?.begin()
    }
  }

  return {
    counts: () => ({ running: count, waiting: waiting.length }),
    enter: async (accountId, hasLeft) => {
      if (isFree(accountId)) return begin(accountId)
      if (waiting.filter((one) => one.accountId === accountId).length >= maxWaitingOfAccount)
        throw tooMany('own')
      if (waiting.length >= maxWaiting) throw tooMany('all')
      return new Promise((resolve, reject) => {
        const settle = (): void => {
          clearTimeout(timer)
          hasLeft?.removeEventListener('abort', leave)
          waiting.splice(waiting.indexOf(own), 1)
        }
        const own: Waiting = {
          accountId,
          begin: () => {
            settle()
            resolve(begin(accountId))
          },
        }
        const leave = (): void => {
          settle()
          reject(new AbandonedError())
        }
        const timer = setTimeout(() => {
          settle()
          reject(tooMany('all'))
        }, maxWaitMs)
        hasLeft?.addEventListener('abort', leave, { once: true })
        waiting.push(own)
      })
    },
  }
}

export const createHeavyLanes = (): HeavyLanes => ({
  pages: createHeavyCalls(maxPages),
  files: createHeavyCalls(maxFiles),
})
