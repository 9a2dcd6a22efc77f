import { useEffect } from 'react'
import { getGlobals } from '#contract/session/session.ts'
import { call } from '#web/api/call.ts'
import { useStaleSince } from '#web/api/data-age.ts'
import { queryClient } from '#web/api/use-call.ts'
import { timeOfInstant } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './session.module.css'

const askAgainMs = 3_000

/** Says that the database is away and how old what is shown may be; once it is back everything is read again. */
export function StaleNotice({ hasClock }: { hasClock: boolean }) {
  const words = useWords()
  const since = useStaleSince()
  const isStale = since !== undefined
  useEffect(() => {
    if (!isStale) return
    const timer = setInterval(
      () => void call(getGlobals, {}, { isBackground: true }).catch(() => {}),
      askAgainMs,
    )
    return () => {
      clearInterval(timer)
      void queryClient.invalidateQueries()
    }
  }, [isStale])
  if (!isStale) return null
  return (
    <p role="alert" className={classes.address}>
      {words(hasClock ? 'shell.staleClock' : 'shell.stale', { time: timeOfInstant(since) })}
    </p>
  )
}
