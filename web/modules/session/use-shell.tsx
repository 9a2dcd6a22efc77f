import { useMantineColorScheme } from '@mantine/core'
import {
  IconBuildingCommunity,
  IconCalendarEvent,
  IconChartHistogram,
  IconCircleCheck,
  IconClipboardCheck,
  IconClock,
  IconClockCheck,
  IconDeviceDesktop,
  IconDevices,
  IconHistory,
  IconHome,
  IconInbox,
  IconLock,
  IconLogout,
  IconMapPin,
  IconMoon,
  IconSettings,
  IconSun,
  IconSwitchHorizontal,
  IconUsers,
} from '@tabler/icons-react'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { listOwnAccounts, logout, switchAccount } from '#contract/identity.ts'
import { levelLabel } from '#contract/levels.ts'
import type { State } from '#contract/session.ts'
import { call, forgetToken } from '#web/api/call.ts'
import { appRoot, pageAddress } from '#web/api/root.ts'
import { useRead } from '#web/api/use-call.ts'
import type { UserMenuItem } from '#web/shell/shell-types.ts'
import { useWords } from '#web/words/use-words.ts'

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
  reports: <IconChartHistogram {...icon} />,
  history: <IconHistory {...icon} />,
  inbox: <IconInbox {...icon} />,
  'circle-check': <IconCircleCheck {...icon} />,
  settings: <IconSettings {...icon} />,
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

/** Ends the session and shows the login page. */
export const logOut = async (): Promise<void> => {
  await call(logout).catch(() => undefined)
  forgetToken()
  location.assign(pageAddress('login'))
}

/** What the account's menu offers to everyone; `inAdmin` chooses the shell in which the pages open. */
export const useAccountMenu = (state: State, inAdmin: boolean): UserMenuItem[] => {
  const words = useWords()
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const accounts = useRead(
    listOwnAccounts,
    {},
    { isEnabled: state.User.IsEmailAddressConfirmed, staleMs: 600_000 },
  )
  const page = (path: string) => () =>
    void navigate({ to: (inAdmin ? `/admin/${path}` : `/${path}`) as never })
  const next = colorScheme === 'light' ? 'dark' : colorScheme === 'dark' ? 'auto' : 'light'
  const schemes = { light: words('shell.light'), dark: words('shell.dark'), auto: words('shell.system') }
  const schemeIcons = {
    light: <IconSun size={16} />,
    dark: <IconMoon size={16} />,
    auto: <IconDeviceDesktop size={16} />,
  }
  return [
    ...(accounts.data ?? []).map((account) => ({
      id: `account-${account.UserId}`,
      label: words('shell.switchTo', { name: account.UserName }),
      detail: account.ProgramName ?? '',
      icon: <IconSwitchHorizontal size={16} />,
      onRun: async () => {
        const { RedirectTo } = await call(switchAccount, { body: { UserId: account.UserId } })
        location.assign(RedirectTo)
      },
    })),
    {
      id: 'appearance',
      label: words('shell.appearance'),
      detail: schemes[colorScheme],
      icon: schemeIcons[colorScheme],
      onRun: () => setColorScheme(next),
    },
    {
      id: 'password',
      label: words('shell.changePassword'),
      icon: <IconLock size={16} />,
      onRun: page('change-password'),
    },
    {
      id: 'sessions',
      label: words('shell.sessions'),
      icon: <IconDevices size={16} />,
      onRun: page('sessions'),
    },
    {
      id: 'logout',
      label: words('shell.logOut'),
      icon: <IconLogout size={16} />,
      onRun: () => void logOut(),
    },
  ]
}

export const homeAddress = `${appRoot}/new/admin/home`
