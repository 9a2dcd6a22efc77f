import { Link } from '@tanstack/react-router'
import { toRoute } from '#web/api/navigate.ts'
import type { LinkComponent } from './shell-types.ts'

/** Only the link to this very page is the current one; a link to the list above an edit page is a link like all others. */
const current = { activeOptions: { exact: true }, activeProps: {} }

/** The link of the shells, for addresses that come from the server; those outside the product load as a page. */
export const RouterLink: LinkComponent = ({ href, ...rest }) =>
  href.includes('/new') ? (
    <Link {...toRoute(href)} {...current} {...(rest as object)} />
  ) : (
    <a href={href} {...rest} />
  )
