import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatTime, parseTime } from '../dates.ts'
import { inputProps, type LabelledField } from './field-parts.tsx'

/** A time of day, 24 h; value 'HH:MM' or null. '7', '730' and '7:30 pm' are understood and rewritten. */
export function TimeField(props: LabelledField<string | null>) {
  const { value, onChange } = props
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
    if (text.trim() === '') setProblem(undefined)
    else if (time) {
      setText(time)
      setProblem(undefined)
    } else setProblem(`${text.trim()} is not a time`)
    const next = time ?? null
    if (next !== (value ? formatTime(value) : null)) onChange(next)
  }
  return (
    <TextInput
      {...inputProps({ ...props, hint: props.hint ?? '24 h, HH:MM', error: problem ?? props.error })}
      value={text}
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
