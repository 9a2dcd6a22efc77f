import { IconUsers } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import {
  type EmploymentRow,
  employmentStatuses,
  exportEmployment,
  listEmployment,
  listPlacementPeople,
  listPlacementRates,
  type PlacementRow,
  type PlacementTotals,
} from '#contract/people/employment.ts'
import { callAddress } from '#web/api/call.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { aboutMeasure } from '#web/shared/measure-text.ts'
import { RatePeople } from '#web/shared/RatePeople.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Button } from '#web/ui/buttons.ts'
import { Meter } from '#web/ui/charts/Meter.tsx'
import { WeekBars } from '#web/ui/charts/WeekBars.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './employment.module.css'

const pageSize = 100
const views = ['cohorts', 'alumni', 'students'] as const
type View = (typeof views)[number]
/** `cohort` is null for all; '-' stands for people without one, since '' cannot be in an address. */
const start = {
  view: 'cohorts',
  cohort: null as string | null,
  status: '',
  search: '',
  sort: 'Name',
  page: 1,
}
const withoutCohort = '-'
const maxBars = 10
/** Two bars say no more than two rows. */
const minBars = 3

const percent = (rate: number | null): string => (rate === null ? '–' : `${rate.toFixed(1)} %`)

/** Employment: who found work, by cohort as accreditors ask, and by person. */
export function EmploymentReportPage() {
  const [{ view }] = useAddress(start)
  return view === 'alumni' || view === 'students' ? <People view={view} /> : <Cohorts />
}

function Views({ value }: { value: View }) {
  const words = useWords()
  const [, setAt] = useAddress(start)
  const label = { cohorts: 'byCohort', alumni: 'alumni', students: 'students' } as const
  return (
    <SegmentedCounts
      label={words('employment.view')}
      value={value}
      onChange={(view) => setAt({ ...start, view })}
      segments={views.map((view) => ({ value: view, label: words(`employment.${label[view]}`) }))}
    />
  )
}

const rateLabel = (words: Words, row: PlacementTotals): string =>
  row.Rate === null
    ? words('employment.noRate')
    : words('employment.rateLabel', { count: row.Placed, all: row.Counted })

const cohortColumns = (words: Words): GridColumn<PlacementRow>[] => {
  const figure = (
    id: Exclude<keyof PlacementTotals, 'Rate' | 'Placed' | 'Counted'>,
    header: string,
    hidden = false,
  ): GridColumn<PlacementRow> => {
    const text = (row: PlacementRow) => (row[id] ? row[id].toLocaleString('en-US') : '–')
    return {
      id,
      header,
      width: 104,
      align: 'end',
      sortable: true,
      sortBy: (row) => row[id],
      cell: text,
      text,
      hidden,
    }
  }
  const name = (row: PlacementRow) => row.Cohort || words('employment.noCohort')
  return [
    {
      id: 'Cohort',
      header: words('employment.cohort'),
      identity: true,
      sortable: true,
      minWidth: 120,
      sortBy: (row) => row.Cohort,
      cell: name,
      text: name,
    },
    figure('Graduates', words('employment.graduates')),
    figure('Field', words('employment.inField')),
    figure('Other', words('employment.inOther')),
    figure('Seeking', words('employment.looking')),
    figure('Education', words('employment.inEducation')),
    figure('Military', words('employment.inMilitary'), true),
    figure('NotSeeking', words('employment.notLooking'), true),
    figure('Unknown', words('employment.none')),
    {
      id: 'Rate',
      header: words('employment.rate'),
      minWidth: 180,
      grow: 2,
      sortable: true,
      sortBy: (row) => row.Rate,
      text: (row) => rateLabel(words, row),
      cell: (row) => (
        <span className={classes.rate}>
          {row.Rate === null ? <span /> : <Meter value={row.Rate} most={100} label={rateLabel(words, row)} />}
          {percent(row.Rate)}
        </span>
      ),
    },
  ]
}

