import { IconClockHour4, IconFile, IconMapPin, IconPlus, IconSearch, IconUser } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Level } from '#contract/core/levels.ts'
import { mayOpen, type PageAddress } from '#contract/core/pages.ts'
import type { Permission } from '#contract/core/permissions.ts'
import { finder } from '#contract/core/search.ts'
import { find } from '#contract/search/finder.ts'
import { useOpenAddress } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { useMay, useUser } from '#web/api/use-state.ts'
import { useStudentAddress } from '#web/shared/StudentLink.tsx'
import type { MenuItem, UserMenuItem } from '#web/shell/shell-types.ts'
import { useDebouncedValue } from '#web/ui/hooks.ts'
import { Spotlight, type SpotlightActionData, spotlight } from '#web/ui/spotlight.ts'
import { useLevelName } from '#web/words/level-name.ts'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { ownWords } from './finder-words.ts'
import { keepRecent, type Recent, readRecents } from './recent-finds.ts'

const icon = { size: 18, stroke: 1.75 } as const
const minLength = 2
const waitMs = 250
/** Pages that an empty finder offers. */
const maxPages = 8
const mostShown = 40

/** What staff do besides opening a page. */
export interface Thing {
  label: WordKey
  href: PageAddress
  may?: Permission
  /** Not for whoever may do this, who has a better way. */
  mayNot?: Permission
  detail?: WordKey
  also?: WordKey
}

