import type { LabeledField } from '#web/ui/form/field-parts.tsx'
import { fieldId } from '#web/ui/form/use-edit-form.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './scheduling.module.css'
import { weekdayName } from './shift-words.ts'

/** The weekdays of a shift as seven ticks; 0 is Sunday. */
export function WeekdayField({ name, label, required, value, onChange, error }: LabeledField<number[]>) {
  const words = useWords()
  return (
    <fieldset className={classes.weekdays} aria-describedby={error ? `${fieldId(name)}-error` : undefined}>
      <legend>
        {label}
        {required && <span aria-hidden> *</span>}
      </legend>
      <div>
        {[0, 1, 2, 3, 4, 5, 6].map((day) => (
          <label key={day} data-on={value.includes(day) || undefined}>
            <input
              type="checkbox"
              id={day === 0 ? fieldId(name) : undefined}
              className="p-sr-only"
              checked={value.includes(day)}
              onChange={() =>
                onChange(value.includes(day) ? value.filter((each) => each !== day) : [...value, day].sort())
              }
            />
            {weekdayName(words, day)}
          </label>
        ))}
      </div>
      {error && (
        <p id={`${fieldId(name)}-error`} className={classes.fieldError}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
