import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { DisabledReason } from './DisabledReason.tsx'
import { LeaveButton } from './LeaveButton.tsx'

/** The foot of a dialog that does one thing: leave it, or do it. */
export function DialogActions(props: {
  /** What the dialog does, as its button says it. */
  verb: ReactNode
  onRun: () => void
  onCancel: () => void
  isRunning?: boolean
  isDisabled?: boolean
  /** Why it cannot be done now. */
  reason?: string | false | undefined
  /** It takes something away. */
  isDanger?: boolean
}) {
  const { verb, onRun, onCancel, isRunning, isDisabled, reason, isDanger } = props
  return (
    <>
      <LeaveButton size="lg" onClick={onCancel} />
      <DisabledReason reason={reason}>
        <Button
          size="lg"
          data-once
          {...(isDanger && { color: 'red' })}
          loading={isRunning}
          disabled={isDisabled}
          onClick={onRun}
        >
          {verb}
        </Button>
      </DisabledReason>
    </>
  )
}
