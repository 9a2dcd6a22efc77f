import { useState } from 'react'
import {
  type LogEntry,
  listWaitingDays,
  mostWaitingEntries,
  takeOverDay,
} from '#contract/competencies/log-verification.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { formatDate, formatInstant } from '#web/ui/dates.ts'
import { OwnScreen } from '#web/ui/OwnScreen.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { cleanOf, DayCard } from './DayCard.tsx'
import { DecideDialog } from './DecideDialog.tsx'
import classes from './procedure-log.module.css'
import { useTakingBack, useVerifying } from './use-verifying.ts'
import { verificationReads } from './verification-reads.ts'

type Waiting = AnswerOf<typeof listWaitingDays>

/** Students' days that wait for whoever looks: one tap a day, repeats by themselves, and what names somebody else. */
export function VerifyPage() {
  const words = useWords()
  const programId = useProgramId()
  const waiting = useRead(listWaitingDays, { params: { programId } })
  const { isRunning, verify } = useVerifying(() => void waiting.refetch())
  const [open, setOpen] = useState<LogEntry>()
  // They verify whatever waits there, without taking a day over first.
  const mayReadLog = useMay()('procedure-logs.read')
  useLiveEvent('procedure-logs', () => void waiting.refetch(), 1_000)
  if (waiting.error) return <ReadProblem read={waiting} />
  const days = waiting.data?.Days ?? []
  const isCut = days.reduce((sum, { Entries }) => sum + Entries.length, 0) >= mostWaitingEntries
  return (
    <OwnScreen
      title={words('procedureLog.verifyTitle')}
      {...(days.length > 0 && { heading: words('procedureLog.verifyCount', { count: days.length }) })}
    >
      {waiting.data && days.length === 0 && (
        <PageMessage kind="empty" text={words('procedureLog.verifyEmpty')} />
      )}
      {waiting.data && waiting.data.Others.length > 0 && mayReadLog && <InTheLog others={waiting.data} />}
      {days.map((day) => (
        <DayCard
          key={`${day.StudentId} ${day.Date}`}
          day={day}
          isRunning={isRunning}
          onVerify={() => void verify(day.Student, cleanOf(day))}
          onOpen={setOpen}
        />
      ))}
      {isCut && <p className={classes.quiet}>{words('procedureLog.moreDays')}</p>}
      {waiting.data && waiting.data.Others.length > 0 && !mayReadLog && (
        <OthersDays others={waiting.data.Others} hasMore={waiting.data.HasMoreOthers} />
      )}
      {waiting.data && waiting.data.Verified.length > 0 && <VerifiedDays days={waiting.data.Verified} />}
      {open && <DecideDialog entry={open} onClose={() => setOpen(undefined)} />}
    </OwnScreen>
  )
}

/** Leads staff to what waits and names somebody else, or nobody: they verify all of it in the log. */
function InTheLog({ others: { Others, HasMoreOthers } }: { others: Waiting }) {
  const words = useWords()
  const count = Others.reduce((sum, { Entries }) => sum + Entries, 0)
  return (
    <div className={classes.inTheLog}>
      <p>{words(HasMoreOthers ? 'procedureLog.manyInTheLog' : 'procedureLog.inTheLog', { count })}</p>
      <Button variant="default" component={PageLink} href="/new/admin/competencies/logs?status=submitted">
        {words('procedureLog.openLog')}
      </Button>
    </div>
  )
}

/** What was verified within a day, each with its way back. */
function VerifiedDays({ days }: { days: Waiting['Verified'] }) {
  const words = useWords()
  const zone = useTimeZone()
  const { isRunning, takeBack } = useTakingBack()
  return (
    <>
      <div className={classes.part}>
        <h2>{words('procedureLog.verifiedLately')}</h2>
      </div>
      <ul className={classes.card}>
        {days.map((day) => (
          <li key={`${day.StudentId} ${day.Date} ${day.DecidedAt}`} className={classes.row}>
            <span className={classes.rowText}>
              <b>{day.Student}</b>
              <span>
                {formatDate(day.Date)} ·{' '}
                {words('procedureLog.verifiedAt', { time: formatInstant(day.DecidedAt, zone) })}
              </span>
              <span>{day.Entries.map(({ Procedure, Count }) => `${Count}× ${Procedure}`).join(', ')}</span>
            </span>
            <Button
              variant="default"
              size="lg"
              loading={isRunning}
              aria-label={words('procedureLog.takeBackOf', { name: day.Student, date: formatDate(day.Date) })}
              onClick={() => void takeBack(day.Student, day.Entries)}
            >
              {words('ui.undo')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

function OthersDays({ others, hasMore }: { others: Waiting['Others']; hasMore: boolean }) {
  const words = useWords()
  const programId = useProgramId()
  const take = useSave(takeOverDay, { refresh: verificationReads })
  const run = async ({ StudentId, Student, Date: date, Supervisor }: Waiting['Others'][number]) => {
    const told = { name: Student, date: formatDate(date) }
    const isSure = await confirm({
      title: words('procedureLog.takeOverTitle', told),
      text: Supervisor
        ? words('procedureLog.takeOverQuestion', { supervisor: Supervisor })
        : words('procedureLog.takeOverUnnamed'),
      verb: words('procedureLog.takeOver'),
    })
    if (!isSure) return
    const at = (IsGivenBack: boolean) => ({
      params: { programId },
      body: { StudentId, Date: date, IsGivenBack },
    })
    await attempt(async () => {
      await take.run(at(false))
      toast.done({
        title: words('procedureLog.tookOver', told),
        undo: () =>
          void attempt(async () => {
            await take.run(at(true))
            toast.done(words('procedureLog.gaveBack', told))
          }),
      })
    })
  }
  return (
    <>
      <div className={classes.part}>
        <h2>{words('procedureLog.others')}</h2>
      </div>
      <p className={classes.quiet}>{words('procedureLog.othersHint')}</p>
      <ul className={classes.card}>
        {others.map((day) => (
          <li
            key={`${day.StudentId} ${day.Date} ${day.Site} ${day.Supervisor}`}
            className={classes.row}
            data-decides
          >
            <span className={classes.rowText}>
              <b>{day.Student}</b>
              <span>
                {words('procedureLog.othersLine', {
                  date: formatDate(day.Date),
                  site: day.Site ?? words('procedureLog.noSite'),
                  supervisor: day.Supervisor ?? words('procedureLog.noSupervisor'),
                })}
              </span>
              <span>{words('procedureLog.entries', { count: day.Entries })}</span>
            </span>
            <Button variant="default" size="lg" loading={take.isRunning} onClick={() => void run(day)}>
              {words('procedureLog.takeOver')}
            </Button>
          </li>
        ))}
      </ul>
      {hasMore && <p className={classes.quiet}>{words('procedureLog.moreOthers')}</p>}
    </>
  )
}
