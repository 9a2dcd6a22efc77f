import { useEffect, useState } from 'react'

/** True once `isWaiting` has lasted `ms`: what is quick should not flash bars. */
export function useLate(isWaiting: boolean, ms = 200): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isWaiting) {
      setLate(false)
      return
    }
    const timer = setTimeout(() => setLate(true), ms)
    return () => clearTimeout(timer)
  }, [isWaiting, ms])
  return isLate && isWaiting
}
