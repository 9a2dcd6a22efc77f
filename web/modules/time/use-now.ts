import { useEffect, useState } from 'react'

/** The present moment in milliseconds, told again every few seconds; `offset` is how far the server's clock is ahead. */
export const useNow = (offset: number, everyMs = 5_000): number => {
  const [now, setNow] = useState(() => Date.now() + offset)
  useEffect(() => {
    const tick = () => setNow(Date.now() + offset)
    tick()
    const timer = setInterval(tick, everyMs)
    return () => clearInterval(timer)
  }, [offset, everyMs])
  return now
}
