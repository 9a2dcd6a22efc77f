import { Switch } from '@mantine/core'
import type { LabeledField } from './field-parts.tsx'
import { useFieldWork } from './unsaved.ts'
import { fieldId } from './use-edit-form.ts'

/** On or off, for what takes effect at once or reads as a state. */
export function SwitchField(given: LabeledField<boolean>) {
  const props = useFieldWork(given)
  return (
    <Switch
      id={fieldId(props.name)}
      name={props.name}
      label={props.label}
      description={props.lockedBecause || props.description}
      checked={props.value ?? false}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
      onBlur={props.onBlur}
      disabled={Boolean(props.lockedBecause)}
      error={props.error}
    />
  )
}
