import { IconTrash } from '@tabler/icons-react'
import {
  type Arrangement,
  deleteArrangement,
  getArrangement,
  listArrangements,
  restoreArrangement,
} from '#contract/payments/payments.ts'
import { arrangementStandings, dollars } from '#contract/payments/payments-rules.ts'
import { searchPrograms } from '#contract/programs/programs.ts'
import { getAdminData } from '#contract/session/session.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useUser } from '#web/api/use-state.ts'
import { AddNew } from '#web/ui/AddNew.tsx'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { payerWord, standingTag } from './payment-words.ts'

const pageSize = 50
const start = { search: '', standing: '', sort: 'College', page: 1 }

/** Payments: who pays for which program; for a director the arrangements of their own. */
export function PaymentsPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const { isSuperAdmin } = useUser()
  const mayManage = useMay()('payments.manage')
  const { at, filter, reset, isFiltered, paging, sorting, pager } = useListAddress(
    listArrangements,
    start,
    pageSize,
  )
  const standing = arrangementStandings.find((each) => each === at.standing)
  const arrangements = useRead(listArrangements, {
    query: {
      search: at.search,
      ...(standing && { Standing: standing }),
      ...paging,
    },
  })
  const refresh = { refresh: [listArrangements, getArrangement, searchPrograms, getAdminData] }
  const remove = useSave(deleteArrangement, refresh)
  const restore = useSave(restoreArrangement, refresh)
  const one = ({ ProgramId, Id }: Arrangement) => ({ params: { programId: ProgramId, arrangementId: Id } })
  const deleteIt = (row: Arrangement) =>
    deleteWithUndo({
      remove: () => remove.run(one(row)),
      restore: () => restore.run(one(row)),
      deleted: words('payments.deleted', { name: row.Program }),
      restored: words('payments.restored', { name: row.Program }),
    })
  const open = (row?: Arrangement) =>
    navigate('/admin/payments/edit', { ...(row && { search: { program: row.ProgramId, id: row.Id } }) })
  const period = ({ StartsOn, EndsOn }: Arrangement) =>
    EndsOn
      ? words('payments.until', { from: formatDate(StartsOn), until: formatDate(EndsOn) })
      : words('payments.from', { date: formatDate(StartsOn) })
  const columns: GridColumn<Arrangement>[] = [
    ...(isSuperAdmin
      ? [{ id: 'College', header: words('payments.college'), sortable: true, minWidth: 130 }]
      : []),
    {
      id: 'Program',
      header: words('payments.program'),
      identity: true,
      sortable: isSuperAdmin,
      minWidth: 120,
    },
    {
      id: 'PayerName',
      header: words('payments.payer'),
      sortable: true,
      detail: (row) => words(payerWord[row.Payer]),
      minWidth: 140,
    },
    {
      id: 'CentsPerStudent',
      header: words('payments.rate'),
      width: 132,
      align: 'end',
      sortable: true,
      cell: (row) => dollars(row.CentsPerStudent),
      text: (row) => dollars(row.CentsPerStudent),
    },
    {
      id: 'State',
      header: words('payments.tax'),
      width: 110,
      cell: (row) => `${row.State} · ${words(row.IsExempt ? 'payments.exempt' : 'payments.taxed')}`,
      text: (row) => `${row.State} · ${words(row.IsExempt ? 'payments.exempt' : 'payments.taxed')}`,
    },
    {
      id: 'StartsOn',
      header: words('payments.period'),
      width: 190,
      sortable: true,
      cell: period,
      text: period,
    },
    {
      id: 'Standing',
      header: words('payments.standing'),
      width: 160,
      cell: (row) => (
        <StatusTag status={standingTag[row.Standing]}>{words(`payments.standing_${row.Standing}`)}</StatusTag>
      ),
      text: (row) => words(`payments.standing_${row.Standing}`),
    },
    {
      id: 'InvoicedCents',
      header: words('payments.invoiced'),
      width: 120,
      align: 'end',
      cell: (row) => (row.InvoiceCount === 0 ? '–' : dollars(row.InvoicedCents)),
      text: (row) => dollars(row.InvoicedCents),
    },
  ]
  const add = mayManage && <AddNew onClick={() => open()} />
  const total = arrangements.data?.Total ?? 0
  return (
    <Page
      title={words('payments.title')}
      count={arrangements.data && words('payments.count', { count: total })}
      actions={add}
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SearchBox
            label={words('payments.search')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
          <SelectChip
            name={words('payments.standing')}
            options={arrangementStandings.map((value) => ({
              value,
              label: words(`payments.standing_${value}`),
            }))}
            value={standing ?? null}
            onChange={(value) => filter({ standing: value ?? '' })}
          />
        </FilterBar>
      }
      footer={arrangements.data && words('payments.count', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="payments"
        label={words('payments.title')}
        columns={columns}
        {...fromList(arrangements)}
        rowKey={({ Id }) => Id}
        {...sorting}
        empty={{
          text: words(isSuperAdmin ? 'payments.empty' : 'payments.emptyOwn'),
          next: add,
          filters: { isFiltered, reset },
        }}
        onOpen={open}
        tone={({ Standing }) => (Standing === 'ended' ? 'quiet' : undefined)}
        {...(mayManage && {
          actions: (row: Arrangement) => [
            editAction(() => open(row)),
            {
              label: words('payments.delete'),
              icon: <IconTrash size={16} stroke={1.75} />,
              onRun: () => void deleteIt(row),
              reason: row.InvoiceCount > 0 && words('payments.whyNotDelete'),
              tone: 'danger' as const,
            },
          ],
        })}
      />
    </Page>
  )
}
