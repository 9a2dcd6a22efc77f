import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { addDays, weekOf } from '#contract/core/calendar.ts'
import { exportWeeklyReport, getWeeklyReport, type WeeklyFigures } from '#contract/reports/weekly-reports.ts'
import { callAddress } from '#web/api/call.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { dateOfInstant, formatDate, formatHours } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'

const pageSize = 50

/** Weekly Reports: the figures of every program, week by week. */
export function WeeklyReportsPage() {
  const words = useWords()
  const thisWeek = weekOf(dateOfInstant(new Date(), useTimeZone()))
  const { at, filter, isFiltered, reset, sort, paging, sorting, pager } = useListAddress(
    getWeeklyReport,
    { week: '', search: '', sort: 'College', page: 1 },
    pageSize,
  )
  const weekStart = /^\d{4}-\d{2}-\d{2}$/.test(at.week) ? weekOf(at.week) : addDays(thisWeek, -7)
  const report = useRead(getWeeklyReport, { query: { Week: weekStart, search: at.search, ...paging } })
  const go = (days: number) => filter({ week: addDays(weekStart, days) })
  const count = (
    id: 'ActivePeople' | 'SignIns' | 'Waiting' | 'EvaluationsCompleted' | 'EvaluationsLate',
    header: string,
    minWidth = 100,
  ): GridColumn<WeeklyFigures> => ({
    id,
    header,
    minWidth,
    align: 'end',
    cell: (row) => row[id].toLocaleString('en-US'),
  })
  const hours = (id: 'RecordedMinutes' | 'ApprovedMinutes', header: string): GridColumn<WeeklyFigures> => ({
    id,
    header,
    minWidth: 100,
    align: 'end',
    cell: (row) => formatHours(row[id]),
  })
  const columns: GridColumn<WeeklyFigures>[] = [
    { id: 'College', header: words('weeklyReports.college'), sortable: true, minWidth: 130 },
    { id: 'Program', header: words('weeklyReports.program'), identity: true, sortable: true, minWidth: 130 },
    count('ActivePeople', words('weeklyReports.activePeople')),
    count('SignIns', words('weeklyReports.signIns')),
    hours('RecordedMinutes', words('weeklyReports.recorded')),
    hours('ApprovedMinutes', words('weeklyReports.approved')),
    count('Waiting', words('weeklyReports.waiting')),
    count('EvaluationsCompleted', words('weeklyReports.completed'), 160),
    count('EvaluationsLate', words('weeklyReports.late')),
  ]
  const total = report.data?.Total ?? 0
  const week = words('weeklyReports.week', {
    from: formatDate(weekStart),
    until: formatDate(addDays(weekStart, 6)),
  })
  return (
    <Page
      title={words('weeklyReports.title')}
      count={weekStart === thisWeek ? `${week} · ${words('weeklyReports.running')}` : week}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconChevronLeft size={16} stroke={2} aria-hidden />}
            onClick={() => go(-7)}
          >
            {words('weeklyReports.before')}
          </Button>
          <DisabledReason reason={weekStart >= thisWeek && words('weeklyReports.atEnd')}>
            <Button
              variant="default"
              rightSection={<IconChevronRight size={16} stroke={2} aria-hidden />}
              onClick={() => go(7)}
            >
              {words('weeklyReports.after')}
            </Button>
          </DisabledReason>
          <ExportMenu
            address={(Format) =>
              callAddress(exportWeeklyReport, { query: { Week: weekStart, search: at.search, sort, Format } })
            }
          />
        </>
      }
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SearchBox
            label={words('weeklyReports.search')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      footer={report.data && words('weeklyReports.count', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="weekly-reports"
        label={words('weeklyReports.title')}
        columns={columns}
        {...fromList(report)}
        rowKey={({ ProgramId }) => ProgramId}
        {...sorting}
        empty={{ text: words('programs.noneYet'), filters: { isFiltered, reset } }}
      />
    </Page>
  )
}
