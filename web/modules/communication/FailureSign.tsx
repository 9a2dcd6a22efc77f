import { Tooltip } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import classes from './communication.module.css'

/** The sign beside a title that tells what silently failed (product 2, silent failures). */
export function FailureSign({ text }: { text: string }) {
  return (
    <Tooltip label={text} multiline maw={360}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the words of the sign must be reachable by keyboard */}
      <span className={classes.warning} role="img" aria-label={text} tabIndex={0}>
        <IconAlertTriangle size={17} stroke={2} aria-hidden />
      </span>
    </Tooltip>
  )
}
