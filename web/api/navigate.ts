import { Navigate, useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { createElement, useCallback, useMemo } from 'react'
import type { PageRoute } from '#contract/core/pages.ts'

/** What goes with a page: its query, a place in it, and what it is handed without standing in the address. */
export interface PageOptions {
  /** Values that are null or undefined are left out. */
  search?: Record<string, string | number | null | undefined> | undefined
  hash?: string
  state?: object
  /** In place of the current entry of the history. */
  replace?: boolean
}

const asTexts = (search: PageOptions['search']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search ?? {}).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  )

/**
 * Opens pages by their paths in the table of pages: `navigate('/admin/sites/edit', { search: { id } })`. The router is made from
 * the table at run time and knows no paths by type; this file alone speaks to it without them.
 */
export const usePageNavigate = () => {
  const navigate = useNavigate()
  return useCallback(
    (to: PageRoute, { search, ...options }: PageOptions = {}): void => {
      void navigate({ to, search: asTexts(search), ...options } as never)
    },
    [navigate],
  )
}

/** Where an address as menus give it leads, for the router: '/new/admin/home?x=1' to '/admin/home'. */
export const toRoute = (href: string): { to: string; search: Record<string, string>; hash?: string } => {
  const { pathname, searchParams, hash } = new URL(href, 'http://local')
  return {
    to: pathname.replace(/^.*?\/new(?=\/|$)/, '') || '/',
    search: Object.fromEntries(searchParams),
    ...(hash && { hash: hash.slice(1) }),
  }
}

/** The current path as menus and the table of pages compare it, with '/new' in front. */
export const useAddressPath = (): string =>
  useRouterState({ select: (state) => `/new${state.location.pathname.replace(/^.*?\/new(?=\/)/, '')}` })

/** Opens an address of the product that is known at run time only, such as one from the server's menu. */
export const useOpenAddress = () => {
  const navigate = useNavigate()
  return useCallback((href: string): void => void navigate(toRoute(href) as never), [navigate])
}

/**
 * Changes the query of the address, in place of the current entry of the history. While another page is on its way, nothing
 * changes: a search that is still waiting for the last letter belongs to the page that is left.
 */
export const useChangeQuery = () => {
  const navigate = useNavigate()
  const router = useRouter()
  return useMemo(
    () =>
      (change: (current: Record<string, string>) => Record<string, string>): void => {
        const shown = router.state.resolvedLocation?.pathname
        if (shown !== undefined && shown !== router.latestLocation.pathname) return
        void navigate({ to: '.', replace: true, search: change } as never)
      },
    [navigate, router],
  )
}

/** Leads to another page in place of the one that would be shown. */
export function PageRedirect({ to }: { to: PageRoute }) {
  return createElement(Navigate, { to, replace: true } as never)
}
