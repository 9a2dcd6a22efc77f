import type { ComponentProps } from 'react'
import type { PageAddress } from '#contract/core/pages.ts'
import { RouterLink } from './RouterLink.tsx'

/** A link to a page of the product: its address is one of the table of pages. */
export function PageLink(props: ComponentProps<typeof RouterLink> & { href: PageAddress }) {
  return <RouterLink {...props} />
}
