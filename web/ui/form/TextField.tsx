import { PasswordInput, TextInput } from '@mantine/core'
import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react'
import { inputProps, type LabeledField } from './field-parts.tsx'
import { useFieldWork } from './unsaved.ts'

export type TextFieldProps = LabeledField<string> & {
  type?: 'text' | 'email' | 'password' | 'tel' | 'url'
  /** Most characters; the browser stops there unless `soft`, then the rules say it. */
  maxLength?: number
  autoComplete?: HTMLInputAutoCompleteAttribute
  icon?: ReactNode
  placeholder?: string
  autoFocus?: boolean
}

/** One line of text, also email and password. */
export function TextField(given: TextFieldProps) {
  const props = useFieldWork(given)
  const common = {
    ...inputProps(props),
    value: props.value ?? '',
    onChange: (event: { currentTarget: { value: string } }) => props.onChange(event.currentTarget.value),
    maxLength: props.maxLength,
    autoComplete: props.autoComplete ?? 'off',
    leftSection: props.icon,
    placeholder: props.placeholder,
    'data-autofocus': props.autoFocus || undefined,
  }
  return props.type === 'password' ? (
    <PasswordInput {...common} />
  ) : (
    <TextInput type={props.type ?? 'text'} {...common} />
  )
}
