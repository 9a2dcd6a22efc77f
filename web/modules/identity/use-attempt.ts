import { useState } from 'react'
import { CallError } from '#web/api/call.ts'
import { useWords } from '#web/words/use-words.ts'

/** Runs a call of a form before signing in, and keeps what it says. */
export const useAttempt = () => {
  const words = useWords()
  const [failure, setFailure] = useState<string>()
  const [isDone, setDone] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const run = async (work: () => Promise<unknown>) => {
    if (isRunning) return
    setRunning(true)
    setFailure(undefined)
    try {
      await work()
      setDone(true)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setFailure(error.status === 0 ? words('identity.unanswered') : error.message)
    } finally {
      setRunning(false)
    }
  }
  return { failure, isDone, isRunning, run }
}
