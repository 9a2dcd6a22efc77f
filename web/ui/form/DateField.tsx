import '@mantine/dates/styles.layer.css'
import { DateInput } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { firstWeekday } from '#contract/core/calendar.ts'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { earliestDate, formatDate, formatDayLong, latestDate, parseDate, readDate } from '../dates.ts'
import { useIsLow, useIsPhone } from '../use-is-phone.ts'
import { inputProps, type LabeledField } from './field-parts.tsx'
import { useFieldWork } from './unsaved.ts'

export type DateFieldProps = LabeledField<string | null> & {
  /** 'YYYY-MM-DD'; 1900-01-01 to 2099-12-31 when none is given. */
  min?: string
  max?: string
  /** Inside a popover the calendar stays within it: a click on a day must not count as one beside it. */
  isInPopover?: boolean
}

const inFlow = {
  position: 'static',
  width: 'auto',
} as const

/** What is wrong with a typed text, or null. */
export function dateProblem(words: Words, text: string, min = earliestDate, max = latestDate): string | null {
  if (text.trim() === '') return null
  const date = readDate(text)
  if (!date) return words('ui.notADate', { text: text.trim().slice(0, 20) })
  if (date < min) return words('ui.notBefore', { date: formatDate(min) })
  if (date > max) return words('ui.notAfter', { date: formatDate(max) })
  return null
}

/**
 * A date as mm/dd/yyyy; value 'YYYY-MM-DD' or null. Mantine's own parser makes 03/03 of 02/31 and keeps values that
 * were cleared, so text is read strictly here and what is no date stays on the screen with its error.
 */
export function DateField(given: DateFieldProps) {
  const props = useFieldWork(given)
  const { value, onChange, onProblem, min, max } = props
  const words = useWords()
  props.onShow?.((date) => (typeof date === 'string' ? formatDate(date) : undefined))
  const [isPhone, isLow] = [useIsPhone(), useIsLow()]
  // A small screen has no room beside the buttons: the calendar is between the fields there, and they scroll.
  const isInFlow = (isPhone || isLow) && !props.isInPopover
  const [problem, setProblem] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const tell = (message: string | null) => {
    setProblem(message)
    onProblem?.(message)
  }
  useEffect(() => {
    if (!value) return
    setProblem(null)
    setTyped('')
  }, [value])
  const find = (text: string) => dateProblem(words, text, min, max)
  return (
    <DateInput
      {...inputProps({ ...props, hint: props.hint ?? words('ui.dateHint'), error: problem ?? props.error })}
      value={value}
      onChange={(next) => {
        onChange(next)
        if (next) tell(find(formatDate(next)))
      }}
      dateParser={(text) => (find(text) === null ? (parseDate(text) ?? null) : null)}
      onInput={(event) => {
        const text = event.currentTarget.value
        const message = find(text)
        setTyped(text)
        if (text.trim() === '' || message) onChange(null)
        // Half a date is no mistake yet, but it cannot be saved either.
        onProblem?.(message)
        if (!message) setProblem(null)
      }}
      onBlur={(event) => {
        tell(find(event.currentTarget.value))
        props.onBlur?.()
      }}
      fixOnBlur={find(typed) === null}
      data-unread={find(typed) !== null || undefined}
      valueFormat="MM/DD/YYYY"
      minDate={min ?? earliestDate}
      maxDate={max ?? latestDate}
      weekendDays={[]}
      firstDayOfWeek={firstWeekday}
      getDayAriaLabel={formatDayLong}
      clearable
      clearButtonProps={{ 'aria-label': words('ui.clearField', { label: props.label }) }}
      rightSection={value ? undefined : <IconCalendar size={16} stroke={1.75} aria-hidden />}
      rightSectionPointerEvents={value ? 'all' : 'none'}
      popoverProps={{
        shadow: 'md',
        withinPortal: !props.isInPopover && !isInFlow,
        trapFocus: false,
        ...(isInFlow && { styles: { dropdown: inFlow } }),
      }}
    />
  )
}
