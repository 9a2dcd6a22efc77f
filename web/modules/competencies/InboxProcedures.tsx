import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { type LogEntry, listWaitingDays } from '#contract/competencies/log-verification.ts'
import { getInboxItems, type InboxProcedures as Waiting } from '#contract/inbox/inbox.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { InboxCard, InboxMore, type InboxPartProps, InboxRow } from '#web/shared/InboxCard.tsx'
import { formatDay } from '#web/ui/dates.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import { cleanOf, DayCard } from './DayCard.tsx'
import { DecideDialog } from './DecideDialog.tsx'
import { useVerifying } from './use-verifying.ts'

const shownAtFirst = 5

type Day = Waiting['Days'][number]

const keyOf = ({ StudentId, Date: date }: Pick<Day, 'StudentId' | 'Date'>): string => `${StudentId} ${date}`

/** Students' days that name the supervisor, each opened where it is and verified by itself once it was seen. */
export function InboxProcedures({ place, onLoad }: InboxPartProps) {
  const words = useWords()
  const params = { programId: useProgramId() }
  const items = useRead(getInboxItems, { params }, { refetchEveryMs: 60_000 })
  const [isAll, setAll] = useState(false)
  const [openKey, setOpenKey] = useState<string>()
  const [entry, setEntry] = useState<LogEntry>()
  // What was logged is fetched when a day is opened.
  const waiting = useRead(
    listWaitingDays,
    { params },
    { isEnabled: openKey !== undefined, refetchEveryMs: 60_000 },
  )
  const { isRunning, verify } = useVerifying(() => {
    void items.refetch()
    if (openKey !== undefined) void waiting.refetch()
  })
  const procedures = items.data?.Procedures
  const days = procedures?.Days ?? []
  const count = days.length
  const isLoaded = procedures !== undefined
  useEffect(() => {
    if (isLoaded) onLoad({ things: count, seconds: count * 20 })
  }, [isLoaded, count, onLoad])
  if (!procedures || count === 0) return null
  const students = new Set(days.map(({ StudentId }) => StudentId)).size
  const shown = isAll ? days : days.slice(0, shownAtFirst)
  const logged = waiting.data?.Days.find((day) => keyOf(day) === openKey)
  const lineOf = ({ Entries, Repeats }: Day) =>
    [
      words('procedureLog.entries', { count: Entries }),
      Repeats > 0 && words('inbox.repeats', { count: Repeats }),
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <InboxCard
      title={words('inbox.procedures')}
      detail={`${place} · ${words('inbox.daysThatName', { students: words('inbox.students', { count: students }) })}`}
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
            {isOpen && logged && (
              <DayCard
                day={logged}
                isRunning={isRunning}
                isInside
                onVerify={() => void verify(logged.Student, cleanOf(logged))}
                onOpen={setEntry}
              />
            )}
            {isOpen && !logged && waiting.error && (
              <PageMessage kind="error" text={waiting.error.message} onRetry={() => void waiting.refetch()} />
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
