import { Button } from '@mantine/core'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import type { approveTimeRecords } from '#contract/time/approvals.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
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
      subtitle={words('time.leftOutApproved', { count: approved.Approved })}
      actions={
        <Button onClick={onClose} data-autofocus>
          {words('time.leftOutClose')}
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
        <p className="p-muted">{words('time.leftOutMore', { count: LeftOutCount - LeftOut.length })}</p>
      )}
    </Dialog>
  )
}
