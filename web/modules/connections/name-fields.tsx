import { FullWidth } from '#web/ui/form/Form.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import type { FieldProps } from '#web/ui/form/use-edit-form.ts'
import { useWords } from '#web/words/use-words.ts'

/** What people read of a connection. */
export function NameField({ hint, ...field }: FieldProps<string> & { hint: string }) {
  const words = useWords()
  return (
    <FullWidth>
      <TextField label={words('connections.name')} hint={hint} required maxLength={255} {...field} />
    </FullWidth>
  )
}

/** Whose names of people are meant: it stays as it is once there are some. */
export function IssuerField({
  hint,
  isFixed,
  ...field
}: FieldProps<string> & { hint: string; isFixed: boolean }) {
  const words = useWords()
  return (
    <TextField
      label={words('connections.issuer')}
      description={hint}
      type="url"
      required
      maxLength={1024}
      {...field}
      {...(isFixed && { lockedBecause: words('connections.issuerFixed') })}
    />
  )
}

/** As which this installation is known there. */
export function ClientIdField(field: FieldProps<string>) {
  return <TextField label={useWords()('connections.clientId')} required maxLength={255} {...field} />
}
