import { IconCheck, IconListDetails, IconMail, IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import {
  countTimeRecords,
  exportTimeRecords,
  listTimeRecords,
  type TimeRecord,
} from '#contract/time/time-records.ts'
import { callAddress } from '#web/api/call.ts'
import { pageAddress } from '#web/api/root.ts'
import { addressQuery } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { formatHours } from '#web/ui/dates.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { TickGrid, useTicks } from '#web/ui/grid/TickGrid.tsx'
import { later } from '#web/ui/later.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { useWords } from '#web/words/use-words.ts'
import { NewRecords } from './NewRecords.tsx'
import { recordCard, useRecordColumns } from './record-columns.tsx'
import { WriteDialog } from './record-dialogs.ts'
import classes from './time.module.css'
import {
  filtersOf,
  noFilters,
  queryOf,
  sameFilters,
  TimeFilterBar,
  type TimeFilterValues,
} from './time-filters.tsx'
import { isApprovable, useDeciding } from './use-deciding.tsx'
import { useRecordActions } from './use-record-actions.tsx'

const Decisions = later(() => import('./Decisions.tsx').then((m) => m.Decisions))
const UnmatchedPanel = later(() => import('./UnmatchedPanel.tsx').then((m) => m.UnmatchedPanel))

const pageSize = 50
/** What approving those that are ticked leaves out. */
const cannotApprove = (record: TimeRecord): boolean =>
  !isApprovable(record) || record.TimeChangeRequest?.Status === 'asked'

const startFilters: TimeFilterValues = { ...noFilters, status: 'pending' }
const start = { ...startFilters, insight: '0', sort: '-Date', page: 1 }
type Insight = '1' | '2' | '3' | 'u' | '0'

/** Approve Time Records: what waits, sorted by how closely it needs a look. */
export function ApproveTimeRecordsPage() {
  const words = useWords()
  const programId = useProgramId()
  const mayApprove = useMay()('time.approve')
  const { at, filter: setFilter, paging, sorting, pager } = useListAddress(listTimeRecords, start, pageSize)
  const ticks = useTicks()
  const [writing, setWriting] = useState<readonly TimeRecord[]>()
  const deciding = useDeciding(ticks.clear)
  const row = useRecordActions(deciding)

  const applied = filtersOf(at)
  const filter = queryOf(applied)
  const { Status, ...others } = filter
  const insight = (['1', '2', '3', 'u', '0'].includes(at.insight) ? at.insight : '0') as Insight
  const records = useRead(listTimeRecords, {
    params: { programId },
    query: { ...filter, Insight: insight, ...paging, sort: at.sort === 'Date' ? 'Date' : '-Date' },
  })
  const counts = useRead(countTimeRecords, { params: { programId }, query: others })
  const tally = counts.data
  const isPending = (Status ?? 'pending') === 'pending'
  const total = records.data?.Total ?? 0
  const rows = records.data?.Items

  const columns = useRecordColumns(!isPending)
  const isPhone = useIsPhone()

  const apply = (next: Partial<TimeFilterValues> | { insight: Insight }) => {
    ticks.clear()
    setFilter(next)
  }
  const choose = (value: Insight) => apply({ insight: value })
  const count = (value: number | undefined) => (isPending ? (value ?? '…') : undefined)
  const segments = [
    { value: '1' as const, label: words('time.clean'), status: 'clean' as const, count: count(tally?.Clean) },
    {
      value: '2' as const,
      label: words('time.needReview'),
      status: 'review' as const,
      count: count(tally?.NeedReview),
    },
    {
      value: '3' as const,
      label: words('time.carefulReview'),
      status: 'careful' as const,
      count: count(tally?.CarefulReview),
    },
    {
      value: 'u' as const,
      label: words('time.unmatched'),
      status: 'unmatched' as const,
      count: count(tally?.Unmatched),
    },
    { value: '0' as const, label: words('time.all_records'), count: count(tally?.All) },
  ]
  const next = isPending
    ? segments.find(({ value, count: left }) => value !== insight && value !== '0' && Number(left) > 0)
    : undefined
  const approveAll = () => void deciding.approveAll({ ...filter, Insight: insight })
  const ready =
    tally &&
    {
      '1': tally.Ready.Clean,
      '2': tally.Ready.NeedReview,
      '3': tally.Ready.CarefulReview,
      u: 0,
      '0': tally.Ready.Clean + tally.Ready.NeedReview + tally.Ready.CarefulReview,
    }[insight]
  const counted =
    tally &&
    { '1': tally.Clean, '2': tally.NeedReview, '3': tally.CarefulReview, u: 0, '0': tally.All }[insight]
  const unmatched = insight === '0' ? (tally?.Unmatched ?? 0) : 0
  const waiting = (counted ?? 0) - (ready ?? 0) - unmatched
  const whyLeftOut = [
    unmatched > 0 && words('time.leftOutUnmatched', { count: unmatched }),
    waiting > 0 && words('time.leftOutWaiting', { count: waiting }),
  ].filter(Boolean)
  const canAll = isPending && Boolean(ready)
  const isLeavingOut = mayApprove && canAll && whyLeftOut.length > 0
  const leftOutId = useId()
  const allLabel = canAll
    ? words('time.approveAll', { count: (ready ?? 0).toLocaleString('en-US') })
    : words('time.approveAllPlain')
  const refusal =
    insight === 'u' && total > 0 ? words('time.unmatchedFirst') : !canAll && words('time.noneHere')
  const clean = tally?.Ready.Clean ?? 0
  // Where everything that is listed is clean, all are the clean ones.
  const canClean = mayApprove && isPending && insight === '0' && clean > 0 && clean < (ready ?? 0)
  const approveClean = () => void deciding.approveClean(filter)
  const cleanLabel = words('time.approveClean', { count: clean.toLocaleString('en-US') })
  const fileAddress = (Format: 'xlsx' | 'csv', Columns: 'screen' | 'all') =>
    callAddress(exportTimeRecords, {
      params: { programId },
      query: { ...filter, Insight: insight, Format, Columns },
    })
  const approveAllButton = (
    <Button
      variant="default"
      data-once
      loading={deciding.isRunning}
      leftSection={<IconCheck size={17} stroke={2} aria-hidden />}
      onClick={approveAll}
      aria-describedby={isLeavingOut ? leftOutId : undefined}
    >
      {allLabel}
    </Button>
  )
  // A phone has no room for both tables: there the unmatched have their own choice only.
  const withUnmatched = insight === 'u' || (isPending && !isPhone && (insight === '0' || insight === '3'))
  return (
    <Page
      title={words(mayApprove ? 'time.approveTitle' : 'time.pendingTitle')}
      count={
        isPending &&
        tally &&
        words('time.pendingCount', { count: tally.All, hours: formatHours(tally.Minutes) })
      }
      actions={
        <>
          <ExportMenu
            address={(Format) => fileAddress(Format, 'screen')}
            allColumns={(Format) => fileAddress(Format, 'all')}
          />
          {!isPhone && (
            <Button
              variant="default"
              component="a"
              href={`${pageAddress('admin/logclock-list')}${addressQuery(noFilters, { ...applied, status: '', leftOut: false })}`}
              leftSection={<IconListDetails size={17} stroke={1.75} aria-hidden />}
            >
              {words('time.allRecords')}
            </Button>
          )}
          {mayApprove &&
            (refusal ? (
              <DisabledReason reason={refusal}>{approveAllButton}</DisabledReason>
            ) : (
              approveAllButton
            ))}
          {canClean && !refusal && (
            <Button
              data-once
              loading={deciding.isRunning}
              leftSection={<IconCheck size={17} stroke={2} aria-hidden />}
              onClick={approveClean}
            >
              {cleanLabel}
            </Button>
          )}
        </>
      }
      filters={
        <TimeFilterBar
          applied={applied}
          start={startFilters}
          onApply={apply}
          onAgain={() => {
            void records.refetch()
            void counts.refetch()
          }}
          has={{ status: 'one', leftOut: true, levels: true, presets: true }}
        />
      }
      above={
        <div className={classes.insights}>
          <SegmentedCounts
            label={words('time.insight')}
            segments={segments}
            value={insight}
            onChange={choose}
          />
          {isLeavingOut && (
            <p className={classes.leavesOut}>
              <span id={leftOutId}>
                {words('time.leftOutOfAll', { count: unmatched + waiting, reasons: whyLeftOut.join(', ') })}
              </span>{' '}
              <button type="button" className={classes.link} onClick={() => apply({ leftOut: true })}>
                {words('time.leftOutShow')}
              </button>
            </p>
          )}
          {mayApprove && <Decisions deciding={deciding} />}
          {isPending && tally && (
            <NewRecords input={{ params: { programId }, query: others }} shown={tally.All} />
          )}
        </div>
      }
      footerEnd={
        <>
          {next && (
            <button type="button" className={classes.link} onClick={() => choose(next.value)}>
              {words('time.next', { count: String(next.count), insight: next.label })}
            </button>
          )}
          <Pager {...pager} total={total} />
        </>
      }
    >
      <div className={classes.approve}>
        {insight !== 'u' && (
          <TickGrid
            ticks={ticks}
            id="approve-time-records"
            label={words('time.approveTitle')}
            columns={columns}
            rows={rows}
            rowKey={({ Id }) => Id}
            {...sorting}
            isLoading={records.isFetching}
            error={records.error?.message}
            onRetry={() => void records.refetch()}
            total={total}
            height={rows && rows.length <= 8 ? 'auto' : 'fill'}
            empty={{
              text: words('time.allDone'),
              filters: {
                isFiltered: insight !== '0' || !sameFilters(applied, startFilters),
                reset: () => apply({ ...startFilters, insight: '0' }),
              },
            }}
            card={recordCard}
            actions={row.actions}
            onOpen={row.openEdit}
            {...(mayApprove &&
              isPending && {
                bulk: (chosen: TimeRecord[]) => {
                  const leftOut = chosen.filter(cannotApprove).length
                  return {
                    sum: [
                      words('time.selectedSum', {
                        hours: formatHours(
                          chosen.reduce((sum, each) => sum + (each.Type === 'absence' ? 0 : each.Minutes), 0),
                        ),
                        count: new Set(chosen.map(({ StudentId }) => StudentId)).size,
                      }),
                      leftOut > 0 && words('time.tickedLeftOut', { count: leftOut }),
                    ]
                      .filter(Boolean)
                      .join(' · '),
                    verbs: [
                      {
                        label: words('time.approveSelected'),
                        icon: <IconCheck size={16} stroke={2} aria-hidden />,
                        onRun: () => void deciding.approveChosen(chosen),
                        main: true,
                      },
                      {
                        label: words('time.rejectMore'),
                        icon: <IconX size={16} stroke={2} aria-hidden />,
                        onRun: () => deciding.askReject(chosen),
                      },
                      {
                        label: words('time.emailChosen'),
                        icon: <IconMail size={16} stroke={1.75} aria-hidden />,
                        onRun: () => setWriting(chosen),
                      },
                      ...(canAll ? [{ label: allLabel, onRun: approveAll, apart: true }] : []),
                    ],
                  }
                },
              })}
          />
        )}
        {withUnmatched && (
          <UnmatchedPanel filter={filter} isWhole={insight === 'u'} onShowAll={() => choose('u')} />
        )}
      </div>
      {writing && <WriteDialog records={writing} onClose={() => setWriting(undefined)} />}
      {deciding.dialog}
      {row.dialog}
    </Page>
  )
}
