import { Level, levels } from '#contract/core/levels.ts'
import type { Option } from '#web/ui/choice/use-options.ts'
import { useLevelName } from '#web/words/level-name.ts'
import { useWords } from '#web/words/use-words.ts'

/**
 * Roles to give, each with what it may do. Inactive is none: people are deactivated. One that somebody has stays to be seen. They
 * are called as in the program unless `called` says otherwise.
 */
export const useRoleOptions = (
  called?: (level: number) => string,
): ((ids: readonly number[], held?: number) => Option[]) => {
  const words = useWords()
  const inProgram = useLevelName()
  const nameOf = called ?? inProgram
  return (ids, held) =>
    levels.flatMap(({ Id, Name }) => {
      if (!ids.includes(Id) || (Id === Level.Inactive && Id !== held)) return []
      const about = Name === 'Inactive' || Name === 'Unknown' ? undefined : words(`roles.${Name}`)
      return [{ value: String(Id), label: nameOf(Id), ...(about && { about }) }]
    })
}
