import { useEffect } from 'react'
import type { PageRoute } from '#contract/core/pages.ts'
import { placeOf, shownPlace, tabHistory, usePlace } from './place.ts'
import { pageAddress } from './root.ts'

/** What goes with a page: its query, a place in it, and what it is handed without its being in the address. */
export interface PageOptions {
  /** Values that are null or undefined are left out. */
  search?: Record<string, string | number | null | undefined> | undefined
  hash?: string
  state?: object
  /** In place of the current entry of the history. */
  replace?: boolean
}

/** Values are in the address as they are, so that people can read and write them. */
const queryOf = (search: PageOptions['search']): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search ?? {}))
    if (value !== undefined && value !== null) query.append(name, String(value))
  return query.size > 0 ? `?${query}` : ''
}

/** Goes to an address of the tab's own history. The address of where one is already adds no entry. */
const go = (address: string, { state, replace }: Pick<PageOptions, 'state' | 'replace'> = {}): void => {
  const { location, push, replace: stay } = tabHistory()
  if (replace || address === location.href) stay(address, state)
  else push(address, state)
}

const navigate = (to: PageRoute, { search, hash, ...options }: PageOptions = {}): void =>
  go(`${pageAddress(to)}${queryOf(search)}${hash ? `#${hash}` : ''}`, options)

/** Opens pages by their paths in the table of pages: `navigate('/admin/sites/edit', { search: { id } })`. */
export const usePageNavigate = () => navigate

/** Goes back to where one came from in the tab, with its filters as they were; to `to` where one came from elsewhere. */
export const leaveTo = (to: PageRoute, options?: PageOptions): void => {
  const history = tabHistory()
  if (history.canGoBack()) history.back()
  else navigate(to, options)
}

/** The address in the browser of one that menus give, with or without APP_ROOT: '/new/admin/home?x=1'. */
export const toAddress = (href: string): string => pageAddress(href.replace(/^.*?\/new(?=[/?#]|$)/, ''))

const openAddress = (href: string): void => go(toAddress(href))

/** Opens an address of the product that is known at run time only, such as one from the server's menu. */
export const useOpenAddress = () => openAddress

/** The current path as menus and the table of pages compare it, with '/new' in front. */
export const useAddressPath = (): string => usePlace().path

const changeQuery = (change: (current: Record<string, string>) => Record<string, string>): void => {
  const { location } = tabHistory()
  const { path, search, query } = placeOf(location)
  if ((shownPlace()?.path ?? path) !== path) return
  const next = queryOf(change({ ...search }))
  if (next !== query) go(`${location.pathname}${next}`, { replace: true })
}

/**
 * Changes the query of the address, in place of the current entry of the history. While another page is on its way, nothing
 * changes: a search that is still waiting for the last letter belongs to the page that is left.
 */
export const useChangeQuery = () => changeQuery

/** Leads to another page in place of the one that would be shown. */
export function PageRedirect({ to }: { to: PageRoute }) {
  useEffect(() => navigate(to, { replace: true }), [to])
  return null
}
