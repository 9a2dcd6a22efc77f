import { Textarea } from '@mantine/core'
import classes from './Form.module.css'
import { inputProps, type LabeledField } from './field-parts.tsx'
import { useFieldWork } from './unsaved.ts'

export type TextAreaFieldProps = LabeledField<string> & {
  maxLength?: number
  rows?: number
  placeholder?: string
}

/** Several lines of text; with `maxLength` it counts them. Enter makes a line, ⌘Enter saves the form. */
export function TextAreaField(given: TextAreaFieldProps) {
  const props = useFieldWork(given)
  const common = inputProps(props)
  const counter = props.maxLength && (
    <span className={classes.counter}>
      {(props.value ?? '').length} of {props.maxLength}
    </span>
  )
  return (
    <Textarea
      {...common}
      description={
        counter || common.description ? (
          <>
            {counter}
            {common.description}
          </>
        ) : undefined
      }
      autosize
      minRows={props.rows ?? 3}
      maxRows={Math.max(14, props.rows ?? 3)}
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey))
          event.currentTarget.form?.requestSubmit()
      }}
      maxLength={props.maxLength}
      placeholder={props.placeholder}
    />
  )
}
