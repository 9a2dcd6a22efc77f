import { IconMail, IconPlus, IconUnlink } from '@tabler/icons-react'
import { useState } from 'react'
import { listTimeRecords, type TimeRecord } from '#contract/time/time-records.ts'
import { useRead } from '#web/api/use-call.ts'
import { useReadAll } from '#web/api/use-read-all.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate, formatDay } from '#web/ui/dates.ts'
import { Panel } from '#web/ui/Section.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { RecordDialog, RemindUnmatched } from './record-dialogs.ts'
import { agoText } from './record-words.tsx'
import classes from './time.module.css'

const shownRows = 6

/** The unmatched table: punches without their other half, and what to do about them. */
export function UnmatchedPanel(props: {
  filter: Record<string, unknown>
  /** Shows every unmatched record instead of the first few. */
  isWhole?: boolean
  onShowAll: () => void
}) {
  const { filter, isWhole = false, onShowAll } = props
  const words = useWords()
  const programId = useProgramId()
  const mayEdit = useMay()('time.edit')
  const mayWrite = useMay()('time.approve')
  const { Status: _status, Insight: _insight, ...others } = filter
  const params = { programId }
  const query = { ...others, Status: 'pending' as const, Insight: 'u' as const }
  const first = useRead(listTimeRecords, { params, query: { ...query, pageSize: shownRows } })
  const all = useReadAll(listTimeRecords, { params, query }, { isEnabled: isWhole })
  const rows = isWhole ? all.data : first.data?.Items
  const [isMailing, setMailing] = useState(false)
  const [adding, setAdding] = useState<TimeRecord | 'new'>()
  const total = isWhole ? (all.data?.length ?? 0) : (first.data?.Total ?? 0)

  if (!rows) return null
  return (
    <section className={classes.unmatched} aria-label={words('time.unmatched')}>
      <Panel tone="unmatched">
        <header className={classes.unmatchedHead}>
          <h2>
            <IconUnlink size={18} stroke={1.75} aria-hidden />
            {words('time.unmatched')}
          </h2>
          <span className="p-muted">
            {total === 0 ? words('time.noUnmatched') : words('time.unmatchedCount', { count: total })}
          </span>
          <div>
            {mayWrite && total > 0 && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconMail size={16} stroke={1.75} aria-hidden />}
                onClick={() => setMailing(true)}
              >
                {words('time.generateMail')}
              </Button>
            )}
            {mayEdit && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
                onClick={() => setAdding('new')}
              >
                {words('time.addNewRecord')}
              </Button>
            )}
          </div>
        </header>
        {total > 0 && (
          <ul className={classes.unmatchedRows}>
            {rows.map((row) => (
              <UnmatchedRow key={row.Id} row={row} onAdd={mayEdit ? () => setAdding(row) : undefined} />
            ))}
          </ul>
        )}
        {total > rows.length && (
          <button type="button" className={classes.link} onClick={onShowAll}>
            {words('time.showAllUnmatched', { count: total })}
          </button>
        )}
      </Panel>
      {isMailing && <RemindUnmatched filter={others} onClose={() => setMailing(false)} />}
      {adding === 'new' && <RecordDialog start={{}} onClose={() => setAdding(undefined)} />}
      {adding && adding !== 'new' && <RecordDialog half={adding} onClose={() => setAdding(undefined)} />}
    </section>
  )
}

function UnmatchedRow({ row, onAdd }: { row: TimeRecord; onAdd: (() => void) | undefined }) {
  const words = useWords()
  const when = `${formatDate(row.Date)} ${row.Time}`
  const isIn = row.Type === 'in'
  const addHalf = words(isIn ? 'time.addClockOut' : 'time.addClockIn')
  const shift = isIn
    ? row.ShiftEnd && words('time.shiftEnded', { time: row.ShiftEnd })
    : row.ShiftStart && words('time.shiftBegan', { time: row.ShiftStart })
  return (
    <li>
      <b className="p-ellipsis" title={row.Student}>
        <StudentLink id={row.StudentId}>{row.Student}</StudentLink>
      </b>
      <span>{words(isIn ? 'time.in' : 'time.out', { when })}</span>
      <StatusTag status="unmatched" icon={null}>
        {words(isIn ? 'time.noClockOut' : 'time.noClockIn')}
      </StatusTag>
      <span className="p-ellipsis" title={row.Location ?? ''}>
        {row.Location ?? '–'}
      </span>
      <span className="p-muted">
        {shift || words('time.noShift')} · {agoText(words, (isIn && row.ShiftEndsAt) || row.OccurredAt)}
      </span>
      <small className="p-muted">
        {row.MailedAt
          ? words('time.mailedOn', { day: formatDay(dateOfInstant(row.MailedAt, row.TimeZone)).slice(4) })
          : words('time.notMailed')}
      </small>
      {onAdd && (
        <button
          type="button"
          className={classes.link}
          aria-label={`${addHalf}: ${row.Student}, ${when}`}
          onClick={onAdd}
        >
          {addHalf}
        </button>
      )}
    </li>
  )
}
