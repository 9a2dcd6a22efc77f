import { createBrowserHistory, type HistoryLocation, type RouterHistory } from '@tanstack/history'
import { type Context, createContext, useContext } from 'react'
import { paramsAt } from '#contract/core/pages.ts'
import { pageAddress } from './root.ts'

/** Where somebody is: what its page reads of the address. */
export interface Place {
  /** As menus and the table of pages write it, with '/new' in front and no slash at its end: '/new/admin/home'. */
  path: string
  /** The query as it is in the address, '' or with its question mark. */
  query: string
  search: Readonly<Record<string, string>>
  /** The place in the page, without its sign. */
  hash: string
  /** What the page was handed without it being in the address. */
  state: object
  /** Another one for each entry of the history, and for each change of it. */
  key: string
}

let made: RouterHistory | undefined

let hears: ((event: PopStateEvent) => void) | undefined

/** For the one that hears of a step through the history before the router does. Windows call listeners in the order in which they were added. */
export const hearFirst = (listener: (event: PopStateEvent) => void): void => {
  hears = listener
}

/** The history of the tab. Made at its first use: outside of a window there is none. */
export const tabHistory = (): RouterHistory => {
  if (!made) {
    addEventListener('popstate', (event) => hears?.(event))
    made = createBrowserHistory()
  }
  return made
}

/** The path of a `Place` from the one in the browser, which begins with APP_ROOT. */
export const toPath = (pathname: string): string =>
  `/new${`/${pathname.slice(pageAddress('').length)}`.replace(/(.)\/+$/, '$1')}`

/** Reads a place of the history. */
export const placeOf = ({ pathname, search: query, hash, state }: HistoryLocation): Place => ({
  path: toPath(pathname),
  query,
  search: Object.fromEntries(new URLSearchParams(query)),
  hash: hash.slice(1),
  state,
  key: state.__TSR_key ?? '',
})

let shown: Place | undefined

/** The place of the page on the screen, for what is no component; undefined before there is one. */
export const shownPlace = (): Place | undefined => shown

/** For the router, which shows the pages. */
export const setShownPlace = (place: Place): void => {
  shown = place
}

/** The place of the page that is on the screen. */
export const PlaceContext = createContext<Place | null>(null)

/** Where people are on their way to, while the code of that page is still coming; else the place itself. */
export const WantedContext = createContext<Place | null>(null)

const usePlaceIn = (context: Context<Place | null>): Place => {
  const place = useContext(context)
  if (!place) throw new Error('Only pages have a place.')
  return place
}

/** The place of the page that is shown. */
export const usePlace = (): Place => usePlaceIn(PlaceContext)

/** The place that people chose last, before its page is there: menus mark it at once. */
export const useWantedPlace = (): Place => usePlaceIn(WantedContext)

/** The parts of the address that the table of pages has as names, such as `studentId` of 'students/$studentId'. */
export const useParams = (): Partial<Record<string, string>> => paramsAt(usePlace().path)
