import type { ReactNode } from 'react'
import classes from './Section.module.css'

export type SectionProps = {
  title: string
  /** An article may bear the title of another one beside it; sections are landmarks, each with its own name. */
  as?: 'section' | 'article'
  /** At the right of the title: a link, a legend. */
  end?: ReactNode
  children?: ReactNode
}

/** A titled part of a page or of an aside (h2, 15 px). */
export function Section({ title, as: Element = 'section', end, children }: SectionProps) {
  return (
    <Element className={classes.section} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {end && <div>{end}</div>}
      </header>
      {children}
    </Element>
  )
}

/** A framed panel on the sheet, radius 12, with a line and no shadow. */
export function Panel({ children, tone }: { children: ReactNode; tone?: 'clean' | 'unmatched' | 'quiet' }) {
  return (
    <div className={classes.panel} data-tone={tone}>
      {children}
    </div>
  )
}
