import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Asks why a clock-in was a mistake that is no longer taken back without leave. */
export function MistakeDialog({ onAsk, onClose }: { onAsk: (reason: string) => void; onClose: () => void }) {
  const words = useWords()
  const [reason, setReason] = useState('')
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('time.mistake')}
      actions={
        <DialogActions
          verb={words('time.send')}
          onCancel={onClose}
          onRun={() => onAsk(reason.trim())}
          isDisabled={reason.trim() === ''}
        />
      }
    >
      <Stack gap="md">
        <Text>{words('time.mistakeHint')}</Text>
        <TextAreaField
          name="Reason"
          label={words('time.mistakeWhy')}
          required
          maxLength={1000}
          value={reason}
          onChange={setReason}
        />
      </Stack>
    </Dialog>
  )
}
