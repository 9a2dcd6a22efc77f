import { Button } from '@mantine/core'
import { IconCheck, IconClockCheck, IconX } from '@tabler/icons-react'
import { countTimeRecords, listTimeRecords, type TimeRecord } from '#contract/time.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { formatDayOfYear, formatHours } from '#web/ui/dates.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { ShiftMark } from '#web/ui/ShiftMark.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './clock.module.css'
import { Reasons } from './Reasons.tsx'
import { offsetText, placeText, shiftName, timeText, typeIcon, typeName } from './record-words.tsx'
import { useDeciding } from './use-deciding.tsx'

const pageSize = 30
type Insight = '0' | '1' | '2' | '3'

/** What waits at a supervisor's sites, made for two minutes and a thumb: approve or reject, one by one or all. */
export function SiteApprovalsPage() {
  const words = useWords()
  const programId = useProgramId()
  const [at, setAt] = useAddress({ insight: '0', page: 1 })
  const insight = (['1', '2', '3'].includes(at.insight) ? at.insight : '0') as Insight
  const params = { programId }
  const counts = useRead(countTimeRecords, { params })
  const records = useRead(listTimeRecords, {
    params,
    query: { Status: 'pending', Insight: insight, page: at.page, pageSize },
  })
  const deciding = useDeciding(() => undefined)
  const total = records.data?.Total ?? 0
  const tally = counts.data
  return (
    <div className={classes.screen} data-wide>
      <title>{`${words('time.siteApprovalsTitle')} · Practicum`}</title>
      <div className={classes.headLine}>
        <div>
          <h1 className={classes.title}>{words('time.siteApprovalsTitle')}</h1>
          {tally && (
            <p className={classes.quietLine}>
              {words('time.siteApprovalsCount', { count: tally.All })} · {formatHours(tally.Minutes, true)}
            </p>
          )}
        </div>
        {total > 0 && (
          <Button
            size="lg"
            loading={deciding.isRunning}
            leftSection={<IconCheck size={18} stroke={2} aria-hidden />}
            onClick={() => void deciding.approve({ Filter: { Status: 'pending', Insight: insight } })}
          >
            {words('time.approveAllShown', { count: total })}
          </Button>
        )}
      </div>
      {tally && tally.All > 0 && (
        <SegmentedCounts
          label={words('time.insight')}
          value={insight}
          onChange={(value) => setAt({ insight: value, page: 1 })}
          segments={[
            { value: '0', label: words('time.all'), count: tally.All },
            { value: '1', label: words('time.clean'), status: 'clean', count: tally.Clean },
            { value: '2', label: words('time.needReview'), status: 'review', count: tally.NeedReview },
            { value: '3', label: words('time.carefulReview'), status: 'careful', count: tally.CarefulReview },
          ]}
        />
      )}
      {records.error ? (
        <PageMessage kind="error" text={records.error.message} onRetry={() => void records.refetch()} />
      ) : records.data?.Items.length === 0 ? (
        <PageMessage kind="empty" text={words('time.siteApprovalsEmpty')} />
      ) : (
        <ul className={classes.cards}>
          {records.data?.Items.map((record) => (
            <RecordCard key={record.Id} record={record} deciding={deciding} />
          ))}
        </ul>
      )}
      {total > pageSize && (
        <Pager page={at.page} pageSize={pageSize} total={total} onPage={(page) => setAt({ page })} />
      )}
      {deciding.dialog}
    </div>
  )
}

function RecordCard(props: { record: TimeRecord; deciding: ReturnType<typeof useDeciding> }) {
  const { record, deciding } = props
  const words = useWords()
  const change = record.TimeChangeRequest?.Status === 'asked' ? record.TimeChangeRequest : null
  const name = `${record.Student}, ${typeName(words, record.Type)} ${formatDayOfYear(record.Date)} ${timeText(record)}`
  return (
    <li className={classes.approval} aria-label={name}>
      <div className={classes.approvalHead}>
        {record.ShiftType ? (
          <ShiftMark kind={record.ShiftType} label={shiftName(words, record.ShiftType)} size={20} />
        ) : (
          <span className={classes.kind}>{typeIcon(record.Type)}</span>
        )}
        <b>{record.Student}</b>
        <span>
          {record.Minutes > 0
            ? formatHours(record.Minutes, true)
            : offsetText(words, record) || words('time.noHours')}
        </span>
      </div>
      <p>
        {typeName(words, record.Type)} · {formatDayOfYear(record.Date)} <b>{timeText(record)}</b>
      </p>
      <p className={classes.quietLine}>
        {record.Location}
        {record.Type === 'in' || record.Type === 'out'
          ? ` · ${record.IPName ?? placeText(words, record)}`
          : ''}
      </p>
      {change && (
        <p>
          {record.Time} → <b>{change.Time}</b> “{change.Reason}”
        </p>
      )}
      {!change && record.Reason && <p>“{record.Reason}”</p>}
      {record.Reasons.length > 0 && <Reasons reasons={record.Reasons} all />}
      <div className={classes.approvalVerbs}>
        <Button
          variant="default"
          size="lg"
          aria-label={`${words('time.reject')}: ${name}`}
          leftSection={<IconX size={18} stroke={2} aria-hidden />}
          onClick={() => deciding.askReject([record])}
        >
          {words('time.rejectMore')}
        </Button>
        {change && (
          <Button
            variant="default"
            size="lg"
            leftSection={<IconClockCheck size={18} stroke={2} aria-hidden />}
            onClick={() => void deciding.decideChange(record, true)}
          >
            {change.Time}
          </Button>
        )}
        <Button
          variant="light"
          size="lg"
          aria-label={`${words('time.approve')}: ${name}`}
          leftSection={<IconCheck size={18} stroke={2} aria-hidden />}
          onClick={() => void deciding.approve({ Ids: [record.Id] })}
        >
          {words('time.approve')}
        </Button>
      </div>
    </li>
  )
}
