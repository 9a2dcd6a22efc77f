import { plainWords } from '#web/words/plain-words.ts'
import './all-styles.ts'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { SavePlace } from './form/save-place.ts'
import classes from './Page.module.css'
import { PageDirections, PageNoteContext } from './PageDirections.tsx'

/** Where a grid puts its bulk bar: over the page's footer. Null until the page is on the screen. */
export const BulkPlace = createContext<HTMLElement | null>(null)

export type PageProps = {
  /** The h1, and the first part of the browser tab's title. */
  title: string
  /** Quiet figures beside the title: "117 pending · 284.0 h". Given without a value while they are not known: phones keep their line free. */
  count?: ReactNode
  /** A sentence under the title, for pages that open with a greeting or need a word of explanation. */
  intro?: ReactNode
  /** Links above the title; the shell's link component inside. */
  breadcrumb?: ReactNode
  /** A control that belongs to the title, such as the chip that chooses what it is about. */
  beside?: ReactNode
  /** Buttons of the page, right; at most one of them filled. */
  actions?: ReactNode
  /** The row of chips under the head. */
  filters?: ReactNode
  /** Between chips and content: insight tabs, a band of figures. */
  above?: ReactNode
  /** Left side of the 44 px footer: how many, of how many. */
  footer?: ReactNode
  /** Right side of the footer: totals, what is next. */
  footerEnd?: ReactNode
  /** A panel at the right, as on the home page; below the content on narrow screens. */
  aside?: ReactNode
  /** A dialog around the page shows its title: here the heading is for screen readers only, the actions stay. */
  isTitled?: boolean
  /** Larger title, as in a greeting. */
  greeting?: boolean
  /** Content keeps the page's 24 px inset; leave out for grids, which bring their own. */
  inset?: boolean
  /** The shell shows the title, as for a focused task on a phone: the heading is for screen readers only. */
  bare?: boolean
  /** A page outside the shells (print, preview, anonymous form) is its own main landmark. */
  standalone?: boolean
  children?: ReactNode
}

/**
 * The frame of every screen: title left, actions right, chips below, content, totals in the footer. It fills the
 * shell's sheet, and only its content scrolls. A `Grid` inside takes the room that is left.
 */
export function Page(props: PageProps) {
  const note = useContext(PageNoteContext)
  const title = note?.title || props.title
  const { count, intro, breadcrumb, beside, actions, filters, above, footer, footerEnd } = props
  const [bulkPlace, setBulkPlace] = useState<HTMLElement | null>(null)
  const [savePlace, setSavePlace] = useState<HTMLElement | null>(null)
  const Frame = props.standalone ? 'main' : 'div'
  return (
    <BulkPlace value={bulkPlace}>
      <title>{`${title} · Practicum`}</title>
      <Frame
        className={classes.page}
        data-framed
        data-aside={props.aside ? true : undefined}
        aria-label={props.standalone ? title : undefined}
      >
        <div className={classes.work}>
          {props.bare ? (
            <h1 className="p-sr-only">{title}</h1>
          ) : (
            <header className={classes.head}>
              <div className={classes.name}>
                {breadcrumb && (
                  <nav className={classes.breadcrumb} aria-label={plainWords('ui.breadcrumb')}>
                    {breadcrumb}
                  </nav>
                )}
                <div className={classes.title}>
                  <h1
                    className={props.isTitled ? 'p-sr-only' : props.greeting ? classes.greeting : classes.h1}
                  >
                    {title}
                  </h1>
                  {'count' in props && <span className={classes.count}>{count}</span>}
                  {beside && <div className={classes.beside}>{beside}</div>}
                </div>
                {intro && <p className={classes.intro}>{intro}</p>}
                <PageDirections />
              </div>
              {actions && (
                <div className={`${classes.actions} p-no-print`}>
                  <SavePlace value={savePlace}>{actions}</SavePlace>
                </div>
              )}
            </header>
          )}
          {filters && <div className={`${classes.filters} p-no-print`}>{filters}</div>}
          {above && <div className={classes.above}>{above}</div>}
          {/* It scrolls, so the arrow keys must reach it even where nothing inside takes the focus. */}
          <div
            className={classes.content}
            data-inset={props.inset || undefined}
            tabIndex={props.inset ? 0 : undefined}
          >
            {props.children}
          </div>
          <div ref={setBulkPlace} className={`${classes.bulk} p-no-print`} />
          <div ref={setSavePlace} className={`${classes.saveBar} p-no-print`} />
          {(footer || footerEnd) && (
            <footer className={classes.foot}>
              <div className={classes.footStart}>{footer}</div>
              <div className={classes.footEnd}>{footerEnd}</div>
            </footer>
          )}
        </div>
        {props.aside && <aside className={classes.aside}>{props.aside}</aside>}
      </Frame>
    </BulkPlace>
  )
}
