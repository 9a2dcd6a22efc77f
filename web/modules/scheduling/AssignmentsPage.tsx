import {
  IconCalendarPlus,
  IconCalendarRepeat,
  IconCalendarShare,
  IconCalendarStats,
  IconReplace,
  IconTrash,
  IconUserStar,
} from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { listedName } from '#contract/people/person-fields.ts'
import {
  changeShiftAssignments,
  exportShiftAssignments,
  listShiftAssignments,
  removeShiftAssignments,
  restoreShiftAssignments,
  type ShiftAssignment,
} from '#contract/scheduling/assignments.ts'
import { getPersonalFilterSettings } from '#contract/scheduling/personal-filters.ts'
import { callAddress } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId, useProgramOptions, useTimeZone } from '#web/api/use-state.ts'
import { ChoiceChip } from '#web/shared/ChoiceChip.tsx'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { DateChip } from '#web/ui/filters/DateChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { TickGrid, useTicks } from '#web/ui/grid/TickGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { assignmentReads } from './assignment-reads.ts'
import { AssignDialog, CalendarDialog, ChangeDialog, PersonalFiltersDialog, SeriesDialog } from './dialogs.ts'
import { useOutcome } from './outcome.tsx'
import classes from './scheduling.module.css'
import { shiftTypeName } from './shift-words.ts'
import { useMayAssign } from './use-may-assign.ts'
import { visualizationAddress } from './visualization-address.ts'

const pageSize = 50
/** Calls whose assignments are shown together at most. */
const maxShownCalls = 50
const noFilters = {
  search: '',
  rotation: null as number | null,
  student: null as number | null,
  area: null as number | null,
  site: null as number | null,
  shift: null as number | null,
  from: null as string | null,
  through: null as string | null,
  /** One assignment of each call that added what is shown. */
  added: [] as number[],
  myStudents: false,
  mySites: false,
  myShifts: false,
}
type Filters = typeof noFilters
/** Of no page the list opens at today. */
const start = { ...noFilters, sort: 'Date', page: 0, cursor: '' }

const queryOf = (at: Filters) => ({
  ...(at.search && { search: at.search }),
  ...(at.rotation && { RotationId: at.rotation }),
  ...(at.student && { StudentId: at.student }),
  ...(at.area && { AreaId: at.area }),
  ...(at.site && { SiteId: at.site }),
  ...(at.shift && { SiteShiftId: at.shift }),
  ...(at.from && { FromDate: at.from }),
  ...(at.through && { ThroughDate: at.through }),
  ...(at.added.length > 0 && { AddedWith: at.added }),
  ...(at.myStudents && { MyStudents: true }),
  ...(at.mySites && { MySites: true }),
  ...(at.myShifts && { MyShifts: true }),
})

const filtersOf = (at: Filters): Filters =>
  Object.fromEntries(Object.keys(noFilters).map((name) => [name, at[name as keyof Filters]])) as Filters

function CardText({ row }: { row: ShiftAssignment }) {
  const words = useWords()
  const today = dateOfInstant(Date.now(), useTimeZone())
  return (
    <>
      <div>
        <b>
          <StudentLink id={row.StudentId}>{listedName(row)}</StudentLink>
        </b>
      </div>
      <div className={classes.marked}>
        <ShiftMark kind={row.ShiftType} label={shiftTypeName(words, row.ShiftType)} />
        {formatDate(row.Date)}
        {row.Date === today && ` ${words('scheduling.today')}`} · {row.ShiftCode}
      </div>
      <div className="p-muted">
        {row.Site} · {row.Rotation}
      </div>
    </>
  )
}

const cardOf = (row: ShiftAssignment) => <CardText row={row} />

