import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '#web/words/use-words.ts'
import { DisabledReason } from './DisabledReason.tsx'

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
  const words = useWords()
  return (
    <>
      <Button size="lg" variant="default" onClick={onCancel}>
        {words('ui.cancel')}
      </Button>
      <DisabledReason reason={reason}>
        <Button
          size="lg"
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
