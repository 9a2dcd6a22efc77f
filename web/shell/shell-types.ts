import type { AnchorHTMLAttributes, ComponentType, ReactNode } from 'react'
import { pageAt } from '#contract/core/pages.ts'

/** The router's link, given by the caller: the shells know no router. It must pass class, ARIA and title on. */
export type LinkComponent = ComponentType<
  AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; children?: ReactNode }
>

/** An item of the menu. `href: '#'` has no page of its own and opens its submenu. */
export type MenuItem = {
  id: string
  label: string
  href: string
  /** A Tabler icon of 20 px, stroke 1.75; first level only. */
  icon?: ReactNode
  /** Work that waits: a dot in the rail, the figure in the open menu. */
  count?: number
  items?: MenuItem[]
  /** Opens in a new tab. */
  isExternal?: boolean
}

/** So many entries of the menu are in the bar of a phone; the others are behind More. */
const maxInPhoneBar = 4

/** The entries of a menu that are in the bar of a phone. */
export const inPhoneBar = <Item extends { href: string }>(items: readonly Item[]): Item[] =>
  items.filter(({ href }) => pageAt(href)?.phone !== 'more').slice(0, maxInPhoneBar)

export type ShellUser = {
  name: string
  /** 'Coordinator'; beside the date. */
  role?: string
}

/** An entry of the user's menu. */
export type UserMenuItem = {
  id: string
  label: string
  detail?: string
  icon?: ReactNode
  /** Given for what is switched on and off. */
  isChecked?: boolean
  onRun: () => void
}

export type Notices = {
  count: number
  onOpen: () => void
}

/** Whether the query of an item's address speaks against it: one page may be in the menu once for each kind. */
const isOtherKind = (address: string, href: string): boolean => {
  const current = new URLSearchParams(address.split('?')[1])
  return [...new URLSearchParams(href.split('?')[1])].some(
    ([name, value]) => current.has(name) && current.get(name) !== value,
  )
}

/** The item whose page is open, and the items above it: the longest address that starts the current one. */
export function activePath(items: readonly MenuItem[], address: string): string[] {
  let best: { path: string[]; length: number } = { path: [], length: 0 }
  const path = address.split('?')[0]!
  const visit = (list: readonly MenuItem[], above: string[]) => {
    for (const item of list) {
      const way = [...above, item.id]
      const target = item.href.split(/[?#]/)[0]!
      const isHere =
        item.href !== '#' &&
        (path === target || (target !== '/new/' && path.startsWith(`${target.replace(/\/$/, '')}/`))) &&
        !isOtherKind(address, item.href)
      if (isHere && target.length > best.length) best = { path: way, length: target.length }
      if (item.items) visit(item.items, way)
    }
  }
  visit(items, [])
  return best.path
}
