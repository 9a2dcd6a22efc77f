import { IconCheck, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import {
  checkInLab,
  type LabStudent,
  listLabChecks,
  removeLabChecks,
} from '#contract/competencies/lab-checks.ts'
import { listProcedures } from '#contract/competencies/procedures.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { attempt, offerUndo } from '#web/ui/attempt.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { TickGrid, useTicks } from '#web/ui/grid/TickGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './exams.module.css'
import { useList, whenKnown } from './use-lists.ts'

const columnsOf = (words: Words): GridColumn<LabStudent>[] => [
  {
    id: 'Student',
    header: words('exams.student'),
    identity: true,
    grow: 2,
    minWidth: 180,
    sortable: true,
    sortBy: (row) => row.Student,
    cell: (row) => row.Student,
  },
  {
    id: 'Cohort',
    header: words('exams.cohort'),
    width: 140,
    sortable: true,
    sortBy: (row) => row.Cohort,
    cell: (row) => row.Cohort,
  },
  {
    id: 'CheckedOn',
    header: words('exams.labCheck'),
    width: 190,
    sortable: true,
    sortBy: (row) => row.CheckedOn,
    cell: (row) =>
      row.CheckedOn ? (
        <StatusTag status="approved">{formatDate(row.CheckedOn)}</StatusTag>
      ) : (
        <StatusTag status="pending">{words('exams.notChecked')}</StatusTag>
      ),
  },
  {
    id: 'Faculty',
    header: words('exams.checkedBy'),
    grow: 1,
    minWidth: 140,
    cell: (row) => row.Faculty ?? '',
  },
]

/** Who of a class has done a procedure in the lab; a class is checked at once. */
export function LabChecksPage() {
  const words = useWords()
  const design = useList()
  const { list, lists, params, choose } = design
  const [at, setAt] = useAddress({ procedure: null as number | null, cohort: '' })
  const procedures = useRead(listProcedures, { params, query: {} }, whenKnown(design))
  const needing = (procedures.data ?? []).toSorted(
    (one, other) => Number(other.NeedsLabCheck) - Number(one.NeedsLabCheck),
  )
  const procedureId = at.procedure ?? needing.find(({ NeedsLabCheck }) => NeedsLabCheck)?.Id ?? needing[0]?.Id
  if (lists.error && !lists.data) return <ReadProblem read={lists} />
  const chips = (cohorts: readonly string[]) => (
    <FilterBar>
      {(lists.data?.length ?? 0) > 1 && (
        <SelectChip
          fixed
          name={words('exams.list')}
          options={(lists.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
          value={list ? String(list.Id) : null}
          onChange={(value) => value !== null && choose(Number(value))}
        />
      )}
      <SelectChip
        fixed
        name={words('exams.procedure')}
        options={needing.map(({ Id, Name, NeedsLabCheck }) => ({
          value: String(Id),
          label: Name,
          ...(NeedsLabCheck && { detail: words('exams.needed') }),
        }))}
        value={procedureId === undefined ? null : String(procedureId)}
        onChange={(value) => setAt({ procedure: value === null ? null : Number(value) })}
      />
      <SelectChip
        name={words('exams.cohort')}
        options={cohorts.map((value) => ({ value, label: value }))}
        value={at.cohort || null}
        onChange={(cohort) => setAt({ cohort: cohort ?? '' })}
      />
    </FilterBar>
  )
  if (procedureId === undefined)
    return (
      <Page title={words('exams.labChecksTitle')} filters={chips([])}>
        {procedures.data && <PageMessage kind="empty" text={words('exams.noProcedures')} />}
      </Page>
    )
  return <Class key={procedureId} procedureId={procedureId} cohort={at.cohort} chips={chips} />
}

function Class(props: {
  procedureId: number
  cohort: string
  chips: (cohorts: readonly string[]) => React.ReactNode
}) {
  const { procedureId, cohort } = props
  const words = useWords()
  const { params: inList } = useList()
  const params = { programId: inList.programId, procedureId }
  const students = useRead(listLabChecks, { params, query: cohort ? { Cohort: cohort } : {} })
  const ticks = useTicks()
  const [checking, setChecking] = useState<readonly number[]>()
  const remove = useSave(removeLabChecks, { refresh: [listLabChecks] })
  const check = useSave(checkInLab, { refresh: [listLabChecks] })
  const all = students.data?.Students ?? []
  const checked = all.filter(({ CheckId }) => CheckId !== null).length
  const takeBack = (rows: readonly LabStudent[]) =>
    attempt(async () => {
      const Ids = rows.flatMap(({ CheckId }) => CheckId ?? [])
      const { Removed } = await remove.run({ params: { programId: params.programId }, body: { Ids } })
      ticks.clear()
      const byDay = Map.groupBy(
        rows.filter(({ CheckId }) => CheckId !== null),
        ({ CheckedOn }) => CheckedOn ?? '',
      )
      offerUndo({
        deleted: words('exams.didUncheck', { count: Removed }),
        restore: () =>
          Promise.all(
            [...byDay].map(([day, own]) =>
              check.run({ params, body: { Date: day, StudentIds: own.map(({ StudentId }) => StudentId) } }),
            ),
          ),
      })
    })
  return (
    <Page
      title={words('exams.labChecksTitle')}
      count={students.data && words('exams.checkedOf', { count: checked, total: all.length })}
      filters={props.chips(students.data?.Cohorts ?? [])}
      footer={students.data && !students.data.IsNeeded && words('exams.labNotNeeded')}
    >
      <TickGrid
        id="lab-checks"
        label={words('exams.labChecksTitle')}
        columns={columnsOf(words)}
        {...fromList({ ...students, data: students.data && { Items: students.data.Students } })}
        rowKey={({ StudentId }) => StudentId}
        sortHere
        ticks={ticks}
        empty={{ text: words('exams.noStudents') }}
        bulk={(rows) => {
          const open = rows.filter(({ CheckId }) => CheckId === null)
          const done = rows.filter(({ CheckId }) => CheckId !== null)
          return {
            sum: words('exams.studentCount', { count: rows.length }),
            verbs: [
              {
                label: words('exams.check', { count: open.length }),
                icon: <IconCheck size={16} stroke={1.75} />,
                main: true,
                reason: open.length === 0 && words('exams.allChecked'),
                onRun: () => setChecking(open.map(({ StudentId }) => StudentId)),
              },
              {
                label: words('exams.uncheck'),
                icon: <IconX size={16} stroke={1.75} />,
                reason: done.length === 0 && words('exams.noneChecked'),
                onRun: () => void takeBack(done),
              },
            ],
          }
        }}
      />
      {checking && students.data && (
        <CheckDialog
          procedure={students.data.Procedure}
          count={checking.length}
          isRunning={check.isRunning}
          onClose={() => setChecking(undefined)}
          onCheck={(day) =>
            attempt(async () => {
              await check.run({ params, body: { Date: day, StudentIds: [...checking] } })
              ticks.clear()
              setChecking(undefined)
            })
          }
        />
      )}
    </Page>
  )
}

function CheckDialog(props: {
  procedure: string
  count: number
  isRunning: boolean
  onClose: () => void
  onCheck: (day: string) => Promise<unknown>
}) {
  const words = useWords()
  const today = dateOfInstant(new Date(), useTimeZone())
  const [day, setDay] = useState<string | null>(today)
  return (
    <Dialog
      opened
      onClose={props.onClose}
      title={words('exams.checkTitle', { count: props.count })}
      subtitle={props.procedure}
      actions={
        <DialogActions
          verb={words('exams.checkVerb')}
          onCancel={props.onClose}
          onRun={() => day !== null && void props.onCheck(day)}
          isRunning={props.isRunning}
          isDisabled={day === null}
        />
      }
    >
      <div className={classes.fields}>
        <p className={classes.quiet}>{words('exams.checkHint')}</p>
        <DateField
          label={words('exams.date')}
          name="Date"
          required
          max={today}
          value={day}
          onChange={setDay}
        />
      </div>
    </Dialog>
  )
}
