import {
  IconAdjustments,
  IconArrowsExchange,
  IconBook,
  IconBriefcase,
  IconCalendarEvent,
  IconCalendarPlus,
  IconCertificate,
  IconCircleCheck,
  IconClipboardCheck,
  IconClock,
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
  IconShieldCheck,
  IconShieldLock,
  IconSwitchHorizontal,
  IconUsers,
  IconVaccine,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { listOwnAccounts } from '#contract/identity/identity.ts'
import type { State } from '#contract/session/session.ts'
import { logOut } from '#web/api/log-out.ts'
import { useOpenAddress } from '#web/api/navigate.ts'
import { type Place, usePlace, useWantedPlace } from '#web/api/place.ts'
import { appRoot } from '#web/api/root.ts'
import { useRead } from '#web/api/use-call.ts'
import { accountPages } from '#web/shell/account-pages.ts'
import type { UserMenuItem } from '#web/shell/shell-types.ts'
import { useWords } from '#web/words/use-words.ts'
import { switchTo } from './switching.ts'

/** How the icons of menus are drawn. */
export const icon = { size: 20, stroke: 1.75 } as const

/** The icon of a menu entry by its PageKey (staff) or IconClasses (members). Headings of staff have more. */
export const menuIcons: Record<string, ReactNode> = {
  home: <IconHome {...icon} />,
  people: <IconUsers {...icon} />,
  users: <IconUsers {...icon} />,
  schedule: <IconCalendarEvent {...icon} />,
  calendar: <IconCalendarEvent {...icon} />,
  clock: <IconClock {...icon} />,
  evaluations: <IconClipboardCheck {...icon} />,
  'arrows-exchange': <IconArrowsExchange {...icon} />,
  'calendar-plus': <IconCalendarPlus {...icon} />,
  'clipboard-check': <IconClipboardCheck {...icon} />,
  competencies: <IconCertificate {...icon} />,
  requirements: <IconShieldCheck {...icon} />,
  sites: <IconMapPin {...icon} />,
  documents: <IconFiles {...icon} />,
  history: <IconHistory {...icon} />,
  inbox: <IconInbox {...icon} />,
  'circle-check': <IconCircleCheck {...icon} />,
  mail: <IconMail {...icon} />,
  category: <IconFolder {...icon} />,
  shield: <IconShieldCheck {...icon} />,
  vaccine: <IconVaccine {...icon} />,
  link: <IconLink {...icon} />,
}

const fullAddress = ({ path, query }: Place): string => `${path}${query}`

/** The path of the page that is shown, with its query. */
export const useFullAddress = (): string => fullAddress(usePlace())

/** The same of the page that people chose last, for menus, which may hold one page once for each kind. */
export const useWantedAddress = (): string => fullAddress(useWantedPlace())

const accountIcons: Record<string, ReactNode> = {
  employment: <IconBriefcase size={16} />,
  'change-email': <IconMail size={16} />,
  'change-password': <IconLock size={16} />,
  preferences: <IconAdjustments size={16} />,
  'totp-settings': <IconShieldLock size={16} />,
  sessions: <IconDevices size={16} />,
}

/** What the account's menu offers to everyone; `inAdmin` chooses the shell in which the pages open. */
export const useAccountMenu = (state: State, inAdmin: boolean): UserMenuItem[] => {
  const words = useWords()
  const open = useOpenAddress()
  const accounts = useRead(
    listOwnAccounts,
    {},
    { isEnabled: state.User.IsEmailAddressConfirmed && !state.Viewer, staleMs: 600_000 },
  )
  return [
    ...(accounts.data ?? []).map((account) => ({
      id: `account-${account.UserId}`,
      label: words('shell.switchTo', { name: account.UserName }),
      detail: account.ProgramName ?? '',
      icon: <IconSwitchHorizontal size={16} />,
      onRun: () => void switchTo(account),
    })),
    ...accountPages(state.User, inAdmin).map(({ id, href, label }) => ({
      id,
      label: words(label),
      icon: accountIcons[id],
      onRun: () => open(href),
    })),
    {
      id: 'guide',
      label: words('shell.userGuide'),
      icon: <IconBook size={16} />,
      onRun: () => open(inAdmin ? '/new/admin/help' : '/new/help'),
    },
    {
      id: 'logout',
      label: words('shell.logOut'),
      icon: <IconLogout size={16} />,
      onRun: logOut,
    },
  ]
}

export const homeAddress = `${appRoot}/new/admin/home`
