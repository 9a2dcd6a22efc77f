import { IconAlertCircle } from '@tabler/icons-react'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import {
  addShiftAssignments,
  checkShiftAssignments,
  removeShiftAssignments,
  restoreShiftAssignments,
} from '#contract/scheduling/assignments.ts'
import { getPlacementPlan } from '#contract/scheduling/planning.ts'
import { getRotation } from '#contract/scheduling/rotations.ts'
import { listSiteShifts } from '#contract/scheduling/site-shifts.ts'
import { call } from '#web/api/call.ts'
import { readKey, useRead, useSave } from '#web/api/use-call.ts'
import { useReadAll } from '#web/api/use-read-all.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { ChoiceChip } from '#web/shared/ChoiceChip.tsx'
import { FixRule } from '#web/shared/FixRule.tsx'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { useDebouncedValue } from '#web/ui/hooks.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './AssignDialog.module.css'
import { chosenAssignments, keepLast, nothingChosen, readLast, type Selection } from './assign-selection.ts'
import { assignmentReads } from './assignment-reads.ts'
import { DateColumn } from './DateColumn.tsx'
import { useOutcome } from './outcome.tsx'
import { ShiftColumn } from './ShiftColumn.tsx'
import { StudentColumn } from './StudentColumn.tsx'
import { useFirstRotation } from './use-first-rotation.ts'

export type AssignDialogProps = {
  /** The rotation to begin with; the one that runs or begins next when none is given. */
  rotationId: number | null
  /** Told one assignment of each call that added some, and the first day of them all. */
  onClose: (added: readonly number[], firstDate: string) => void
}

/** Add/Remove Assignments: a shift, students and dates, with what the rules say before the button is pressed. */
export function AssignDialog({ rotationId, onClose }: AssignDialogProps) {
  const [id, choose] = useFirstRotation(rotationId)
  const [added, setAdded] = useState<readonly { assignmentId: number; date: string }[]>([])
  return (
    <RotationDialog
      key={id}
      rotationId={id}
      onRotation={choose}
      onAdded={(assignmentId, date) => setAdded((before) => [...before, { assignmentId, date }])}
      onClose={() =>
        onClose(
          added.map(({ assignmentId }) => assignmentId),
          added.map(({ date }) => date).toSorted()[0] ?? '',
        )
      }
    />
  )
}

type RotationDialogProps = {
  rotationId: number | null
  onRotation: (id: number | null) => void
  onAdded: (id: number, date: string) => void
  onClose: () => void
}

