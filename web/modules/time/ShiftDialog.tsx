import { IconCheck, IconClockCheck, IconPlus, IconX } from '@tabler/icons-react'
import type { TimeRecord, TimeShift } from '#contract/time/time-records.ts'
import { CreditNote } from '#web/shared/CreditNote.tsx'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDay, formatHours } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import { changeText } from './doubt-words.tsx'
import { Reasons } from './Reasons.tsx'
import { offsetText, placeText, timeText, typeIcon, typeName } from './record-words.tsx'
import { StandingTag } from './StandingTag.tsx'
import { isShiftReady, shiftSpan } from './shift-words.ts'
import classes from './site-approvals.module.css'
import { isHeldByChange, type useDeciding } from './use-deciding.tsx'

/** Everything about one shift that waits, with its verbs: approve, reject, and decide a time change. */
export function ShiftDialog(props: {
  shift: TimeShift
  deciding: ReturnType<typeof useDeciding>
  onClose: () => void
}) {
  const { shift, deciding, onClose } = props
  const words = useWords()
  const pending = shift.Records.filter(({ Status }) => Status === 'pending')
  const first = shift.Records[0]!
  const isAsked = pending.some(isHeldByChange)
  const addHalf = words(first.Type === 'in' ? 'time.addClockOut' : 'time.addClockIn')
  const half = isShiftReady(shift) ? undefined : pending.find(({ Type }) => Type === 'in' || Type === 'out')
  return (
    <Dialog
      opened
      onClose={onClose}
      title={first.Student}
      subtitle={[shiftSpan(words, shift), shift.Minutes > 0 && formatHours(shift.Minutes, true)]
        .filter(Boolean)
        .join(' · ')}
      {...(!isShiftReady(shift) && { summary: words('time.unmatchedFirst') })}
      actions={
        <>
          <Button
            variant="default"
            size="lg"
            leftSection={<IconX size={18} stroke={2} aria-hidden />}
            onClick={() => {
              onClose()
              deciding.askReject(pending)
            }}
          >
            {words('time.rejectMore')}
          </Button>
          {half && (
            <Button
              size="lg"
              leftSection={<IconPlus size={18} stroke={2} aria-hidden />}
              onClick={() => {
                onClose()
                deciding.askHalf(half)
              }}
            >
              {addHalf}
            </Button>
          )}
          {isShiftReady(shift) && isAsked && (
            <>
              <Button
                variant="default"
                size="lg"
                loading={deciding.isRunning}
                onClick={() => void deciding.approveDeciding(pending, false)}
              >
                {words('time.approveAsRecorded')}
              </Button>
              <Button
                size="lg"
                loading={deciding.isRunning}
                leftSection={<IconClockCheck size={18} stroke={2} aria-hidden />}
                onClick={() => void deciding.approveDeciding(pending, true)}
              >
                {words('time.approveWithChange')}
              </Button>
            </>
          )}
          {isShiftReady(shift) && !isAsked && (
            <Button
              size="lg"
              loading={deciding.isRunning}
              leftSection={<IconCheck size={18} stroke={2} aria-hidden />}
              onClick={() => void deciding.approve({ Ids: pending.map(({ Id }) => Id) })}
            >
              {words('time.approve')}
            </Button>
          )}
        </>
      }
    >
      <ul className={classes.punches}>
        {shift.Records.map((record) => (
          <Punch key={record.Id} record={record} deciding={deciding} />
        ))}
      </ul>
    </Dialog>
  )
}

function Punch({ record, deciding }: { record: TimeRecord; deciding: ReturnType<typeof useDeciding> }) {
  const words = useWords()
  const change = record.TimeChangeRequest?.Status === 'asked' ? record.TimeChangeRequest : null
  const isPunch = record.Type === 'in' || record.Type === 'out'
  return (
    <li>
      <p className={classes.punchHead}>
        {typeIcon(record.Type)}
        <b>
          {typeName(words, record.Type)} {formatDay(record.Date)} {timeText(record)}
        </b>
        <span className="p-muted">{offsetText(words, record)}</span>
        {record.Status !== 'pending' && <StandingTag record={record} />}
      </p>
      <p className="p-muted">
        {[record.Location, isPunch && (record.IPName ?? placeText(words, record))]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <CreditNote record={record} />
      {record.Reason && <p>“{record.Reason}”</p>}
      {record.Reasons.length > 0 && <Reasons reasons={record.Reasons} type={record.Type} all />}
      {change && (
        <>
          <p>
            <b>{changeText(words, change)}</b> {change.Reason && `“${change.Reason}”`}
          </p>
          <div className={classes.changeVerbs}>
            <Button variant="default" onClick={() => void deciding.decideChange(record, false)}>
              {words(change.IsRemoval ? 'time.keepClockIn' : 'time.declineTime')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconClockCheck size={17} stroke={2} aria-hidden />}
              onClick={() => void deciding.decideChange(record, true)}
            >
              {change.IsRemoval ? words('time.takeBackNow') : words('time.acceptTime', { time: change.Time })}
            </Button>
          </div>
        </>
      )}
    </li>
  )
}
