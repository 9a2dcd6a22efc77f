import { IconTrash } from '@tabler/icons-react'
import {
  type CustomReport,
  deleteCustomReport,
  listCustomReports,
  listReportSubjects,
  restoreCustomReport,
} from '#contract/reports/custom-reports.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { AddNew } from '#web/ui/AddNew.tsx'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { formatDate, formatInstant } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'

const pageSize = 50

/** Custom Reports: the reader's own and those shared in the program. */
export function CustomReportsPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const programId = useProgramId()
  const timeZone = useTimeZone()
  const { at, filter, reset, isFiltered, paging, sorting, pager } = useListAddress(
    listCustomReports,
    { search: '', sort: 'Name', page: 1 },
    pageSize,
  )
  const reports = useRead(listCustomReports, {
    params: { programId },
    query: { search: at.search, ...paging },
  })
  const subjects = useRead(listReportSubjects, { params: { programId } }, { staleMs: 300_000 })
  const refresh = { refresh: [listCustomReports] }
  const remove = useSave(deleteCustomReport, refresh)
  const restore = useSave(restoreCustomReport, refresh)
  const one = ({ Id }: CustomReport) => ({ params: { programId, reportId: Id } })
  const deleteIt = (report: CustomReport) =>
    deleteWithUndo({
      remove: () => remove.run(one(report)),
      restore: () => restore.run(one(report)),
      deleted: words('customReports.deleted', { name: report.Name }),
      restored: words('customReports.restored', { name: report.Name }),
    })
  const open = (report?: CustomReport) =>
    navigate('/admin/custom-reports/edit', { ...(report && { search: { id: report.Id } }) })
  const subjectOf = ({ Definition }: CustomReport) =>
    subjects.data?.find(({ Subject }) => Subject === Definition.Subject)?.Label ?? ''
  const sharing = ({ IsShared }: CustomReport) =>
    words(IsShared ? 'customReports.shared' : 'customReports.own')
  const columns: GridColumn<CustomReport>[] = [
    {
      id: 'Name',
      header: words('customReports.name'),
      identity: true,
      sortable: true,
      grow: 3,
      minWidth: 200,
    },
    { id: 'Subject', header: words('customReports.subject'), cell: subjectOf, text: subjectOf },
    { id: 'Owner', header: words('customReports.owner'), sortable: true },
    { id: 'IsShared', header: words('customReports.sharing'), width: 110, cell: sharing, text: sharing },
    {
      id: 'ModDate',
      header: words('customReports.modDate'),
      width: 160,
      sortable: true,
      cell: (row) => formatInstant(row.ModDate, timeZone),
    },
    {
      id: 'Mailing',
      header: words('customReports.mailing'),
      width: 150,
      cell: (row) => words(`customReports.mailing_${row.Mailing}`),
      detail: (row) =>
        row.NextMailOn && words('customReports.nextMail', { date: formatDate(row.NextMailOn) }),
    },
  ]
  const add = <AddNew onClick={() => open()} />
  const total = reports.data?.Total ?? 0
  return (
    <Page
      title={words('customReports.title')}
      count={reports.data && words('customReports.count', { count: total })}
      actions={add}
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SearchBox
            label={words('customReports.search')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      footer={reports.data && words('customReports.count', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="custom-reports"
        label={words('customReports.title')}
        columns={columns}
        {...fromList(reports)}
        rowKey={({ Id }) => Id}
        {...sorting}
        empty={{ text: words('customReports.empty'), next: add, filters: { isFiltered, reset } }}
        onOpen={open}
        actions={(report) => [
          { label: words('customReports.open'), onRun: () => open(report) },
          {
            label: words('customReports.delete'),
            icon: <IconTrash size={16} stroke={1.75} />,
            onRun: () => void deleteIt(report),
            reason: !report.IsOwn && words('customReports.notYours', { name: report.Owner }),
            tone: 'danger',
          },
        ]}
      />
    </Page>
  )
}
