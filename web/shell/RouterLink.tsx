import type { MouseEvent } from 'react'
import { toAddress, useOpenAddress } from '#web/api/navigate.ts'
import { usePlace } from '#web/api/place.ts'
import { pageAddress } from '#web/api/root.ts'
import type { LinkComponent } from './shell-types.ts'

/** A press that is not the browser's: without the keys and buttons that open another tab or window, or save. */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/** The link of the shells, for addresses that come from the server; those outside the product load as a page. */
export const RouterLink: LinkComponent = ({ href, ...rest }) =>
  href.includes('/new') ? <InnerLink href={href} {...rest} /> : <a href={href} {...rest} />

const InnerLink: LinkComponent = ({ href, onClick, ...rest }) => {
  const { path, query } = usePlace()
  const open = useOpenAddress()
  const address = toAddress(href)
  const press = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    if (event.defaultPrevented || !isPlain(event) || rest.target === '_blank') return
    event.preventDefault()
    open(href)
  }
  // Only the link to this very page is the current one; a link to the list above an edit page is a link like all others.
  const isCurrent = address.replace(/#.*$/, '') === `${pageAddress(path.slice('/new'.length))}${query}`
  return (
    <a {...(isCurrent && { 'aria-current': 'page' })} {...rest} href={address} data-page onClick={press} />
  )
}
