import { IconAlertCircle, IconClockQuestion, IconCloudUpload } from '@tabler/icons-react'
import { useState } from 'react'
import type { OwnRecord } from '#contract/time/clock.ts'
import { drop, isTaken, isWaiting } from '#web/api/queue/queue.ts'
import { sendOrKeep } from '#web/api/queue/send-or-keep.ts'
import { useKept } from '#web/api/queue/use-kept.ts'
import { useAppState, useUser } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDay } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { TimeField } from '#web/ui/form/TimeField.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './clock.module.css'
import { clockOutKind } from './clock-out-kind.ts'
import timeClasses from './time.module.css'
import { isSecond, WhichTime } from './WhichTime.tsx'

/** Asks when somebody left who did not clock out; the end of the shift is proposed. It holds up no clock-in. */
export function ForgottenCard({ record }: { record: OwnRecord }) {
  const words = useWords()
  const { Id: account } = useUser()
  const program = useAppState().data?.ProgramId ?? null
  const [day, setDay] = useState<string | null>(
    record.ShiftEndsAt ? dateOfInstant(record.ShiftEndsAt, record.TimeZone) : record.Date,
  )
  const [time, setTime] = useState(record.ShiftEnd)
  const [which, setWhich] = useState<string | null>(null)
  const [problem, setProblem] = useState<string>()
  const [isSending, setSending] = useState(false)
  const kept = useKept(clockOutKind, account)?.filter(
    ({ group }) => group === `${clockOutKind.name} ${record.Id}`,
  )
  const send = async () => {
    if (!day || !time) return
    setSending(true)
    setProblem(undefined)
    try {
      const isSaved = await sendOrKeep(
        clockOutKind,
        { account, program },
        {
          params: { recordId: record.Id },
          body: { Date: day, Time: time, TimeIsSecond: isSecond(which) },
        },
      )
      if (isSaved) toast.done(words('time.reported'))
    } catch (error) {
      setProblem((error as Error).message)
    }
    setSending(false)
  }
  const waiting = kept?.find(isWaiting)
  const refused = kept?.find(({ refusal }) => refusal !== undefined)
  const shown = problem ?? refused?.refusal
  return (
    <section className={classes.card} aria-label={words('time.forgottenAsk')}>
      <p className={classes.forgotten}>
        <IconClockQuestion size={20} stroke={1.75} aria-hidden />
        <span>
          <b>
            {words('time.forgottenOn', { day: formatDay(record.Date), time: record.Time })}
            {record.Location && `, ${record.Location}`}.
          </b>{' '}
          {record.ShiftEnd && words('time.forgottenShift', { time: record.ShiftEnd })}{' '}
          {words('time.forgottenAsk')}
        </span>
      </p>
      {waiting ? (
        <p role="status" className={classes.kept}>
          <IconCloudUpload size={17} stroke={1.75} aria-hidden />
          {words('time.forgottenKept')}
        </p>
      ) : (
        <>
          <div className={timeClasses.fields}>
            <TimeField name="Time" label={words('time.leftAt')} required value={time} onChange={setTime} />
            <DateField name="Date" label={words('time.date')} required value={day} onChange={setDay} />
            <WhichTime
              name="TimeIsSecond"
              date={day}
              time={time}
              zone={record.TimeZone}
              value={which}
              onChange={setWhich}
            />
          </div>
          {shown && (
            <p role="alert" className={classes.refused}>
              <IconAlertCircle size={17} stroke={1.75} aria-hidden />
              {shown}
            </p>
          )}
          <Button
            size="lg"
            variant="default"
            fullWidth
            loading={isSending || kept?.some(isTaken)}
            disabled={!day || !time}
            onClick={() => {
              if (refused) void drop(refused)
              void send()
            }}
          >
            {words('time.send')}
          </Button>
        </>
      )}
    </section>
  )
}
