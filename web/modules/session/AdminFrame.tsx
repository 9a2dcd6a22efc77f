import { IconBuildingCommunity, IconChartHistogram, IconClockCheck, IconSettings } from '@tabler/icons-react'
import { Fragment, lazy, type ReactNode, Suspense } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { mayOpen, type PageAddress, programFor } from '#contract/core/pages.ts'
import { getAdminData, getLeftMenu, type MenuItem, type State } from '#contract/session/session.ts'
import { logOut } from '#web/api/log-out.ts'
import { PageRedirect, useOpenAddress, usePageNavigate } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { useSaveState } from '#web/api/use-state.ts'
import { AdminShell, adminShellWords } from '#web/shell/AdminShell.tsx'
import { RouterLink } from '#web/shell/RouterLink.tsx'
import { activePath, type MenuItem as ShellItem } from '#web/shell/shell-types.ts'
import { later } from '#web/ui/later.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageNoteContext } from '#web/ui/PageDirections.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useRoleLabel } from '#web/words/level-name.ts'
import { useWords } from '#web/words/use-words.ts'
import { HelpChat } from './HelpChat.tsx'
import { Notices } from './Notices.tsx'
import { SessionEnd } from './SessionEnd.tsx'
import { StateGate } from './StateGate.tsx'
import { useEvidenceQuestion } from './use-evidence-question.ts'
import { useFinder } from './use-finder.ts'
import { useNoticeCount } from './use-notices.ts'
import { usePageNote } from './use-page-note.ts'
import {
  homeAddress,
  icon,
  menuIcons,
  useAccountMenu,
  useFullAddress,
  useWantedAddress,
} from './use-shell.tsx'

const StaffFinder = later(() => import('./StaffFinder.tsx').then((m) => m.StaffFinder))
const ProgramBar = later(() => import('./ProgramBar.tsx').then((m) => m.ProgramBar))

const staffIcons: typeof menuIcons = {
  ...menuIcons,
  colleges: <IconBuildingCommunity {...icon} />,
  time: <IconClockCheck {...icon} />,
  reports: <IconChartHistogram {...icon} />,
  settings: <IconSettings {...icon} />,
}

const asShellItem = (item: MenuItem): ShellItem => ({
  id: String(item.Id),
  label: item.Name,
  href: item.Url,
  icon: staffIcons[item.PageKey],
  ...(item.Count && { count: item.Count }),
  ...(item.Url.startsWith('https:') && { isExternal: true }),
  ...(item.SubMenuItems.length > 0 && { items: item.SubMenuItems.map(asShellItem) }),
})

/** Supervisors open a few screens of staff, in the shell that they know: this one would have no menu for them. */
const MemberFrame = lazy(() => import('./MemberFrame.tsx').then((m) => ({ default: m.MemberFrame })))

/** The admin shell around every `admin/*` screen: menu, top bar and, for super admins, the college and program bar. */
export function AdminFrame({ children }: { children?: ReactNode }) {
  return (
    <StateGate>
      {(state) =>
        state.User.AccessLevel < Level.Faculty ? (
          <Suspense>
            <MemberFrame>{children}</MemberFrame>
          </Suspense>
        ) : (
          <Frame state={state}>{children}</Frame>
        )
      }
    </StateGate>
  )
}

function Frame({ state, children }: { state: State; children: ReactNode }) {
  const words = useWords()
  const address = useFullAddress()
  const wanted = useWantedAddress()
  const menu = useRead(getLeftMenu)
  const admin = useRead(getAdminData, {}, { refetchEveryMs: 300_000 })
  const save = useSaveState()
  useEvidenceQuestion(state.ProgramId, admin.data?.NewArrangementId)
  const finder = useFinder()
  const items = (menu.data?.Items ?? []).map(asShellItem)
  const accountMenu = useAccountMenu(state, true)
  const { User } = state
  const notices = useNoticeCount(state)
  const program = programFor(address)
  const navigate = usePageNavigate()
  const open = useOpenAddress()
  const roleOf = useRoleLabel()
  /** The address, for those who may open its page. */
  const ifOpen = (href: PageAddress) => (mayOpen(User, href) ? href : undefined)
  const note = usePageNote(state.ProgramId, address)
  return (
    <AdminShell
      items={items}
      address={wanted}
      Link={RouterLink}
      user={{ name: User.Name, role: roleOf(User.AccessLevel) }}
      date={dayOf(admin.data)}
      {...(User.isSuperAdmin && { figures: figures(admin.data, words) })}
      programName={state.ProgramName ?? 'Practicum'}
      {...(state.CollegeName && { collegeName: state.CollegeName })}
      homeHref={homeAddress}
      onSearch={finder.open}
      onOpen={open}
      onHelp={() => navigate('/admin/help')}
      onLogOut={logOut}
      notices={{ count: notices, onOpen: () => navigate('/admin/inbox') }}
      userMenu={accountMenu}
      words={{ ...adminShellWords, search: words('shell.searchTop') }}
      isMenuShown={!state.isAdminMenuSemiHidden}
      onMenuShown={(isShown) => void save.run({ isAdminMenuSemiHidden: !isShown })}
      {...(User.isSuperAdmin && {
        superAdmin: {
          isMenuAsProgram: state.IsProgramMenuEnabled,
          onMenuAsProgram: (IsProgramMenuEnabled: boolean) => void save.run({ IsProgramMenuEnabled }),
          taxCalcHref: ifOpen('/new/admin/tax-calc'),
          customReportsHref: ifOpen('/new/admin/custom-reports'),
          weeklyReportsHref: ifOpen('/new/admin/weekly-reports'),
        },
        ...(program !== 'none' && {
          programBar: <ProgramBar state={state} />,
        }),
      })}
      banner={<Notices state={state} />}
    >
      <Suspense>
        {!mayOpen(User, address) ? (
          <PageRedirect to="/admin/home" />
        ) : program === 'needed' && !state.ProgramId ? (
          <Page title={titleAt(items, address) ?? words('shell.chooseTitle')} inset>
            <PageMessage
              kind="empty"
              text={words('shell.chooseProgram')}
              next={words('shell.chooseProgramDetail')}
            />
          </Page>
        ) : (
          <PageNoteContext value={note}>
            <Fragment key={state.ProgramId}>{children}</Fragment>
          </PageNoteContext>
        )}
      </Suspense>
      {finder.asked > 0 && <StaffFinder asked={finder.asked} items={items} account={accountMenu} />}
      <SessionEnd />
      <HelpChat />
    </AdminShell>
  )
}

/** What the menu calls the page at an address, or the page that it belongs to. */
const titleAt = (items: readonly ShellItem[], address: string): string | undefined => {
  const [id] = activePath(items, address).slice(-1)
  const find = (list: readonly ShellItem[]): ShellItem | undefined => {
    for (const item of list) {
      const found = item.id === id ? item : find(item.items ?? [])
      if (found) return found
    }
    return undefined
  }
  return id === undefined ? undefined : find(items)?.label
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
    words('shell.online', { count: count(admin.OnlineUsers) }),
    words('shell.students', { count: count(admin.TotalStudents) }),
  ]
}
