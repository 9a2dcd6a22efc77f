import type { ReactNode } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import { PageMessage } from './PageMessage.tsx'
import { PlainButton } from './PlainButton.tsx'

export type EmptyListProps = {
  /** What belongs here, and how the first one comes. */
  text: string
  /** The button by which the first one comes, where the role may. */
  next?: ReactNode
  /** Of a list that can be narrowed: whether a filter or the search is set, and what sets them all back. */
  filters?: { isFiltered: boolean; reset: () => void }
}

/** In place of the rows of a list that has none: filters are blamed only while one is set, and with the way back. */
export function EmptyList({ text, next, filters }: EmptyListProps) {
  const isFiltered = filters?.isFiltered
  return (
    <PageMessage
      kind="empty"
      text={isFiltered ? plainWords('ui.noMatches') : text}
      next={
        isFiltered ? <PlainButton onClick={filters.reset}>{plainWords('ui.clearFilters')}</PlainButton> : next
      }
    />
  )
}
