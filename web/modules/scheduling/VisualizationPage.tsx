import {
  IconAlertTriangle,
  IconArrowLeft,
  IconCalendarPlus,
  IconChevronLeft,
  IconChevronRight,
  IconPrinter,
} from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { addDays, weekOf } from '#contract/core/calendar.ts'
import {
  moveShiftAssignment,
  removeShiftAssignments,
  restoreShiftAssignments,
} from '#contract/scheduling/assignments.ts'
import { getScheduleDays, listScheduleConflicts } from '#contract/scheduling/schedule-grid.ts'
import { pageAddress } from '#web/api/root.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useFetchAllRows } from '#web/api/use-row-pages.ts'
import { useAppState, useProgramId, useProgramOptions, useTimeZone } from '#web/api/use-state.ts'
import { ChoiceChip } from '#web/shared/ChoiceChip.tsx'
import { FixRule } from '#web/shared/FixRule.tsx'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { Logo } from '#web/shell/Logo.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { dateOfInstant, formatDay } from '#web/ui/dates.ts'
import { EmptyList } from '#web/ui/EmptyList.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { useWords } from '#web/words/use-words.ts'
import { assignmentReads } from './assignment-reads.ts'
import { AssignDialog, ChangeDialog } from './dialogs.ts'
import { useOutcome } from './outcome.tsx'
import { type GridHandle, type GridPlace, ScheduleGrid } from './ScheduleGrid.tsx'
import { shiftTypeName, shiftTypes } from './shift-words.ts'
import { type GridInput, gridRows } from './use-grid-pages.ts'
import { useMayAssign } from './use-may-assign.ts'
import classes from './VisualizationPage.module.css'

const spans = [1, 2, 4, 13] as const
const start = {
  rotation_id: null as number | null,
  area: null as number | null,
  site: null as number | null,
  level: null as number | null,
  from: null as string | null,
  weeks: 2,
}

/** The schedule as a picture, students by days, outside of the admin shell. */
export function VisualizationPage() {
  const state = useAppState()
  const words = useWords()
  if (state.error) return <ReadProblem read={state} standalone />
  if (!state.data) return null
  return (
    <div className={classes.frame}>
      <header className={`${classes.top} p-no-print`}>
        <a href={pageAddress('admin/shift-assignments')} className={classes.backLink}>
          <IconArrowLeft size={17} stroke={1.75} aria-hidden />
          {words('scheduling.backToList')}
        </a>
        <Logo />
        <span className={classes.place}>
          <b>{state.data.ProgramName}</b>
          {state.data.CollegeName && <span>{state.data.CollegeName}</span>}
        </span>
      </header>
      {state.data.ProgramId ? (
        <Schedule />
      ) : (
        <main className={classes.missing}>
          <PageMessage
            kind="empty"
            text={words('shell.chooseProgram')}
            next={
              <Button component="a" href={pageAddress('admin/shift-assignments')}>
                {words('scheduling.backToList')}
              </Button>
            }
          />
        </main>
      )}
    </div>
  )
}

