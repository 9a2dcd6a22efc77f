import { IconChevronDown, IconExternalLink } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import classes from './SideMenu.module.css'
import { activePath, type LinkComponent, type MenuItem } from './shell-types.ts'

export type SideMenuProps = {
  items: MenuItem[]
  /** The current path, for the active item. */
  address: string
  Link: LinkComponent
  /** 224 px with labels, or the 60 px rail whose labels come with hover and focus. */
  isShown: boolean
  label?: string
}

/** Moves what flies out up by as much as it would reach below the screen. */
const keepOnScreen = (flyout: HTMLElement | null): void => {
  if (!flyout) return
  const below = flyout.getBoundingClientRect().bottom - (innerHeight - 8)
  if (below > 0) flyout.style.marginTop = `${-below}px`
}

/** The left menu. In the rail a '#' item flies out; in the open menu it unfolds. */
export function SideMenu({
  items,
  address,
  Link,
  isShown,
  label = plainWords('ui.mainMenu'),
}: SideMenuProps) {
  const path = activePath(items, address)
  const [openId, setOpenId] = useState<string | undefined>(isShown ? path[0] : undefined)
  const nav = useRef<HTMLElement>(null)

  useEffect(() => {
    if (isShown || !openId) return
    const close = (event: PointerEvent) => {
      if (!nav.current?.contains(event.target as Node)) setOpenId(undefined)
    }
    document.addEventListener('pointerdown', close)
    return () => document.removeEventListener('pointerdown', close)
  }, [isShown, openId])

  return (
    <nav
      ref={nav}
      aria-label={label}
      className={classes.menu}
      data-shown={isShown || undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !openId || isShown) return
        nav.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(openId)}"]`)?.focus()
        setOpenId(undefined)
      }}
    >
      <ul>
        {items.map((item) => {
          const isActive = path[0] === item.id
          const hasItems = Boolean(item.items?.length)
          const inner = (
            <>
              <span className={classes.icon}>{item.icon}</span>
              <span className={classes.label}>{item.label}</span>
              {Boolean(item.count) && (
                <>
                  <i className={classes.dot} aria-hidden />
                  <span className={classes.count}>
                    {item.count}
                    <span className="p-sr-only"> waiting</span>
                  </span>
                </>
              )}
            </>
          )
          return (
            <li key={item.id} className={classes.entry}>
              {hasItems ? (
                <button
                  type="button"
                  className={classes.item}
                  data-item={item.id}
                  data-on={isActive || undefined}
                  aria-expanded={openId === item.id}
                  onClick={() => setOpenId(openId === item.id ? undefined : item.id)}
                >
                  {inner}
                  <IconChevronDown size={14} className={classes.chevron} aria-hidden />
                </button>
              ) : (
                // The class is in the style sheet beside this.
                <ItemLink item={item} Link={Link} className={classes.item!} isActive={isActive}>
                  {inner}
                </ItemLink>
              )}
              {hasItems && openId === item.id && (
                <div
                  ref={isShown ? undefined : keepOnScreen}
                  className={isShown ? classes.unfolded : classes.flyout}
                >
                  {!isShown && <div className={classes.flyoutTitle}>{item.label}</div>}
                  <SubItems
                    // Asked for by `hasItems`.
                    items={item.items!}
                    path={path}
                    Link={Link}
                    onFollow={() => !isShown && setOpenId(undefined)}
                  />
                </div>
              )}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function SubItems(props: { items: MenuItem[]; path: string[]; Link: LinkComponent; onFollow: () => void }) {
  return (
    <ul>
      {props.items.map((item) => (
        <li key={item.id}>
          {item.href === '#' ? (
            <div className={classes.group}>{item.label}</div>
          ) : (
            <ItemLink
              item={item}
              Link={props.Link}
              // The class is in the style sheet beside this.
              className={classes.sub!}
              isActive={props.path.includes(item.id)}
              onFollow={props.onFollow}
            >
              {item.label}
              {Boolean(item.count) && <span className={classes.subCount}>{item.count}</span>}
            </ItemLink>
          )}
          {item.items && <SubItems {...props} items={item.items} />}
        </li>
      ))}
    </ul>
  )
}

function ItemLink(props: {
  item: MenuItem
  Link: LinkComponent
  className: string
  isActive: boolean
  onFollow?: () => void
  children: React.ReactNode
}) {
  const { item, Link, isActive } = props
  if (item.isExternal)
    return (
      <a href={item.href} target="_blank" rel="noreferrer" className={props.className}>
        {props.children}
        <IconExternalLink size={14} aria-label={plainWords('ui.newTab')} />
      </a>
    )
  return (
    <Link
      href={item.href}
      className={props.className}
      data-on={isActive || undefined}
      aria-current={isActive ? 'page' : undefined}
      onClick={props.onFollow}
    >
      {props.children}
    </Link>
  )
}
