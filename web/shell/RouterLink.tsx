import { Link } from '@tanstack/react-router'
import { toRoute } from '#web/api/navigate.ts'
import type { LinkComponent } from './shell-types.ts'

/** The link of the shells, for addresses that come from the server; those outside the product load as a page. */
export const RouterLink: LinkComponent = ({ href, ...rest }) =>
  href.includes('/new') ? <Link {...toRoute(href)} {...(rest as object)} /> : <a href={href} {...rest} />
