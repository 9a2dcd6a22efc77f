import { documentRoles, type Readers, tidyReaders, withRole } from '#contract/documents/documents-rules.ts'
import { Checkbox } from '#web/ui/inputs.ts'
import { levelName } from '#web/words/level-name.ts'
import { useTerm, useWords } from '#web/words/use-words.ts'
import classes from './documents.module.css'

/** Visibility by role: a box for each role and one for all. Unchecking takes what the role was asked for along. */
export function RolesField(props: {
  /** The roles that are offered, highest first. */
  roles: readonly number[]
  readers: Readers
  onChange: (readers: ReturnType<typeof tidyReaders>) => void
}) {
  const { roles, readers, onChange } = props
  const words = useWords()
  const term = useTerm()
  const isChosen = (role: number) => readers.Roles.includes(role)
  const areAll = roles.every(isChosen)
  return (
    <fieldset className={classes.roles}>
      <legend>{words('documents.roles')}</legend>
      <Checkbox
        label={words('documents.all')}
        checked={areAll}
        indeterminate={!areAll && roles.some(isChosen)}
        onChange={() => onChange(tidyReaders({ ...readers, Roles: areAll ? [] : [...documentRoles] }))}
      />
      <div>
        {roles.map((role) => (
          <Checkbox
            key={role}
            label={levelName(role, term)}
            checked={isChosen(role)}
            onChange={(event) => onChange(withRole(readers, role, event.currentTarget.checked))}
          />
        ))}
      </div>
    </fieldset>
  )
}
