import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type FieldProps, fieldId } from './use-edit-form.ts'

/** What all fields have besides their value. */
export type LabeledField<Value> = FieldProps<Value> & {
  label: string
  /** Quiet words beside the label: the format, "optional". */
  hint?: string
  /** A sentence under the label. */
  description?: ReactNode
  required?: boolean
  /** Why the field cannot be changed; shown under it. */
  lockedBecause?: string | false
}

/** The props of a Mantine input that make label, hint, star, error and lock look and read the same in every field. */
export function inputProps<Value>(field: LabeledField<Value>) {
  return {
    id: fieldId(field.name),
    name: field.name,
    label: (
      <>
        {field.label}
        {field.hint && <span style={{ fontWeight: 400, color: 'var(--p-muted)' }}> {field.hint}</span>}
      </>
    ),
    description: field.lockedBecause || field.description,
    inputWrapperOrder: ['label', 'input', 'error', 'description'] as (
      | 'label'
      | 'input'
      | 'error'
      | 'description'
    )[],
    withAsterisk: field.required,
    'aria-required': field.required || undefined,
    disabled: field.lockedBecause ? true : undefined,
    error: field.error && <ErrorText text={field.error} />,
    onBlur: field.onBlur,
  }
}

function ErrorText({ text }: { text: string }) {
  return (
    <span style={{ display: 'inline-flex', gap: 5, alignItems: 'flex-start' }}>
      <IconAlertCircle size={14} stroke={2} aria-hidden style={{ flex: 'none', marginTop: 1 }} />
      {text}
    </span>
  )
}
