import { connectionLevels } from '#contract/connections/connections.ts'
import { levelLabel } from '#contract/core/levels.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useWords } from '#web/words/use-words.ts'

/** The highest level that a connection reaches in a program. */
export function LevelField(props: {
  name: string
  value: string | null
  onChange: (value: string | null) => void
}) {
  const words = useWords()
  return (
    <SelectField
      label={words('connections.level')}
      description={words('connections.levelHint')}
      required
      options={connectionLevels.map(({ Id }) => ({ value: String(Id), label: levelLabel(Id) }))}
      {...props}
    />
  )
}
