import { IconArrowDown, IconMail, IconTrendingDown, IconUserSearch } from '@tabler/icons-react'
import { useMemo } from 'react'
import { getPersonalFilterSettings } from '#contract/scheduling/personal-filters.ts'
import {
  exportHoursSummary,
  getHoursSummary,
  type HoursFigure,
  type HoursRow,
  hoursFigures,
  hoursFilters,
} from '#contract/time/hours-summary.ts'
import { shortBy } from '#contract/time/short-by.ts'
import { callAddress } from '#web/api/call.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead } from '#web/api/use-call.ts'
import { useFilteredList } from '#web/api/use-filtered-list.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ChoiceChip } from '#web/shared/ChoiceChip.tsx'
import { ListFilters } from '#web/shared/ListFilters.tsx'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { useWriteTo } from '#web/shared/use-write-to.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { ChartKey } from '#web/ui/charts/ChartKey.tsx'
import { Histogram } from '#web/ui/charts/Histogram.tsx'
import { ProgressLine } from '#web/ui/charts/ProgressLine.tsx'
import { DetailCard } from '#web/ui/DetailCard.tsx'
import { formatDate, formatHours } from '#web/ui/dates.ts'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { TickGrid, useTicks } from '#web/ui/grid/TickGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { HoursFoot } from './HoursFoot.tsx'
import { histogramBins } from './hours-bins.ts'
import classes from './time.module.css'

const pageSize = 500
const start = { rotation: null as number | null, personal: '', sort: 'Projection', page: 1 }
/** The rotation is the page's subject, and the personal filter has its own switch. */
const apart = ['rotation', 'personal'] as const

/** Hours Summary: each student's hours, the target, and their projection. */
export function HoursSummaryPage() {
  const words = useWords()
  const programId = useProgramId()
  const list = useFilteredList(getHoursSummary, hoursFilters, start, pageSize, apart)
  const { at, asked, filter: set, reset, isFiltered, sort, paging, sorting, pager } = list
  const personal = useRead(getPersonalFilterSettings)
  const isPersonal = at.personal !== 'off'
  const filters = {
    // Nothing chosen is the rotation that runs now, as on the home page; 0 is all of them.
    ...(at.rotation === null ? { IsCurrent: true } : at.rotation > 0 && { RotationId: at.rotation }),
    ...asked,
    ...(isPersonal && personal.data?.IsStudentFilterEnabled && { MyStudents: true }),
    ...(isPersonal && personal.data?.IsSiteFilterEnabled && { MySites: true }),
  }
  const summary = useRead(
    getHoursSummary,
    { params: { programId }, query: { ...filters, ...paging } },
    { isEnabled: !personal.isPending },
  )
  const fileAddress = (Format: 'xlsx' | 'csv' | 'pdf') =>
    callAddress(exportHoursSummary, { params: { programId }, query: { ...filters, sort, Format } })
  const data = summary.data
  const mayWrite = useMay()('mail.send')
  const writeTo = useWriteTo()
  const ticks = useTicks()
  const write = (rows: readonly HoursRow[]) =>
    writeTo(
      rows.map(({ StudentId, Student }) => ({ id: StudentId, name: Student })),
      { subject: words('time.emailShortSubject'), text: words('time.emailShortText') },
    )
  const most = Math.max(0, ...(data?.Items.map((row) => Math.max(row.Target, row.Projection)) ?? [])) * 1.08
  const endDate = data?.EndDate ?? null
  const columns = useMemo(() => hoursColumns(words, most, endDate), [words, most, endDate])
  const hasPersonal = Boolean(personal.data?.IsStudentFilterEnabled || personal.data?.IsSiteFilterEnabled)

  return (
    <Page
      title={words('time.hoursTitle')}
      beside={
        <ChoiceChip
          kind="rotation"
          name={words('time.rotation')}
          value={at.rotation === null ? (data?.RotationId ?? null) : at.rotation || null}
          onChange={(rotation) => set({ rotation: rotation ?? 0 })}
        />
      }
      actions={<ExportMenu address={fileAddress} pdf={fileAddress('pdf')} />}
      filters={
        <ListFilters
          filters={hoursFilters}
          list={list}
          end={
            hasPersonal && (
              <PersonalNotice
                filter={data?.PersonalFilter}
                isOn={isPersonal}
                onChange={(isOn) => set({ personal: isOn ? '' : 'off' })}
              />
            )
          }
        />
      }
      above={
        data
          ? data.Total !== 0 && <Band data={data} onEmail={mayWrite ? write : undefined} />
          : !summary.error && <BandToCome />
      }
      footer={
        data &&
        `${words('time.studentsCount', { count: data.Total ?? 0 })}${sort === 'Projection' ? ` · ${words('time.lowestFirst')}` : ''}`
      }
      footerEnd={
        data && (
          <HoursFoot
            figures={[
              [words('time.approved'), data.Totals.Approved],
              [words('time.pending'), data.Totals.Pending],
              [words('time.target'), data.Totals.Target],
            ]}
            total={data.Total ?? 0}
            {...pager}
          />
        )
      }
    >
      <TickGrid
        ticks={ticks}
        id="hours-summary"
        label={words('time.hoursTitle')}
        columns={columns}
        rows={data?.Items}
        rowKey={({ StudentId }) => StudentId}
        {...sorting}
        isLoading={summary.isFetching}
        error={summary.error?.message}
        onRetry={() => void summary.refetch()}
        total={data?.Total ?? 0}
        empty={{ text: words('time.hoursEmpty'), filters: { isFiltered, reset } }}
        {...(mayWrite && {
          bulk: (chosen: HoursRow[]) => ({
            verbs: [
              {
                label: words('time.emailChosen'),
                icon: <IconMail size={16} stroke={1.75} aria-hidden />,
                onRun: () => write(chosen),
                main: true,
              },
            ],
          }),
        })}
      />
    </Page>
  )
}

