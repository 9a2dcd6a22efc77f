import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatHours } from '#web/ui/dates.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { useWords } from '#web/words/use-words.ts'
import { type Approved, isUnforeseen } from './left-out.ts'
import classes from './time.module.css'

/** Which records an approval left out, each with the sentence that says why; those with a time change can be decided here. */
export function LeftOutDialog({
  approved,
  onDecide,
  onClose,
}: {
  approved: Approved
  onDecide: (records: Approved['LeftOut'], accept: boolean) => void
  onClose: () => void
}) {
  const words = useWords()
  const { LeftOut, LeftOutCount } = approved
  const rows = LeftOut.filter(isUnforeseen)
  const careful = LeftOut.filter(({ Reason }) => Reason === 'careful').length
  const asked = rows.filter(({ Reason }) => Reason === 'change_asked')
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('time.leftOutTitle', { count: rows.length })}
      subtitle={
        approved.Approved > 0 &&
        words('time.approvedToast', {
          count: approved.Approved,
          hours: formatHours(approved.Minutes),
          people: approved.Students,
        })
      }
      actions={
        <>
          <LeaveButton variant={asked.length > 0 ? 'default' : 'filled'} onClick={onClose} data-autofocus>
            {words('ui.close')}
          </LeaveButton>
          {asked.length > 0 && (
            <>
              <Button variant="default" onClick={() => onDecide(asked, false)}>
                {words('time.approveAsRecorded')}
              </Button>
              <Button onClick={() => onDecide(asked, true)}>{words('time.approveWithChange')}</Button>
            </>
          )}
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls by keyboard too */}
      <section tabIndex={0} aria-label={words('time.leftOutTitle', { count: rows.length })}>
        <ul className={classes.leftOut}>
          {rows.map(({ Id, Student, Message }) => (
            <li key={Id}>
              <b>{Student}</b>
              <span>{Message}</span>
            </li>
          ))}
        </ul>
      </section>
      {careful > 0 && <p className="p-muted">{words('time.stayCareful', { count: careful })}</p>}
      {LeftOutCount > LeftOut.length && (
        <p className="p-muted">{words('time.shownOf', { shown: LeftOut.length, total: LeftOutCount })}</p>
      )}
    </Dialog>
  )
}
