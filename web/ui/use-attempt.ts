import { useState } from 'react'

/** Something that a dialog does once, and what the server said when it did not work. */
export const useAttempt = () => {
  const [problem, setProblem] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  /** Runs `task`, then `done`: with the problem of a task that fails the dialog stays. */
  const attempt = async (task: () => Promise<unknown>, done: () => void): Promise<void> => {
    setProblem(undefined)
    setRunning(true)
    try {
      await task()
    } catch (error) {
      setProblem((error as Error).message)
      return setRunning(false)
    }
    done()
  }
  return { problem, isRunning, attempt }
}
