import {
  IconAdjustments,
  IconBook,
  IconBriefcase,
  IconBuildingCommunity,
  IconCalendarEvent,
  IconChartHistogram,
  IconCircleCheck,
  IconClipboardCheck,
  IconClock,
  IconClockCheck,
  IconDevices,
  IconFiles,
  IconFolder,
  IconHistory,
  IconHome,
  IconInbox,
  IconLink,
  IconLock,
  IconLogout,
  IconMail,
  IconMapPin,
  IconSettings,
  IconShieldLock,
  IconSwitchHorizontal,
  IconUsers,
} from '@tabler/icons-react'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { listOwnAccounts } from '#contract/identity.ts'
import { levelLabel } from '#contract/levels.ts'
import { may } from '#contract/permissions.ts'
import type { State } from '#contract/session.ts'
import { logOut } from '#web/api/log-out.ts'
import { appRoot } from '#web/api/root.ts'
import { useRead } from '#web/api/use-call.ts'
import type { UserMenuItem } from '#web/shell/shell-types.ts'
import { useWords } from '#web/words/use-words.ts'
import { switchTo } from './switching.ts'

const icon = { size: 20, stroke: 1.75 } as const

/** The icon of a menu entry by its PageKey (staff) or IconClasses (members). */
export const menuIcons: Record<string, ReactNode> = {
  home: <IconHome {...icon} />,
  colleges: <IconBuildingCommunity {...icon} />,
  people: <IconUsers {...icon} />,
  users: <IconUsers {...icon} />,
  schedule: <IconCalendarEvent {...icon} />,
  calendar: <IconCalendarEvent {...icon} />,
  time: <IconClockCheck {...icon} />,
  clock: <IconClock {...icon} />,
  evaluations: <IconClipboardCheck {...icon} />,
  'clipboard-check': <IconClipboardCheck {...icon} />,
  sites: <IconMapPin {...icon} />,
  documents: <IconFiles {...icon} />,
  reports: <IconChartHistogram {...icon} />,
  history: <IconHistory {...icon} />,
  inbox: <IconInbox {...icon} />,
  'circle-check': <IconCircleCheck {...icon} />,
  mail: <IconMail {...icon} />,
  settings: <IconSettings {...icon} />,
  category: <IconFolder {...icon} />,
  link: <IconLink {...icon} />,
}

const roles: Record<string, string> = {
  Coord: 'Coordinator',
  SiteEmployee: 'Site employee',
  GenericEmployee: 'Employee',
  SuperAdmin: 'Super admin',
}

/** The role as people read it beside their name. */
export const roleLabel = (level: number): string => roles[levelLabel(level)] ?? levelLabel(level)

/** The current path as menus compare it, with '/new' in front. */
export const useAddressPath = (): string =>
  useRouterState({ select: (state) => `/new${state.location.pathname.replace(/^.*?\/new(?=\/)/, '')}` })

/** The path with its query, for menus that hold one page once for each kind. */
export const useFullAddress = (): string => {
  const path = useAddressPath()
  const query = useRouterState({ select: (state) => state.location.searchStr })
  return `${path}${query}`
}

/** What the account's menu offers to everyone (D1-181); `inAdmin` chooses the shell in which the pages open. */
export const useAccountMenu = (state: State, inAdmin: boolean): UserMenuItem[] => {
  const words = useWords()
  const navigate = useNavigate()
  const accounts = useRead(
    listOwnAccounts,
    {},
    { isEnabled: state.User.IsEmailAddressConfirmed && !state.Viewer, staleMs: 600_000 },
  )
  const go = (path: string) => () => void navigate({ to: path as never })
  const page = (path: string) => go(inAdmin ? `/admin/${path}` : `/${path}`)
  const item = (id: string, label: string, icon: ReactNode, onRun: () => void): UserMenuItem => ({
    id,
    label,
    icon,
    onRun,
  })
  return [
    ...(accounts.data ?? []).map((account) => ({
      id: `account-${account.UserId}`,
      label: words('shell.switchTo', { name: account.UserName }),
      detail: account.ProgramName ?? '',
      icon: <IconSwitchHorizontal size={16} />,
      onRun: () => void switchTo(account),
    })),
    ...(may(state.User, 'employment.own')
      ? [item('employment', words('employment.ownTitle'), <IconBriefcase size={16} />, page('employment'))]
      : []),
    ...(state.User.IsDemo
      ? []
      : [item('email', words('shell.changeEmail'), <IconMail size={16} />, page('change-email'))]),
    item('password', words('shell.changePassword'), <IconLock size={16} />, page('change-password')),
    item('preferences', words('shell.preferences'), <IconAdjustments size={16} />, page('preferences')),
    item(
      'authenticator',
      words('shell.authenticator'),
      <IconShieldLock size={16} />,
      inAdmin
        ? go('/admin/totp-settings')
        : () => void navigate({ to: '/totp-settings', search: { closes: 'true' } } as never),
    ),
    item('sessions', words('shell.sessions'), <IconDevices size={16} />, page('sessions')),
    ...(inAdmin ? [] : [item('guide', words('shell.userGuide'), <IconBook size={16} />, page('help'))]),
    item('logout', words('shell.logOut'), <IconLogout size={16} />, () => void logOut()),
  ]
}

export const homeAddress = `${appRoot}/new/admin/home`
