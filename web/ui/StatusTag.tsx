import {
  IconAlertTriangle,
  IconCheck,
  IconCircleCheck,
  IconClock,
  IconEye,
  IconUnlink,
  IconX,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { plainWords, type WordKey } from '#web/words/plain-words.ts'
import classes from './StatusTag.module.css'

export type Status = 'pending' | 'approved' | 'rejected' | 'clean' | 'review' | 'careful' | 'unmatched'

const icons = {
  pending: IconClock,
  approved: IconCheck,
  rejected: IconX,
  clean: IconCircleCheck,
  review: IconEye,
  careful: IconAlertTriangle,
  unmatched: IconUnlink,
}

const words: Record<Status, WordKey> = {
  pending: 'ui.pending',
  approved: 'ui.approved',
  rejected: 'ui.rejected',
  clean: 'ui.clean',
  review: 'ui.review',
  careful: 'ui.careful',
  unmatched: 'ui.unmatched',
}

export type StatusTagProps = {
  status: Status
  /** In place of the status's own word: "ends 12/07/2026", "4.2 mi away". */
  children?: ReactNode
  /** In place of the status's own icon (16 px or less); null for none. */
  icon?: ReactNode
  title?: string
}

/** A status with icon and word on its tint; color alone never says it. */
export function StatusTag({ status, children, icon, title }: StatusTagProps) {
  return (
    <span className={classes.tag} data-status={status} title={title}>
      {icon === undefined ? <StatusIcon status={status} /> : icon}
      <span className="p-ellipsis">{children ?? plainWords(words[status])}</span>
    </span>
  )
}

/** The icon alone, in its color, beside a word that is elsewhere. */
export function StatusIcon({ status, size = 14 }: { status: Status; size?: number }) {
  const Icon = icons[status]
  return <Icon size={size} stroke={2} aria-hidden style={{ color: `var(--p-${status})`, flex: 'none' }} />
}

/** A quiet word in a frame: "Full", "Level 2". */
export function PlainTag({ children }: { children: ReactNode }) {
  return <span className={classes.plain}>{children}</span>
}
