import { IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import classes from './LinkPaper.module.css'

const icons = { approved: IconCircleCheck, rejected: IconCircleX, quiet: IconInfoCircle } as const

/** What has become of something that a link asked about: said once, where the answer was given. */
export function LinkOutcome({ tone, text }: { tone: keyof typeof icons; text: string }) {
  const Icon = icons[tone]
  return (
    <p className={classes.outcome} data-tone={tone} role="status">
      <Icon size={20} stroke={1.75} aria-hidden />
      <span>{text}</span>
    </p>
  )
}
