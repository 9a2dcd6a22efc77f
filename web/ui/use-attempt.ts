import { useState } from 'react'

/** Work that a form starts, and why the server refused it last: for a place in the form, where `attempt` would use a toast. */
export const useAttempt = () => {
  const [problem, setProblem] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setProblem(undefined)
    setRunning(true)
    try {
      await work()
    } catch (error) {
      setProblem((error as Error).message)
    } finally {
      setRunning(false)
    }
  }
  return { problem, isRunning, attempt }
}
