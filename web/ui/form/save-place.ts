import { createContext } from 'react'

/** Where Save and Cancel go on a phone: the bar at the page's foot. Null outside a page's actions. */
export const SavePlace = createContext<HTMLElement | null>(null)
