import { connectionLevels } from '#contract/connections/connections.ts'
import { levelLabel } from '#contract/core/levels.ts'
import { listPrograms, programLabel } from '#contract/programs/programs.ts'
import { useRead } from '#web/api/use-call.ts'
import { useRoleOptions } from '#web/shared/role-options.ts'
import { FormSection } from '#web/ui/form/Form.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useWords } from '#web/words/use-words.ts'

interface Field {
  name: string
  value: string | null
  onChange: (value: string | null) => void
}

/** The first program of a new connection, and the highest level that it reaches there. */
export function AccessSection({ program, level }: { program: Field; level: Field }) {
  const words = useWords()
  const rolesOf = useRoleOptions(levelLabel)
  const programs = useRead(listPrograms)
  return (
    <FormSection name={words('connections.accessSection')} purpose={words('connections.accessPurpose')}>
      <SelectField
        label={words('connections.program')}
        required
        options={(programs.data ?? []).map((each) => ({ value: String(each.Id), label: programLabel(each) }))}
        {...program}
      />
      <SelectField
        label={words('connections.level')}
        description={words('connections.levelHint')}
        required
        options={rolesOf(connectionLevels.map(({ Id }) => Id))}
        {...level}
      />
    </FormSection>
  )
}
