import { Button } from '@mantine/core'
import type { DoubtCode } from '#contract/time/insight.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatHours } from '#web/ui/dates.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { doubtIcon, doubtKind } from './doubt-words.tsx'
import classes from './time.module.css'

/** What is about to be approved, and how much of it is in Careful Review. */
export interface Approving {
  Records: number
  Minutes: number
  Careful: number
  /** How many are approved when the careful ones are left out. */
  Rest: number
  Reasons: readonly { Code: DoubtCode; Count: number }[]
}

/** Names the records of Careful Review by reason and number before they are approved with others. */
export function CarefulDialog(props: {
  approving: Approving
  /** The numbers are of shifts, not of records. */
  byShift: boolean
  onClose: () => void
  onApprove: (withCareful: boolean) => void
}) {
  const { approving, byShift, onClose, onApprove } = props
  const words = useWords()
  const { Records, Minutes, Careful, Rest, Reasons } = approving
  const figures = { count: Records, hours: formatHours(Minutes) }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words(byShift ? 'time.carefulShifts' : 'time.carefulTitle', { count: Careful })}
      actions={
        <>
          {Rest > 0 && <LeaveButton onClick={onClose} />}
          <Button variant="default" onClick={() => onApprove(true)}>
            {words(
              Rest > 0 ? 'time.carefulAll' : byShift ? 'time.carefulOnlyShifts' : 'time.carefulOnly',
              figures,
            )}
          </Button>
          {/* What needs no second look is the main answer; where there is none, looking is. */}
          {Rest > 0 ? (
            <Button onClick={() => onApprove(false)} data-autofocus>
              {words('time.carefulRest', { count: Rest })}
            </Button>
          ) : (
            <Button onClick={onClose} data-autofocus>
              {words('time.carefulLook')}
            </Button>
          )}
        </>
      }
    >
      <p className={classes.carefulText}>{words('time.carefulText')}</p>
      <ul className={classes.carefulReasons}>
        {Reasons.map(({ Code, Count }) => (
          <li key={Code}>
            <StatusTag status="careful" icon={doubtIcon({ Code })}>
              {doubtKind(words, Code)}
            </StatusTag>
            <b>{Count}</b>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
