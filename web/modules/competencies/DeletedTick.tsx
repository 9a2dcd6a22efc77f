import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'

/** Shows the deleted ones in place of the others. */
export function DeletedTick({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  const words = useWords()
  return (
    <label className={classes.tick}>
      <input
        type="checkbox"
        className="p-tick"
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {words('competencies.showDeleted')}
    </label>
  )
}
