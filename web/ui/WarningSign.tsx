import { IconAlertTriangle } from '@tabler/icons-react'
import { Hint } from './Hint.tsx'
import classes from './WarningSign.module.css'

/** A small sign beside a title: what silently failed, in its tooltip and for screen readers. */
export function WarningSign({ text }: { text: string }) {
  return (
    <Hint text={text} width={360}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the words of the sign must be reachable by keyboard */}
      <span className={classes.sign} role="img" aria-label={text} tabIndex={0}>
        <IconAlertTriangle size={17} stroke={2} aria-hidden />
      </span>
    </Hint>
  )
}