function RotationDialog({ rotationId, onRotation, onAdded, onClose }: RotationDialogProps) {
  const words = useWords()
  const programId = useProgramId()
  const isPhone = useIsPhone()
  const outcome = useOutcome()
  const [selection, setSelection] = useState<Selection>(nothingChosen)
  const [shownMonth, setShownMonth] = useState<string>()
  const [step, setStep] = useState(0)
  const [areStudentsShown, setStudentsShown] = useState(true)
  const rotation = useRead(
    getRotation,
    { params: { programId, rotationId: rotationId ?? 0 } },
    { isEnabled: rotationId !== null },
  )
  const today = dateOfInstant(Date.now(), useTimeZone())
  const month = shownMonth ?? firstMonth(rotation.data, today)
  const shifts = useReadAll(
    listSiteShifts,
    { params: { programId }, query: rotation.data ? { ActiveFrom: rotation.data.StartDate } : {} },
    { isEnabled: rotation.data !== undefined },
  )
  const { plans, shown } = usePlans(programId, rotationId, selection, month)
  const check = useCheck(programId, rotationId, selection)
  const add = useSave(addShiftAssignments, { refresh: assignmentReads })
  const remove = useSave(removeShiftAssignments, { refresh: assignmentReads })
  const restore = useSave(restoreShiftAssignments, { refresh: assignmentReads })
  const params = { programId }

  const choose = (change: Partial<Selection>) => setSelection((before) => ({ ...before, ...change }))
  const { studentIds, dates, shiftId } = selection
  const isComplete = shiftId !== null && studentIds.size > 0 && dates.size > 0
  const removable = chosenAssignments(selection, plans)
  const last = rotationId === null ? undefined : readLast(programId, rotationId)

  const run = async () => {
    if (rotationId === null || shiftId === null) return
    try {
      const answer = await add.run({
        params,
        body: {
          RotationId: rotationId,
          SiteShiftId: shiftId,
          StudentIds: [...studentIds],
          Dates: [...dates],
        },
      })
      keepLast(programId, rotationId, selection)
      choose({ dates: new Set() })
      const firstDate = [...dates].toSorted()[0]
      if (answer.Ids[0] !== undefined && firstDate) onAdded(answer.Ids[0], firstDate)
      outcome.tell(
        answer,
        'added',
        () => void remove.run({ params, body: { Ids: answer.Ids } }).catch(outcome.fail),
      )
    } catch (error) {
      outcome.fail(error)
    }
  }
  const takeAway = async () => {
    try {
      const { Removed } = await remove.run({ params, body: { Ids: removable } })
      toast.done({
        title: words('scheduling.removed', { count: Removed }),
        undo: () =>
          void restore
            .run({ params, body: { Ids: removable } })
            .then((answer) => outcome.tell(answer, 'back'), outcome.fail),
      })
    } catch (error) {
      outcome.fail(error)
    }
  }

  const added = check.data?.Added ?? studentIds.size * dates.size
  const parts = [
    <ShiftColumn
      key="shift"
      shifts={shifts.data}
      value={shiftId}
      onChange={(id) => choose({ shiftId: id })}
      onUseLast={last && (() => setSelection(last))}
    />,
    <StudentColumn
      key="students"
      students={shown?.Students}
      plans={plans}
      selection={selection}
      areAssignedShown={areStudentsShown}
      onChange={(ids) => choose({ studentIds: ids })}
    />,
    <DateColumn
      key="dates"
      month={month}
      onMonth={setShownMonth}
      plan={shown}
      selection={selection}
      onChange={(next) => choose({ dates: next })}
      areStudentsShown={areStudentsShown}
      onStudentsShown={setStudentsShown}
    />,
  ]
  const footer = useFooter(selection, check.data, check.isFetching)
  return (
    <Dialog
      opened
      onClose={onClose}
      width={1140}
      flush
      stayOnOutsideClick
      title={words('scheduling.addRemove')}
      subtitle={
        <span className={classes.subtitle}>
          <ChoiceChip
            kind="rotation"
            fixed
            name={words('scheduling.rotation')}
            none={words('scheduling.chooseRotation')}
            value={rotationId}
            onChange={onRotation}
          />
          {rotation.data && (
            <span>
              {formatDate(rotation.data.StartDate)} – {formatDate(rotation.data.EndDate)}
            </span>
          )}
          {isPhone && <span>{words('scheduling.step', { step: step + 1 })}</span>}
        </span>
      }
      summary={footer.summary}
      refusal={
        footer.refusal && (
          <span className={classes.refusal}>
            <IconAlertCircle size={14} stroke={2} aria-hidden />
            <span>
              {footer.findings.map(({ StudentId, Rule, Message }) => (
                <span key={Rule} className={classes.finding}>
                  {Message} <FixRule rule={Rule} studentId={StudentId} />
                </span>
              ))}
              {footer.refusal}
            </span>
          </span>
        )
      }
      actions={
        isPhone && step < 2 ? (
          <>
            {step === 0 ? (
              <LeaveButton onClick={onClose} />
            ) : (
              <Button variant="default" onClick={() => setStep(step - 1)}>
                {words('scheduling.stepBack')}
              </Button>
            )}
            <Button onClick={() => setStep(step + 1)}>{words('scheduling.continue')}</Button>
          </>
        ) : (
          <>
            <Button
              variant="subtle"
              color="gray"
              data-quiet
              onClick={isPhone ? () => setStep(step - 1) : onClose}
            >
              {words(isPhone ? 'scheduling.stepBack' : 'ui.cancel')}
            </Button>
            <DisabledReason
              reason={
                isComplete
                  ? removable.length === 0 && words('scheduling.nothingToRemove')
                  : words('scheduling.chooseAll')
              }
            >
              <Button variant="default" loading={remove.isRunning} onClick={() => void takeAway()}>
                {removable.length > 0
                  ? words('scheduling.removeCount', { count: removable.length })
                  : words('scheduling.remove')}
              </Button>
            </DisabledReason>
            <DisabledReason
              reason={
                isComplete ? added === 0 && words('scheduling.nothingToAdd') : words('scheduling.chooseAll')
              }
            >
              <Button loading={add.isRunning} onClick={() => void run()}>
                {isComplete
                  ? words(isPhone ? 'scheduling.addShort' : 'scheduling.addCount', { count: added })
                  : words('scheduling.add')}
              </Button>
            </DisabledReason>
          </>
        )
      }
    >
      <div className={classes.columns}>{isPhone ? parts[step] : parts}</div>
      {outcome.dialog}
    </Dialog>
  )
}

