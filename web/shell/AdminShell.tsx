import '#web/ui/all-styles.ts'
import {
  IconBell,
  IconHelp,
  IconHome,
  IconLogout,
  IconMenu2,
  IconReport,
  IconSearch,
} from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { later } from '#web/ui/later.tsx'
import { useIsPhone, useMedia } from '#web/ui/use-is-phone.ts'
import classes from './Frame.module.css'
import { Logo } from './Logo.tsx'
import { SideMenu } from './SideMenu.tsx'
import type { LinkComponent, MenuItem, Notices, ShellUser, UserMenuItem } from './shell-types.ts'
import { UserMenu } from './UserMenu.tsx'

const Drawer = later(() => import('./Drawer.tsx').then((m) => m.Drawer))

export type AdminShellWords = {
  menu: string
  search: string
  help: string
  home: string
  notices: string
  logOut: string
  welcome: string
  skip: string
  seeMenuAsProgram: string
  taxCalc: string
  customReports: string
  weeklyReports: string
}

export const adminShellWords: AdminShellWords = {
  menu: 'MENU',
  search: 'Find people, sites, pages',
  help: 'Help',
  home: 'Home',
  notices: 'Notifications',
  logOut: 'Log Out',
  welcome: 'Welcome,',
  skip: 'Skip to the content',
  seeMenuAsProgram: 'See menu as program',
  taxCalc: 'Tax Calc',
  customReports: 'Custom Reports',
  weeklyReports: 'Weekly Reports',
}

export type AdminShellProps = {
  items: MenuItem[]
  /** The current path, for the active item; a change of it closes the menu on phones. */
  address: string
  Link: LinkComponent
  user: ShellUser
  /** 'Thu 11/19/2026'; the figures follow it for super admins: '214 online'. */
  date: string
  figures?: string[]
  programName: string
  collegeName?: string
  homeHref: string
  onSearch?: () => void
  onHelp: () => void
  /** Opens an address of the product. */
  onOpen: (href: string) => void
  onLogOut: () => void
  notices: Notices
  /** Where given, the avatar opens it (other accounts, preferences, color scheme). */
  userMenu: UserMenuItem[]
  /** The menu shown (224 px) or semi-hidden (60 px, default); the caller keeps the choice. */
  isMenuShown?: boolean
  onMenuShown: (isShown: boolean) => void
  /** The super-admin variant. */
  superAdmin?: {
    isMenuAsProgram: boolean
    onMenuAsProgram: (value: boolean) => void
    /** Left out for those without the area. */
    taxCalcHref?: string | undefined
    customReportsHref?: string | undefined
    weeklyReportsHref?: string | undefined
  }
  /** The college and program bar, first inside the sheet: selects, then a quiet sentence. */
  programBar?: ReactNode
  /** Above the page inside the sheet: "Viewing as …", offline. */
  banner?: ReactNode
  words?: AdminShellWords
  children: ReactNode
}

/** Where the bar has no room for the welcome, and where super admins' links go to the user menu. */
const narrow = '(max-width: 61.99em)'
const tight = '(max-width: 79.99em)'

const searchKey = /Mac|iP(hone|ad)/.test(globalThis.navigator?.userAgent ?? '') ? '⌘K' : 'Ctrl K'

