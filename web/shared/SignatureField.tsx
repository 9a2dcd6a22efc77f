import { useUser } from '#web/api/use-state.ts'
import { TextField } from '#web/ui/form/TextField.tsx'

/** Where people sign by typing their name as it is in their account. */
export function SignatureField(props: {
  label: string
  value: string
  onChange: (name: string) => void
  /** Why the last try was refused. */
  problem: string | undefined
}) {
  const { label, value, onChange, problem } = props
  const user = useUser()
  return (
    <TextField
      label={label}
      hint={user.Name}
      required
      maxLength={100}
      autoComplete="name"
      name="Name"
      value={value}
      onChange={onChange}
      {...(problem !== undefined && { error: problem })}
    />
  )
}
