import '@mantine/dates/styles.layer.css'
import { DateInput } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { earliestDate, formatDate, latestDate, parseDate } from '../dates.ts'
import { inputProps, type LabelledField } from './field-parts.tsx'

export type DateFieldProps = LabelledField<string | null> & {
  /** 'YYYY-MM-DD'; 1900-01-01 to 2099-12-31 when none is given. */
  min?: string
  max?: string
  /** Told while the typed text is no date, so that the form can refuse to save. */
  onInvalid?: (message: string | null) => void
  /** Inside a popover the calendar stays within it: a click on a day must not count as one beside it. */
  isInPopover?: boolean
}

/** What is wrong with a typed text, or null. */
export function dateProblem(text: string, min = earliestDate, max = latestDate): string | null {
  if (text.trim() === '') return null
  const date = parseDate(text)
  if (!date) return `${text.trim()} is not a date`
  if (date < min) return `Not before ${formatDate(min)}`
  if (date > max) return `Not after ${formatDate(max)}`
  return null
}

/**
 * A date as mm/dd/yyyy; value 'YYYY-MM-DD' or null. Mantine's own parser makes 03/03 of 02/31 and keeps values that
 * were cleared, so text is read strictly here and what is no date stays on the screen with its error.
 */
export function DateField(props: DateFieldProps) {
  const { value, onChange, min, max, onInvalid } = props
  const [problem, setProblem] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  useEffect(() => {
    if (value) setProblem(null)
  }, [value])
  const check = (text: string) => {
    const message = dateProblem(text, min, max)
    setProblem(message)
    onInvalid?.(message)
    return message
  }
  return (
    <DateInput
      {...inputProps({ ...props, hint: props.hint ?? 'mm/dd/yyyy', error: problem ?? props.error })}
      value={value}
      onChange={(next) => {
        onChange(next)
        if (next) check(formatDate(next))
      }}
      dateParser={(text) => (dateProblem(text, min, max) === null ? (parseDate(text) ?? null) : null)}
      onInput={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        if (text.trim() === '' || dateProblem(text, min, max) !== null) onChange(null)
        if (text.trim() === '') check('')
      }}
      onBlur={(event) => {
        check(event.currentTarget.value)
        props.onBlur?.()
      }}
      fixOnBlur={dateProblem(typed, min, max) === null}
      valueFormat="MM/DD/YYYY"
      minDate={min ?? earliestDate}
      maxDate={max ?? latestDate}
      weekendDays={[]}
      firstDayOfWeek={0}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${props.label}` }}
      rightSection={value ? undefined : <IconCalendar size={16} stroke={1.75} aria-hidden />}
      rightSectionPointerEvents={value ? 'all' : 'none'}
      popoverProps={{ shadow: 'md', withinPortal: !props.isInPopover, trapFocus: false }}
    />
  )
}