/** The month to begin with: today's when the rotation runs now, else its first or last. */
const firstMonth = (rotation: { StartDate: string; EndDate: string } | undefined, today: string): string => {
  if (!rotation) return today.slice(0, 7)
  if (today < rotation.StartDate) return rotation.StartDate.slice(0, 7)
  return (today > rotation.EndDate ? rotation.EndDate : today).slice(0, 7)
}

/** The plans of the shown month and of every month with a chosen date. */
const usePlans = (
  programId: number,
  rotationId: number | null,
  { shiftId, dates }: Selection,
  month: string,
) => {
  const months = [...new Set([month, ...[...dates].map((date) => date.slice(0, 7))])]
  const results = useQueries({
    queries: months.map((each) => {
      const input = {
        params: { programId },
        query: {
          RotationId: rotationId ?? 0,
          ...(shiftId !== null && { SiteShiftId: shiftId }),
          Month: each,
        },
      }
      return {
        queryKey: readKey(getPlacementPlan, input),
        queryFn: () => call(getPlacementPlan, input),
        enabled: rotationId !== null,
        // While another shift or month is read, the students stay where they are.
        placeholderData: keepPreviousData,
      }
    }),
  })
  const plans = results.flatMap(({ data }) => (data ? [data] : []))
  return { plans, shown: results[0]?.data }
}

const pauseMs = 200

/** What the rules say to the selection, asked a moment after the last click. */
const useCheck = (programId: number, rotationId: number | null, selection: Selection) => {
  const key = useMemo(
    () =>
      JSON.stringify([
        selection.shiftId,
        [...selection.studentIds].toSorted(),
        [...selection.dates].toSorted(),
      ]),
    [selection],
  )
  const [settled] = useDebouncedValue(key, pauseMs)
  const [shiftId, studentIds, dates] = JSON.parse(settled) as [number | null, number[], string[]]
  const isComplete = shiftId !== null && studentIds.length > 0 && dates.length > 0
  const answer = useRead(
    checkShiftAssignments,
    {
      params: { programId },
      body: {
        RotationId: rotationId ?? 0,
        SiteShiftId: shiftId ?? 0,
        StudentIds: studentIds,
        Dates: dates,
      },
    },
    { isEnabled: isComplete && rotationId !== null, keepsLast: false, staleMs: 0 },
  )
  return {
    data: key === settled && isComplete ? answer.data : undefined,
    isFetching: answer.isFetching || key !== settled,
  }
}

interface Finding {
  StudentId: number
  Rule: string
  Message: string
  Also?: { Rule: string; Message: string }[] | undefined
}

/** The first finding of each rule, the refusals first. */
const byRule = (found: readonly Finding[]): Finding[] =>
  [
    ...new Map(
      found
        .flatMap((one) => [one, ...(one.Also ?? []).map((also) => ({ StudentId: one.StudentId, ...also }))])
        .toReversed()
        .map((one) => [one.Rule, one] as const),
    ).values(),
  ].toReversed()

/** The footer's numbers: what will happen, and what will be refused or warned about, with every reason. */
const useFooter = (
  { shiftId, studentIds, dates }: Selection,
  checked: { Added: number; Refused: Finding[]; Warnings: Finding[] } | undefined,
  isChecking: boolean,
) => {
  const words = useWords()
  if (shiftId === null || studentIds.size === 0 || dates.size === 0)
    return { summary: words('scheduling.chooseAll'), refusal: undefined, findings: [] }
  const summary = `${words('scheduling.studentsPart', { count: studentIds.size })} × ${words(
    'scheduling.datesPart',
    { count: dates.size },
  )} = ${words('scheduling.totalPart', { count: studentIds.size * dates.size })}`
  if (!checked)
    return { summary, refusal: isChecking ? words('scheduling.checking') : undefined, findings: [] }
  const { Refused, Warnings, Added } = checked
  const counts = [
    Refused.length > 0 && words('scheduling.willRefuse', { count: Refused.length, added: Added }),
    Warnings.length > 0 && words('scheduling.willWarn', { count: Warnings.length }),
  ].filter(Boolean)
  return { summary, refusal: counts.join(' '), findings: byRule([...Refused, ...Warnings]) }
}
