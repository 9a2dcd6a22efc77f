import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import classes from './competencies.module.css'

/** Several choices in the cell of an edited row. */
export function SectionsCell(props: {
  label: string
  options: readonly { value: string; label: string }[]
  value: readonly number[]
  error: string | undefined
  onChange: (ids: number[]) => void
}) {
  return (
    <div className={classes.cellField}>
      <MultiSelectField
        name="In"
        label={props.label}
        options={[...props.options]}
        value={props.value.map(String)}
        onChange={(ids) => props.onChange(ids.map(Number))}
        {...(props.error !== undefined && { error: props.error })}
      />
    </div>
  )
}
