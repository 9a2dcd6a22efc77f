import { useState } from 'react'
import { exportTimeRecords, listTimeRecords } from '#contract/time/time-records.ts'
import { callAddress } from '#web/api/call.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { AddNew } from '#web/ui/AddNew.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'
import { recordCard, useRecordColumns } from './record-columns.tsx'
import { RecordDialog } from './record-dialogs.ts'
import { editColumn, editedCard } from './record-edits.tsx'
import { filtersOf, noFilters, queryOf, TimeFilterBar } from './time-filters.tsx'
import { useDeciding } from './use-deciding.tsx'
import { useRecordActions } from './use-record-actions.tsx'

const pageSize = 50

/** All records of the program, whatever their status. */
export function TimeRecordsPage() {
  const words = useWords()
  const programId = useProgramId()
  const mayEdit = useMay()('time.edit')
  const { at, filter, reset, isFiltered, paging, sorting, pager } = useListAddress(
    listTimeRecords,
    { ...noFilters, sort: '-Date', page: 1 },
    pageSize,
  )
  const [isAdding, setAdding] = useState(false)
  const deciding = useDeciding(() => undefined)
  const row = useRecordActions(deciding)
  const applied = filtersOf(at)
  const filters = queryOf(applied)
  const records = useRead(listTimeRecords, {
    params: { programId },
    query: { ...filters, ...paging, sort: at.sort === 'Date' ? 'Date' : '-Date' },
  })
  const isOfEdits = Boolean(applied.editedFrom || applied.editedThrough || applied.editor !== null)
  const total = records.data?.Total ?? 0
  const figure = total.toLocaleString('en-US')
  const fileAddress = (Format: 'xlsx' | 'csv', Columns: 'screen' | 'all') =>
    callAddress(exportTimeRecords, { params: { programId }, query: { ...filters, Format, Columns } })
  const addNew = mayEdit && <AddNew label={words('time.addNewRecord')} onClick={() => setAdding(true)} />
  return (
    <Page
      title={words('time.allTitle')}
      count={
        records.data &&
        (records.data.IsTotalCapped
          ? words('time.totalCapped', { count: figure })
          : words('time.shownOf', { shown: records.data.Items.length, total: figure }))
      }
      actions={
        <>
          <ExportMenu
            address={(Format) => fileAddress(Format, 'screen')}
            allColumns={(Format) => fileAddress(Format, 'all')}
          />
          {addNew}
        </>
      }
      filters={
        <TimeFilterBar
          applied={applied}
          onApply={(next) => filter(next)}
          has={{ status: 'any', type: true, late: true, levels: true, edited: true }}
        />
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="logclock-list"
        label={words('time.allTitle')}
        columns={useRecordColumns(true, isOfEdits ? editColumn(words, row.openHistory) : undefined)}
        {...fromList(records)}
        rowKey={({ Id }) => Id}
        {...sorting}
        empty={{
          text: words('time.noRecords'),
          next: addNew,
          filters: { isFiltered, reset },
        }}
        card={isOfEdits ? editedCard(row.openHistory) : recordCard}
        actions={row.actions}
        onOpen={row.openEdit}
      />
      {isAdding && <RecordDialog start={{}} onClose={() => setAdding(false)} />}
      {deciding.dialog}
      {row.dialog}
    </Page>
  )
}
