import '#web/ui/all-styles.ts'
import { IconBell, IconMenu2, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { Drawer } from './Drawer.tsx'
import classes from './Frame.module.css'
import { Logo } from './Logo.tsx'
import { SideMenu } from './SideMenu.tsx'
import type { LinkComponent, MenuItem, Notices, ShellUser, UserMenuItem } from './shell-types.ts'
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
  /** Links beside the year. */
  footLinks?: ReactNode
  banner?: ReactNode
  words?: { menu: string; notices: string; skip: string; search: string }
  children: ReactNode
}

const englishWords = {
  menu: 'MENU',
  notices: 'Notifications',
  skip: 'Skip to the content',
  search: 'Search',
}

/** The frame of everybody who is not staff, on a wide screen; phones get `PhoneShell`. */
export function MemberShell(props: MemberShellProps) {
  const { notices, words = englishWords, isMenuShown = true } = props
  const isPhone = useIsPhone()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: following a link is what closes the drawer
  useEffect(() => setDrawerOpen(false), [props.address])
  const menu = (
    <SideMenu
      items={props.items}
      address={props.address}
      Link={props.Link}
      isShown={isPhone || isMenuShown}
    />
  )
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        {words.skip}
      </a>
      <header className={classes.top}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isPhone ? isDrawerOpen : isMenuShown}
          aria-label={words.menu}
          onClick={() => (isPhone ? setDrawerOpen(!isDrawerOpen) : props.onMenuShown(!isMenuShown))}
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
      <div className={classes.body}>
        {!isPhone && menu}
        {isPhone && isDrawerOpen && (
          <Drawer label={words.menu} onClose={() => setDrawerOpen(false)}>
            {menu}
          </Drawer>
        )}
        <main id="content" tabIndex={-1} className={classes.main}>
          {props.banner}
          {props.children}
        </main>
      </div>
      <footer className={classes.foot}>
        © 2005–{props.year} {props.footLinks}
      </footer>
    </div>
  )
}
