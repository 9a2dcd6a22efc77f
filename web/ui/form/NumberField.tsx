import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { inputProps, type LabeledField } from './field-parts.tsx'
import { useFieldWork } from './unsaved.ts'

export type NumberFieldProps = LabeledField<number | null> & {
  min?: number
  max?: number
  /** Digits after the point; 0 when none is given. */
  decimals?: number
  /** Behind the figure: " h", " m". */
  unit?: string
  placeholder?: string
  /** Without commas, as years are written. */
  isPlain?: boolean
}

/** A number; an empty field is null. Out of range is refused by the rules, not silently changed, and so is a negative one. */
export function NumberField(given: NumberFieldProps) {
  const props = useFieldWork(given)
  const [begun, setBegun] = useState('')
  const input = inputProps(props)
  return (
    <NumberInput
      {...input}
      value={begun || (props.value ?? '')}
      onChange={(value) => {
        // A minus alone is no number yet.
        setBegun(value === '-' ? value : '')
        props.onChange(value === '' || value === '-' ? null : Number(value))
      }}
      onBlur={() => {
        setBegun('')
        input.onBlur?.()
      }}
      min={props.min}
      max={props.max}
      clampBehavior="none"
      decimalScale={props.decimals ?? 0}
      suffix={props.unit}
      thousandSeparator={props.isPlain ? '' : ','}
      hideControls
      placeholder={props.placeholder}
    />
  )
}