function Cohorts() {
  const words = useWords()
  const programId = useProgramId()
  const [, setAt] = useAddress(start)
  const rates = useRead(listPlacementRates, { params: { programId } })
  const { data } = rates
  const [isShown, setShown] = useState(false)
  const people = useRead(listPlacementPeople, { params: { programId }, query: {} }, { isEnabled: isShown })
  const about = data ? words('employment.rateAbout', { about: aboutMeasure(words, data.Measure) }) : ''
  const columns = useMemo(() => cohortColumns(words), [words])
  const open = (row: PlacementRow) => setAt({ ...start, view: 'alumni', cohort: row.Cohort || withoutCohort })
  const bars = (data?.Rows ?? [])
    .filter(({ Rate, Cohort }) => Rate !== null && Cohort)
    .slice(0, maxBars)
    .toReversed()
  return (
    <Page
      title={words('employment.title')}
      count={data && words('employment.alumniCount', { count: data.Totals.Graduates })}
      actions={
        <ExportMenu
          address={(Format) =>
            callAddress(exportEmployment, { params: { programId }, query: { By: 'cohort', Format } })
          }
        />
      }
      filters={<Views value="cohorts" />}
      inset
    >
      {data && data.Totals.Graduates > 0 && (
        <div className={classes.band}>
          <dl>
            <div>
              <dt>{words('employment.rate')}</dt>
              <dd title={rateLabel(words, data.Totals)}>
                {percent(data.Totals.Rate)}{' '}
                <Button variant="subtle" onClick={() => setShown(true)}>
                  {words('effectiveness.whoCounts')}
                </Button>
              </dd>
            </div>
            <div>
              <dt>{words('employment.inField')}</dt>
              <dd>{data.Totals.Field}</dd>
            </div>
            <div>
              <dt>{words('employment.looking')}</dt>
              <dd>{data.Totals.Seeking}</dd>
            </div>
            <div>
              <dt>{words('employment.none')}</dt>
              <dd>{data.Totals.Unknown}</dd>
            </div>
          </dl>
          {bars.length >= minBars && (
            <div className={classes.chart}>
              <WeekBars
                label={words('employment.ratesLabel')}
                height={150}
                valueName={words('employment.rate')}
                format={(rate) => `${Math.round(rate)} %`}
                // Cohorts without a rate were left out.
                bars={bars.map(({ Cohort, Rate }) => ({ label: Cohort.slice(0, 8), value: Rate! }))}
              />
            </div>
          )}
        </div>
      )}
      {/* Where the band above it comes, another one is drawn: nothing moves. */}
      <Grid
        key={String(data !== undefined)}
        id="employment-cohorts"
        label={words('employment.title')}
        columns={columns}
        rows={data?.Rows}
        rowKey={({ Cohort }) => Cohort}
        sortHere
        isLoading={rates.isFetching}
        error={rates.error?.message}
        onRetry={() => void rates.refetch()}
        empty={{ text: words('employment.noneYet') }}
        onOpen={open}
        actions={(row) => [
          {
            label: words('employment.showPeople'),
            icon: <IconUsers size={16} stroke={1.75} />,
            quick: true,
            onRun: () => open(row),
          },
        ]}
        height="auto"
        framed
      />
      {data && (
        <p className={classes.note}>
          {about} <PageLink href="/new/admin/effectiveness">{words('employment.rateElsewhere')}</PageLink>
        </p>
      )}
      {isShown && (
        <RatePeople
          title={words('effectiveness.peopleOf', { name: words('employment.rate') })}
          about={about}
          read={people}
          onClose={() => setShown(false)}
        />
      )}
    </Page>
  )
}

