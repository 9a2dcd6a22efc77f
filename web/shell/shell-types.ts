import type { AnchorHTMLAttributes, ComponentType, ReactNode } from 'react'

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

export type ShellUser = {
  name: string
  /** 'Coordinator'; beside the date. */
  role?: string
}

/** An entry of the user's menu. */
export type UserMenuItem = { id: string; label: string; detail?: string; icon?: ReactNode; onRun: () => void }

export type Notices = {
  count: number
  onOpen: () => void
}

/** The item whose page is open, and the items above it: the longest address that starts the current one. */
export function activePath(items: readonly MenuItem[], address: string): string[] {
  let best: { path: string[]; length: number } = { path: [], length: 0 }
  const visit = (list: readonly MenuItem[], above: string[]) => {
    for (const item of list) {
      const path = [...above, item.id]
      const target = item.href.split(/[?#]/)[0]!
      const isHere =
        item.href !== '#' && (address === target || address.startsWith(`${target.replace(/\/$/, '')}/`))
      if (isHere && target.length > best.length) best = { path, length: target.length }
      if (item.items) visit(item.items, path)
    }
  }
  visit(items, [])
  return best.path
}
