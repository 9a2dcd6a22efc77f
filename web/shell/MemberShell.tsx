import '#web/ui/all-styles.ts'
import { IconArrowLeft, IconBell, IconMenu2, IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { plainWords } from '#web/words/plain-words.ts'
import classes from './Frame.module.css'
import { Logo } from './Logo.tsx'
import phone from './PhoneShell.module.css'
import type { PhoneTask } from './phone-task.ts'
import { SideMenu } from './SideMenu.tsx'
import {
  activePath,
  type LinkComponent,
  type MenuItem,
  type Notices,
  type ShellUser,
  type UserMenuItem,
} from './shell-types.ts'
import { UserMenu } from './UserMenu.tsx'

export type MemberShellProps = {
  /** The program's menu. */
  items: MenuItem[]
  address: string
  Link: LinkComponent
  programName: string
  user: ShellUser
  userMenu: UserMenuItem[]
  notices: Notices
  onSearch?: () => void
  isMenuShown?: boolean
  onMenuShown: (isShown: boolean) => void
  /** The year in the footer: © 2005–2026. */
  year: number
  phone: {
    /** Five at most are in the bar; each with an icon of 22 px. */
    items: MenuItem[]
    /** Beside the initials: online or offline. */
    end?: ReactNode
    /**
     * A focused task (an evaluation) hides the bar: it has its own title, a way back, and at the foot its own buttons.
     */
    task?: PhoneTask
  }
  banner?: ReactNode
  words?: { menu: string; notices: string; skip: string; search: string; back: string; mainMenu: string }
  children: ReactNode
}

const shellWords = {
  menu: plainWords('shell.menu'),
  notices: plainWords('shell.notices'),
  skip: plainWords('shell.skip'),
  search: plainWords('ui.search'),
  back: plainWords('shell.back'),
  mainMenu: plainWords('ui.mainMenu'),
}

const copyright = (year: number): string => `© 2005–${year} Practicum`

type PartProps = MemberShellProps & { words: typeof shellWords }

/**
 * The frame of everybody who is not staff: with a side menu on a wide screen; below 768 px a quiet head, the work, and the
 * bar under the thumb. The page keeps its place among the elements of both, and with it what was typed when a window is
 * resized or a phone turned.
 */
export function MemberShell(props: MemberShellProps) {
  const { words = shellWords, isMenuShown = true } = props
  const isPhone = useIsPhone()
  const parts = { ...props, words }
  const look = isPhone ? phone : classes
  return (
    <div className={look.frame}>
      <a href="#content" className={look.skip}>
        {words.skip}
      </a>
      {isPhone ? <PhoneHead {...parts} /> : <WideHead {...parts} />}
      <div className={look.body}>
        {!isPhone && (
          <SideMenu items={props.items} address={props.address} Link={props.Link} isShown={isMenuShown} />
        )}
        {/* On a phone it scrolls as a whole, so the arrow keys must reach it. */}
        <main id="content" tabIndex={isPhone ? 0 : -1} className={look.main}>
          {props.banner}
          {props.children}
        </main>
      </div>
      {isPhone ? <PhoneFoot {...parts} /> : <footer className={classes.foot}>{copyright(props.year)}</footer>}
    </div>
  )
}

function WideHead(props: PartProps) {
  const { notices, words, isMenuShown = true } = props
  return (
    <header className={classes.top}>
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={isMenuShown}
        aria-label={words.menu}
        onClick={() => props.onMenuShown(!isMenuShown)}
      >
        <IconMenu2 size={18} stroke={2} aria-hidden />
        <span className={classes.toggleWord}>{words.menu}</span>
      </button>
      <Logo />
      <div className={classes.place}>
        <b title={props.programName}>{props.programName}</b>
      </div>
      <div className={classes.end}>
        {props.onSearch && (
          <button
            type="button"
            className={classes.link}
            onClick={props.onSearch}
            title={words.search}
            aria-label={words.search}
          >
            <IconSearch size={17} stroke={1.75} aria-hidden />
          </button>
        )}
        <button
          type="button"
          className={classes.link}
          onClick={notices.onOpen}
          title={words.notices}
          aria-label={`${words.notices}: ${notices.count}`}
        >
          <IconBell size={17} stroke={1.75} aria-hidden />
          {notices.count > 0 && <span className={classes.bellCount}>{notices.count}</span>}
        </button>
        <UserMenu user={props.user} items={props.userMenu} />
      </div>
    </header>
  )
}

function PhoneHead(props: PartProps) {
  const { words } = props
  const { task, end } = props.phone
  return (
    <header className={phone.top}>
      {task ? (
        <>
          <button type="button" className={phone.back} aria-label={words.back} onClick={task.onBack}>
            <IconArrowLeft size={22} stroke={1.75} aria-hidden />
          </button>
          <div className={phone.name}>
            <b>{task.title}</b>
            {task.detail && <span>{task.detail}</span>}
          </div>
        </>
      ) : (
        <>
          <Logo size={28} />
          <b className={phone.name}>{props.programName}</b>
        </>
      )}
      <div className={phone.end}>
        {end}
        {!task && (
          <button
            type="button"
            className={phone.bell}
            onClick={props.notices.onOpen}
            title={words.notices}
            aria-label={`${words.notices}: ${props.notices.count}`}
          >
            <IconBell size={22} stroke={1.75} aria-hidden />
            {props.notices.count > 0 && (
              <i className={phone.bellCount} aria-hidden>
                {props.notices.count}
              </i>
            )}
          </button>
        )}
        <UserMenu
          user={props.user}
          items={props.userMenu}
          heading={{
            title: props.user.name,
            lines: [props.user.role ?? '', props.programName, copyright(props.year)],
          }}
          isShort
        />
      </div>
    </header>
  )
}

function PhoneFoot(props: PartProps) {
  const { Link } = props
  const { task, items } = props.phone
  if (task) return task.foot ? <footer className={phone.foot}>{task.foot}</footer> : null
  const active = activePath(items, props.address)[0]
  return (
    <nav aria-label={props.words.mainMenu} className={phone.bar}>
      {items.map((item) => (
        <Link
          key={item.id}
          href={item.href}
          className={phone.item}
          data-on={item.id === active || undefined}
          aria-current={item.id === active ? 'page' : undefined}
        >
          <span className={phone.icon}>
            {item.icon}
            {Boolean(item.count) && (
              <i className={phone.count}>
                {item.count}
                <span className="p-sr-only"> waiting</span>
              </i>
            )}
          </span>
          {item.label}
        </Link>
      ))}
    </nav>
  )
}
