import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { listPendingShifts, type TimeShift } from '#contract/time/time-records.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { InboxCard, InboxMore, type InboxPartProps, InboxRow } from '#web/shared/InboxCard.tsx'
import { formatHours } from '#web/ui/dates.ts'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { doubtStatus, doubtText, sortDoubts } from './record-words.tsx'
import { ShiftDialog } from './ShiftDialog.tsx'
import { keyOf, shiftSpan } from './shift-words.ts'
import { useDeciding } from './use-deciding.tsx'

const query = { pageSize: 100 }
const shownAtFirst = 3

/** Hours that wait at a supervisor's sites: the clean ones by one press, each of the others by itself. */
export function InboxHours({ place, onLoad }: InboxPartProps) {
  const words = useWords()
  const programId = useProgramId()
  const shifts = useRead(listPendingShifts, { params: { programId }, query }, { refetchEveryMs: 60_000 })
  const [isAll, setAll] = useState(false)
  const [openKey, setOpenKey] = useState<number>()
  const deciding = useDeciding(() => setOpenKey(undefined))
  const items = shifts.data?.Items ?? []
  const clean = items.filter(({ Insight }) => Insight === 1)
  const total = shifts.data?.Totals.Shifts ?? 0
  const rest = total - (shifts.data?.Totals.Clean ?? 0)
  useEffect(() => {
    if (shifts.data) onLoad({ things: total, seconds: (total > rest ? 15 : 0) + rest * 20 })
  }, [shifts.data, total, rest, onLoad])
  if (total === 0) return deciding.dialog
  // Clean ones first: they are what the button is about.
  const sorted = [...clean, ...items.filter(({ Insight }) => Insight !== 1)]
  const shown = isAll
    ? sorted
    : [
        ...sorted.slice(0, shownAtFirst - 1),
        ...sorted
          .slice(shownAtFirst - 1)
          .toReversed()
          .slice(0, 1),
      ]
  const open = items.find((shift) => keyOf(shift) === openKey)
  return (
    <InboxCard
      title={words('inbox.hours')}
      detail={`${place} · ${words('inbox.cleanOf', { clean: shifts.data?.Totals.Clean ?? 0, count: total })}`}
      action={
        clean.length > 0 && (
          <Button
            size="md"
            loading={deciding.isRunning}
            onClick={() =>
              void deciding.approveChosen(
                clean.flatMap(({ Records }) => Records.filter(({ Status }) => Status === 'pending')),
              )
            }
          >
            {words('inbox.approve', { count: clean.length })}
          </Button>
        )
      }
    >
      {shown.map((shift) => (
        <InboxRow
          key={keyOf(shift)}
          title={shift.Records[0]!.Student}
          detail={shiftSpan(words, shift)}
          end={<ShiftEnd shift={shift} />}
          onOpen={() => setOpenKey(keyOf(shift))}
        />
      ))}
      {items.length > shown.length && (
        <InboxMore
          text={words('inbox.more', { count: items.length - shown.length })}
          onPress={() => setAll(true)}
        />
      )}
      {open && <ShiftDialog shift={open} deciding={deciding} onClose={() => setOpenKey(undefined)} />}
      {deciding.dialog}
    </InboxCard>
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
