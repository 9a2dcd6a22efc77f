import '@mantine/spotlight/styles.css'
import { useHotkeys } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { toRoute } from '#web/shell/RouterLink.tsx'
import type { MenuItem } from '#web/shell/shell-types.ts'
import { useWords } from '#web/words/use-words.ts'

/** Opens the finder, the guide and the notifications. */
export const useFinder = () => {
  const navigate = useNavigate()
  return {
    open: () => spotlight.open(),
    help: () => void navigate({ to: '/admin/help' as never }),
    notices: () => void navigate({ to: '/admin/inbox' as never }),
  }
}

/** ⌘K: finds the pages that the person's menu holds, by any part of their name. */
export function PageFinder({ items }: { finder: ReturnType<typeof useFinder>; items: MenuItem[] }) {
  const words = useWords()
  const navigate = useNavigate()
  useHotkeys([['mod+K', () => spotlight.open()]], [])
  const actions = useMemo(
    () =>
      items
        .flatMap((item) => [item, ...(item.items ?? []).map((inner) => ({ ...inner, above: item.label }))])
        .filter(({ href }) => href !== '#')
        .map((item) => ({
          id: item.id,
          label: item.label,
          ...('above' in item && { description: String(item.above) }),
          onClick: () => void navigate(toRoute(item.href) as never),
        })),
    [items, navigate],
  )
  return (
    <Spotlight
      actions={actions}
      nothingFound={words('shell.searchNothing')}
      shortcut={null}
      limit={12}
      searchProps={{ placeholder: words('shell.search'), 'aria-label': words('shell.search') }}
    />
  )
}
