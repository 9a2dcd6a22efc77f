import { plainWords } from '#web/words/plain-words.ts'
import '../all-styles.ts'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './filters.module.css'

export type FilterBarProps = {
  /** The chips. */
  children: ReactNode
  /** Its button shows while something is set, and always beside Apply. */
  onReset?: () => void
  isSet?: boolean
  /** Choices count at once, so that the list is what its chips say: Apply, where a screen has it, looks again. */
  onApply?: () => void
  /** Where a screen names its buttons otherwise: "Apply Filter". */
  applyLabel?: string
  resetLabel?: string
  /** Quiet things at the right: a switch, a legend. */
  end?: ReactNode
}

/** The row of chips under a page's head. Values are the caller's and belong into the address. */
export function FilterBar(props: FilterBarProps) {
  const { children, onReset, isSet = true, onApply, end } = props
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
            <Button type="submit" variant="default" size="xs">
              {props.applyLabel ?? plainWords('ui.apply')}
            </Button>
          )}
        </div>
      )}
    </form>
  )
}
