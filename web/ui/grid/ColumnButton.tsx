import { IconColumns3 } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import classes from './Grid.module.css'

/** The button at the head's end that chooses columns. */
export function ColumnButton(props: ComponentPropsWithRef<'button'>) {
  return (
    <button
      {...props}
      type="button"
      className={classes.iconButton}
      aria-label={plainWords('ui.chooseColumns')}
      title={plainWords('ui.chooseColumns')}
    >
      <IconColumns3 size={16} stroke={1.75} aria-hidden />
    </button>
  )
}
