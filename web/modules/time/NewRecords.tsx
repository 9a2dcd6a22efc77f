import { useEffect, useState } from 'react'
import type { InputOf } from '#contract/core/endpoint.ts'
import { countTimeRecords, listTimeRecords } from '#contract/time/time-records.ts'
import { call } from '#web/api/call.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { queryClient, readKey } from '#web/api/use-call.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './time.module.css'

/** At seven in the morning everybody clocks in at once. */
const withinMs = 2_000

/** A quiet line when records came in since the list was read: rows never move under the hand of who works on them. */
export function NewRecords({ input, shown }: { input: InputOf<typeof countTimeRecords>; shown: number }) {
  const words = useWords()
  const [fresh, setFresh] = useState<number>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown again has nothing new in it
  useEffect(() => setFresh(undefined), [shown, JSON.stringify(input)])
  useLiveEvent(
    'time-records',
    () =>
      // Without an answer the list stays as it is, and the next event asks again.
      void call(countTimeRecords, input).then(
        ({ All }) => setFresh(All),
        () => {},
      ),
    withinMs,
  )
  const added = fresh === undefined ? 0 : fresh - shown
  const show = () => {
    for (const read of [listTimeRecords, countTimeRecords])
      void queryClient.invalidateQueries({ queryKey: readKey(read) })
  }
  return (
    <div role="status" className={classes.newRecords}>
      {added > 0 && (
        <>
          {words('time.newRecords', { count: added })}{' '}
          <button type="button" className={classes.link} onClick={show}>
            {words('time.showNew')}
          </button>
        </>
      )}
    </div>
  )
}
