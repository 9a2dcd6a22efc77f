import { DateField } from '#web/ui/form/DateField.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './placement-lists.module.css'

/** The first and the last day of a stretch. */
export function StretchFields(props: {
  from: string | null
  through: string | null
  onFrom: (date: string | null) => void
  onThrough: (date: string | null) => void
}) {
  const { from, through, onFrom, onThrough } = props
  const words = useWords()
  return (
    <div className={classes.pair}>
      <DateField
        label={words('placeRequests.firstDay')}
        name="StartDate"
        required
        value={from}
        onChange={onFrom}
      />
      <DateField
        label={words('placeRequests.lastDay')}
        name="EndDate"
        required
        value={through}
        onChange={onThrough}
      />
    </div>
  )
}
