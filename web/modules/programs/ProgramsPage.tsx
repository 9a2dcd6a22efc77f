import { IconArrowBackUp, IconCheck, IconFileSpreadsheet, IconSettings } from '@tabler/icons-react'
import { listProgramClasses } from '#contract/programs/program-kinds.ts'
import {
  deleteProgram,
  exportPrograms,
  listColleges,
  listModalities,
  listPrograms,
  type ProgramRow,
  restoreProgram,
  searchPrograms,
} from '#contract/programs/programs.ts'
import { callAddress } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useSaveState } from '#web/api/use-state.ts'
import { AddNew } from '#web/ui/AddNew.tsx'
import { attempt, deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { ProgramPayments } from './ProgramPayments.tsx'

const pageSize = 50
const defaults = {
  activity: '0',
  college: [] as number[],
  modality: [] as number[],
  class: [] as number[],
  credit: null as number | null,
  search: '',
  sort: 'CollegeName',
  page: 1,
}

/** Manage programs: filters, Excel, settings, delete and restore. */
export function ProgramsPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const { at, filter, reset, isFiltered, sort, paging, sorting, pager } = useListAddress(
    searchPrograms,
    defaults,
    pageSize,
  )
  const filters = {
    Activity: at.activity === '1' ? 1 : 0,
    CollegeIds: at.college as number[],
    ModalityIds: at.modality as number[],
    ClassIds: at.class as number[],
    ...(at.credit !== null && { HasCredit: Number(at.credit) }),
    search: at.search,
    sort,
  }
  const programs = useRead(searchPrograms, { query: { ...filters, ...paging } })
  const colleges = useRead(listColleges, {}, { staleMs: 300_000 })
  const modalities = useRead(listModalities, {}, { staleMs: 300_000 })
  const classes = useRead(listProgramClasses, {}, { staleMs: 300_000 })
  const refresh = [searchPrograms, listPrograms]
  const remove = useSave(deleteProgram, { refresh })
  const restore = useSave(restoreProgram, { refresh })
  const saveState = useSaveState()
  const options = (list: { Id: number; Name: string }[] | undefined) =>
    (list ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))
  const edit = (row?: ProgramRow) =>
    navigate('/admin/manage-programs/edit', { search: row ? { id: row.Id } : {} })
  const openSettings = async (row: ProgramRow) => {
    if (await saveState.run({ CollegeId: row.CollegeId, ProgramId: row.Id }))
      navigate('/admin/program-settings')
  }
  const one = ({ Id }: ProgramRow) => ({ params: { programId: Id } })
  const restored = (row: ProgramRow) => words('programs.restored', { name: row.Name })
  const restoreIt = (row: ProgramRow) =>
    attempt(async () => {
      await restore.run(one(row))
      toast.done(restored(row))
    })
  const deleteIt = (row: ProgramRow) =>
    deleteWithUndo({
      remove: () => remove.run(one(row)),
      restore: () => restore.run(one(row)),
      deleted: words('programs.deleted', { name: row.Name }),
      restored: restored(row),
    })
  const tick = (label: string, is: boolean) => (is ? <IconCheck size={16} aria-label={label} /> : '–')
  const columns: GridColumn<ProgramRow>[] = [
    { id: 'Id', header: words('programs.id'), width: 80, sortable: true },
    { id: 'CollegeName', header: words('programs.collegeName'), sortable: true, grow: 2 },
    { id: 'Name', header: words('programs.programName'), identity: true, sortable: true, grow: 2 },
    { id: 'Modality', header: words('programs.modality'), sortable: true },
    { id: 'Class', header: words('programs.class'), sortable: true, width: 110 },
    { id: 'State', header: words('programs.state'), sortable: true, width: 80 },
    {
      id: 'Credit',
      header: words('programs.credit'),
      width: 76,
      cell: (row) => tick(words('programs.yes'), row.Credit),
    },
    {
      id: 'TwoFactor',
      header: words('programs.twoFactor'),
      width: 64,
      cell: (row) => tick(words('programs.yes'), row.TwoFactor),
    },
    {
      id: 'Payments',
      header: words('programs.payments'),
      width: 152,
      cell: (row) => <ProgramPayments program={row} />,
      text: (row) => (row.Arrangement ? words(`payments.standing_${row.Arrangement.Standing}`) : ''),
    },
  ]
  const total = programs.data?.Total ?? 0
  const isDeletedView = filters.Activity === 1
  return (
    <Page
      title={words('programs.title')}
      count={programs.data && words('programs.count', { count: total })}
      actions={
        <>
          <Button
            component="a"
            href={callAddress(exportPrograms, { query: filters })}
            variant="subtle"
            color="gray"
            leftSection={<IconFileSpreadsheet size={17} stroke={1.75} aria-hidden />}
          >
            {words('programs.excel')}
          </Button>
          <AddNew onClick={() => edit()} />
        </>
      }
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SearchBox
            label={words('programs.search')}
            value={at.search}
            onChange={(search) => filter({ search })}
          />
          <SelectChip
            name={words('programs.activity')}
            fixed
            options={[
              { value: '0', label: words('programs.active') },
              { value: '1', label: words('programs.recentlyDeleted') },
            ]}
            value={String(filters.Activity)}
            onChange={(value) => filter({ activity: value ?? '0' })}
          />
          <SelectChip
            name={words('programs.college')}
            multi
            options={options(colleges.data)}
            value={filters.CollegeIds.map(String)}
            onChange={(ids) => filter({ college: ids.map(Number) })}
          />
          <SelectChip
            name={words('programs.modality')}
            multi
            options={options(modalities.data)}
            value={filters.ModalityIds.map(String)}
            onChange={(ids) => filter({ modality: ids.map(Number) })}
          />
          <SelectChip
            name={words('programs.class')}
            multi
            options={options(classes.data)}
            value={filters.ClassIds.map(String)}
            onChange={(ids) => filter({ class: ids.map(Number) })}
          />
          <SelectChip
            name={words('programs.hasCredit')}
            none={words('programs.any')}
            options={[
              { value: '1', label: words('programs.yes') },
              { value: '0', label: words('programs.no') },
            ]}
            value={at.credit === null ? null : String(at.credit)}
            onChange={(value) => filter({ credit: value === null ? null : Number(value) })}
          />
        </FilterBar>
      }
      footer={programs.data && words('programs.count', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="programs"
        label={words('programs.title')}
        columns={columns}
        {...fromList(programs)}
        rowKey={(row) => row.Id}
        {...sorting}
        empty={{ text: words('programs.nothing'), filters: { isFiltered, reset } }}
        {...(!isDeletedView && { onOpen: edit })}
        actions={(row) =>
          isDeletedView
            ? [
                {
                  label: words('programs.restore'),
                  icon: <IconArrowBackUp size={16} stroke={1.75} />,
                  quick: true,
                  onRun: () => void restoreIt(row),
                },
              ]
            : [
                {
                  label: words('programs.settings'),
                  icon: <IconSettings size={16} stroke={1.75} />,
                  quick: true,
                  onRun: () => void openSettings(row),
                },
                editAction(() => edit(row)),
                deleteAction(() => void deleteIt(row)),
              ]
        }
      />
    </Page>
  )
}
