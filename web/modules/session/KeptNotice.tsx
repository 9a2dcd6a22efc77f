import { useEffect } from 'react'
import { useLastRound } from '#web/api/queue/last-round.ts'
import { queryClient } from '#web/api/use-call.ts'
import { dateOfInstant, formatInstant, timeOfInstant } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import { isOld, useKeptSince } from './kept-since.ts'
import classes from './session.module.css'

const askAgainMs = 15_000
/** Says how old the page is that shows without a network, and that somebody has to sign in so that what waits is sent. */
export function KeptNotice() {
  const words = useWords()
  const since = useKeptSince()
  const isSignedOut = useLastRound() === 'signed-out'
  const isKept = since !== undefined
  useEffect(() => {
    if (!isKept) return
    const readAgain = () => void queryClient.refetchQueries({ type: 'active', predicate: isOld })
    const timer = setInterval(readAgain, askAgainMs)
    addEventListener('online', readAgain)
    return () => {
      clearInterval(timer)
      removeEventListener('online', readAgain)
    }
  }, [isKept])
  if (isSignedOut)
    return (
      <p role="alert" className={classes.address}>
        {words('shell.signInToSend')}{' '}
        <button type="button" className={classes.inLine} onClick={() => location.reload()}>
          {words('shell.signIn')}
        </button>
      </p>
    )
  if (!isKept) return null
  const isToday = dateOfInstant(since) === dateOfInstant(Date.now())
  const time = isToday ? timeOfInstant(since) : formatInstant(new Date(since).toISOString())
  return (
    <p role="status" className={classes.address}>
      {words('shell.asOfClock', { time })}
    </p>
  )
}
