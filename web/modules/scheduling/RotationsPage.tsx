import { Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { deleteRotation, listRotations, type Rotation, restoreRotation } from '#contract/scheduling.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ChoiceChip } from '#web/shell/ChoiceChip.tsx'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { formatDate, formatHours } from '#web/ui/dates.ts'
import { DateChip } from '#web/ui/filters/DateChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Why } from '#web/ui/Why.tsx'
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
  const [at, setAt] = useAddress(start)
  const rotations = useRead(listRotations, {
    params: { programId },
    query: {
      page: at.page,
      pageSize,
      sort: at.sort as never,
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
  const isFiltered = Boolean(at.search || at.area || at.level || at.from || at.through)
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
  const addNew = (
    <Why reason={!mayPlan && words('shell.notAllowedDetail')}>
      <Button leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />} onClick={() => open()}>
        {words('scheduling.addNew')}
      </Button>
    </Why>
  )
  const total = rotations.data?.Total ?? 0
  return (
    <Page
      title={words('scheduling.rotations')}
      count={rotations.data && words('scheduling.rotationCount', { count: total })}
      actions={addNew}
      filters={
        <FilterBar isSet={isFiltered} onReset={() => setAt({ ...start, sort: at.sort })}>
          <SearchBox
            label={words('scheduling.searchRotations')}
            value={at.search}
            maxLength={100}
            onChange={(search) => setAt({ search, page: 1 })}
          />
          <ChoiceChip
            kind="area"
            name={words('scheduling.area')}
            value={at.area}
            onChange={(area) => setAt({ area, page: 1 })}
          />
          <ChoiceChip
            kind="level"
            name={words('scheduling.level')}
            value={at.level}
            onChange={(level) => setAt({ level, page: 1 })}
          />
          <DateChip
            name={words('scheduling.fromDate')}
            none={words('scheduling.all')}
            value={at.from}
            onChange={(from) => setAt({ from, page: 1 })}
          />
          <DateChip
            name={words('scheduling.throughDate')}
            none={words('scheduling.all')}
            value={at.through}
            onChange={(through) => setAt({ through, page: 1 })}
          />
        </FilterBar>
      }
      footerEnd={
        total > pageSize && (
          <Pager page={at.page} pageSize={pageSize} total={total} onPage={(page) => setAt({ page })} />
        )
      }
    >
      <Grid
        id="rotations"
        label={words('scheduling.rotations')}
        columns={columns}
        {...fromList(rotations)}
        rowKey={({ Id }) => Id}
        sort={at.sort}
        onSort={(sort) => setAt({ sort, page: 1 })}
        empty={
          isFiltered
            ? { text: words('scheduling.rotationsNone') }
            : { text: words('scheduling.rotationsEmpty'), next: addNew }
        }
        {...(mayPlan && {
          onOpen: open,
          actions: (rotation: Rotation) => [
            {
              label: words('scheduling.edit'),
              icon: <IconPencil size={16} stroke={1.75} />,
              onRun: () => open(rotation),
              quick: true,
            },
            {
              label: words('scheduling.delete'),
              icon: <IconTrash size={16} stroke={1.75} />,
              onRun: () => void deleteIt(rotation),
              quick: true,
              tone: 'danger' as const,
            },
          ],
        })}
      />
    </Page>
  )
}
