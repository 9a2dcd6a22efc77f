import './all-styles.ts'
import { IconAlertCircle, IconMapSearch, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import classes from './PageMessage.module.css'
import { PlainButton } from './PlainButton.tsx'

export type PageMessageProps = {
  kind: 'empty' | 'error' | 'not-found'
  /** One sentence that says what is so. */
  text: string
  detail?: ReactNode
  /** The next step: a button or a link. */
  next?: ReactNode
  /** Shows Try again. */
  onRetry?: () => void
  /** The icon of an empty state. */
  icon?: ReactNode
}

/** In place of content: nothing here yet, it failed, it does not exist. Always with what to do next. */
export function PageMessage({ kind, text, detail, next, onRetry, icon }: PageMessageProps) {
  return (
    <div className={classes.message} role={kind === 'error' ? 'alert' : undefined} data-kind={kind}>
      {kind === 'error' && <IconAlertCircle size={24} stroke={1.75} aria-hidden />}
      {kind === 'not-found' && <IconMapSearch size={24} stroke={1.75} aria-hidden />}
      {kind === 'empty' && icon}
      <p className={classes.text}>{text}</p>
      {detail && <div className={classes.detail}>{detail}</div>}
      {(next || onRetry) && (
        <div className={classes.next}>
          {onRetry && (
            <PlainButton onClick={onRetry} icon={<IconRefresh size={16} aria-hidden />}>
              {plainWords('ui.tryAgain')}
            </PlainButton>
          )}
          {next}
        </div>
      )}
    </div>
  )
}