type Summary = {
  Total: number | null
  EndDate: string | null
  Projections: number[]
  Items: HoursRow[]
  Totals: Record<HoursFigure | 'Finish', number>
}

/** The band of totals with the spread of the projections. */
function Band({
  data,
  onEmail,
}: {
  data: Summary
  onEmail?: ((rows: readonly HoursRow[]) => void) | undefined
}) {
  const words = useWords()
  const total = data.Total ?? 0
  const target = total === 0 ? 0 : data.Totals.Target / total
  const isShared = data.Items.every((row) => row.Target === data.Items[0]?.Target) && target > 0
  const short = total - data.Totals.Finish
  const isAsked = data.Totals.Target > 0
  const shortRows = data.Items.filter(({ Projection, Target }) => shortBy({ Projection, Needed: Target }) > 0)
  return (
    <div className={classes.band}>
      <dl>
        <Totals minutes={data.Totals} />
        {isAsked && (
          <div className={classes.projected}>
            <dt>
              {data.EndDate
                ? words('time.projectedOn', { date: formatDate(data.EndDate) })
                : words('time.projected')}
            </dt>
            <dd>
              {words('time.finish', { count: data.Totals.Finish, total })}
              {short > 0 && (
                <StatusTag status="rejected" icon={<IconTrendingDown size={14} stroke={2} aria-hidden />}>
                  {words('time.fallShort', { count: short })}
                </StatusTag>
              )}
              {onEmail && shortRows.length > 0 && (
                <button type="button" className={classes.emailShort} onClick={() => onEmail(shortRows)}>
                  {words('time.emailShort', { count: shortRows.length })}
                </button>
              )}
            </dd>
          </div>
        )}
      </dl>
      {isShared && data.Projections.length > 1 && (
        <Histogram
          bins={histogramBins(data.Projections, target)}
          target={target / 60}
          targetLabel={words('time.targetKey')}
          format={(hours) => String(Math.round(hours))}
          label={words('time.histogramLabel', {
            count: data.Totals.Finish,
            total,
            hours: formatHours(target),
          })}
        />
      )}
    </div>
  )
}

/** The sums of the band; dashes while they are read. */
function Totals({ minutes }: { minutes?: Summary['Totals'] }) {
  return hoursFigures.map((figure) => (
    <div key={figure.name}>
      <dt>{'longTitle' in figure ? figure.longTitle : figure.title}</dt>
      <dd>{minutes === undefined ? '–' : formatHours(minutes[figure.name])}</dd>
    </div>
  ))
}

/** Keeps the room of the band while its figures are read. */
function BandToCome() {
  const words = useWords()
  return (
    <div className={classes.band} aria-hidden>
      <dl>
        <Totals />
        <div className={classes.projected}>
          <dt>{words('time.projected')}</dt>
          <dd>–</dd>
        </div>
      </dl>
      <div className={classes.histogramToCome} />
    </div>
  )
}

function PersonalNotice(props: {
  filter: { Students: Held | null; Sites: Held | null } | undefined
  isOn: boolean
  onChange: (isOn: boolean) => void
}) {
  const words = useWords()
  const { filter, isOn, onChange } = props
  const told = [
    filter?.Sites && words('time.personalSites', { chosen: filter.Sites.Chosen, of: filter.Sites.Of }),
    filter?.Students &&
      words('time.personalStudents', { chosen: filter.Students.Chosen, of: filter.Students.Of }),
  ].filter(Boolean)
  return (
    <span className={classes.notice} data-on={isOn || undefined}>
      <IconUserSearch size={16} stroke={1.75} aria-hidden />
      {isOn ? told.join(' ') : words('time.personalAvailable')}
      <button type="button" onClick={() => onChange(!isOn)}>
        {words(isOn ? 'time.personalOff' : 'time.personalOn')}
      </button>
    </span>
  )
}
type Held = { Chosen: number; Of: number }

