import { Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { AnswerOf } from '#contract/endpoint.ts'
import { getAdminData, getGlobals, getLeftMenu, type MenuItem } from '#contract/session.ts'
import { useRead } from '#web/api/use-call.ts'
import { useAppState, useSaveState } from '#web/api/use-state.ts'
import { AdminShell } from '#web/shell/AdminShell.tsx'
import { RouterLink } from '#web/shell/RouterLink.tsx'
import type { MenuItem as ShellItem } from '#web/shell/shell-types.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import { DemoBanner } from './DemoBanner.tsx'
import { PageFinder, useFinder } from './PageFinder.tsx'
import { leadsOnWithoutProgram, needsProgram, ProgramBar } from './ProgramBar.tsx'
import { homeAddress, logOut, menuIcons, roleLabel, useAccountMenu, useAddressPath } from './use-shell.tsx'

const asShellItem = (item: MenuItem): ShellItem => ({
  id: String(item.Id),
  label: item.Name,
  href: item.Url,
  icon: menuIcons[item.PageKey],
  ...(item.Count && { count: item.Count }),
  ...(item.SubMenuItems.length > 0 && { items: item.SubMenuItems.map(asShellItem) }),
})

/** The admin shell around every `admin/*` screen: menu, top bar and, for super admins, the college and program bar. */
export function AdminFrame() {
  const state = useAppState()
  if (state.error)
    return <PageMessage kind="error" text={state.error.message} onRetry={() => void state.refetch()} />
  if (!state.data) return null
  return <Frame state={state.data} />
}

function Frame({ state }: { state: NonNullable<ReturnType<typeof useAppState>['data']> }) {
  const words = useWords()
  const address = useAddressPath()
  const menu = useRead(getLeftMenu)
  const admin = useRead(getAdminData, {}, { refetchEveryMs: 300_000 })
  const globals = useRead(getGlobals, {}, { staleMs: 60_000 })
  const save = useSaveState()
  const finder = useFinder()
  const items = (menu.data?.Items ?? []).map(asShellItem)
  const accountMenu = useAccountMenu(state, true)
  const { User } = state
  const search = useRouterState({ select: (state) => state.location.searchStr })
  const needs = needsProgram(`${address}${search}`)
  return (
    <AdminShell
      items={items}
      address={address}
      Link={RouterLink}
      user={{ name: User.Name, role: roleLabel(User.AccessLevel) }}
      date={dayOf(admin.data)}
      {...(User.isSuperAdmin && { figures: figures(admin.data, words) })}
      programName={state.ProgramName ?? 'Practicum'}
      {...(state.CollegeName && { collegeName: state.CollegeName })}
      homeHref={homeAddress}
      onSearch={finder.open}
      onHelp={finder.help}
      onLogOut={() => void logOut()}
      notices={{ count: User.HasUnreadRemarks ? 1 : 0, onOpen: finder.notices }}
      userMenu={accountMenu}
      isMenuShown={!state.isAdminMenuSemiHidden}
      onMenuShown={(isShown) => void save.run({ isAdminMenuSemiHidden: !isShown })}
      {...(User.isSuperAdmin && {
        superAdmin: {
          isMenuAsProgram: state.IsProgramMenuEnabled,
          onMenuAsProgram: (IsProgramMenuEnabled: boolean) => void save.run({ IsProgramMenuEnabled }),
        },
        ...(needs && { programBar: <ProgramBar state={state} /> }),
      })}
      banner={globals.data?.IsDemoInstallation && <DemoBanner />}
    >
      <Suspense>
        {needs && !state.ProgramId && !leadsOnWithoutProgram(address) ? (
          <PageMessage
            kind="empty"
            text={words('shell.chooseProgram')}
            next={words('shell.chooseProgramDetail')}
          />
        ) : (
          <Outlet key={state.ProgramId} />
        )}
      </Suspense>
      <PageFinder finder={finder} items={items} />
    </AdminShell>
  )
}

const dayOf = (admin: AnswerOf<typeof getAdminData> | undefined): string => {
  if (!admin) return ''
  const [month, day, year] = admin.CurrentDate.split('/').map(Number) as [number, number, number]
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' }).format(
    Date.UTC(year, month - 1, day),
  )
  return `${weekday} ${admin.CurrentDate}`
}

const figures = (
  admin: AnswerOf<typeof getAdminData> | undefined,
  words: ReturnType<typeof useWords>,
): string[] => {
  if (!admin) return []
  const count = (value: number | null) => (value ?? 0).toLocaleString('en-US')
  return [
    words('shell.online', { count: count(admin.DailyUsers) }),
    words('shell.students', { count: count(admin.TotalStudents) }),
  ]
}
