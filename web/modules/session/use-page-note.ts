import { listPageNotes } from '#contract/menus/menus.ts'
import { useRead } from '#web/api/use-call.ts'
import type { PageNote } from '#web/ui/PageDirections.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Whether `note` is about the page at `address`: the same path, and the note's query part of the address. */
const isAbout = (note: string, address: string): boolean => {
  const [path, query] = note.split('?')
  const [currentPath, currentQuery] = address.split('?')
  const current = new URLSearchParams(currentQuery)
  return (
    path === currentPath &&
    [...new URLSearchParams(query)].every(([name, value]) => current.get(name) === value)
  )
}

/** The title and the directions that the program gave to the page at this address. */
export const usePageNote = (programId: number | null, address: string): PageNote | undefined => {
  const words = useWords()
  const notes = useRead(
    listPageNotes,
    { params: { programId: programId ?? 0 } },
    { isEnabled: programId !== null, staleMs: 300_000 },
  )
  const note = notes.data?.find(({ Url }) => isAbout(Url, address))
  return (
    note && { title: note.Title, directions: note.Directions, directionsLabel: words('shell.directions') }
  )
}
