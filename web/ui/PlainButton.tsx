import type { ReactNode } from 'react'
import classes from './PlainButton.module.css'

interface PlainButtonProps {
  /** Before the words. */
  icon?: ReactNode
  /** 44 px high, 48 on phones. */
  isLarge?: boolean
  /** While what was asked for is on its way, further presses do nothing. */
  isRunning?: boolean
  className?: string | undefined
  onClick: () => void
  children: ReactNode
}

/**
 * The default button without Mantine, whose own brings 8 kB: for what the first pages begin with (docs/decisions/what-a-page-loads.md).
 */
export function PlainButton({ icon, isLarge, isRunning, className, onClick, children }: PlainButtonProps) {
  return (
    <button
      type="button"
      className={className ? `${classes.button} ${className}` : classes.button}
      data-large={isLarge || undefined}
      aria-disabled={isRunning || undefined}
      onClick={isRunning ? undefined : onClick}
    >
      {icon}
      {children}
    </button>
  )
}
