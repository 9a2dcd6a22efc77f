import { useFieldWork } from '#web/ui/form/unsaved.ts'
import classes from './procedure-log.module.css'

/** One choice of a few, all of them in sight. */
export function RadioChips<Value extends string | number>(given: {
  label: string
  name: string
  options: readonly { value: Value; label: string }[]
  value: Value | null
  onChange: (value: Value) => void
  isSmall?: boolean
}) {
  const props = useFieldWork(given)
  return (
    <fieldset className={classes.chips} data-small={props.isSmall || undefined}>
      <legend className="p-sr-only">{props.label}</legend>
      {props.options.map(({ value, label }) => (
        <label key={value} className={classes.chip}>
          <input
            type="radio"
            name={props.name}
            checked={props.value === value}
            onChange={() => props.onChange(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
