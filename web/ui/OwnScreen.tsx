import type { ReactNode } from 'react'
import classes from './own-screen.module.css'

/** A page of somebody's own, as wide as a phone: a title, then cards. */
export function OwnScreen(props: {
  title: string
  /** In place of the title, where the page itself says more than the tab. */
  heading?: string
  /** The heading is only read aloud. */
  isHeadingHidden?: boolean
  /** What is said before the cards. */
  lead?: string
  children: ReactNode
}) {
  const { title, heading = title, isHeadingHidden = false } = props
  return (
    <div className={classes.screen}>
      <title>{`${title} · Practicum`}</title>
      <h1 className={isHeadingHidden ? 'p-sr-only' : classes.title}>{heading}</h1>
      {props.lead && <p className={classes.lead}>{props.lead}</p>}
      {props.children}
    </div>
  )
}

/** A part of such a page, with what is said before its card. */
export function OwnPart(props: { title: string; lead?: string; children?: ReactNode }) {
  return (
    <section aria-label={props.title}>
      <h2 className={classes.heading}>{props.title}</h2>
      {props.lead && <p className={classes.lead}>{props.lead}</p>}
      {props.children}
    </section>
  )
}

/** A card of entries, one below the other. */
export function OwnCard({ children }: { children: ReactNode }) {
  return <ul className={classes.card}>{children}</ul>
}

/** One of them: what it is, then what is said of it. */
export function OwnEntry({ children }: { children: ReactNode }) {
  return <li className={classes.entry}>{children}</li>
}
