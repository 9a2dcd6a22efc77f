import { useMemo } from 'react'
import {
  exportTimeSummaries,
  getTimeSummaries,
  type TimeGroup,
  type TimeSort,
  type TimeTotal,
  timeGroups,
} from '#contract/time/time-summaries.ts'
import { callAddress } from '#web/api/call.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { ChoiceChip, LevelsChip } from '#web/shared/ChoiceChip.tsx'
import { CohortChip } from '#web/shared/CohortChip.tsx'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { ChartKey } from '#web/ui/charts/ChartKey.tsx'
import { ProgressLine } from '#web/ui/charts/ProgressLine.tsx'
import { WeekBars } from '#web/ui/charts/WeekBars.tsx'
import { formatDate, formatHours } from '#web/ui/dates.ts'
import { DateRangeChip } from '#web/ui/filters/DateRangeChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { HoursFoot } from './HoursFoot.tsx'
import classes from './time.module.css'

const pageSize = 100
const noFilters = {
  rotation: null as number | null,
  area: null as number | null,
  site: null as number | null,
  student: null as number | null,
  levels: [] as number[],
  cohort: '',
  type: '',
  from: '',
  through: '',
}
const start = { ...noFilters, by: 'student', sort: 'Name', page: 1 }
const types = ['out', 'exception', 'absence', 'makeup'] as const
type Type = (typeof types)[number]

const typeName = (words: Words, type: string): string =>
  ({
    out: words('time.typeClocked'),
    exception: words('time.typeException'),
    absence: words('time.typeAbsence'),
    makeup: words('time.typeMakeup'),
  })[type] ?? type

/** Time Totals: time by student, site, area, month and type, beside what was planned and is asked. */
export function TimeTotalsPage() {
  const words = useWords()
  const programId = useProgramId()
  const [at, setAt] = useAddress(start)
  const by = (timeGroups as readonly string[]).includes(at.by) ? (at.by as TimeGroup) : 'student'
  const type = (types as readonly string[]).includes(at.type) ? (at.type as Type) : undefined
  const sort = at.sort as TimeSort
  const filters = {
    ...(at.rotation !== null && { RotationId: at.rotation }),
    ...(at.area !== null && { AreaId: at.area }),
    ...(at.site !== null && { SiteId: at.site }),
    ...(at.student !== null && { StudentId: at.student }),
    ...(at.levels.length > 0 && { StudentLevelIds: at.levels }),
    ...(at.cohort && { Cohort: at.cohort }),
    ...(type && { Type: type }),
    ...(at.from && { FromDate: at.from }),
    ...(at.through && { ThroughDate: at.through }),
    By: by,
    sort,
  }
  const totals = useRead(getTimeSummaries, {
    params: { programId },
    query: { ...filters, page: at.page, pageSize },
  })
  const { data } = totals
  const set = (change: Partial<typeof at>) => setAt({ ...change, page: 1 })
  const most = useMemo(
    () =>
      Math.max(
        1,
        ...(data?.Items.map((row) => Math.max(row.Target ?? row.Planned ?? 0, row.Approved + row.Pending)) ??
          []),
      ) * 1.05,
    [data],
  )
  const columns = useMemo(() => totalColumns(words, by, most), [words, by, most])
  /** A row becomes the filter of the next finer view. */
  const open = ({ Key, Id }: TimeTotal) => {
    if (by === 'type') return set({ type: Key, by: 'student' })
    if (by === 'month') {
      const [year, month] = Key.split('-').map(Number) as [number, number]
      const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
      return set({ from: `${Key}-01`, through: last, by: 'student' })
    }
    if (Id === null) return undefined
    return set({ [by]: Id, by: by === 'student' ? 'site' : 'student' })
  }
  /** Nothing is put below the band before the band is there: it would move. */
  const isKnown = !totals.isPending
  return (
    <Page
      title={words('time.totalsTitle')}
      count={data && words('time.recordsCount', { count: data.Totals.Records })}
      actions={
        <ExportMenu
          address={(Format) =>
            callAddress(exportTimeSummaries, { params: { programId }, query: { ...filters, Format } })
          }
        />
      }
      filters={
        <FilterBar
          isSet={Object.keys(filters).length > 2}
          onReset={() => set(noFilters)}
          resetLabel={words('time.reset')}
        >
          {(['rotation', 'area', 'site', 'student'] as const).map((kind) => (
            <ChoiceChip
              key={kind}
              kind={kind}
              name={words(`time.${kind}`)}
              value={at[kind]}
              onChange={(id) => set({ [kind]: id })}
            />
          ))}
          <LevelsChip name={words('time.level')} value={at.levels} onChange={(levels) => set({ levels })} />
          <CohortChip value={at.cohort} onChange={(cohort) => set({ cohort })} />
          <SelectChip
            name={words('time.type')}
            options={types.map((value) => ({ value, label: typeName(words, value) }))}
            value={type ?? null}
            onChange={(value) => set({ type: value ?? '' })}
          />
          <DateRangeChip
            name={words('time.date')}
            value={{ from: at.from || null, to: at.through || null }}
            onChange={({ from, to }) => set({ from: from ?? '', through: to ?? '' })}
          />
        </FilterBar>
      }
      footer={data && words('time.recordsCount', { count: data.Totals.Records })}
      footerEnd={
        data && (
          <HoursFoot
            figures={[
              [words('time.approved'), data.Totals.Approved],
              [words('time.pending'), data.Totals.Pending],
            ]}
            total={data.Total ?? 0}
            page={at.page}
            pageSize={pageSize}
            onPage={(page) => setAt({ page })}
          />
        )
      }
      inset
    >
      {data && data.Weeks.length > 0 && (
        <div className={`${classes.band} ${classes.totalsBand}`}>
          <dl>
            {(['Approved', 'Pending', 'Absence', 'Planned'] as const).map((name) => (
              <div key={name}>
                <dt>{words(`time.${name.toLowerCase() as 'approved'}`)}</dt>
                <dd>{data.Totals[name] === null ? '–' : formatHours(data.Totals[name])}</dd>
              </div>
            ))}
          </dl>
          <div className={classes.weeks}>
            <WeekBars
              label={words('time.weeksLabel')}
              height={150}
              valueName={words('time.approved')}
              pendingName={words('time.pending')}
              format={(hours) => String(Math.round(hours))}
              bars={data.Weeks.map(({ Week, Approved, Pending }) => ({
                label: formatDate(Week).slice(0, 5),
                value: Approved / 60,
                pending: Pending / 60,
              }))}
            />
          </div>
        </div>
      )}
      {isKnown && (
        <div className={classes.totalsPart}>
          <SegmentedCounts
            label={words('time.totalsBy')}
            value={by}
            onChange={(next) => set({ by: next, sort: 'Name' })}
            segments={timeGroups.map((value) => ({ value, label: words(`time.by_${value}`) }))}
          />
        </div>
      )}
      <Grid
        key={String(isKnown)}
        id={`time-totals-${by}`}
        label={words('time.totalsTitle')}
        columns={columns}
        rows={data?.Items}
        rowKey={({ Key }) => Key}
        sort={at.sort}
        onSort={(next) => set({ sort: next })}
        isLoading={totals.isFetching}
        error={totals.error?.message}
        onRetry={() => void totals.refetch()}
        empty={{
          text: words('time.totalsEmpty'),
          filters: { isFiltered: Object.keys(filters).length > 2, reset: () => set(noFilters) },
        }}
        onOpen={open}
        height="auto"
        framed
      />
    </Page>
  )
}

