import { useRouterState } from '@tanstack/react-router'
import { PageRedirect } from '#web/api/navigate.ts'

/**
 * Leads from a verification page of no known type to the not-found page. On the way to another page the address is
 * that page's already, and has no type either: then nothing is wrong.
 */
export function RedirectNotFound({ to }: { to: '/admin/not-found' | '/not-found' }) {
  const isHere = useRouterState({ select: (state) => /\/verification\/?$/.test(state.location.pathname) })
  return isHere ? <PageRedirect to={to} /> : null
}
