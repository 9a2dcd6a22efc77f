import type { TimeRecord } from '#contract/time/time-records.ts'
import { formatDate, formatInstant } from '#web/ui/dates.ts'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { RecordCard } from './record-columns.tsx'
import { timeText } from './record-words.tsx'
import classes from './time.module.css'

type OpenHistory = (row: TimeRecord) => void

/** '06:58 → 07:05', with the day and the site where they are other ones. */
const editText = (words: Words, row: TimeRecord): string => {
  const { LastEdit: edit } = row
  if (!edit) return ''
  const told = { Type: row.Type, OffsetMinutes: null }
  const was = timeText({ ...told, Time: edit.WasTime, EndTime: edit.WasEndTime })
  const line = (date: string, time: string, site: string | null) =>
    [edit.WasDate !== row.Date && formatDate(date), time, edit.WasLocation !== row.Location && (site ?? '–')]
      .filter(Boolean)
      .join(' ')
  return words('time.editedTo', {
    was: line(edit.WasDate, was, edit.WasLocation),
    now: line(row.Date, timeText(row), row.Location),
  })
}

/** The last edit of a record, who made it and when; it opens all of its changes. */
function EditCell({ row, onOpen }: { row: TimeRecord; onOpen: OpenHistory }) {
  const words = useWords()
  const { LastEdit: edit } = row
  if (!edit) return <span className="p-muted">–</span>
  return (
    <span className={classes.change}>
      <button
        type="button"
        className={classes.link}
        aria-label={`${words('time.history')}: ${row.Student}, ${editText(words, row)}`}
        onClick={(event) => {
          event.stopPropagation()
          onOpen(row)
        }}
      >
        {editText(words, row)}
      </button>
      <small>
        {words('time.editedLine', { when: formatInstant(edit.At), by: edit.By, count: row.Edits })}
      </small>
      {edit.Reason && <small title={edit.Reason}>“{edit.Reason}”</small>}
    </span>
  )
}

/** Where edits are looked for: what the last one changed, and the way to all of them. */
export const editColumn = (words: Words, onOpen: OpenHistory): GridColumn<TimeRecord> => ({
  id: 'LastEdit',
  header: words('time.edited'),
  minWidth: 180,
  grow: 3,
  text: (row) => editText(words, row),
  cell: (row) => <EditCell row={row} onOpen={onOpen} />,
})

/** The same on a phone. */
export const editedCard = (onOpen: OpenHistory) => (row: TimeRecord) => (
  <RecordCard row={row}>
    <EditCell row={row} onOpen={onOpen} />
  </RecordCard>
)