/** Top bar, left menu and the sheet of the staff's screens. Presentational: all data and all doing come by props. */
export function AdminShell(props: AdminShellProps) {
  const { Link, user, superAdmin, notices, words = adminShellWords, isMenuShown = false } = props
  const isPhone = useIsPhone()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const isOpen = isPhone ? isDrawerOpen : isMenuShown
  // biome-ignore lint/correctness/useExhaustiveDependencies: following a link is what closes the drawer
  useEffect(() => setDrawerOpen(false), [props.address])
  const menu = (
    <SideMenu items={props.items} address={props.address} Link={Link} isShown={isPhone || isMenuShown} />
  )
  const extra = superAdmin
    ? ([
        [superAdmin.taxCalcHref, words.taxCalc],
        [superAdmin.customReportsHref, words.customReports],
        [superAdmin.weeklyReportsHref, words.weeklyReports],
      ] as const)
    : []
  const figures = [props.date, ...(props.figures ?? [user.role ?? ''])]
  // What the bar has no room for is in the user menu, so that nothing is out of reach at any width.
  const isNarrow = useMedia(narrow)
  const isTight = useMedia(tight) && superAdmin !== undefined
  const userMenu: UserMenuItem[] = [
    ...(isNarrow && superAdmin
      ? [
          {
            id: 'menu-as-program',
            label: words.seeMenuAsProgram,
            isChecked: superAdmin.isMenuAsProgram,
            onRun: () => superAdmin.onMenuAsProgram(!superAdmin.isMenuAsProgram),
          },
        ]
      : []),
    ...(isTight
      ? extra.flatMap(([href, label]) =>
          href ? [{ id: href, label, icon: <IconReport size={16} />, onRun: () => props.onOpen(href) }] : [],
        )
      : []),
    ...props.userMenu,
  ]
  return (
    <div className={classes.frame} data-super={superAdmin ? true : undefined}>
      <a href="#content" className={classes.skip}>
        {words.skip}
      </a>
      <header className={classes.top}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-label={words.menu}
          onClick={() => (isPhone ? setDrawerOpen(!isDrawerOpen) : props.onMenuShown(!isMenuShown))}
        >
          <IconMenu2 size={18} stroke={2} aria-hidden />
          <span className={classes.toggleWord}>{words.menu}</span>
        </button>
        <Logo />
        <div className={classes.place}>
          <b title={props.programName}>{props.programName}</b>
          {props.collegeName && <span title={props.collegeName}>{props.collegeName}</span>}
        </div>
        {superAdmin ? (
          <label className={`${classes.check} ${classes.wide}`}>
            <input
              type="checkbox"
              className="p-tick"
              checked={superAdmin.isMenuAsProgram}
              onChange={(event) => superAdmin.onMenuAsProgram(event.currentTarget.checked)}
            />
            {words.seeMenuAsProgram}
          </label>
        ) : (
          props.onSearch && (
            <button type="button" className={classes.find} onClick={props.onSearch} aria-label={words.search}>
              <IconSearch size={16} stroke={1.75} aria-hidden />
              <span>{words.search}</span>
              <kbd>{searchKey}</kbd>
            </button>
          )
        )}
        <div className={classes.end}>
          {!isTight &&
            extra.map(
              ([href, label]) =>
                href && (
                  <Link key={label} href={href} className={classes.link}>
                    {label}
                  </Link>
                ),
            )}
          {superAdmin && props.onSearch && (
            <button
              type="button"
              className={classes.link}
              onClick={props.onSearch}
              aria-label={words.search}
              title={`${words.search} (${searchKey})`}
            >
              <IconSearch size={17} stroke={1.75} aria-hidden />
            </button>
          )}
          {superAdmin && <span className={classes.separator} />}
          <button
            type="button"
            className={`${classes.link} ${classes.hideOnPhone}`}
            onClick={props.onHelp}
            title={words.help}
          >
            <IconHelp size={17} stroke={1.75} aria-hidden />
            <span className={`${classes.linkWord} ${classes.secondWord}`}>{words.help}</span>
          </button>
          <Link href={props.homeHref} className={`${classes.link} ${classes.hideOnPhone}`} title={words.home}>
            <IconHome size={17} stroke={1.75} aria-hidden />
            <span className={`${classes.linkWord} ${classes.secondWord}`}>{words.home}</span>
          </Link>
          <button
            type="button"
            className={classes.link}
            onClick={notices.onOpen}
            title={words.notices}
            aria-label={`${words.notices}: ${notices.count}`}
          >
            <IconBell size={17} stroke={1.75} aria-hidden />
            {notices.count > 0 && <i className={classes.bellDot} aria-hidden />}
          </button>
          <button type="button" className={classes.link} onClick={props.onLogOut} title={words.logOut}>
            <IconLogout size={17} stroke={1.75} aria-hidden />
            <span className={classes.linkWord}>{words.logOut}</span>
          </button>
        </div>
        <div className={classes.welcome}>
          <div>
            <div className={classes.who}>
              <span>{words.welcome}</span> <b>{user.name}</b>
            </div>
            <div className={classes.date}>{figures.filter(Boolean).join(' · ')}</div>
          </div>
          <UserMenu
            user={user}
            items={userMenu}
            heading={isNarrow ? { title: `${words.welcome} ${user.name}`, lines: figures } : undefined}
            isShort
          />
        </div>
      </header>
      <div className={classes.body}>
        {!isPhone && menu}
        {isPhone && isDrawerOpen && (
          <Drawer label={words.menu} onClose={() => setDrawerOpen(false)}>
            {menu}
          </Drawer>
        )}
        <main id="content" tabIndex={-1} className={classes.main}>
          {props.programBar && <div className={classes.programBar}>{props.programBar}</div>}
          {props.banner}
          {props.children}
        </main>
      </div>
    </div>
  )
}
