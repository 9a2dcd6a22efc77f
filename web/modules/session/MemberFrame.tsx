import { IconDots, IconWifi, IconWifiOff } from '@tabler/icons-react'
import { type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { Level } from '#contract/core/levels.ts'
import { mayOpen } from '#contract/core/pages.ts'
import { getProgramMenu, type State } from '#contract/session/session.ts'
import { PageRedirect, usePageNavigate } from '#web/api/navigate.ts'
import { useReadyOffline } from '#web/api/ready-offline.ts'
import { useRead } from '#web/api/use-call.ts'
import { useSaveState } from '#web/api/use-state.ts'
import { MemberShell } from '#web/shell/MemberShell.tsx'
import { PhoneTaskContext, usePhoneTaskState } from '#web/shell/phone-task.ts'
import { RouterLink } from '#web/shell/RouterLink.tsx'
import { inPhoneBar } from '#web/shell/shell-types.ts'
import { later } from '#web/ui/later.tsx'
import { PageNoteContext } from '#web/ui/PageDirections.tsx'
import { useRoleLabel } from '#web/words/level-name.ts'
import { useWords } from '#web/words/use-words.ts'
import { HelpChat } from './HelpChat.tsx'
import { useKeptSince } from './kept-since.ts'
import { Notices } from './Notices.tsx'
import { SessionEnd } from './SessionEnd.tsx'
import { StateGate } from './StateGate.tsx'
import classes from './session.module.css'
import { useFinder } from './use-finder.ts'
import { useNoticeCount } from './use-notices.ts'
import { usePageNote } from './use-page-note.ts'
import { menuIcons, useAccountMenu, useFullAddress, useWantedAddress } from './use-shell.tsx'

const PageFinder = later(() => import('./PageFinder.tsx').then((m) => m.PageFinder))

/** The shell of students, supervisors and other members. */
export function MemberFrame({ children }: { children?: ReactNode }) {
  return <StateGate>{(state) => <Frame state={state}>{children}</Frame>}</StateGate>
}

const watchOnline = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

function Frame({ state, children }: { state: State; children: ReactNode }) {
  const words = useWords()
  const address = useFullAddress()
  const wanted = useWantedAddress()
  const finder = useFinder()
  const note = usePageNote(state.ProgramId, address)
  const navigate = usePageNavigate()
  const save = useSaveState()
  const roleOf = useRoleLabel()
  const programId = state.ProgramId ?? 0
  const menu = useRead(
    getProgramMenu,
    { params: { programId } },
    { isEnabled: programId > 0, staleMs: 300_000 },
  )
  const accountMenu = useAccountMenu(state, false)
  const hasNetwork = useSyncExternalStore(watchOnline, () => navigator.onLine)
  const isOnline = useKeptSince() === undefined && hasNetwork
  const isReady = useReadyOffline()
  const task = usePhoneTaskState()
  const items = (menu.data ?? []).map(({ Name, Url, IconClasses }) => ({
    id: Url,
    label: Name,
    href: Url,
    icon: menuIcons[IconClasses],
  }))
  const user = { name: state.User.Name, role: roleOf(state.User.AccessLevel) }
  const openNotices = () => navigate('/inbox')
  const notices = { count: useNoticeCount(state), onOpen: openNotices }
  const content = (
    <PhoneTaskContext value={task.set}>
      <PageNoteContext value={note}>
        <Suspense>
          {mayOpen(state.User, address) ? (
            children
          ) : (
            <PageRedirect to={state.User.AccessLevel >= Level.Faculty ? '/admin/home' : '/'} />
          )}
        </Suspense>
      </PageNoteContext>
      {finder.asked > 0 && <PageFinder asked={finder.asked} items={items} account={accountMenu} />}
      <SessionEnd />
      <HelpChat />
    </PhoneTaskContext>
  )
  const more = {
    id: 'more',
    label: words('shell.more'),
    href: '/new/more',
    icon: <IconDots size={22} stroke={1.75} />,
  }
  const online = words(!isOnline ? 'shell.offline' : isReady ? 'shell.readyOffline' : 'shell.onlineNow')
  const OnlineIcon = isOnline ? IconWifi : IconWifiOff
  return (
    <MemberShell
      items={items}
      address={wanted}
      Link={RouterLink}
      programName={state.ProgramName ?? 'Practicum'}
      user={user}
      userMenu={accountMenu}
      notices={notices}
      isMenuShown={!state.isAdminMenuSemiHidden}
      onSearch={finder.open}
      onMenuShown={(isShown) => void save.run({ isAdminMenuSemiHidden: !isShown })}
      year={new Date().getFullYear()}
      phone={{
        // All at once: an entry that moves aside for others is missed by the thumb.
        items: menu.isLoading ? [] : [...inPhoneBar(items), more],
        ...(task.current && { task: task.current }),
        end: (
          <span title={online} className={classes.online}>
            <OnlineIcon size={18} stroke={1.75} aria-hidden />
            <span className={isOnline && !isReady ? 'p-sr-only' : undefined}>{online}</span>
          </span>
        ),
      }}
      banner={<Notices state={state} />}
    >
      {content}
    </MemberShell>
  )
}