const personColumns = (words: Words): GridColumn<EmploymentRow>[] => {
  const plain = (id: 'Employer' | 'Position' | 'Credential', header: string, sortable = false) => ({
    id,
    header,
    sortable,
    cell: (row: EmploymentRow) => row[id] || '–',
    text: (row: EmploymentRow) => row[id],
  })
  const day = (id: 'StartDate' | 'UpdatedOn', header: string): GridColumn<EmploymentRow> => ({
    id,
    header,
    width: 120,
    sortable: true,
    cell: (row) => formatDate(row[id]) || '–',
    text: (row) => formatDate(row[id]),
  })
  const status = (row: EmploymentRow) => words(`employment.${row.Status ?? 'none'}`)
  const consent = (row: EmploymentRow) => words(row.MayContact ? 'employment.yes' : 'employment.no')
  return [
    { id: 'Name', header: words('employment.name'), identity: true, sortable: true, minWidth: 170 },
    {
      id: 'Cohort',
      header: words('employment.cohort'),
      width: 100,
      sortable: true,
      cell: (row) => row.Cohort || '–',
      text: (row) => row.Cohort,
    },
    {
      id: 'Status',
      header: words('employment.status'),
      width: 190,
      sortable: true,
      cell: status,
      text: status,
    },
    plain('Employer', words('employment.employer'), true),
    plain('Position', words('employment.position')),
    day('StartDate', words('employment.start')),
    { ...plain('Credential', words('employment.credential')), hidden: true },
    { id: 'EmailAddress', header: words('employment.email'), hidden: true },
    { id: 'MayContact', header: words('employment.consent'), width: 150, cell: consent, text: consent },
    { ...day('UpdatedOn', words('employment.toldOn')), hidden: true },
  ]
}

function People({ view }: { view: 'alumni' | 'students' }) {
  const words = useWords()
  const programId = useProgramId()
  const { at, filter, sort, paging, sorting, pager } = useListAddress(listEmployment, start, pageSize)
  const rates = useRead(listPlacementRates, { params: { programId } }, { isEnabled: view === 'alumni' })
  const status = [...employmentStatuses, 'none' as const].find((each) => each === at.status)
  const filters = {
    Who: view,
    ...(at.cohort !== null && { Cohort: at.cohort === withoutCohort ? '' : String(at.cohort) }),
    ...(status && { Status: status }),
    search: at.search,
    sort,
  }
  const people = useRead(listEmployment, {
    params: { programId },
    query: { ...filters, ...paging },
  })
  const total = people.data?.Total ?? 0
  const columns = useMemo(() => personColumns(words), [words])
  const isFiltered = at.cohort !== null || Boolean(status) || at.search !== ''
  const reset = () => filter({ cohort: null, status: '', search: '' })
  const count = people.data && words('employment.peopleCount', { count: total })
  return (
    <Page
      title={words('employment.title')}
      count={count}
      actions={
        <ExportMenu
          address={(Format) =>
            callAddress(exportEmployment, {
              params: { programId },
              query: { ...filters, By: 'person', Format },
            })
          }
        />
      }
      filters={<Views value={view} />}
      above={
        <FilterBar isSet={isFiltered} onReset={reset}>
          {view === 'alumni' && (
            <SelectChip
              name={words('employment.cohort')}
              options={(rates.data?.Rows ?? []).map(({ Cohort }) => ({
                value: Cohort || withoutCohort,
                label: Cohort || words('employment.noCohort'),
              }))}
              value={at.cohort === null ? null : String(at.cohort)}
              onChange={(cohort) => filter({ cohort })}
            />
          )}
          <SelectChip
            name={words('employment.status')}
            options={[...employmentStatuses, 'none' as const].map((value) => ({
              value,
              label: words(`employment.${value}`),
            }))}
            value={status ?? null}
            onChange={(value) => filter({ status: value ?? '' })}
          />
          <SearchBox
            label={words('employment.search')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      footer={count}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="employment-people"
        label={words('employment.title')}
        columns={columns}
        {...fromList(people)}
        rowKey={({ UserId }) => UserId}
        {...sorting}
        empty={{ text: words('employment.noneYet'), filters: { isFiltered, reset } }}
      />
    </Page>
  )
}
