import { IconCalendarOff } from '@tabler/icons-react'
import { useState } from 'react'
import {
  deleteSiteShift,
  listSiteShifts,
  restoreSiteShift,
  type ShiftType,
  type SiteShift,
} from '#contract/scheduling/site-shifts.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ChoiceChip } from '#web/shared/ChoiceChip.tsx'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
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
import { useWords } from '#web/words/use-words.ts'
import { DaysOffDialog } from './DaysOffDialog.tsx'
import classes from './scheduling.module.css'
import { shiftTypeName, shiftTypes, weekdaysText } from './shift-words.ts'

const pageSize = 50
const start = {
  search: '',
  sort: 'Code',
  page: 1,
  site: null as number | null,
  area: null as number | null,
  type: null as string | null,
}

/** Site shifts: where, when and for how many. */
export function ShiftsPage() {
  const words = useWords()
  const programId = useProgramId()
  const mayPlan = useMay()('scheduling.plan')
  const navigate = usePageNavigate()
  const { at, filter, reset, isFiltered, paging, sorting, pager } = useListAddress(
    listSiteShifts,
    start,
    pageSize,
  )
  const [areDaysOffOpen, setDaysOffOpen] = useState(false)
  const shifts = useRead(listSiteShifts, {
    params: { programId },
    query: {
      ...paging,
      ...(at.search && { search: at.search }),
      ...(at.site && { SiteId: at.site }),
      ...(at.area && { AreaId: at.area }),
      ...(at.type && { Type: at.type as ShiftType }),
    },
  })
  const remove = useSave(deleteSiteShift, { refresh: [listSiteShifts] })
  const restore = useSave(restoreSiteShift, { refresh: [listSiteShifts] })
  const open = (shift?: SiteShift) =>
    navigate('/admin/shifts/edit', { ...(shift && { search: { id: shift.Id } }) })
  const deleteIt = ({ Id, Code }: SiteShift) => {
    const params = { programId, siteShiftId: Id }
    return deleteWithUndo({
      remove: () => remove.run({ params }),
      restore: () => restore.run({ params }),
      deleted: words('scheduling.deleted', { name: Code }),
      restored: words('scheduling.restored', { name: Code }),
      notDeleted: words('scheduling.notDeleted', { name: Code }),
      notRestored: words('scheduling.notRestored', { name: Code }),
    })
  }
  const columns: GridColumn<SiteShift>[] = [
    {
      id: 'Code',
      header: words('scheduling.code'),
      identity: true,
      sortable: true,
      width: 130,
      text: ({ Code }) => Code,
      cell: ({ Code, Type }) => (
        <span className={classes.marked}>
          <ShiftMark kind={Type} />
          <span className="p-ellipsis">{Code}</span>
        </span>
      ),
    },
    { id: 'Site', header: words('scheduling.site'), sortable: true, minWidth: 200, grow: 2 },
    { id: 'Name', header: words('scheduling.name'), sortable: true, minWidth: 120, hidden: true },
    {
      id: 'Type',
      header: words('scheduling.type'),
      width: 100,
      sortable: true,
      cell: ({ Type }) => shiftTypeName(words, Type),
      text: ({ Type }) => shiftTypeName(words, Type),
    },
    {
      id: 'Weekdays',
      header: words('scheduling.weekdays'),
      width: 140,
      cell: ({ Weekdays }) => weekdaysText(words, Weekdays),
      text: ({ Weekdays }) => weekdaysText(words, Weekdays),
    },
    {
      id: 'StartTime',
      header: words('scheduling.time'),
      width: 130,
      sortable: true,
      cell: ({ StartTime, EndTime }) => `${StartTime}–${EndTime}`,
      text: ({ StartTime, EndTime }) => `${StartTime}–${EndTime}`,
    },
    {
      id: 'Capacity',
      header: words('scheduling.capacity'),
      width: 110,
      align: 'end',
      sortable: true,
      cell: ({ Capacity }) => words('scheduling.aDay', { count: Capacity }),
    },
    {
      id: 'StartDate',
      header: words('scheduling.active'),
      width: 180,
      sortable: true,
      cell: ({ StartDate, EndDate }) => `${formatDate(StartDate)} – ${formatDate(EndDate)}`,
      text: ({ StartDate, EndDate }) => `${formatDate(StartDate)} – ${formatDate(EndDate)}`,
    },
    {
      id: 'AssignmentCount',
      header: words('scheduling.assignments'),
      width: 120,
      align: 'end',
      hidden: true,
    },
  ]
  const addNew = <AddNew reason={!mayPlan && words('shell.notAllowedDetail')} onClick={() => open()} />
  const total = shifts.data?.Total ?? 0
  return (
    <Page
      title={words('scheduling.shifts')}
      count={shifts.data && words('scheduling.shiftCount', { count: total })}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconCalendarOff size={17} stroke={1.75} aria-hidden />}
            onClick={() => setDaysOffOpen(true)}
          >
            {words('scheduling.daysOff')}
          </Button>
          {addNew}
        </>
      }
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SearchBox
            label={words('scheduling.searchShifts')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
          <ChoiceChip
            kind="site"
            name={words('scheduling.site')}
            value={at.site}
            onChange={(site) => filter({ site })}
          />
          <ChoiceChip
            kind="area"
            name={words('scheduling.area')}
            value={at.area}
            onChange={(area) => filter({ area })}
          />
          <SelectChip
            name={words('scheduling.type')}
            options={shiftTypes.map((type) => ({ value: type, label: shiftTypeName(words, type) }))}
            value={at.type}
            onChange={(type) => filter({ type })}
          />
        </FilterBar>
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="site-shifts"
        label={words('scheduling.shifts')}
        columns={columns}
        {...fromList(shifts)}
        rowKey={({ Id }) => Id}
        {...sorting}
        empty={{ text: words('scheduling.shiftsEmpty'), next: addNew, filters: { isFiltered, reset } }}
        {...(mayPlan && {
          onOpen: open,
          actions: (shift: SiteShift) => [
            editAction(() => open(shift)),
            deleteAction(() => void deleteIt(shift)),
          ],
        })}
      />
      {areDaysOffOpen && <DaysOffDialog onClose={() => setDaysOffOpen(false)} />}
    </Page>
  )
}
