import { useCallback, useState } from 'react'
import type { GridColumn } from './grid-types.ts'

const storageKey = (id: string) => `grid-columns:${id}`

function read(id: string): Record<string, boolean> {
  try {
    return JSON.parse(localStorage.getItem(storageKey(id)) ?? '{}')
  } catch {
    return {}
  }
}

/** Which columns show, kept on this machine per grid; only departures from the default are stored. */
export function useColumnChoice<Row>(id: string, columns: readonly GridColumn<Row>[]) {
  const [choice, setChoice] = useState(() => read(id))
  const visibility: Record<string, boolean> = {}
  for (const column of columns)
    visibility[column.id] = column.identity ? true : (choice[column.id] ?? !column.hidden)
  const store = useCallback(
    (next: Record<string, boolean>) => {
      setChoice(next)
      try {
        localStorage.setItem(storageKey(id), JSON.stringify(next))
      } catch {
        // A full or forbidden storage only costs the memory of the choice.
      }
    },
    [id],
  )
  return {
    visibility,
    isChanged: Object.keys(choice).length > 0,
    show: (columnId: string, isShown: boolean) => store({ ...choice, [columnId]: isShown }),
    reset: () => store({}),
  }
}