const totalColumns = (words: Words, by: TimeGroup, most: number): GridColumn<TimeTotal>[] => {
  const nameOf = (row: TimeTotal): string => {
    if (by === 'type') return typeName(words, row.Key)
    if (by === 'month') return `${row.Key.slice(5)}/${row.Key.slice(0, 4)}`
    return row.Name || words(by === 'area' ? 'time.withoutArea' : 'time.withoutSite')
  }
  const figure = (
    id: 'Approved' | 'Pending' | 'Absence' | 'Planned' | 'Target',
    header: string,
  ): GridColumn<TimeTotal> => {
    const text = (row: TimeTotal) => (row[id] ? formatHours(row[id]) : '–')
    return { id, header, width: 100, align: 'end', sortable: true, cell: text, text }
  }
  const count = (id: 'Students' | 'Records', header: string): GridColumn<TimeTotal> => ({
    id,
    header,
    width: 100,
    align: 'end',
    sortable: true,
    cell: (row) => row[id].toLocaleString('en-US'),
  })
  const goalOf = (row: TimeTotal): number => row.Target ?? row.Planned ?? 0
  const share = (row: TimeTotal): string =>
    words('time.shareLabel', {
      done: formatHours(row.Approved),
      pending: formatHours(row.Pending),
      most: formatHours(goalOf(row)),
    })
  return [
    {
      id: 'Name',
      header: words(`time.by_${by}`),
      identity: true,
      sortable: true,
      minWidth: 180,
      grow: 3,
      cell: (row) =>
        by === 'student' && row.Id !== null ? (
          <StudentLink id={row.Id}>{nameOf(row)}</StudentLink>
        ) : (
          nameOf(row)
        ),
      text: nameOf,
    },
    ...(by === 'student' ? [] : [count('Students', words('time.by_student'))]),
    count('Records', words('time.records')),
    figure('Approved', words('time.approved')),
    figure('Pending', words('time.pending')),
    figure('Absence', words('time.absence')),
    ...(by === 'type' ? [] : [figure('Planned', words('time.planned'))]),
    ...(by === 'student' ? [figure('Target', words('time.target'))] : []),
    ...(by === 'type'
      ? []
      : [
          {
            id: 'Progress',
            header: words('time.progress'),
            head: (
              <span className={classes.progressHead}>
                {words('time.progress')}
                <ChartKey
                  items={[
                    {
                      mark: 'target',
                      label: words(by === 'student' ? 'time.targetKey' : 'time.planned'),
                    },
                  ]}
                />
              </span>
            ),
            minWidth: 190,
            grow: 2,
            text: share,
            cell: (row: TimeTotal) => (
              <ProgressLine
                approved={row.Approved}
                pending={row.Pending}
                target={goalOf(row)}
                most={most}
                label={share(row)}
              />
            ),
          },
        ]),
  ]
}
