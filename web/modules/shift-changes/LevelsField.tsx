import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { useWords } from '#web/words/use-words.ts'

/** The student levels that may sign up. */
export function LevelsField(props: { value: string[]; onChange: (value: string[]) => void }) {
  const words = useWords()
  const levels = useSchedulingOptions('level', props.value.map(Number))
  return (
    <MultiSelectField
      label={words('shiftChanges.levels')}
      hint={words('shiftChanges.levelsHint')}
      placeholder={words('shiftChanges.everyLevel')}
      name="LevelIds"
      search={levels.search}
      chosenLabels={levels.chosenLabels}
      value={props.value}
      onChange={props.onChange}
    />
  )
}
