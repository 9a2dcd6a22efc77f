import type { ReactNode } from 'react'
import type { LinkState } from '#contract/links/links.ts'
import { Logo } from '#web/shell/Logo.tsx'
import classes from './LinkPaper.module.css'

/** What is behind an opened link, as a page of its own: whom it is from, what it is about, and the content. */
export function LinkPaper(props: {
  title: string
  link: LinkState
  /** What it is about; the title until that is known. */
  heading: string | undefined
  action?: ReactNode
  children: ReactNode
}) {
  const { title, link, heading, action, children } = props
  return (
    <main className={classes.page}>
      <title>{`${title} · Practicum`}</title>
      <div className={classes.paper}>
        <header>
          <Logo size={28} />
          <div>
            <h1>{heading ?? title}</h1>
            <p className={classes.from}>
              {[...(heading ? [title] : []), link.Program, link.College].join(' · ')}
            </p>
          </div>
          {action}
        </header>
        {children}
      </div>
    </main>
  )
}
