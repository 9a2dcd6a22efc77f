import { plainWords } from '#web/words/plain-words.ts'
import '../all-styles.ts'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './filters.module.css'

export type FilterBarProps = {
  /** The chips. */
  children: ReactNode
  /** Its button shows while something is set, and always beside Apply. */
  onReset?: () => void
  isSet?: boolean
  /** Where choices only count when applied: shows Apply, filled while there is something to apply. */
  onApply?: () => void
  isDirty?: boolean
  /** Where a screen names its buttons otherwise: "Apply Filter". */
  applyLabel?: string
  resetLabel?: string
  /** Quiet things at the right: a switch, a legend. */
  end?: ReactNode
}

/** The row of chips under a page's head. Values are the caller's and belong into the address. */
export function FilterBar(props: FilterBarProps) {
  const { children, onReset, isSet = true, onApply, isDirty = true, end } = props
  return (
    <form
      className={classes.bar}
      aria-label={plainWords('ui.filters')}
      onSubmit={(event) => {
        event.preventDefault()
        onApply?.()
      }}
    >
      <div className={classes.chips}>
        {children}
        {onReset && (isSet || onApply) && (
          <Button variant="subtle" color="gray" data-quiet size="xs" onClick={onReset}>
            {props.resetLabel ?? plainWords('ui.reset')}
          </Button>
        )}
      </div>
      {(end || onApply) && (
        <div className={classes.end}>
          {end}
          {onApply && (
            <Button type="submit" variant={isDirty ? 'filled' : 'default'} size="xs">
              {props.applyLabel ?? plainWords('ui.apply')}
            </Button>
          )}
        </div>
      )}
    </form>
  )
}

/**
 * What is chosen in the filters but not applied yet. It starts over when what is applied changes by itself: by Back, by a link, or
 * by Reset.
 */
export const useDraft = <T extends object>(
  applied: T,
): readonly [T, (draft: T) => void, isDirty: boolean] => {
  const key = JSON.stringify(applied)
  const [kept, setKept] = useState({ key, draft: applied })
  // What was applied otherwise, as by a reset, takes the place of what was chosen before.
  if (kept.key !== key) setKept({ key, draft: applied })
  const draft = kept.key === key ? kept.draft : applied
  return [draft, (next) => setKept({ key, draft: next }), JSON.stringify(draft) !== key]
}
