import { Button } from '@mantine/core'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import type { approveTimeRecords } from '#contract/time/approvals.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatHours } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './time.module.css'

export type Approved = AnswerOf<typeof approveTimeRecords>

/** Which records an approval left out, each with the sentence that says why. */
export function LeftOutDialog({ approved, onClose }: { approved: Approved; onClose: () => void }) {
  const words = useWords()
  const { LeftOut, LeftOutCount } = approved
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('time.leftOutTitle', { count: LeftOutCount })}
      subtitle={
        approved.Approved > 0 &&
        words('time.approvedToast', { count: approved.Approved, hours: formatHours(approved.Minutes) })
      }
      actions={
        <Button onClick={onClose} data-autofocus>
          {words('ui.close')}
        </Button>
      }
    >
      <ul className={classes.leftOut}>
        {LeftOut.map(({ Id, Student, Message }) => (
          <li key={Id}>
            <b>{Student}</b>
            <span>{Message}</span>
          </li>
        ))}
      </ul>
      {LeftOutCount > LeftOut.length && (
        <p className="p-muted">{words('time.shownOf', { shown: LeftOut.length, total: LeftOutCount })}</p>
      )}
    </Dialog>
  )
}
