import { IconEye } from '@tabler/icons-react'
import { type ExamRow, examFilters, exportExams, listExams } from '#contract/competencies/exam-admin.ts'
import { callAddress } from '#web/api/call.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { useFilteredList } from '#web/api/use-filtered-list.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { ListFilters } from '#web/shared/ListFilters.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { formatDate } from '#web/ui/dates.ts'
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
  const list = useFilteredList(listExams, examFilters, { page: 1 }, pageSize)
  const { asked, paging, pager, reset, isFiltered } = list
  const exams = useRead(listExams, { params: { programId }, query: { ...asked, ...paging } })
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
            callAddress(exportExams, { params: { programId }, query: { ...asked, Format } })
          }
        />
      }
      filters={<ListFilters filters={examFilters} list={list} />}
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
