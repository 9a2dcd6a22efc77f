import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { listDecisions } from '#contract/time/approvals.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { formatHours, timeOfInstant } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import { statusName } from './record-words.tsx'
import classes from './time.module.css'
import { isMany, type useDeciding } from './use-deciding.tsx'

/** What was approved or rejected together within a day, the last first, each with its undo. */
export function Decisions({ deciding }: { deciding: ReturnType<typeof useDeciding> }) {
  const words = useWords()
  const zone = useTimeZone()
  const decisions = useRead(listDecisions, { params: { programId: useProgramId() } })
  const [isAll, setAll] = useState(false)
  // What is one press about one thing is taken back in its place.
  const together = (decisions.data ?? []).filter(({ Records }) => isMany(Records))
  if (together.length === 0) return null
  return (
    <ul className={classes.decisions}>
      {(isAll ? together : together.slice(0, 1)).map((decision) => {
        const { DecidedAt, Status, Records, Minutes } = decision
        const line = words(deciding.byShift ? 'time.shiftsDecided' : 'time.decidedTogether', {
          status: statusName(words, Status),
          time: timeOfInstant(DecidedAt, zone),
          count: Records,
          hours: formatHours(Minutes),
        })
        return (
          <li key={`${DecidedAt} ${Status}`}>
            <span>{line}</span>
            <button
              type="button"
              className={classes.link}
              aria-label={`${words('ui.undo')}: ${line}`}
              disabled={deciding.isRunning}
              onClick={() => deciding.askTakeBack(decision)}
            >
              <IconArrowBackUp size={15} stroke={1.75} aria-hidden />
              {words('ui.undo')}
            </button>
          </li>
        )
      })}
      {!isAll && together.length > 1 && (
        <li>
          <button type="button" className={classes.link} onClick={() => setAll(true)}>
            {words('time.showAllUnmatched', { count: together.length })}
          </button>
        </li>
      )}
    </ul>
  )
}
