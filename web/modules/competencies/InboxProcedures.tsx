import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { type LogEntry, listWaitingDays, verifyDays } from '#contract/competencies/log-verification.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { InboxCard, InboxMore, type InboxPartProps, InboxRow } from '#web/shared/InboxCard.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { formatDay } from '#web/ui/dates.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { cleanOf, type Day, DayCard } from './DayCard.tsx'
import { DecideDialog } from './DecideDialog.tsx'
import { verificationReads } from './verification-reads.ts'

const shownAtFirst = 5

const keyOf = ({ StudentId, Date: date }: Day): string => `${StudentId} ${date}`

/** Students' days that name the supervisor, each opened where it is. */
export function InboxProcedures({ place, onLoad }: InboxPartProps) {
  const words = useWords()
  const programId = useProgramId()
  const waiting = useRead(listWaitingDays, { params: { programId } }, { refetchEveryMs: 60_000 })
  const verify = useSave(verifyDays, { refresh: verificationReads })
  const [isAll, setAll] = useState(false)
  const [openKey, setOpenKey] = useState<string>()
  const [entry, setEntry] = useState<LogEntry>()
  const days = waiting.data?.Days ?? []
  const count = days.length
  // Days without repeats are verified together; at most as many entries as one call takes.
  const clean = days.filter((day) => cleanOf(day).length === day.Entries.length)
  useEffect(() => {
    if (waiting.data)
      onLoad({ things: count, seconds: (clean.length > 0 ? 15 : 0) + (count - clean.length) * 20 })
  }, [waiting.data, count, clean.length, onLoad])
  if (count === 0) return null
  const students = new Set(days.map(({ StudentId }) => StudentId)).size
  const shown = isAll ? days : days.slice(0, shownAtFirst)
  const run = (entries: readonly LogEntry[]) =>
    attempt(async () => {
      const Entries = entries.map(({ Id, Revision }) => ({ Id, Revision }))
      const { Verified } = await verify.run({ params: { programId }, body: { Entries } })
      toast.done(words('procedureLog.didVerify', { count: Verified }))
    }).then((isDone) => {
      if (!isDone) void waiting.refetch()
    })
  const lineOf = ({ Entries }: Day) => {
    const repeats = Entries.filter(({ Repeats }) => Repeats > 0).length
    return [
      words('procedureLog.entries', { count: Entries.length }),
      repeats > 0 && words('inbox.repeats', { count: repeats }),
    ]
      .filter(Boolean)
      .join(' · ')
  }
  return (
    <InboxCard
      title={words('inbox.procedures')}
      detail={`${place} · ${words('inbox.daysThatName', { students: words('inbox.students', { count: students }) })}`}
      action={
        clean.length > 1 && (
          <Button
            size="md"
            loading={verify.isRunning}
            aria-label={words('procedureLog.verifyAll', { count: clean.length })}
            onClick={() => void run(clean.flatMap(({ Entries }) => Entries))}
          >
            {words('inbox.verify', { count: clean.length })}
          </Button>
        )
      }
    >
      {shown.map((day) => {
        const isOpen = keyOf(day) === openKey
        const Chevron = isOpen ? IconChevronDown : IconChevronRight
        return (
          <InboxRow
            key={keyOf(day)}
            title={`${day.Student} · ${formatDay(day.Date)}`}
            detail={lineOf(day)}
            end={<Chevron size={20} stroke={1.75} aria-hidden style={{ flex: 'none' }} />}
            isOpen={isOpen}
            onOpen={() => setOpenKey(isOpen ? undefined : keyOf(day))}
          >
            {isOpen && (
              <DayCard
                day={day}
                isRunning={verify.isRunning}
                isInside
                onVerify={() => void run(cleanOf(day))}
                onOpen={setEntry}
              />
            )}
          </InboxRow>
        )
      })}
      {count > shown.length && (
        <InboxMore text={words('inbox.more', { count: count - shown.length })} onPress={() => setAll(true)} />
      )}
      {entry && <DecideDialog entry={entry} onClose={() => setEntry(undefined)} />}
    </InboxCard>
  )
}
