import { Link } from '@tanstack/react-router'
import type { LinkComponent } from './shell-types.ts'

/** The path of the router for an address as the server's menus give it: '/new/admin/home?x=1' → '/admin/home'. */
export const toRoute = (href: string): { to: string; search?: Record<string, string>; hash?: string } => {
  const { pathname, searchParams, hash } = new URL(href, 'http://local')
  const search = Object.fromEntries(searchParams)
  return {
    to: pathname.replace(/^.*?\/new(?=\/|$)/, '') || '/',
    search,
    ...(hash && { hash: hash.slice(1) }),
  }
}

/** The link that shells and screens use for addresses of the product; other addresses load as a page. */
export const RouterLink: LinkComponent = ({ href, ...rest }) =>
  href.includes('/new') ? <Link {...toRoute(href)} {...(rest as object)} /> : <a href={href} {...rest} />