function Schedule() {
  const words = useWords()
  const programId = useProgramId()
  const options = useProgramOptions()
  const mayAssign = useMayAssign()
  const isPhone = useIsPhone()
  const today = dateOfInstant(Date.now(), useTimeZone())
  const [at, setAt] = useAddress(start)
  const [isAssigning, setAssigning] = useState(false)
  const [changingId, setChangingId] = useState<number>()
  const [conflictIndex, setConflictIndex] = useState(0)
  const grid = useRef<GridHandle>(null)
  const outcome = useOutcome()
  const from = at.from ?? weekOf(today)
  const through = addDays(from, at.weeks * 7 - 1)
  const params = { programId }
  const input = {
    params,
    query: {
      FromDate: from,
      ThroughDate: through,
      ...(at.rotation_id && { RotationId: at.rotation_id }),
      ...(at.area && { AreaId: at.area }),
      ...(at.site && { SiteId: at.site }),
      ...(at.level && { StudentLevelId: at.level }),
    },
  }
  const head = useRead(getScheduleDays, input)
  // The picture comes first: conflicts of everybody take longer than what is in view.
  const found = useRead(listScheduleConflicts, input, { isEnabled: head.isSuccess, keepsLast: false })
  const print = usePrint(input, head.data?.StudentCount ?? 0)
  const move = useSave(moveShiftAssignment, { refresh: assignmentReads })
  const remove = useSave(removeShiftAssignments, { refresh: assignmentReads })
  const restore = useSave(restoreShiftAssignments, { refresh: assignmentReads })

  const moveTo = async (assignmentId: number, before: GridPlace, after: GridPlace) => {
    try {
      const answer = await move.run({
        params: { programId, assignmentId },
        body: { StudentId: after.studentId, Date: after.date },
      })
      outcome.tell(
        answer,
        'changed',
        () => void moveTo(assignmentId, after, before),
        words('scheduling.moved', { name: after.name, day: formatDay(after.date) }),
        words(
          after.date < today
            ? 'scheduling.toldNever'
            : after.date <= addDays(today, 1)
              ? 'scheduling.toldAtOnce'
              : 'scheduling.toldSoon',
        ),
      )
    } catch (error) {
      outcome.fail(error)
    }
  }
  const removeOne = async (id: number) => {
    try {
      const { Removed } = await remove.run({ params, body: { Ids: [id] } })
      toast.done({
        title: words('scheduling.removed', { count: Removed }),
        undo: () =>
          void restore
            .run({ params, body: { Ids: [id] } })
            .then((answer) => outcome.tell(answer, 'back'), outcome.fail),
      })
    } catch (error) {
      outcome.fail(error)
    }
  }

  const conflicts = found.data?.Items ?? []
  const conflictCount = found.data?.Count ?? 0
  const worst = conflicts[0]?.Strictness
  const conflict = conflicts[conflictIndex % Math.max(1, conflicts.length)]
  const show = (one: (typeof conflicts)[number]) =>
    grid.current?.show({ id: one.AssignmentId, row: one.Row, date: one.Date })
  return (
    <Page
      standalone
      title={words('scheduling.schedule')}
      beside={
        <ChoiceChip
          kind="rotation"
          name={words('scheduling.rotation')}
          value={at.rotation_id}
          onChange={(rotation_id) => setAt({ rotation_id })}
        />
      }
      actions={
        <>
          <nav className={classes.views} aria-label={words('scheduling.schedule')}>
            <a href={pageAddress('admin/shift-assignments')}>{words('scheduling.list')}</a>
            <span aria-current="page">{words('scheduling.visualize')}</span>
          </nav>
          <DisabledReason reason={!mayAssign && words('scheduling.disabledForFaculty')}>
            <Button
              leftSection={<IconCalendarPlus size={17} stroke={1.75} aria-hidden />}
              {...AssignDialog.near}
              onClick={() => setAssigning(true)}
            >
              {words('scheduling.addRemove')}
            </Button>
          </DisabledReason>
        </>
      }
      filters={
        <div className={classes.filters}>
          <ChoiceChip
            kind="area"
            name={words('scheduling.area')}
            value={at.area}
            onChange={(area) => setAt({ area })}
          />
          <ChoiceChip
            kind="site"
            name={words('scheduling.site')}
            value={at.site}
            onChange={(site) => setAt({ site })}
          />
          <ChoiceChip
            kind="level"
            name={words('scheduling.level')}
            value={at.level}
            onChange={(level) => setAt({ level })}
          />
          {conflictCount > 0 && (
            <button
              type="button"
              className={classes.conflicts}
              data-strictness={worst}
              onClick={() => conflict && show(conflict)}
            >
              <IconAlertTriangle size={15} stroke={2} aria-hidden />
              {words('scheduling.conflicts', { count: conflictCount })}
            </button>
          )}
          <div className={classes.end}>
            <ul className={classes.legend}>
              {shiftTypes.map((type) => (
                <li key={type}>
                  <ShiftMark kind={type} />
                  {shiftTypeName(words, type)}
                </li>
              ))}
            </ul>
            <SegmentedCounts
              isSmall
              label={words('scheduling.span')}
              segments={spans.map((weeks) => ({ value: String(weeks), label: `${weeks} w` }))}
              value={String(at.weeks)}
              onChange={(weeks) => setAt({ weeks: Number(weeks) })}
            />
            <div className={classes.steps}>
              <button
                type="button"
                aria-label={words('scheduling.previous')}
                onClick={() => setAt({ from: addDays(from, -7 * at.weeks) })}
              >
                <IconChevronLeft size={17} aria-hidden />
              </button>
              <Button variant="default" size="xs" onClick={() => setAt({ from: null })}>
                {words('scheduling.today')}
              </Button>
              <button
                type="button"
                aria-label={words('scheduling.later')}
                onClick={() => setAt({ from: addDays(from, 7 * at.weeks) })}
              >
                <IconChevronRight size={17} aria-hidden />
              </button>
              <button
                type="button"
                aria-label={words('scheduling.print')}
                aria-busy={print.isRunning}
                onClick={() => void print.run()}
              >
                <IconPrinter size={17} stroke={1.75} aria-hidden />
              </button>
            </div>
          </div>
        </div>
      }
    >
      {head.error && !head.data ? (
        <PageMessage kind="error" text={head.error.message} onRetry={() => void head.refetch()} />
      ) : head.data?.StudentCount === 0 ? (
        <EmptyList
          text={words('scheduling.noRows')}
          filters={{
            isFiltered: Boolean(at.rotation_id || at.area || at.site || at.level),
            reset: () =>
              setAt({
                rotation_id: start.rotation_id,
                area: start.area,
                site: start.site,
                level: start.level,
              }),
          }}
        />
      ) : (
        <ScheduleGrid
          ref={grid}
          input={input}
          head={head.isPlaceholderData ? undefined : head.data}
          count={head.data?.StudentCount}
          today={today}
          maxMinutesPerWeek={options.MostHoursPerWeek * 60}
          isFitted={at.weeks <= 2 && !isPhone}
          mayEdit={mayAssign}
          onMove={(id, before, after) => void moveTo(id, before, after)}
          onChange={setChangingId}
          onRemove={(id) => void removeOne(id)}
        />
      )}
      {conflict && (
        <div className={classes.conflictBar} data-strictness={conflict.Strictness} role="status">
          <IconAlertTriangle size={17} stroke={1.75} aria-hidden />
          <span className={classes.conflictText}>
            <b>
              {conflict.Student} · {formatDay(conflict.Date)}
            </b>{' '}
            {conflict.Message} <FixRule rule={conflict.Rule} studentId={conflict.StudentId} />
          </span>
          <span className={`${classes.conflictVerbs} p-no-print`}>
            <button type="button" onClick={() => show(conflict)}>
              {words('scheduling.show')}
            </button>
            {conflicts.length > 1 && (
              <button
                type="button"
                onClick={() => {
                  const next = (conflictIndex + 1) % conflicts.length
                  setConflictIndex(next)
                  // Within the list.
                  show(conflicts[next]!)
                }}
              >
                {words('scheduling.nextOf', { count: conflictCount })}
              </button>
            )}
          </span>
        </div>
      )}
      {isAssigning && (
        <AssignDialog
          rotationId={at.rotation_id}
          onClose={(added, firstDate) => {
            setAssigning(false)
            if (added.length > 0 && (firstDate < from || firstDate > through))
              setAt({ from: weekOf(firstDate) })
          }}
        />
      )}
      {changingId !== undefined && (
        <ChangeDialog
          ids={[changingId]}
          onClose={() => setChangingId(undefined)}
          onChanged={(answer) => outcome.tell(answer, 'changed')}
          onFailed={outcome.fail}
        />
      )}
      {outcome.dialog}
    </Page>
  )
}

/** Printing needs every row: what is missing is fetched first, by the button as by the keys of the browser. */
const usePrint = (input: GridInput, count: number) => {
  const words = useWords()
  const fetchAll = useFetchAllRows()
  const [isRunning, setRunning] = useState(false)
  const run = async () => {
    setRunning(true)
    try {
      await fetchAll(gridRows(input), count)
      window.print()
    } catch (error) {
      toast.error({ title: words('scheduling.notDone'), detail: (error as Error).message })
    } finally {
      setRunning(false)
    }
  }
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'p' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      void latest.current()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return { run, isRunning }
}
