import type { ReactNode } from 'react'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import classes from './InboxCard.module.css'

/** How much of one kind waits, and about how long it takes. */
export interface InboxLoad {
  things: number
  seconds: number
}

/** What a part of the inbox is given: where it is from, how to tell how much waits, and how to take the whole page for one thing. */
export interface InboxPartProps {
  /** 'Radiography, Harbor College' */
  place: string
  onLoad: (load: InboxLoad) => void
  /** Shows this in place of the inbox; nothing brings the inbox back. */
  onTask: (task: ReactNode) => void
}

/** One kind of thing that waits, with the button that does most of it. */
export function InboxCard(props: { title: string; detail: string; action?: ReactNode; children: ReactNode }) {
  const { title, detail, action, children } = props
  return (
    <section className={classes.card} aria-label={`${title}, ${detail}`}>
      <header>
        <div>
          <h2>{title}</h2>
          <p>{detail}</p>
        </div>
        {action}
      </header>
      <ul>{children}</ul>
    </section>
  )
}

/** A row that opens something, with what it is on the right. */
export function InboxRow(props: {
  title: string
  detail: string
  end?: ReactNode
  isOpen?: boolean
  onOpen?: () => void
  children?: ReactNode
}) {
  const { title, detail, end, isOpen, onOpen, children } = props
  const text = (
    <span className={classes.text}>
      <b>{title}</b>
      <span>{detail}</span>
    </span>
  )
  return (
    <li>
      {onOpen ? (
        <button type="button" className={classes.row} aria-expanded={isOpen} onClick={onOpen}>
          {text}
          {end}
        </button>
      ) : (
        <div className={classes.row}>
          {text}
          {end}
        </div>
      )}
      {children}
    </li>
  )
}

/** '4 more', below the first rows. */
export function InboxMore(props: { text: string; isLoading?: boolean; onPress: () => void }) {
  const { text, isLoading = false, onPress } = props
  return (
    <li>
      <button type="button" className={classes.more} aria-busy={isLoading} onClick={onPress}>
        {text}
      </button>
    </li>
  )
}

/** What could not be fetched of a card, with the way to try again. */
export function InboxProblem({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <li>
      <PageMessage kind="error" text={text} onRetry={onRetry} />
    </li>
  )
}
