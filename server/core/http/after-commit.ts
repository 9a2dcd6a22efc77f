import type { Services } from '#server/core/runtime/services.ts'

/**
 * Collects what a handler wants done once its work is kept. The answer does not depend on it: what fails of it is logged, and the
 * rest is done.
 */
export const collectAfterCommit = ({ log }: Pick<Services, 'log'>) => {
  const waiting: (() => void)[] = []
  return {
    afterCommit: (work: () => void): void => void waiting.push(work),
    runAfterCommit: (): void => {
      for (const work of waiting)
        try {
          work()
        } catch (error) {
          log.error({ err: error }, 'A change was saved, but what follows it failed')
        }
    },
  }
}
