import { listSupervisedStudents } from '#contract/students/students.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { formatDay, formatHours } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'

const pageSize = 50

/** A supervisor's students: hours of this week, the next shift, and evaluations that wait, at their own sites. */
export function SupervisedStudentsPage() {
  const words = useWords()
  const programId = useProgramId()
  const { at, filter, reset, isFiltered, paging, pager } = useListAddress(
    listSupervisedStudents,
    { search: '', page: 1 },
    pageSize,
  )
  const students = useRead(listSupervisedStudents, {
    params: { programId },
    query: { search: at.search, ...paging },
  })
  const total = students.data?.Total ?? 0
  return (
    <Page
      title={words('students.list')}
      count={students.data && total}
      filters={
        <FilterBar>
          <SearchBox
            label={words('students.search')}
            value={at.search}
            maxLength={100}
            onChange={(text) => filter({ search: text })}
          />
        </FilterBar>
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="supervised-students"
        label={words('students.list')}
        {...fromList(students)}
        rowKey={(row) => row.Id}
        empty={{ text: words('students.supervisedEmpty'), filters: { isFiltered, reset } }}
        columns={[
          {
            id: 'Student',
            header: words('students.student'),
            identity: true,
            grow: 2,
            cell: (row) => <StudentLink id={row.Id}>{row.Student}</StudentLink>,
            text: (row) => row.Student,
            detail: (row) => row.StudentLevel,
          },
          {
            id: 'WeekMinutes',
            header: words('students.weekHours'),
            width: 140,
            align: 'end',
            cell: (row) => formatHours(row.WeekMinutes, true),
          },
          {
            id: 'NextShift',
            header: words('students.nextShift'),
            grow: 2,
            cell: ({ NextShift }) =>
              NextShift ? (
                <span style={{ display: 'inline-flex', gap: 8, alignItems: 'center' }}>
                  <ShiftMark kind={NextShift.ShiftType} />
                  {formatDay(NextShift.Date)} {NextShift.StartTime}–{NextShift.EndTime}
                </span>
              ) : (
                '–'
              ),
            text: ({ NextShift }) => (NextShift ? formatDay(NextShift.Date) : ''),
            detail: ({ NextShift }) => NextShift?.Site,
          },
          {
            id: 'EvaluationsDue',
            header: words('students.evaluationsDue'),
            width: 160,
            cell: ({ EvaluationsDue }) =>
              EvaluationsDue > 0 ? (
                <span>
                  {EvaluationsDue} · <PageLink href="/new/evaluate">{words('students.evaluate')}</PageLink>
                </span>
              ) : (
                '–'
              ),
            text: ({ EvaluationsDue }) => String(EvaluationsDue),
          },
          {
            id: 'EmailAddress',
            header: words('students.email'),
            grow: 2,
            cell: (row) => row.EmailAddress && <a href={`mailto:${row.EmailAddress}`}>{row.EmailAddress}</a>,
            text: (row) => row.EmailAddress,
          },
        ]}
      />
    </Page>
  )
}
