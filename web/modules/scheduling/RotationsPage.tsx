import {
  deleteRotation,
  listRotations,
  type Rotation,
  restoreRotation,
} from '#contract/scheduling/rotations.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ChoiceChip } from '#web/shared/ChoiceChip.tsx'
import { AddNew } from '#web/ui/AddNew.tsx'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { formatDate, formatHours } from '#web/ui/dates.ts'
import { DateChip } from '#web/ui/filters/DateChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'

const pageSize = 50
const start = {
  search: '',
  sort: '-StartDate',
  page: 1,
  area: null as number | null,
  level: null as number | null,
  from: null as string | null,
  through: null as string | null,
}

/** Rotations of the program: when, for whom, how many hours. */
export function RotationsPage() {
  const words = useWords()
  const programId = useProgramId()
  const mayPlan = useMay()('scheduling.plan')
  const navigate = usePageNavigate()
  const { at, filter, reset, isFiltered, paging, sorting, pager } = useListAddress(
    listRotations,
    start,
    pageSize,
  )
  const rotations = useRead(listRotations, {
    params: { programId },
    query: {
      ...paging,
      ...(at.search && { search: at.search }),
      ...(at.area && { AreaId: at.area }),
      ...(at.level && { StudentLevelId: at.level }),
      ...(at.from && { FromDate: at.from }),
      ...(at.through && { ThroughDate: at.through }),
    },
  })
  const remove = useSave(deleteRotation, { refresh: [listRotations] })
  const restore = useSave(restoreRotation, { refresh: [listRotations] })
  const open = (rotation?: Rotation) =>
    navigate('/admin/rotations/edit', { ...(rotation && { search: { id: rotation.Id } }) })
  const deleteIt = ({ Id, Name }: Rotation) => {
    const params = { programId, rotationId: Id }
    return deleteWithUndo({
      remove: () => remove.run({ params }),
      restore: () => restore.run({ params }),
      deleted: words('scheduling.deleted', { name: Name }),
      restored: words('scheduling.restored', { name: Name }),
      notDeleted: words('scheduling.notDeleted', { name: Name }),
      notRestored: words('scheduling.notRestored', { name: Name }),
    })
  }
  const columns: GridColumn<Rotation>[] = [
    { id: 'Name', header: words('scheduling.name'), identity: true, sortable: true, minWidth: 220 },
    {
      id: 'StartDate',
      header: words('scheduling.startDate'),
      width: 120,
      sortable: true,
      text: ({ StartDate }) => formatDate(StartDate),
      cell: ({ StartDate }) => formatDate(StartDate),
    },
    {
      id: 'EndDate',
      header: words('scheduling.endDate'),
      width: 120,
      sortable: true,
      cell: ({ EndDate }) => formatDate(EndDate),
    },
    {
      id: 'Cohorts',
      header: words('scheduling.cohorts'),
      width: 160,
      cell: ({ Cohorts }) => Cohorts.join(', ') || words('scheduling.all'),
      text: ({ Cohorts }) => Cohorts.join(', ') || words('scheduling.all'),
    },
    {
      id: 'TargetMinutes',
      header: words('scheduling.targetHours'),
      width: 130,
      align: 'end',
      sortable: true,
      cell: ({ TargetMinutes }) => formatHours(TargetMinutes, true),
    },
    {
      id: 'AssignmentCount',
      header: words('scheduling.assignments'),
      width: 130,
      align: 'end',
      sortable: true,
      cell: ({ AssignmentCount }) => AssignmentCount.toLocaleString('en-US'),
    },
  ]
  const addNew = <AddNew reason={!mayPlan && words('shell.notAllowedDetail')} onClick={() => open()} />
  const total = rotations.data?.Total ?? 0
  return (
    <Page
      title={words('scheduling.rotations')}
      count={rotations.data && words('scheduling.rotationCount', { count: total })}
      actions={addNew}
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SearchBox
            label={words('scheduling.searchRotations')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
          <ChoiceChip
            kind="area"
            name={words('scheduling.area')}
            value={at.area}
            onChange={(area) => filter({ area })}
          />
          <ChoiceChip
            kind="level"
            name={words('scheduling.level')}
            value={at.level}
            onChange={(level) => filter({ level })}
          />
          <DateChip
            name={words('scheduling.fromDate')}
            none={words('scheduling.all')}
            value={at.from}
            onChange={(from) => filter({ from })}
          />
          <DateChip
            name={words('scheduling.throughDate')}
            none={words('scheduling.all')}
            value={at.through}
            onChange={(through) => filter({ through })}
          />
        </FilterBar>
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="rotations"
        label={words('scheduling.rotations')}
        columns={columns}
        {...fromList(rotations)}
        rowKey={({ Id }) => Id}
        {...sorting}
        empty={{ text: words('scheduling.rotationsEmpty'), next: addNew, filters: { isFiltered, reset } }}
        {...(mayPlan && {
          onOpen: open,
          actions: (rotation: Rotation) => [
            editAction(() => open(rotation)),
            deleteAction(() => void deleteIt(rotation)),
          ],
        })}
      />
    </Page>
  )
}
