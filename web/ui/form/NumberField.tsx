import { NumberInput } from '@mantine/core'
import { inputProps, type LabeledField } from './field-parts.tsx'

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

/** A number; an empty field is null. Out of range is refused by the rules, not silently changed. */
export function NumberField(props: NumberFieldProps) {
  return (
    <NumberInput
      {...inputProps(props)}
      value={props.value ?? ''}
      onChange={(value) => props.onChange(value === '' ? null : Number(value))}
      min={props.min}
      max={props.max}
      clampBehavior="none"
      decimalScale={props.decimals ?? 0}
      suffix={props.unit}
      thousandSeparator={props.isPlain ? '' : ','}
      allowNegative={props.min === undefined || props.min < 0}
      hideControls
      placeholder={props.placeholder}
    />
  )
}
