import { IconAlertTriangle } from '@tabler/icons-react'
import { toAddress } from '#web/api/navigate.ts'
import classes from './scheduling.module.css'

export interface WarnedProps {
  /** How many there are. */
  title: string
  /** What the first of them says. */
  message: string
  fix?: { label: string; href: string } | undefined
}

/**
 * Below what was done: what to look after all the same, on lines of its own. It is shown among the toasts, outside the page, and so
 * is given what it says.
 */
export function Warned({ title, message, fix }: WarnedProps) {
  return (
    <span className={classes.warned}>
      <IconAlertTriangle size={14} stroke={2} aria-hidden />
      <span>
        <b>{title}</b> {message} {fix && <a href={toAddress(fix.href)}>{fix.label}</a>}
      </span>
    </span>
  )
}