const figureOrDash = (minutes: number) => (minutes === 0 ? '–' : formatHours(minutes))

const hoursColumns = (words: Words, most: number, endDate: string | null): GridColumn<HoursRow>[] => {
  const figure = ({ name, title }: { name: HoursFigure; title: string }): GridColumn<HoursRow> => ({
    id: name,
    header: title,
    width: 84,
    align: 'end',
    sortable: true,
    cell: (row) => figureOrDash(row[name]),
    text: (row) => figureOrDash(row[name]),
  })
  return [
    {
      id: 'Student',
      header: words('time.student'),
      identity: true,
      sortable: true,
      minWidth: 170,
      grow: 2,
      cell: (row) => <StudentLink id={row.StudentId}>{row.Student}</StudentLink>,
      text: (row) => row.Student,
    },
    { id: 'StudentLevel', header: words('time.level'), sortable: true, width: 88 },
    { id: 'Cohort', header: words('ui.cohort'), width: 110, hidden: true },
    ...hoursFigures.map(figure),
    {
      id: 'Progress',
      header: words('time.progress'),
      head: (
        <span className={classes.progressHead}>
          {words('time.progress')}
          <ChartKey
            items={[
              { mark: 'projection', label: words('time.projectionKey') },
              { mark: 'target', label: words('time.targetKey') },
            ]}
          />
        </span>
      ),
      minWidth: 220,
      grow: 3,
      text: (row) => progressLabel(words, row),
      cell: (row) => (
        <ProgressLine
          approved={row.Approved}
          pending={row.Pending}
          target={row.Target}
          projection={row.Projection}
          most={most}
          label={progressLabel(words, row)}
        />
      ),
    },
    {
      id: 'Projection',
      header: words('time.projection'),
      width: 112,
      align: 'end',
      sortable: true,
      text: (row) => formatHours(row.Projection),
      cell: (row) => <ProjectionCell row={row} endDate={endDate} />,
    },
    {
      id: 'Difference',
      header: words('time.difference'),
      width: 124,
      align: 'end',
      sortable: true,
      text: (row) => (row.Target === 0 ? '–' : formatHours(row.Difference)),
      cell: (row) =>
        row.Target === 0 ? (
          '–'
        ) : row.Difference < 0 ? (
          <StatusTag status="rejected" icon={<IconArrowDown size={14} stroke={2} aria-hidden />}>
            {words('time.short', { hours: formatHours(-row.Difference) })}
          </StatusTag>
        ) : (
          `+${formatHours(row.Difference)}`
        ),
    },
  ]
}

const progressLabel = (words: Words, row: HoursRow): string =>
  words(row.Target === 0 ? 'time.progressNoTarget' : 'time.progressLabel', {
    approved: formatHours(row.Approved),
    pending: formatHours(row.Pending),
    projection: formatHours(row.Projection),
    target: formatHours(row.Target),
  })

/** The projection with what it is made of. */
function ProjectionCell({ row, endDate }: { row: HoursRow; endDate: string | null }) {
  const words = useWords()
  const { Parts } = row
  return (
    <DetailCard
      title={row.Student}
      lines={[
        { label: words('time.earned'), value: formatHours(Parts.Earned) },
        {
          label: endDate
            ? words('time.assignedUntil', { date: formatDate(endDate), count: Parts.AssignedShifts })
            : words('time.assigned', { count: Parts.AssignedShifts }),
          value: formatHours(Parts.Assigned),
        },
        ...(Parts.UsualAbsence === 0
          ? []
          : [
              {
                label: words('time.usualAbsence', { days: Parts.AbsentDays, past: Parts.PastDays }),
                value: formatHours(Parts.UsualAbsence),
              },
            ]),
        ...(Parts.MakeupPlanned === 0
          ? []
          : [
              {
                label: Parts.MakeupDate
                  ? words('time.makeupPlannedOn', { date: formatDate(Parts.MakeupDate) })
                  : words('time.makeupPlanned'),
                value: formatHours(Parts.MakeupPlanned),
              },
            ]),
        { label: words('time.projection'), value: formatHours(row.Projection), isTotal: true },
      ]}
      foot={
        row.Difference < 0 && (
          <a href={`${pageAddress('admin/shift-assignments')}?student=${row.StudentId}`}>
            {words('time.findShift', { hours: formatHours(-row.Difference) })}
          </a>
        )
      }
    >
      <button type="button" className={classes.figure}>
        {formatHours(row.Projection)}
      </button>
    </DetailCard>
  )
}
