import { IconFileImport, IconListDetails } from '@tabler/icons-react'
import { useMemo } from 'react'
import { listStudentLevels } from '#contract/people/people.ts'
import {
  exportVerifications,
  isVerificationType,
  listVerifications,
  listVerifiedStudents,
  type VerificationFilter,
  type VerificationRow,
  type VerificationTotals,
  type VerifiedStudent,
  verificationFilters,
} from '#contract/requirements/verifications.ts'
import { callAddress } from '#web/api/call.ts'
import { PageRedirect, usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './requirements.module.css'
import {
  Disclaimer,
  Expiry,
  expiryText,
  StateTag,
  stateWord,
  titleOf,
  totalFigures,
} from './verification-parts.tsx'

const pageSize = 200
const start = {
  type: null as number | null,
  view: 'students',
  show: '',
  student: null as number | null,
  level: [] as number[],
  search: '',
  sort: '',
  page: 1,
}
/** What is listed is no filter of the list. */
const apart = ['type', 'view'] as const

/** Background checks and immunizations of a program's students. Other types are no page. */
export function VerificationPage() {
  const [{ type }] = useAddress({ type: null as number | null })
  return isVerificationType(type) ? (
    <Summary key={type} type={type} />
  ) : (
    <PageRedirect to="/admin/not-found" />
  )
}

function Summary({ type }: { type: 1 | 2 }) {
  const words = useWords()
  const navigate = usePageNavigate()
  const programId = useProgramId()
  const mayImport = useMay()('verifications.write')
  const { at, filter, reset, isFiltered, paging, sorting, pager } = useListAddress(
    listVerifiedStudents,
    start,
    pageSize,
    apart,
  )
  const levels = useRead(listStudentLevels, { params: { programId } }, { staleMs: 300_000 })
  const show = verificationFilters.find((each) => each === at.show)
  const isByStudent = at.view !== 'results'
  const filters = {
    Type: type,
    ...(show && { Show: show }),
    ...(at.student !== null && { StudentId: at.student }),
    StudentLevelIds: at.level as number[],
    search: at.search,
  }
  const params = { programId }
  const students = useRead(
    listVerifiedStudents,
    { params, query: { ...filters, ...paging, sort: (at.sort || 'Student') as 'Student' } },
    { isEnabled: isByStudent },
  )
  const results = useRead(
    listVerifications,
    { params, query: { ...filters, ...paging, sort: (at.sort || 'Student') as 'Student' } },
    { isEnabled: !isByStudent },
  )
  const current = isByStudent ? students : results
  const total = current.data?.Total ?? 0
  const exportAddress = (Format: 'xlsx' | 'csv') =>
    callAddress(exportVerifications, {
      params,
      query: { ...filters, ...(!isByStudent && at.sort && { sort: at.sort as 'Student' }), Format },
    })
  const common = {
    isLoading: current.isFetching,
    error: current.error?.message,
    onRetry: () => void current.refetch(),
    total,
    sort: at.sort || 'Student',
    onSort: sorting.onSort,
    empty: { text: words('verifications.empty'), filters: { isFiltered, reset } },
  }
  const studentName = results.data?.Items.find(({ StudentId }) => StudentId === at.student)?.Student
  return (
    <Page
      title={titleOf(type, words)}
      beside={
        <SelectChip
          name={words('verifications.records')}
          fixed
          options={[
            { value: '1', label: words('verifications.backgroundChecks') },
            { value: '2', label: words('verifications.immunizations') },
          ]}
          value={String(type)}
          onChange={(next) => filter({ type: Number(next), show: '', sort: '' })}
        />
      }
      count={
        current.data &&
        words(isByStudent ? 'verifications.studentCount' : 'verifications.resultCount', { count: total })
      }
      actions={
        <>
          <ExportMenu address={exportAddress} />
          {mayImport && (
            <Button
              variant="default"
              leftSection={<IconFileImport size={17} stroke={1.75} aria-hidden />}
              onClick={() => navigate('/admin/imports', { search: { kind: 'verifications' } })}
            >
              {words('verifications.import')}
            </Button>
          )}
        </>
      }
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SelectChip
            name={words('verifications.view')}
            fixed
            options={[
              { value: 'students', label: words('verifications.students') },
              { value: 'results', label: words('verifications.results') },
            ]}
            value={isByStudent ? 'students' : 'results'}
            onChange={(view) => filter({ view: view ?? 'students', sort: '', student: null })}
          />
          <SelectChip
            multi
            name={words('verifications.level')}
            options={(levels.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            value={at.level.map(String)}
            onChange={(level) => filter({ level: level.map(Number) })}
          />
          {at.student !== null && (
            <SelectChip
              name={words('verifications.student')}
              options={[{ value: String(at.student), label: studentName ?? String(at.student) }]}
              value={String(at.student)}
              onChange={(value) => filter({ student: value === null ? null : Number(value) })}
            />
          )}
          <SearchBox
            label={words('verifications.search')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      above={
        <>
          <Disclaimer />
          <Counts
            totals={current.data?.Totals}
            value={show ?? ''}
            onChange={(next) => filter({ show: next })}
          />
        </>
      }
      footer={
        current.data &&
        words(isByStudent ? 'verifications.studentCount' : 'verifications.resultCount', { count: total })
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      {isByStudent ? (
        <StudentGrid
          {...common}
          rows={students.data?.Items}
          onOpen={(row) => filter({ view: 'results', student: row.StudentId, sort: '' })}
        />
      ) : (
        <ResultGrid {...common} type={type} rows={results.data?.Items} />
      )}
    </Page>
  )
}

function Counts(props: {
  totals: VerificationTotals | undefined
  value: VerificationFilter | ''
  onChange: (value: VerificationFilter | '') => void
}) {
  const words = useWords()
  const none = { Complete: 0, Missing: 0, Open: 0, Expired: 0, Within60: 0, Within30: 0, Within7: 0 }
  const totals = props.totals ?? none
  const all = totals.Complete + totals.Missing + totals.Open + totals.Expired
  return (
    <div className={classes.counts}>
      <SegmentedCounts
        label={words('verifications.status')}
        segments={[
          { value: '' as const, label: words('verifications.all'), count: all.toLocaleString('en-US') },
          ...totalFigures(totals).map(([value, word, count, status]) => ({
            value,
            label: words(word),
            count: count.toLocaleString('en-US'),
            status,
          })),
        ]}
        value={props.value}
        onChange={props.onChange}
      />
    </div>
  )
}

interface Common {
  isLoading: boolean
  error: string | undefined
  onRetry: () => void
  total: number
  sort: string
  onSort: (sort: string) => void
  empty: { text: string }
}

const figureOrDash = (count: number): string => (count === 0 ? '–' : count.toLocaleString('en-US'))

const studentColumns = (words: Words): GridColumn<VerifiedStudent>[] => {
  const figure = (
    id: 'Complete' | 'Missing' | 'Open' | 'Expired' | 'Within60' | 'Within30' | 'Within7',
    header: string,
    sortable = true,
  ): GridColumn<VerifiedStudent> => ({
    id,
    header,
    width: 104,
    align: 'end',
    sortable,
    cell: (row) => figureOrDash(row[id]),
    text: (row) => figureOrDash(row[id]),
  })
  return [
    {
      id: 'Student',
      header: words('verifications.student'),
      identity: true,
      sortable: true,
      minWidth: 180,
      cell: (row) => <StudentLink id={row.StudentId}>{row.Student}</StudentLink>,
      text: (row) => row.Student,
    },
    { id: 'StudentLevel', header: words('verifications.level'), width: 120 },
    figure('Complete', words('verifications.complete')),
    figure('Missing', words('verifications.missing')),
    figure('Open', words('verifications.open')),
    figure('Expired', words('verifications.expired')),
    figure('Within60', words('verifications.within60')),
    figure('Within30', words('verifications.within30'), false),
    figure('Within7', words('verifications.within7'), false),
    {
      id: 'NextExpiry',
      header: words('verifications.nextExpiry'),
      width: 130,
      sortable: true,
      cell: (row) => formatDate(row.NextExpiry) || '–',
      text: (row) => formatDate(row.NextExpiry),
    },
  ]
}

function StudentGrid({
  rows,
  onOpen,
  ...common
}: Common & { rows: readonly VerifiedStudent[] | undefined; onOpen: (row: VerifiedStudent) => void }) {
  const words = useWords()
  const columns = useMemo(() => studentColumns(words), [words])
  return (
    <Grid
      {...common}
      id="verified-students"
      label={words('verifications.students')}
      columns={columns}
      rows={rows}
      rowKey={({ StudentId }) => StudentId}
      onOpen={onOpen}
      card={(row) => <StudentCard row={row} onOpen={() => onOpen(row)} />}
      actions={(row) => [
        {
          label: words('verifications.showResults'),
          icon: <IconListDetails size={16} stroke={1.75} />,
          quick: true,
          onRun: () => onOpen(row),
        },
      ]}
    />
  )
}

/** On phones: the name, and only the counts that say something. */
function StudentCard({ row, onOpen }: { row: VerifiedStudent; onOpen: () => void }) {
  const words = useWords()
  const figures = totalFigures(row).filter(([, , count]) => count > 0)
  return (
    <button type="button" className={classes.card} onClick={onOpen}>
      <b>{row.Student}</b>
      <span>{figures.map(([, word, count]) => `${count} ${words(word).toLowerCase()}`).join(' · ')}</span>
    </button>
  )
}

const dayColumn = (id: 'Ordered' | 'Completed', header: string): GridColumn<VerificationRow> => ({
  id,
  header,
  width: 120,
  sortable: true,
  cell: (row) => formatDate(row[id]) || '–',
  text: (row) => formatDate(row[id]),
})

/** Background checks: vendor, ordered, completed, result; immunizations: requirement, status, date, expires. */
const resultColumns = (type: 1 | 2, words: Words): GridColumn<VerificationRow>[] => {
  const plain = (id: 'Vendor' | 'Item', header: string): GridColumn<VerificationRow> => ({
    id,
    header,
    sortable: true,
    cell: (row) => row[id] || '–',
    text: (row) => row[id],
  })
  const state: GridColumn<VerificationRow> = {
    id: 'State',
    header: words('verifications.status'),
    width: 150,
    sortable: true,
    cell: (row) => <StateTag state={row.State} />,
    text: (row) => stateWord(row.State, words),
  }
  const result: GridColumn<VerificationRow> = {
    id: 'Result',
    header: words('verifications.result'),
    minWidth: 110,
    cell: (row) => row.Result || '–',
    text: (row) => row.Result,
  }
  const expires: GridColumn<VerificationRow> = {
    id: 'Expires',
    header: words('verifications.expires'),
    width: 200,
    sortable: true,
    cell: (row) => <Expiry row={row} />,
    text: (row) => expiryText(row, words),
  }
  const student: GridColumn<VerificationRow> = {
    id: 'Student',
    header: words('verifications.student'),
    identity: true,
    sortable: true,
    minWidth: 170,
    cell: (row) => <StudentLink id={row.StudentId}>{row.Student}</StudentLink>,
    text: (row) => row.Student,
  }
  return type === 1
    ? [
        student,
        plain('Vendor', words('verifications.vendor')),
        { ...plain('Item', words('verifications.package')), hidden: true },
        dayColumn('Ordered', words('verifications.ordered')),
        dayColumn('Completed', words('verifications.completed')),
        result,
        state,
        expires,
      ]
    : [
        student,
        plain('Item', words('verifications.requirement')),
        state,
        dayColumn('Completed', words('verifications.date')),
        expires,
        plain('Vendor', words('verifications.vendor')),
        { ...result, hidden: true },
      ]
}

function ResultGrid({
  type,
  rows,
  ...common
}: Common & { type: 1 | 2; rows: readonly VerificationRow[] | undefined }) {
  const words = useWords()
  const columns = useMemo(() => resultColumns(type, words), [type, words])
  return (
    <Grid
      {...common}
      id={`verifications-${type}`}
      label={words('verifications.results')}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.Id ?? `${row.StudentId} ${row.Item}`}
    />
  )
}
