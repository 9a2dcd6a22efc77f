import { IconAlertCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { removeShiftAssignments } from '#contract/scheduling/assignments.ts'
import { getPlacementPlan } from '#contract/scheduling/planning.ts'
import { getRotation } from '#contract/scheduling/rotations.ts'
import { addPlacementSeries, checkPlacementSeries, type SeriesInput } from '#contract/scheduling/series.ts'
import { listSiteShifts } from '#contract/scheduling/site-shifts.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useReadAll } from '#web/api/use-read-all.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { ChoiceChip } from '#web/shared/ChoiceChip.tsx'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { useDebouncedValue } from '#web/ui/hooks.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { useWords } from '#web/words/use-words.ts'
import assign from './AssignDialog.module.css'
import { assignmentReads } from './assignment-reads.ts'
import { useOutcome } from './outcome.tsx'
import { countOf, SeriesPreview } from './SeriesPreview.tsx'
import { SeriesShifts } from './SeriesShifts.tsx'
import { SeriesWhen } from './SeriesWhen.tsx'
import { StudentColumn } from './StudentColumn.tsx'
import { inputOf, lackOf, problemsOf, type SeriesChoice, startOfSeries } from './series-choice.ts'
import { useFirstRotation } from './use-first-rotation.ts'

export type SeriesDialogProps = {
  /** The rotation to begin with; the newest one when none is given. */
  rotationId: number | null
  /** Told one of the assignments that were added. */
  onClose: (added: readonly number[]) => void
}

const columns = 3

/** Schedule a term: students in groups over shifts by one rule for the whole rotation, with a preview before anything is added. */
export function SeriesDialog({ rotationId: openedWith, onClose }: SeriesDialogProps) {
  const programId = useProgramId()
  const [chosenId, choose] = useFirstRotation(openedWith)
  const { data: rotation } = useRead(
    getRotation,
    { params: { programId, rotationId: chosenId ?? 0 } },
    { isEnabled: chosenId !== null, keepsLast: false },
  )
  const words = useWords()
  const isPhone = useIsPhone()
  const outcome = useOutcome()
  const today = dateOfInstant(Date.now(), useTimeZone())
  const [choice, setChoice] = useState(() => startOfSeries(rotation, today))
  const [step, setStep] = useState(0)
  const isPreview = step === columns
  const rotationId = rotation?.Id ?? 0
  // The choice begins again with each rotation, once its dates are known; the open list of rotations stays open meanwhile.
  const [begunWith, setBegunWith] = useState(rotationId)
  if (begunWith !== rotationId) {
    setBegunWith(rotationId)
    setChoice(startOfSeries(rotation, today))
    setStep(0)
  }
  const isEnabled = rotation !== undefined
  const plan = useRead(
    getPlacementPlan,
    {
      params: { programId },
      query: { RotationId: rotationId, Month: (rotation?.StartDate ?? today).slice(0, 7) },
    },
    { isEnabled },
  )
  const shifts = useReadAll(
    listSiteShifts,
    { params: { programId }, query: rotation ? { ActiveFrom: rotation.StartDate } : {} },
    { isEnabled },
  )
  const students = plan.data?.Students ?? []
  const lack = lackOf(words, choice)
  const check = useSeriesCheck(programId, lack ? undefined : inputOf(rotationId, choice, students))
  const add = useSave(addPlacementSeries, { refresh: assignmentReads })
  const remove = useSave(removeShiftAssignments, { refresh: assignmentReads })
  const params = { programId }
  const change = (next: Partial<SeriesChoice>) => setChoice((before) => ({ ...before, ...next }))

  const cancel = () => onClose([])
  const run = async () => {
    try {
      const answer = await add.run({ params, body: inputOf(rotationId, choice, students) })
      const refused = countOf(answer.Conflicts)
      const undo = () =>
        void remove
          .run({ params, body: { Ids: answer.Ids } })
          .then(({ Removed }) => toast.done(words('scheduling.removed', { count: Removed })), outcome.fail)
      if (answer.Added > 0)
        toast.done({
          title: words('scheduling.added', { count: answer.Added }),
          ...(refused > 0 && { detail: words('series.notAdded', { count: refused }) }),
          undo,
        })
      onClose(answer.Ids.slice(0, 1))
    } catch (error) {
      outcome.fail(error)
    }
  }

  const checked = check.data
  // The preview stays while a move in it is checked.
  const shown = useLast(checked, rotationId)
  const conflicts = checked ? countOf(checked.Conflicts) : 0
  const summary = [
    words('scheduling.studentsPart', { count: choice.studentIds.size }),
    words('series.groupsPart', { count: Math.max(1, choice.shiftIds.length) }),
    ...(checked ? [words('scheduling.datesPart', { count: checked.Dates.length })] : []),
  ].join(' · ')
  const told = checked
    ? [
        words('series.canBeAdded', { count: checked.Added }),
        ...(conflicts > 0 ? [words('series.cannot', { count: conflicts })] : []),
      ].join(' ')
    : undefined
  const parts = [
    <StudentColumn
      key="students"
      step={1}
      students={plan.data?.Students}
      plans={[]}
      selection={{ shiftId: null, studentIds: choice.studentIds, dates: new Set() }}
      areAssignedShown
      onChange={(studentIds) => change({ studentIds })}
    />,
    <SeriesShifts
      key="shifts"
      shifts={shifts.data}
      value={choice.shiftIds}
      onChange={(shiftIds) => change({ shiftIds, moves: new Map() })}
    />,
    <SeriesWhen key="when" choice={choice} problems={problemsOf(words, choice)} onChange={change} />,
  ]
  const reason =
    lack ??
    (check.error
      ? check.error.message
      : !checked
        ? words('scheduling.checking')
        : checked.Dates.length === 0
          ? words('series.noDates')
          : undefined)
  const forward = isPreview ? (
    <DisabledReason
      reason={
        reason ??
        (checked?.Added === 0 && words(conflicts > 0 ? 'scheduling.nothingToAdd' : 'series.nothingNew'))
      }
    >
      <Button loading={add.isRunning} onClick={() => void run()}>
        {words(conflicts > 0 ? 'series.addOthers' : 'series.add', { count: checked?.Added ?? 0 })}
      </Button>
    </DisabledReason>
  ) : isPhone && step < columns - 1 ? (
    <Button onClick={() => setStep(step + 1)}>{words('scheduling.continue')}</Button>
  ) : (
    <DisabledReason reason={reason}>
      <Button onClick={() => setStep(columns)}>{words('series.preview')}</Button>
    </DisabledReason>
  )
  const isFirst = isPhone ? step === 0 : !isPreview
  return (
    <Dialog
      opened
      onClose={cancel}
      width={1140}
      flush
      stayOnOutsideClick
      unsaved={Number(choice.studentIds.size > 0) + Number(choice.shiftIds.length > 0)}
      title={words('series.title')}
      subtitle={
        <span className={assign.subtitle}>
          <ChoiceChip
            kind="rotation"
            fixed
            name={words('scheduling.rotation')}
            none={words('scheduling.chooseRotation')}
            value={chosenId}
            onChange={choose}
          />
          {rotation && (
            <span>
              {formatDate(rotation.StartDate)} – {formatDate(rotation.EndDate)}
            </span>
          )}
          {isPhone && <span>{words('series.step', { step: step + 1 })}</span>}
        </span>
      }
      summary={lack ?? summary}
      refusal={
        !lack && (
          <span className={assign.refusal}>
            {(conflicts > 0 || check.error) && <IconAlertCircle size={14} stroke={2} aria-hidden />}
            {told ?? check.error?.message ?? words('scheduling.checking')}
          </span>
        )
      }
      actions={
        <>
          {isFirst ? (
            <LeaveButton onClick={cancel} />
          ) : (
            <Button variant="default" onClick={() => setStep(isPhone ? step - 1 : 0)}>
              {words('series.back')}
            </Button>
          )}
          {forward}
        </>
      }
    >
      {isPreview ? (
        shown && (
          <SeriesPreview
            answer={shown}
            isChecking={!checked && !check.error}
            moves={choice.moves}
            onMove={(moves) => change({ moves })}
            students={students}
            shifts={shifts.data ?? []}
            doesRotate={choice.rotateEvery !== '0' && choice.shiftIds.length > 1}
          />
        )
      ) : (
        <div key={rotationId} className={assign.columns}>
          {isPhone ? parts[step] : parts}
        </div>
      )}
      {outcome.dialog}
    </Dialog>
  )
}

/** The last value that there was of the same thing. */
const useLast = <T,>(value: T | undefined, of: number): T | undefined => {
  const [last, setLast] = useState({ of, value })
  if (last.of !== of || (value !== undefined && value !== last.value)) setLast({ of, value })
  return value ?? (last.of === of ? last.value : undefined)
}

const pauseMs = 350

const nothing: SeriesInput = { RotationId: 1, StudentIds: [], SiteShiftIds: [], StartDate: '', Weekdays: [] }

/** What the rules say to a complete choice, asked a moment after the last change. */
const useSeriesCheck = (programId: number, input: SeriesInput | undefined) => {
  const key = JSON.stringify(input ?? null)
  const [settled] = useDebouncedValue(key, pauseMs)
  const asked = JSON.parse(settled) as SeriesInput | null
  const answer = useRead(
    checkPlacementSeries,
    { params: { programId }, body: asked ?? nothing },
    { isEnabled: asked !== null, keepsLast: false, staleMs: 0 },
  )
  const isCurrent = key === settled && asked !== null
  return { data: isCurrent ? answer.data : undefined, error: isCurrent ? answer.error : null }
}
