import { createContext, useContext } from 'react'
import classes from './PageDirections.module.css'

/** What an installation gave to the page at the current address: its own title, and directions as clean HTML. */
export type PageNote = { title?: string; directions?: string; directionsLabel: string }

/** Set by the shells, around the page. */
export const PageNoteContext = createContext<PageNote | undefined>(undefined)

/** The directions of the page, folded into one quiet line; nothing where there are none. `Page` shows them itself. */
export function PageDirections() {
  const note = useContext(PageNoteContext)
  if (!note?.directions) return null
  return (
    <details className={`${classes.directions} p-no-print`}>
      <summary>{note.directionsLabel}</summary>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the server cleans it by one allow-list before it is kept */}
      <div dangerouslySetInnerHTML={{ __html: note.directions }} />
    </details>
  )
}
