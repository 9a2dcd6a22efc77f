import { useEffect, useState } from 'react'
import { getInboxItems } from '#contract/inbox/inbox.ts'
import { listPendingShifts, type TimeShift } from '#contract/time/time-records.ts'
import { useRead } from '#web/api/use-call.ts'
import { useReadAll } from '#web/api/use-read-all.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { creditText } from '#web/shared/CreditNote.tsx'
import { InboxCard, InboxMore, type InboxPartProps, InboxProblem, InboxRow } from '#web/shared/InboxCard.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatHours } from '#web/ui/dates.ts'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { byShift } from './by-shift.ts'
import { Decisions } from './Decisions.tsx'
import { doubtStatus, doubtText, sortDoubts } from './doubt-words.tsx'
import { ShiftDialog } from './ShiftDialog.tsx'
import { keyOf, shiftSpan } from './shift-words.ts'
import { useDeciding } from './use-deciding.tsx'

/** The clean shifts before the others: they are what the button is about. */
const cleanFirst = (shifts: readonly TimeShift[]): TimeShift[] => [
  ...shifts.filter(({ Insight }) => Insight === 1),
  ...shifts.filter(({ Insight }) => Insight !== 1),
]

/** Hours that wait at a supervisor's sites: the clean ones by one press, each of the others by itself. */
export function InboxHours({ place, onLoad }: InboxPartProps) {
  const words = useWords()
  const params = { programId: useProgramId() }
  const items = useRead(getInboxItems, { params }, { refetchEveryMs: 60_000 })
  const [isAll, setAll] = useState(false)
  const all = useReadAll(listPendingShifts, { params }, { refetchEveryMs: 60_000, isEnabled: isAll })
  const [openKey, setOpenKey] = useState<number>()
  const deciding = useDeciding(() => setOpenKey(undefined), byShift)
  const hours = items.data?.Hours
  const { Shifts: total = 0, Clean: cleanCount = 0 } = hours?.Totals ?? {}
  const rest = total - cleanCount
  const isLoaded = hours !== undefined
  useEffect(() => {
    if (isLoaded) onLoad({ things: total, seconds: (total > rest ? 15 : 0) + rest * 20 })
  }, [isLoaded, total, rest, onLoad])
  if (!hours || total === 0)
    return (
      <>
        <Decisions deciding={deciding} />
        {deciding.dialog}
      </>
    )
  const shown = cleanFirst(isAll && all.data ? all.data : hours.Items)
  const more = isAll && all.data ? 0 : total - shown.length
  const open = shown.find((shift) => keyOf(shift) === openKey)
  const { Shifts, Ids } = hours.Clean
  return (
    <>
      <InboxCard
        title={words('inbox.hours')}
        detail={`${place} · ${words('inbox.cleanOf', { clean: cleanCount, count: total })}`}
        action={
          Shifts > 0 && (
            <Button size="md" loading={deciding.isRunning} onClick={() => void deciding.approve({ Ids })}>
              {words('inbox.approve', { count: Shifts })}
            </Button>
          )
        }
      >
        {shown.map((shift) => (
          <InboxRow
            key={keyOf(shift)}
            title={shift.Records[0]!.Student}
            detail={[shiftSpan(words, shift), ...shift.Records.map((record) => creditText(words, record))]
              .filter(Boolean)
              .join(' · ')}
            end={<ShiftEnd shift={shift} />}
            onOpen={() => setOpenKey(keyOf(shift))}
          />
        ))}
        {isAll && all.error && !all.data ? (
          <InboxProblem text={all.error.message} onRetry={() => void all.refetch()} />
        ) : (
          more > 0 && (
            <InboxMore
              text={words('inbox.more', { count: more })}
              isLoading={isAll}
              onPress={() => setAll(true)}
            />
          )
        )}
        {open && <ShiftDialog shift={open} deciding={deciding} onClose={() => setOpenKey(undefined)} />}
        {deciding.dialog}
      </InboxCard>
      <Decisions deciding={deciding} />
    </>
  )
}

/** The hours of a shift and what is to be said of it: clean, a half that is missing, or the gravest doubt. */
function ShiftEnd({ shift }: { shift: TimeShift }) {
  const words = useWords()
  const first = shift.Records[0]!
  const doubts = shift.Records.flatMap(({ Reasons, Type }) =>
    sortDoubts(Reasons)
      .slice(0, 1)
      .map((doubt) => ({ doubt, Type })),
  )
  return (
    <span style={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'end', alignItems: 'center', gap: 8 }}>
      <b>{shift.Minutes > 0 ? formatHours(shift.Minutes, true) : '–'}</b>
      {shift.Insight === 1 ? (
        <StatusTag status="approved" icon={null}>
          {words('time.clean')}
        </StatusTag>
      ) : shift.Insight === 'u' ? (
        <StatusTag status="unmatched" icon={null}>
          {words(first.Type === 'in' ? 'time.noOut' : 'time.noIn')}
        </StatusTag>
      ) : (
        doubts.slice(0, 1).map(({ doubt, Type }) => (
          <StatusTag key={doubt.Code} status={doubtStatus(doubt)} icon={null}>
            {doubtText(words, doubt, Type)}
          </StatusTag>
        ))
      )}
    </span>
  )
}
