import { IconAlertTriangle } from '@tabler/icons-react'
import classes from './Grid.module.css'

/** The sign beside a row's name whose tooltip says what silently failed. */
export function RowWarning({ text, tabIndex }: { text: string; tabIndex?: number }) {
  return (
    <span className={classes.warning} role="img" aria-label={text} title={text} tabIndex={tabIndex}>
      <IconAlertTriangle size={15} aria-hidden />
    </span>
  )
}
