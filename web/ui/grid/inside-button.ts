import { createContext } from 'react'

/** True where a cell is inside a button, as the title of a card does: what is a link elsewhere is plain text there. */
export const InsideButton = createContext(false)
