import type { ByName, PlainField } from '#contract/core/plain-fields.ts'
import { useFilled } from '#web/words/use-words.ts'
import { FullWidth } from './Form.tsx'
import { NumberField, type NumberFieldProps } from './NumberField.tsx'
import { TextField, type TextFieldProps } from './TextField.tsx'

export interface PlainFieldsProps {
  fields: readonly PlainField[]
  /** Shows those of this part of the form. */
  section: string
  /** What the form says of a field: `form.field`, and why it is locked. */
  fieldOf: (name: string) => Omit<TextFieldProps | NumberFieldProps, 'label'>
}

/** The rows of a form for fields that the contract declares as plain. */
export function PlainFields({ fields, section, fieldOf }: PlainFieldsProps) {
  const filled = useFilled()
  return fields
    .filter((field) => field.section === section)
    .map(({ name, label, value, max, min = 0, hint, input, isWide }) => {
      const shown = { label, ...(hint && { description: filled(hint) }), ...fieldOf(name) }
      if (value === 'whole') return <NumberField {...(shown as NumberFieldProps)} key={name} min={min} />
      const row = (
        <TextField {...(shown as TextFieldProps)} key={name} type={input ?? 'text'} maxLength={max} />
      )
      return isWide ? <FullWidth key={name}>{row}</FullWidth> : row
    })
}

/** What these fields of a form begin with. */
export const plainValuesOf = <const Fields extends readonly PlainField[]>(
  fields: Fields,
  given: Readonly<Record<Fields[number]['name'], unknown>> | undefined,
) =>
  Object.fromEntries(
    fields.map(({ name, value }) => [
      name,
      given?.[name as Fields[number]['name']] ?? (value === 'whole' ? null : ''),
    ]),
  ) as ByName<Fields, string, number | null>
