import { useCallback, useState } from 'react'
import { logFailure } from './call.ts'

/**
 * Rows whose last change failed, where the specification wants such a failure logged with its status and marked at the row,
 * nothing else. `attempt` does the work and answers whether it went well; `what` is for the log.
 */
export const useFailedRows = <Key extends string | number>(): {
  failed: ReadonlySet<Key>
  attempt: (row: Key, what: string, work: () => Promise<unknown>) => Promise<boolean>
} => {
  const [failed, setFailed] = useState<ReadonlySet<Key>>(new Set())
  const attempt = useCallback(async (row: Key, what: string, work: () => Promise<unknown>) => {
    try {
      await work()
      setFailed((rows) => new Set([...rows].filter((each) => each !== row)))
      return true
    } catch (error) {
      logFailure(what, error)
      setFailed((rows) => new Set([...rows, row]))
      return false
    }
  }, [])
  return { failed, attempt }
}
