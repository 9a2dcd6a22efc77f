import './all-styles.ts'
import { plainWords } from '#web/words/plain-words.ts'
import classes from './LoadingRows.module.css'
import { useLate } from './use-late.ts'

/** In place of what is being read, once that lasts long enough to be seen: bars in the shape of rows. `isInset` where the page does not inset its content. */
export function LoadingRows({ rows = 6, isInset }: { rows?: number; isInset?: boolean }) {
  const isLate = useLate(true)
  return (
    <div role="status" className={classes.rows} data-inset={isInset || undefined}>
      {isLate && (
        <>
          <span className="p-sr-only">{plainWords('ui.loading')}</span>
          {Array.from({ length: rows }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: all are the same
            <span key={index} className={classes.bar} aria-hidden />
          ))}
        </>
      )}
    </div>
  )
}
