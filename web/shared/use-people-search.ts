import { useCallback, useRef } from 'react'
import { find } from '#contract/search/finder.ts'
import { call } from '#web/api/call.ts'
import type { OptionSearch } from '#web/ui/choice/use-options.ts'
import { useLevelName } from '#web/words/level-name.ts'

/** The people of the program for a chip, by typing, and the name of one who was found. */
export const usePeopleSearch = (): { search: OptionSearch; nameOf: (id: number) => string | undefined } => {
  const levelOf = useLevelName()
  const names = useRef(new Map<number, string>())
  const search = useCallback<OptionSearch>(
    async (text) => {
      if (text.trim() === '') return { options: [] }
      const { People } = await call(find, { query: { search: text.trim() } })
      for (const { Id, Name } of People) names.current.set(Id, Name)
      return {
        options: People.map(({ Id, Name, AccessLevel, Detail }) => ({
          value: String(Id),
          label: Name,
          detail: `${levelOf(AccessLevel)} · ${Detail}`,
        })),
      }
    },
    [levelOf],
  )
  return { search, nameOf: (id) => names.current.get(id) }
}
