import { IconX } from '@tabler/icons-react'
import { type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'
import { plainWords } from '#web/words/plain-words.ts'
import { DisabledReason } from '../DisabledReason.tsx'
import { BulkPlace } from '../Page.tsx'
import classes from './BulkBar.module.css'
import type { BulkVerb } from './grid-types.ts'
import { once } from './once.ts'

export type BulkBarProps = {
  count: number
  sum?: ReactNode
  verbs: BulkVerb[]
  onClear: () => void
}

/** The dark bar over the page's footer while rows are ticked. Also usable without a grid, as over a calendar. */
export function BulkBar({ count, sum, verbs, onClear }: BulkBarProps) {
  const place = useContext(BulkPlace)
  if (count === 0) return null
  const bar = (
    <section className={classes.bar} aria-label={plainWords('ui.selectedRows')}>
      <span className={classes.count} aria-live="polite">
        {plainWords('ui.selected', { count: count.toLocaleString('en-US') })}
      </span>
      {sum && <span className={classes.sum}>{sum}</span>}
      <span className={classes.separator} />
      <div className={classes.verbs}>
        {verbs.map((verb) => (
          <span key={verb.label} className={classes.verb}>
            {verb.apart && <span className={classes.separator} />}
            <DisabledReason reason={verb.reason}>
              <button
                type="button"
                className={classes.button}
                data-main={verb.main || undefined}
                onClick={once(verb.onRun)}
              >
                {verb.icon}
                {verb.label}
              </button>
            </DisabledReason>
          </span>
        ))}
      </div>
      <button
        type="button"
        className={classes.clear}
        onClick={onClear}
        aria-label={plainWords('ui.clearSelection')}
      >
        <IconX size={16} aria-hidden />
      </button>
    </section>
  )
  return place ? createPortal(bar, place) : <div className={classes.alone}>{bar}</div>
}
