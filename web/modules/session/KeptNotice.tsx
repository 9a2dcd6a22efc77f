import type { Query } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { aroundPages } from '#web/api/around-pages.ts'
import { CallError } from '#web/api/call.ts'
import { isFromDevice } from '#web/api/given-answers.ts'
import { useLastRound } from '#web/api/queue/last-round.ts'
import { queryClient } from '#web/api/use-call.ts'
import { dateOfInstant, formatInstant, timeOfInstant } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './session.module.css'

const askAgainMs = 15_000
/** What surrounds every page: older than what a page shows, and of no interest in itself. */
const around = new Set(aroundPages.map(({ path }) => path))

const isUnanswered = (error: unknown): boolean =>
  error instanceof CallError && [0, 502, 503, 504].includes(error.status)

/** What a query has is of another time than now. */
const isOld = (query: Query): boolean =>
  isFromDevice(query) || (query.state.data !== undefined && isUnanswered(query.state.error))

/** Since when the oldest of what is shown could not be read again; undefined while all of it is of now. */
const keptSince = (): number | undefined => {
  const kept = queryClient
    .getQueryCache()
    .getAll()
    .filter((query) => query.isActive() && isOld(query))
  const own = kept.filter(({ queryKey }) => !around.has(String(queryKey[0])))
  const times = (own.length > 0 ? own : kept).map(({ state }) => state.dataUpdatedAt)
  return times.length > 0 ? Math.min(...times) : undefined
}

const watch = (listener: () => void): (() => void) => queryClient.getQueryCache().subscribe(listener)

/** Says how old the page is that shows without a network, and that somebody has to sign in so that what waits is sent. */
export function KeptNotice() {
  const words = useWords()
  const since = useSyncExternalStore(watch, keptSince)
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
