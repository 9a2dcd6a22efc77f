import { IconCheck, IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { listCompetencyLists } from '#contract/competencies/competency-lists.ts'
import { isClean, logStates, type Patient, patients } from '#contract/competencies/log-rules.ts'
import {
  exportProcedureLogs,
  type LogEntry,
  listProcedureLogs,
} from '#contract/competencies/log-verification.ts'
import { listProcedures } from '#contract/competencies/procedures.ts'
import { listCohorts } from '#contract/people/people.ts'
import { callAddress } from '#web/api/call.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ChoiceChip } from '#web/shared/ChoiceChip.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import type { Option } from '#web/ui/choice/use-options.ts'
import { formatDate } from '#web/ui/dates.ts'
import { DateRangeChip } from '#web/ui/filters/DateRangeChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { TickGrid, useTicks } from '#web/ui/grid/TickGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { DecideDialog } from './DecideDialog.tsx'
import { EntryDialog } from './EntryDialog.tsx'
import { entryLine, stateTags } from './log-words.ts'
import { usualList } from './use-lists.ts'
import { useVerifying } from './use-verifying.ts'

const pageSize = 50
const noFilters = {
  status: '',
  patient: '',
  student: null as number | null,
  site: null as number | null,
  cohort: '',
  procedure: null as number | null,
  repeats: false,
  noShift: false,
  from: '',
  through: '',
}

const columnsOf = (words: Words): GridColumn<LogEntry>[] => [
  { id: 'Date', header: words('procedureLog.date'), width: 106, cell: (row) => formatDate(row.Date) },
  {
    id: 'Student',
    header: words('procedureLog.student'),
    identity: true,
    grow: 2,
    minWidth: 130,
    cell: (row) => row.Student,
  },
  {
    id: 'Procedure',
    header: words('procedureLog.procedure'),
    grow: 3,
    minWidth: 144,
    cell: (row) => row.Procedure,
  },
  { id: 'Count', header: words('procedureLog.count'), width: 70, align: 'end', cell: (row) => row.Count },
  { id: 'Level', header: words('procedureLog.level'), width: 105, cell: (row) => row.Level ?? '' },
  {
    id: 'Patient',
    header: words('procedureLog.patient'),
    width: 88,
    cell: (row) => words(`procedureLog.${row.Patient}`),
  },
  {
    id: 'Repeats',
    header: words('procedureLog.repeated'),
    width: 80,
    align: 'end',
    cell: (row) => row.Repeats || '',
  },
  {
    id: 'Site',
    header: words('procedureLog.site'),
    grow: 2,
    minWidth: 110,
    cell: (row) => row.Site ?? words('procedureLog.noSite'),
  },
  {
    id: 'Supervisor',
    header: words('procedureLog.supervisor'),
    grow: 1,
    minWidth: 100,
    cell: (row) => row.Supervisor ?? '',
  },
  {
    id: 'State',
    header: words('procedureLog.status'),
    width: 120,
    cell: (row) => (
      <StatusTag status={stateTags[row.State].status}>{words(stateTags[row.State].word)}</StatusTag>
    ),
  },
]

/** The procedures of the list of a cohort, or else of the list that most students have. */
const useProcedureOptions = (programId: number, cohort: string): Option[] => {
  const lists = useRead(listCompetencyLists, { params: { programId }, query: {} }, { staleMs: 300_000 })
  const list = usualList(lists.data ?? [], cohort)
  const params = { programId, listId: list?.Id ?? 0 }
  const procedures = useRead(
    listProcedures,
    { params, query: {} },
    { isEnabled: list !== undefined, staleMs: 300_000 },
  )
  const nameOf = new Map(list?.Sections.map(({ Id, Name }) => [Id, Name]))
  return (procedures.data ?? []).map(({ Id, Name, MajorStudyId }) => ({
    value: String(Id),
    label: Name,
    group: nameOf.get(MajorStudyId) ?? '',
  }))
}

/** What all students logged, the newest first. */
export function ProcedureLogsPage() {
  const words = useWords()
  const programId = useProgramId()
  const { at, filter, paging, pager, reset, isFiltered } = useListAddress(
    listProcedureLogs,
    { ...noFilters, page: 1 },
    pageSize,
  )
  const [openId, setOpenId] = useState<number>()
  const [deciding, setDeciding] = useState<LogEntry>()
  const mayVerify = useMay()('procedure-logs.verify')
  const ticks = useTicks()
  const filters = {
    ...(at.status && { State: logStates.find((each) => each === at.status) }),
    ...(at.patient && { Patient: patients.find((each) => each === at.patient) }),
    ...(at.student !== null && { StudentId: at.student }),
    ...(at.site !== null && { SiteId: at.site }),
    ...(at.procedure !== null && { ProcedureId: at.procedure }),
    ...(at.cohort && { Cohort: at.cohort }),
    ...(at.repeats && { WithRepeats: true }),
    ...(at.noShift && { WithoutShift: true }),
    ...(at.from && { FromDate: at.from }),
    ...(at.through && { ThroughDate: at.through }),
  }
  const { page, pageSize: size } = paging
  const procedures = useProcedureOptions(programId, at.cohort)
  const cohorts = useRead(listCohorts, { params: { programId } }, { staleMs: 300_000 })
  const logs = useRead(listProcedureLogs, {
    params: { programId },
    query: { ...filters, page, pageSize: size },
  })
  useLiveEvent('procedure-logs', () => void logs.refetch(), 2_000)
  const { verify } = useVerifying(() => void logs.refetch())
  const verifyAll = (entries: readonly LogEntry[]) => {
    ticks.clear()
    const students = new Set(entries.map(({ Student }) => Student))
    const [only] = students
    void verify(
      students.size === 1 && only ? only : words('procedureLog.severalStudents', { count: students.size }),
      entries,
    )
  }
  const total = logs.data?.Total ?? 0
  const figure = total.toLocaleString('en-US')
  return (
    <Page
      title={words('procedureLog.logsTitle')}
      count={
        logs.data &&
        (logs.data.IsTotalCapped
          ? words('procedureLog.totalCapped', { count: figure })
          : words('procedureLog.shownOf', { shown: logs.data.Items.length, total: figure }))
      }
      actions={
        <ExportMenu
          address={(Format) =>
            callAddress(exportProcedureLogs, { params: { programId }, query: { ...filters, Format } })
          }
        />
      }
      filters={
        <FilterBar onReset={reset} isSet={isFiltered} resetLabel={words('procedureLog.reset')}>
          <SelectChip
            name={words('procedureLog.status')}
            none={words('procedureLog.anyStatus')}
            options={logStates.map((value) => ({ value, label: words(stateTags[value].word) }))}
            value={at.status || null}
            onChange={(status) => filter({ status: status ?? '' })}
          />
          <ChoiceChip
            kind="student"
            name={words('procedureLog.student')}
            value={at.student}
            onChange={(student) => filter({ student })}
          />
          <ChoiceChip
            kind="site"
            name={words('procedureLog.site')}
            value={at.site}
            onChange={(site) => filter({ site })}
          />
          <SelectChip
            name={words('procedureLog.procedure')}
            options={procedures}
            value={at.procedure === null ? null : String(at.procedure)}
            onChange={(id) => filter({ procedure: id === null ? null : Number(id) })}
          />
          <SelectChip
            name={words('procedureLog.cohort')}
            options={(cohorts.data ?? []).map((cohort) => ({ value: cohort, label: cohort }))}
            value={at.cohort || null}
            onChange={(cohort) => filter({ cohort: cohort ?? '' })}
          />
          <SelectChip
            name={words('procedureLog.patient')}
            options={patients.map((value: Patient) => ({ value, label: words(`procedureLog.${value}`) }))}
            value={at.patient || null}
            onChange={(patient) => filter({ patient: patient ?? '' })}
          />
          <SelectChip
            name={words('procedureLog.repeated')}
            options={[{ value: 'with', label: words('procedureLog.withRepeats') }]}
            value={at.repeats ? 'with' : null}
            onChange={(value) => filter({ repeats: value !== null })}
          />
          <SelectChip
            name={words('procedureLog.shift')}
            options={[{ value: 'without', label: words('procedureLog.withoutShift') }]}
            value={at.noShift ? 'without' : null}
            onChange={(value) => filter({ noShift: value !== null })}
          />
          <DateRangeChip
            name={words('procedureLog.date')}
            value={{ from: at.from || null, to: at.through || null }}
            onChange={({ from, to }) => filter({ from: from ?? '', through: to ?? '' })}
          />
        </FilterBar>
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      <TickGrid
        ticks={ticks}
        id="procedure-logs"
        label={words('procedureLog.logsTitle')}
        columns={columnsOf(words)}
        {...fromList(logs)}
        rowKey={({ Id }) => Id}
        empty={{ text: words('procedureLog.noLogs'), filters: { isFiltered, reset } }}
        card={(row: LogEntry) => (
          <>
            <b>
              {row.Count} × {row.Procedure}
            </b>
            <div className="p-muted">
              {row.Student} · {formatDate(row.Date)} · {entryLine(words, row)}
            </div>
            <StatusTag status={stateTags[row.State].status}>{words(stateTags[row.State].word)}</StatusTag>
          </>
        )}
        {...(mayVerify && {
          bulk: (chosen: LogEntry[]) => ({
            verbs: [
              {
                label: words('procedureLog.verifySelected'),
                icon: <IconCheck size={16} stroke={2} aria-hidden />,
                onRun: () => verifyAll(chosen),
                main: true,
              },
            ],
          }),
          untickable: (row: LogEntry) =>
            !isClean(row) &&
            words(row.State === 'submitted' ? 'procedureLog.repeatsAlone' : 'procedureLog.notWaiting'),
        })}
        actions={(row: LogEntry) => [
          ...(mayVerify && row.State === 'submitted'
            ? [
                {
                  label: words('procedureLog.verifyOne'),
                  icon: <IconCheck size={16} stroke={2} />,
                  onRun: () => (isClean(row) ? verifyAll([row]) : setDeciding(row)),
                  tone: 'good' as const,
                  quick: true,
                },
              ]
            : []),
          {
            label: words('procedureLog.open'),
            icon: <IconEye size={16} stroke={1.75} />,
            onRun: () => setOpenId(row.Id),
          },
        ]}
        onOpen={(row: LogEntry) => setOpenId(row.Id)}
      />
      {deciding && <DecideDialog entry={deciding} onClose={() => setDeciding(undefined)} />}
      {openId !== undefined && <EntryDialog logId={openId} onClose={() => setOpenId(undefined)} />}
    </Page>
  )
}
