import { IconEye } from '@tabler/icons-react'
import { type ExamRow, exportExams, listExams } from '#contract/competencies/exam-admin.ts'
import { attemptStates } from '#contract/competencies/exam-rules.ts'
import { callAddress } from '#web/api/call.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { ChoiceChip } from '#web/shared/ChoiceChip.tsx'
import { CohortChip } from '#web/shared/CohortChip.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { DateRangeChip } from '#web/ui/filters/DateRangeChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { attemptLine, attemptName, attemptTags, kindWords, scoreText } from './exam-words.ts'

const pageSize = 50
const noFilters = {
  status: '',
  student: null as number | null,
  cohort: '',
  site: null as number | null,
  procedure: null as number | null,
  simulated: '',
  noNote: false,
  from: '',
  through: '',
}
const simulations = ['all', 'waiting'] as const

const tag = (words: Words, { State }: ExamRow) => (
  <StatusTag status={attemptTags[State].status}>{words(attemptTags[State].word)}</StatusTag>
)

const columnsOf = (words: Words): GridColumn<ExamRow>[] => {
  const kind = (row: ExamRow) =>
    row.RecheckKind ? words(kindWords[row.RecheckKind]) : attemptName(words, row.Number)
  return [
    { id: 'Date', header: words('exams.date'), width: 116, cell: (row) => formatDate(row.Date) },
    {
      id: 'Student',
      header: words('exams.student'),
      identity: true,
      grow: 2,
      minWidth: 140,
      cell: (row) => row.Student,
    },
    {
      id: 'Procedure',
      header: words('exams.procedure'),
      grow: 3,
      minWidth: 160,
      cell: (row) => row.Procedure,
    },
    { id: 'Number', header: words('exams.kind'), width: 130, cell: kind, text: kind },
    {
      id: 'Examiner',
      header: words('exams.examiner'),
      grow: 2,
      minWidth: 130,
      cell: (row) => row.Examiner,
    },
    { id: 'Site', header: words('exams.site'), grow: 2, minWidth: 110, cell: (row) => row.Site ?? '' },
    {
      id: 'Simulated',
      header: words('exams.simulated'),
      hidden: true,
      width: 100,
      cell: (row) =>
        row.IsSimulated
          ? words(row.IsSimulationApproved ? 'exams.simulationYes' : 'exams.simulationOpen')
          : '',
    },
    {
      id: 'Score',
      header: words('exams.score'),
      width: 92,
      align: 'end',
      cell: (row) => (row.Score === null ? '' : scoreText(words, row)),
    },
    { id: 'State', header: words('exams.status'), width: 140, cell: (row) => tag(words, row) },
  ]
}

/** The exams of all students, the newest first. */
export function ExamsPage() {
  const words = useWords()
  const programId = useProgramId()
  const navigate = usePageNavigate()
  const { at, filter, paging, pager, reset, isFiltered } = useListAddress(
    listExams,
    { ...noFilters, page: 1 },
    pageSize,
  )
  const Simulated = simulations.find((each) => each === at.simulated)
  const filters = {
    ...(at.status && { State: attemptStates.find((each) => each === at.status) }),
    ...(at.student !== null && { StudentId: at.student }),
    ...(at.cohort && { Cohort: at.cohort }),
    ...(at.site !== null && { SiteId: at.site }),
    ...(at.procedure !== null && { ProcedureId: at.procedure }),
    ...(Simulated && { Simulated }),
    ...(at.noNote && { WithoutNote: true }),
    ...(at.from && { FromDate: at.from }),
    ...(at.through && { ThroughDate: at.through }),
  }
  const { page, pageSize: size } = paging
  const exams = useRead(listExams, { params: { programId }, query: { ...filters, page, pageSize: size } })
  useLiveEvent('procedure-logs', () => void exams.refetch(), 2_000)
  const total = exams.data?.Total ?? 0
  const figure = total.toLocaleString('en-US')
  const open = ({ Id }: ExamRow) => navigate(`/admin/competencies/exams/${Id}`)
  return (
    <Page
      title={words('exams.listTitle')}
      count={
        exams.data && words(exams.data.IsTotalCapped ? 'exams.totalCapped' : 'exams.total', { count: figure })
      }
      actions={
        <ExportMenu
          address={(Format) =>
            callAddress(exportExams, { params: { programId }, query: { ...filters, Format } })
          }
        />
      }
      filters={
        <FilterBar onReset={reset} isSet={isFiltered} resetLabel={words('exams.reset')}>
          <SelectChip
            name={words('exams.status')}
            options={attemptStates.map((value) => ({ value, label: words(attemptTags[value].word) }))}
            value={at.status || null}
            onChange={(status) => filter({ status: status ?? '' })}
          />
          <ChoiceChip
            kind="student"
            name={words('exams.student')}
            value={at.student}
            onChange={(student) => filter({ student })}
          />
          <CohortChip value={at.cohort} onChange={(cohort) => filter({ cohort })} />
          <ChoiceChip
            kind="site"
            name={words('exams.site')}
            value={at.site}
            onChange={(site) => filter({ site })}
          />
          <SelectChip
            name={words('exams.simulated')}
            options={simulations.map((value) => ({
              value,
              label: words(value === 'all' ? 'exams.simulatedAll' : 'exams.simulatedWaiting'),
            }))}
            value={at.simulated || null}
            onChange={(simulated) => filter({ simulated: simulated ?? '' })}
          />
          <SelectChip
            name={words('exams.note')}
            options={[{ value: 'without', label: words('exams.withoutNote') }]}
            value={at.noNote ? 'without' : null}
            onChange={(value) => filter({ noNote: value !== null })}
          />
          <DateRangeChip
            name={words('exams.date')}
            value={{ from: at.from || null, to: at.through || null }}
            onChange={({ from, to }) => filter({ from: from ?? '', through: to ?? '' })}
          />
        </FilterBar>
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="exams"
        label={words('exams.listTitle')}
        columns={columnsOf(words)}
        {...fromList(exams)}
        rowKey={({ Id }) => Id}
        empty={{ text: words('exams.none'), filters: { isFiltered, reset } }}
        card={(row: ExamRow) => (
          <>
            <b>{row.Procedure}</b>
            <div className="p-muted">
              {row.Student} · {formatDate(row.Date)} · {attemptLine(words, row)}
            </div>
            {tag(words, row)}
          </>
        )}
        actions={(row: ExamRow) => [
          {
            label: words('exams.open'),
            icon: <IconEye size={16} stroke={1.75} />,
            onRun: () => open(row),
          },
        ]}
        onOpen={open}
      />
    </Page>
  )
}