/** Schedule Assignments: who is where on which day, found, changed, removed, exported. */
export function AssignmentsPage() {
  const words = useWords()
  const programId = useProgramId()
  const options = useProgramOptions()
  const mayAssign = useMayAssign()
  const mayImport = useMay()('imports.run')
  const isPhone = useIsPhone()
  const navigate = usePageNavigate()
  const { at, set, filter, isFiltered, sort, sorting, pager } = useListAddress(
    listShiftAssignments,
    start,
    pageSize,
  )
  const applied = filtersOf(at)
  const ticks = useTicks()
  const [dialog, setDialog] = useState<'assign' | 'series' | 'personal' | 'calendar' | undefined>()
  const [changing, setChanging] = useState<ShiftAssignment[]>()
  const personal = useRead(getPersonalFilterSettings)
  const outcome = useOutcome()

  const filters = queryOf(applied)
  const today = dateOfInstant(Date.now(), useTimeZone())
  const isAtToday =
    at.page === 0 && at.cursor === '' && sort === 'Date' && !at.from && !at.through && at.added.length === 0
  const rows = useRead(listShiftAssignments, {
    params: { programId },
    query: {
      ...filters,
      sort,
      pageSize,
      ...(at.cursor ? { cursor: at.cursor } : isAtToday ? { StartAt: today } : { page: at.page || 1 }),
    },
  })
  const remove = useSave(removeShiftAssignments, { refresh: assignmentReads })
  const restore = useSave(restoreShiftAssignments, { refresh: assignmentReads })
  const change = useSave(changeShiftAssignments, { refresh: assignmentReads })
  const params = { programId }

  /** Times that the list was sent back to today; each begins it anew, also from where somebody has scrolled to. */
  const [returns, setReturns] = useState(0)
  const goToToday = () => {
    set({ page: 0, cursor: '', sort: 'Date', from: null, through: null, added: [] })
    setReturns(returns + 1)
  }

  const apply = (next: Partial<Filters>) => {
    ticks.clear()
    filter(next)
  }
  const removeRows = async (ids: number[]) => {
    try {
      const { Removed } = await remove.run({ params, body: { Ids: ids } })
      ticks.clear()
      toast.done({
        title: words('scheduling.removed', { count: Removed }),
        undo: () =>
          void restore
            .run({ params, body: { Ids: ids } })
            .then((answer) => outcome.tell(answer, 'back'), outcome.fail),
      })
    } catch (error) {
      outcome.fail(error)
    }
  }
  /** Puts changed rows back on the shifts they came from, one call a shift. */
  const changeBack = async (before: readonly ShiftAssignment[], ids: readonly number[]) => {
    const changed = before.filter(({ Id }) => ids.includes(Id))
    for (const [SiteShiftId, group] of Map.groupBy(changed, (row) => row.SiteShiftId)) {
      try {
        const Ids = group.map(({ Id }) => Id)
        outcome.tell(await change.run({ params, body: { Ids, SiteShiftId } }), 'changed')
      } catch (error) {
        outcome.fail(error)
      }
    }
  }

  /** The list opens at what was just added, which may be months from its first day. */
  const leave = (added: readonly number[]) => {
    setDialog(undefined)
    if (added.length > 0) apply({ ...noFilters, added: added.slice(-maxShownCalls) })
  }

  const total = rows.data?.Total ?? null
  const columns = useMemo(() => columnsIn(words, today), [words, today])
  const verbs = mayAssign && (
    <VisualizeOrAssign
      isLink={options.VisualizeFirst}
      rotationId={at.rotation}
      onAssign={() => setDialog('assign')}
    />
  )
  const chip = <K extends keyof Filters>(name: K) => ({
    value: applied[name],
    onChange: (value: Filters[K]) => apply({ [name]: value }),
  })
  return (
    <Page
      title={words('scheduling.title')}
      count={
        rows.data &&
        (total === null
          ? at.cursor
            ? undefined
            : words('scheduling.manyAssignments')
          : words('scheduling.assignmentCount', { count: total, total: total.toLocaleString('en-US') }))
      }
      actions={
        <>
          {!mayAssign && <span className="p-muted">{words('scheduling.disabledForFaculty')}</span>}
          <ExportMenu
            label={words('scheduling.export')}
            address={(Format) =>
              callAddress(exportShiftAssignments, {
                params: { programId },
                query: { ...filters, sort, Format },
              })
            }
          />
          {mayAssign && mayImport && !isPhone && (
            <Button
              variant="default"
              onClick={() => navigate('/admin/imports', { search: { kind: 'assignments' } })}
            >
              {words('scheduling.import')}
            </Button>
          )}
          {!options.VisualizeFirst && (
            <Button
              variant="default"
              component="a"
              href={visualizationAddress(at.rotation)}
              leftSection={<IconCalendarStats size={17} stroke={1.75} aria-hidden />}
            >
              {words('scheduling.visualize')}
            </Button>
          )}
          {mayAssign && (
            <Button
              variant="default"
              leftSection={<IconCalendarRepeat size={17} stroke={1.75} aria-hidden />}
              onClick={() => setDialog('series')}
            >
              {words('series.open')}
            </Button>
          )}
          {verbs}
        </>
      }
      filters={
        <FilterBar
          isSet={isFiltered}
          onReset={() => apply(noFilters)}
          onApply={() => void rows.refetch()}
          applyLabel={words('scheduling.applyFilter')}
          resetLabel={words('scheduling.resetFilter')}
        >
          <SearchBox
            label={words('scheduling.searchStudents')}
            width={200}
            maxLength={100}
            {...chip('search')}
          />
          <Button type="submit" variant="default" size="xs">
            {words('scheduling.search')}
          </Button>
          <ChoiceChip kind="rotation" name={words('scheduling.rotation')} {...chip('rotation')} />
          <ChoiceChip kind="student" name={words('scheduling.student')} {...chip('student')} />
          <ChoiceChip kind="area" name={words('scheduling.area')} {...chip('area')} />
          <ChoiceChip kind="site" name={words('scheduling.site')} {...chip('site')} />
          <ChoiceChip kind="shift" name={words('scheduling.siteShift')} {...chip('shift')} />
          <DateChip name={words('scheduling.fromDate')} none={words('scheduling.all')} {...chip('from')} />
          <DateChip
            name={words('scheduling.throughDate')}
            none={words('scheduling.all')}
            {...chip('through')}
          />
          {applied.added.length > 0 && (
            <SelectChip
              name={words('scheduling.addedWith')}
              options={[{ value: 'together', label: words('scheduling.justAdded') }]}
              value="together"
              onChange={() => apply({ added: [] })}
            />
          )}
          {personal.data?.IsStudentFilterEnabled && (
            <PersonalTick label={words('scheduling.myStudents')} {...chip('myStudents')} />
          )}
          {personal.data?.IsSiteFilterEnabled && (
            <PersonalTick label={words('scheduling.mySites')} {...chip('mySites')} />
          )}
          {personal.data?.IsShiftFilterEnabled && (
            <PersonalTick label={words('scheduling.myShifts')} {...chip('myShifts')} />
          )}
          <Button
            variant="subtle"
            color="gray"
            data-quiet
            size="xs"
            leftSection={<IconUserStar size={15} stroke={1.75} aria-hidden />}
            onClick={() => setDialog('personal')}
          >
            {words('scheduling.personal')}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            data-quiet
            size="xs"
            leftSection={<IconCalendarShare size={15} stroke={1.75} aria-hidden />}
            onClick={() => setDialog('calendar')}
          >
            {words('scheduling.calendar')}
          </Button>
        </FilterBar>
      }
      footerEnd={
        <>
          <Button variant="default" size="xs" onClick={goToToday}>
            {words('scheduling.today')}
          </Button>
          {total !== null ? (
            <Pager {...pager} page={rows.data?.Page ?? 1} total={total} />
          ) : (
            <>
              {(at.cursor || isAtToday) && (
                <Button variant="default" size="xs" onClick={() => set({ page: 1, cursor: '' })}>
                  {words('scheduling.first')}
                </Button>
              )}
              {rows.data?.NextCursor && (
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => set({ cursor: rows.data.NextCursor ?? '' })}
                >
                  {words('scheduling.next')}
                </Button>
              )}
            </>
          )}
        </>
      }
    >
      <TickGrid
        key={returns}
        ticks={ticks}
        tone={(row) => (row.Date === today ? 'now' : undefined)}
        id="shift-assignments"
        label={words('scheduling.title')}
        columns={columns}
        {...fromList(rows)}
        rowKey={({ Id }) => Id}
        {...sorting}
        {...(total !== null && { total })}
        {...(isAtToday && { beginsAt: rows.data?.Items.find(({ Date: date }) => date >= today)?.Id })}
        card={cardOf}
        empty={{
          text: `${words('scheduling.empty')} ${mayAssign ? words('scheduling.emptyNext') : ''}`,
          next: verbs,
          filters: { isFiltered, reset: () => apply(noFilters) },
        }}
        {...(mayAssign && {
          bulk: (chosen: ShiftAssignment[]) => ({
            sum: words('scheduling.selectedSum', {
              count: new Set(chosen.map(({ StudentId }) => StudentId)).size,
            }),
            verbs: [
              {
                label: words('scheduling.change'),
                icon: <IconReplace size={16} stroke={1.75} aria-hidden />,
                onRun: () => setChanging(chosen),
                main: true,
              },
              {
                label: words('scheduling.remove'),
                icon: <IconTrash size={16} stroke={1.75} aria-hidden />,
                onRun: () => void removeRows(chosen.map(({ Id }) => Id)),
              },
            ],
          }),
        })}
      />
      {dialog === 'assign' && <AssignDialog rotationId={at.rotation} onClose={leave} />}
      {dialog === 'series' && <SeriesDialog rotationId={at.rotation} onClose={leave} />}
      {dialog === 'calendar' && (
        <CalendarDialog of="staff" programId={programId} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'personal' && <PersonalFiltersDialog onClose={() => setDialog(undefined)} />}
      {changing && (
        <ChangeDialog
          ids={changing.map(({ Id }) => Id)}
          onClose={() => setChanging(undefined)}
          onFailed={outcome.fail}
          onChanged={(answer) => {
            ticks.clear()
            outcome.tell(answer, 'changed', () => void changeBack(changing, answer.Ids))
          }}
        />
      )}
      {outcome.dialog}
    </Page>
  )
}