/** '/new/verification?type=1' → 'verification' */
const pathOf = (href: string): string => /^\/new\/([^?#]*?)\/?(?:[?#].*)?$/.exec(href)?.[1] ?? href

interface Page {
  id: string
  label: string
  href: string
  above?: string
}

const pagesOf = (items: readonly MenuItem[], above?: string): Page[] =>
  items.flatMap(({ id, label, href, items: inner = [] }) => [
    ...(href === '#' ? [] : [{ id, label, href, ...(above && { above }) }]),
    ...pagesOf(inner, label),
  ])

/**
 * Finds pages of the menu, people, sites and actions by any part of their name; recent choices come first. Opens whenever
 * `asked` counts up. The server is asked once the typing pauses, and answers only what the person may see.
 */
export function PageFinder({
  asked,
  items,
  account,
  otherWords = ownWords,
  things = [],
}: {
  asked: number
  items: MenuItem[]
  account: UserMenuItem[]
  /** By which other words pages are known. */
  otherWords?: Readonly<Record<string, WordKey>>
  things?: readonly Thing[]
}) {
  const words = useWords()
  const studentAddress = useStudentAddress()
  const openAddress = useOpenAddress()
  const levelOf = useLevelName()
  const user = useUser()
  const may = useMay()
  const [typed, setTyped] = useState('')
  const [recents, setRecents] = useState<Recent[]>(() => readRecents(user.Id))
  const search = typed.trim()
  const isFound = finder(search)
  const [waited] = useDebouncedValue(search, waitMs)
  const asks = waited.length >= minLength && waited === search
  const found = useRead(find, { query: { search: waited } }, { isEnabled: asks, staleMs: 30_000 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: every asking opens it again
  useEffect(() => spotlight.open(), [asked])

  const open = (choice: Recent) => {
    setRecents(keepRecent(user.Id, choice))
    if (choice.href.startsWith('https:')) window.open(choice.href, '_blank', 'noopener,noreferrer')
    else openAddress(choice.href)
  }
  const icons: Record<Recent['kind'], React.ReactNode> = {
    page: <IconFile {...icon} aria-hidden />,
    person: <IconUser {...icon} aria-hidden />,
    site: <IconMapPin {...icon} aria-hidden />,
  }
  const asAction = (choice: Recent, group = ''): SpotlightActionData => ({
    id: `${group}${choice.id}`,
    label: choice.label,
    ...(choice.detail && { description: choice.detail }),
    leftSection: group ? <IconClockHour4 {...icon} aria-hidden /> : icons[choice.kind],
    onClick: () => open(choice),
  })

  const pages: Recent[] = pagesOf(items).map(({ id, label, href, above }) => ({
    id: `page-${id}`,
    kind: 'page',
    label,
    href,
    ...(above && { detail: above }),
  }))
  // What the menu does not hold anymore is not offered from memory either.
  const known = recents.filter(({ kind, id }) => kind !== 'page' || pages.some((page) => page.id === id))
  const answer = asks ? found.data : undefined
  const mayEdit = mayOpen(user, '/new/admin/manage-users/edit')
  const people: Recent[] = (answer?.People ?? []).flatMap(({ Id, Name, AccessLevel, Detail }) => {
    const isStudent = AccessLevel === Level.Student || AccessLevel === Level.Alumnus
    const href = isStudent ? studentAddress(Id) : `/new/admin/manage-users/edit?id=${Id}`
    return (isStudent ? mayOpen(user, href) : mayEdit)
      ? [
          {
            id: `person-${Id}`,
            kind: 'person',
            label: Name,
            detail: `${levelOf(AccessLevel)} · ${Detail}`,
            href,
          },
        ]
      : []
  })
  const sites: Recent[] = mayOpen(user, '/new/admin/sites/edit')
    ? (answer?.Sites ?? []).map(({ Id, Name, Detail }) => ({
        id: `site-${Id}`,
        kind: 'site',
        label: Name,
        detail: Detail,
        href: `/new/admin/sites/edit?id=${Id}`,
      }))
    : []
  const alsoOf = (href: string): string => {
    const also = otherWords[pathOf(href)]
    return also ? words(also) : ''
  }
  // By its own name first.
  const matching = (choices: Recent[]): Recent[] => {
    const named = choices.filter(({ label, detail = '' }) => isFound(`${label} ${detail}`))
    const also = choices.filter(({ label, detail = '', href }) =>
      isFound(`${label} ${detail} ${alsoOf(href)}`),
    )
    return [...new Set([...named, ...also])]
  }
  const recent = matching(known)
  const recentIds = new Set(recent.map(({ id }) => id))
  const others = (choices: Recent[]) => choices.filter(({ id }) => !recentIds.has(id))
  const actions: SpotlightActionData[] = [
    ...things
      .filter(
        (thing) =>
          mayOpen(user, thing.href) && (!thing.may || may(thing.may)) && !(thing.mayNot && may(thing.mayNot)),
      )
      .map(({ label, href, detail, also }) => ({
        id: `do-${href}`,
        label: words(label),
        ...(detail && { description: words(detail) }),
        also: also ? words(also) : '',
        leftSection: also ? icons.person : <IconPlus {...icon} aria-hidden />,
        onClick: () => openAddress(href),
      })),
    ...account.map(({ id, label, detail, icon: own, onRun }) => ({
      id: `account-${id}`,
      label,
      ...(detail && { description: detail }),
      leftSection: own,
      also: '',
      onClick: onRun,
    })),
  ]
    .filter(({ label, also }) => search !== '' && isFound(`${label} ${also}`))
    .map(({ also: _, ...action }) => action)
  const shownPages = others(matching(pages)).slice(0, search ? undefined : maxPages)
  const groups = [
    { group: words('shell.findRecent'), actions: recent.map((choice) => asAction(choice, 'recent-')) },
    { group: words('shell.findPages'), actions: shownPages.map((choice) => asAction(choice)) },
    { group: words('shell.findPeople'), actions: others(people).map((choice) => asAction(choice)) },
    { group: words('shell.findSites'), actions: others(sites).map((choice) => asAction(choice)) },
    { group: words('shell.findActions'), actions },
  ].filter((group) => group.actions.length > 0)
  const isSearching = search.length >= minLength && (waited !== search || found.isFetching)
  const shown = new Set(groups.flatMap(({ actions }) => actions).slice(0, mostShown))
  const none = words(
    isSearching ? 'shell.searching' : found.error ? 'shell.searchFailed' : 'shell.searchNothing',
  )
  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      attributes={{ content: { 'aria-label': words('shell.search') } }}
      scrollable
      maxHeight={420}
    >
      <Spotlight.Search
        leftSection={<IconSearch {...icon} aria-hidden />}
        placeholder={words('shell.search')}
        aria-label={words('shell.search')}
        maxLength={100}
      />
      <p role="status" className="p-sr-only">
        {shown.size === 0 || isSearching
          ? none
          : search !== '' && words('shell.searchFound', { count: shown.size })}
      </p>
      {shown.size === 0 ? (
        <Spotlight.Empty>
          <span aria-hidden>{none}</span>
        </Spotlight.Empty>
      ) : (
        <Spotlight.ActionsList>
          {groups.map(({ group, actions }) => {
            const rows = actions.filter((action) => shown.has(action))
            return (
              rows.length > 0 && (
                <Spotlight.ActionsGroup key={group} label={group}>
                  {rows.map(({ id, ...action }) => (
                    <Spotlight.Action key={id} {...action} />
                  ))}
                </Spotlight.ActionsGroup>
              )
            )
          })}
        </Spotlight.ActionsList>
      )}
    </Spotlight.Root>
  )
}
