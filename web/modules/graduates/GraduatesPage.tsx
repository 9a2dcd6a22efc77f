import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import {
  deleteGraduate,
  exportGraduates,
  type Graduate,
  graduateStates,
  listGraduates,
  restoreGraduate,
} from '#contract/graduates/graduates.ts'
import { listedName } from '#contract/people/person-fields.ts'
import { callAddress } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { AddNew } from '#web/ui/AddNew.tsx'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { AddClassDialog } from './AddClassDialog.tsx'
import { measured } from './measured.ts'

const pageSize = 50
const start = { search: '', sort: 'Name', page: 1, state: '', year: null as number | null, missing: '' }
/** As far back as the longest five-year average of a measure and a few classes before. */
const yearsOffered = 12
const missingKinds = ['exam', 'placement'] as const

const columnsOf = (words: Words): GridColumn<Graduate>[] => {
  const day = (
    id: 'EnteredOn' | 'GraduatedOn' | 'FirstAttemptOn',
    header: string,
    tell: (row: Graduate) => string = (row) => formatDate(row[id]) || '–',
  ): GridColumn<Graduate> => ({ id, header, width: 106, sortable: true, cell: tell, text: tell })
  const end = (row: Graduate) =>
    row.WithdrewOn && row.WithdrawalReason
      ? `${words('graduates.withdrew')} ${formatDate(row.WithdrewOn)}, ${words(`graduates.reason_${row.WithdrawalReason}`)}`
      : formatDate(row.GraduatedOn) || words('graduates.state_enrolled')
  const attempt = (row: Graduate) =>
    row.FirstAttemptResult === null
      ? '–'
      : row.FirstAttemptResult === 'failed' && row.PassedOn
        ? `${words('graduates.result_failed')}, ${words('graduates.passed').toLowerCase()} ${formatDate(row.PassedOn)}`
        : words(`graduates.result_${row.FirstAttemptResult}`)
  const placement = (row: Graduate) => (row.Placement ? words(`graduates.placement_${row.Placement}`) : '–')
  return [
    {
      id: 'Name',
      header: words('graduates.name'),
      identity: true,
      sortable: true,
      minWidth: 200,
      cell: listedName,
      text: listedName,
    },
    { id: 'Cohort', header: words('graduates.cohort'), width: 88, sortable: true },
    day('EnteredOn', words('graduates.entered')),
    { ...day('GraduatedOn', words('graduates.graduated'), end), width: 180 },
    day('FirstAttemptOn', words('graduates.firstAttempt')),
    {
      id: 'FirstAttemptResult',
      header: words('graduates.firstResult'),
      width: 140,
      cell: attempt,
      text: attempt,
    },
    {
      id: 'Placement',
      header: words('graduates.placement'),
      minWidth: 176,
      cell: placement,
      text: placement,
    },
  ]
}

/** Those who entered the program, and what became of them. */
export function GraduatesPage() {
  const words = useWords()
  const programId = useProgramId()
  const mayWrite = useMay()('graduates.write')
  const navigate = usePageNavigate()
  const [isAddingClass, setAddingClass] = useState(false)
  const { at, filter, reset, isFiltered, sort, paging, sorting, pager } = useListAddress(
    listGraduates,
    start,
    pageSize,
  )
  const State = graduateStates.find((each) => each === at.state)
  const Missing = missingKinds.find((each) => each === at.missing)
  const query = {
    search: at.search,
    sort,
    ...(State && { State }),
    ...(Missing && { Missing }),
    ...(at.year && { Year: at.year }),
  }
  const graduates = useRead(listGraduates, { params: { programId }, query: { ...paging, ...query } })
  const remove = useSave(deleteGraduate, measured)
  const restore = useSave(restoreGraduate, measured)
  const open = (graduate?: Graduate) =>
    navigate('/admin/graduates/edit', { ...(graduate && { search: { id: graduate.Id } }) })
  const deleteIt = (graduate: Graduate) => {
    const name = listedName(graduate)
    const params = { programId, graduateId: graduate.Id }
    return deleteWithUndo({
      remove: () => remove.run({ params }),
      restore: () => restore.run({ params }),
      deleted: words('graduates.deleted', { name }),
      restored: words('graduates.restored', { name }),
      notDeleted: words('graduates.notDeleted', { name }),
      notRestored: words('graduates.notRestored', { name }),
    })
  }
  const total = graduates.data?.Total ?? 0
  const thisYear = new Date().getFullYear()
  const years = Array.from({ length: yearsOffered }, (_, index) => String(thisYear + 1 - index))
  return (
    <Page
      title={words('graduates.title')}
      count={graduates.data && words('graduates.count', { count: total })}
      breadcrumb={<PageLink href="/new/admin/effectiveness">{words('graduates.effectiveness')}</PageLink>}
      actions={
        <>
          <ExportMenu
            address={(Format) =>
              callAddress(exportGraduates, { params: { programId }, query: { ...query, Format } })
            }
          />
          {mayWrite && (
            <>
              <Button
                variant="default"
                leftSection={<IconFileImport size={17} stroke={1.75} aria-hidden />}
                onClick={() => navigate('/admin/imports', { search: { kind: 'graduates' } })}
              >
                {words('graduates.import')}
              </Button>
              <Button variant="default" onClick={() => setAddingClass(true)}>
                {words('graduates.addClass')}
              </Button>
            </>
          )}
          <AddNew reason={!mayWrite && words('shell.notAllowedDetail')} onClick={() => open()} />
        </>
      }
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SelectChip
            name={words('graduates.state')}
            options={graduateStates.map((value) => ({ value, label: words(`graduates.state_${value}`) }))}
            value={State ?? null}
            onChange={(state) => filter({ state: state ?? '' })}
          />
          <SelectChip
            name={words('graduates.year')}
            options={years.map((year) => ({ value: year, label: year }))}
            value={at.year === null ? null : String(at.year)}
            onChange={(year) => filter({ year: year === null ? null : Number(year) })}
          />
          <SelectChip
            name={words('graduates.missing')}
            none="–"
            options={missingKinds.map((value) => ({ value, label: words(`graduates.missing_${value}`) }))}
            value={Missing ?? null}
            onChange={(missing) => filter({ missing: missing ?? '' })}
          />
          <SearchBox
            label={words('graduates.search')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="graduates"
        label={words('graduates.title')}
        {...fromList(graduates)}
        rowKey={({ Id }) => Id}
        {...sorting}
        columns={columnsOf(words)}
        empty={{ text: words('graduates.empty'), filters: { isFiltered, reset } }}
        {...(mayWrite && {
          onOpen: open,
          actions: (graduate: Graduate) => [
            editAction(() => open(graduate)),
            deleteAction(() => void deleteIt(graduate)),
          ],
        })}
      />
      {isAddingClass && <AddClassDialog onClose={() => setAddingClass(false)} />}
    </Page>
  )
}
