import {
  type ClinicalRecord,
  listClinicalRecords,
  recordStates,
} from '#contract/clinical-records/clinical-records.ts'
import { useOpenAddress } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { downloadActions } from './download-actions.tsx'
import { endText, RecordTag } from './record-parts.tsx'
import { apart, pageSize, start, Views } from './record-views.tsx'

const recordColumns = (words: Words): GridColumn<ClinicalRecord>[] => [
  { id: 'Student', header: words('clinicalRecords.student'), identity: true, minWidth: 200 },
  { id: 'Number', header: words('clinicalRecords.number'), width: 190 },
  {
    id: 'IsFinal',
    header: words('clinicalRecords.kind'),
    width: 110,
    cell: ({ IsFinal }) => words(IsFinal ? 'clinicalRecords.final' : 'clinicalRecords.interim'),
  },
  {
    id: 'State',
    header: words('clinicalRecords.state'),
    width: 130,
    cell: (row) => <RecordTag record={row} />,
    text: (row) => endText(words, row) || words(`clinicalRecords.recordState_${row.State}`),
  },
  {
    id: 'IssuedOn',
    header: words('clinicalRecords.issuedAt'),
    width: 120,
    cell: ({ IssuedOn }) => formatDate(IssuedOn),
  },
  { id: 'IssuedBy', header: words('clinicalRecords.issuedBy') },
]

/** The records that were issued. */
export function IssuedRecords() {
  const words = useWords()
  const programId = useProgramId()
  const openAddress = useOpenAddress()
  const { at, filter, reset, isFiltered, paging, pager } = useListAddress(
    listClinicalRecords,
    start,
    pageSize,
    apart,
  )
  const State = recordStates.find((each) => each === at.state)
  const records = useRead(listClinicalRecords, {
    params: { programId },
    query: { ...paging, ...(at.search && { search: at.search }), ...(State && { State }) },
  })
  const total = records.data?.Total ?? 0
  return (
    <Page
      title={words('clinicalRecords.title')}
      count={records.data && words('clinicalRecords.records', { count: total })}
      above={<Views value="issued" />}
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SelectChip
            name={words('clinicalRecords.state')}
            options={recordStates.map((value) => ({
              value,
              label: words(`clinicalRecords.recordState_${value}`),
            }))}
            value={State ?? null}
            onChange={(state) => filter({ state: state ?? '' })}
          />
          <SearchBox
            label={words('clinicalRecords.searchRecords')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="clinical-records"
        label={words('clinicalRecords.issued')}
        {...fromList(records)}
        rowKey={({ Id }) => Id}
        columns={recordColumns(words)}
        empty={{ text: words('clinicalRecords.noRecords'), filters: { isFiltered, reset } }}
        onOpen={({ StudentId }) => openAddress(`/new/admin/clinical-records/${StudentId}`)}
        actions={(row) => downloadActions(words, programId, row)}
      />
    </Page>
  )
}
