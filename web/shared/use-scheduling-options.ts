import { useCallback, useRef } from 'react'
import { listSchedulingOptions, type OptionKind } from '#contract/scheduling/scheduling-options.ts'
import { call } from '#web/api/call.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import type { OptionSearch } from '#web/ui/choice/use-options.ts'

const pageSize = 50

/**
 * What a filter or field chooses from that the schedule knows (people, levels, areas, sites, rotations, shifts): found by
 * text on the server, with the names of what is chosen already.
 */
export const useSchedulingOptions = (
  kind: OptionKind,
  chosen: readonly (number | null)[],
): { search: OptionSearch; chosenLabels: Record<string, string> } => {
  const programId = useProgramId()
  const ids = chosen.filter((id) => id !== null)
  const named = useRead(
    listSchedulingOptions,
    { params: { programId }, query: { Kind: kind, Ids: ids, pageSize: 500 } },
    { isEnabled: ids.length > 0, staleMs: 300_000 },
  )
  // What was found is named before the server is asked about it.
  const found = useRef<Record<string, string>>({})
  const search = useCallback<OptionSearch>(
    async (text, page) => {
      const { Items, HasMore } = await call(listSchedulingOptions, {
        params: { programId },
        query: { Kind: kind, search: text, page: page + 1, pageSize },
      })
      for (const { Id, Name } of Items) found.current[String(Id)] = Name
      return {
        options: Items.map(({ Id, Name, Detail }) => ({ value: String(Id), label: Name, detail: Detail })),
        hasMore: HasMore,
      }
    },
    [programId, kind],
  )
  return {
    search,
    chosenLabels: {
      ...found.current,
      ...Object.fromEntries((named.data?.Items ?? []).map(({ Id, Name }) => [String(Id), Name])),
    },
  }
}