/** Add/Remove Assignments, or where the program looks first, the link to the picture. */
function VisualizeOrAssign(props: { isLink: boolean; rotationId: number | null; onAssign: () => void }) {
  const words = useWords()
  const icon = <IconCalendarPlus size={17} stroke={1.75} aria-hidden />
  return props.isLink ? (
    <Button component="a" href={visualizationAddress(props.rotationId)} leftSection={icon}>
      {words('scheduling.addRemove')}
    </Button>
  ) : (
    <Button leftSection={icon} onClick={props.onAssign}>
      {words('scheduling.addRemove')}
    </Button>
  )
}

function PersonalTick(props: { label: string; value: boolean; onChange: (value: boolean) => void }) {
  return (
    <label className={classes.tick}>
      <input
        type="checkbox"
        className="p-tick"
        checked={props.value}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  )
}

const columnsIn = (words: Words, today: string): GridColumn<ShiftAssignment>[] => {
  return [
    { id: 'Rotation', header: words('scheduling.rotation'), sortable: true, minWidth: 150, grow: 2 },
    {
      id: 'Date',
      header: words('scheduling.date'),
      width: 104,
      sortable: true,
      cell: (row) => formatDate(row.Date),
      detail: (row) => row.Date === today && words('scheduling.today'),
      text: (row) => formatDate(row.Date),
    },
    {
      id: 'LastName',
      header: words('scheduling.lastName'),
      sortable: true,
      identity: true,
      minWidth: 130,
      cell: (row) => <StudentLink id={row.StudentId}>{row.LastName}</StudentLink>,
      text: (row) => row.LastName,
    },
    { id: 'FirstName', header: words('scheduling.firstName'), sortable: true, minWidth: 110 },
    { id: 'Area', header: words('scheduling.area'), sortable: true, minWidth: 100 },
    { id: 'Site', header: words('scheduling.site'), sortable: true, minWidth: 150, grow: 2 },
    { id: 'SiteCode', header: words('scheduling.siteCode'), sortable: true, width: 104 },
    { id: 'ShiftCode', header: words('scheduling.shiftCode'), sortable: true, width: 116 },
    {
      id: 'ShiftType',
      header: words('scheduling.shiftType'),
      width: 124,
      sortable: true,
      text: ({ ShiftType }) => shiftTypeName(words, ShiftType),
      cell: ({ ShiftType }) => (
        <span className={classes.marked}>
          <ShiftMark kind={ShiftType} />
          {shiftTypeName(words, ShiftType)}
        </span>
      ),
    },
  ]
}
