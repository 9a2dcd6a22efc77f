import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useWords } from '#web/words/use-words.ts'
import { formatTime, parseTime } from '../dates.ts'
import { inputProps, type LabeledField } from './field-parts.tsx'
import { useFieldWork } from './unsaved.ts'

/** A time of day, 24 h; value 'HH:MM' or null. '7', '730' and '7:30 pm' are understood and rewritten. */
export function TimeField(given: LabeledField<string | null>) {
  const props = useFieldWork(given)
  const { value, onChange, onProblem } = props
  const words = useWords()
  const [text, setText] = useState(formatTime(value))
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (value) {
      setText(formatTime(value))
      setProblem(undefined)
    }
  }, [value])
  const settle = () => {
    const time = parseTime(text)
    const message =
      text.trim() === '' || time ? null : words('ui.notATime', { text: text.trim().slice(0, 20) })
    if (time) setText(time)
    onProblem?.(message)
    setProblem(message ?? undefined)
    const next = time ?? null
    if (next !== (value ? formatTime(value) : null)) onChange(next)
  }
  return (
    <TextInput
      {...inputProps({ ...props, hint: props.hint ?? words('ui.timeHint'), error: problem ?? props.error })}
      value={text}
      data-unread={(text.trim() !== '' && !parseTime(text)) || undefined}
      inputMode="numeric"
      autoComplete="off"
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => {
        settle()
        props.onBlur?.()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle()
      }}
    />
  )
}
