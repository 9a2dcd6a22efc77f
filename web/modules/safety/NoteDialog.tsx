import { useState } from 'react'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'

/** What came of something, in a few sentences. */
export function NoteDialog(props: {
  title: string
  subtitle: string
  label: string
  verb: string
  maxLength: number
  onSave: (note: string) => Promise<void>
  onClose: () => void
}) {
  const [note, setNote] = useState('')
  const { problem, isRunning, attempt } = useAttempt()
  const save = () =>
    attempt(async () => {
      await props.onSave(note.trim())
      props.onClose()
    })
  return (
    <Dialog
      opened
      stayOnOutsideClick
      title={props.title}
      subtitle={props.subtitle}
      onClose={props.onClose}
      actions={
        <DialogActions
          verb={props.verb}
          onCancel={props.onClose}
          onRun={() => void save()}
          isRunning={isRunning}
          isDisabled={note.trim() === ''}
        />
      }
    >
      <TextAreaField
        label={props.label}
        required
        rows={4}
        maxLength={props.maxLength}
        name="Note"
        value={note}
        onChange={setNote}
        {...(problem !== undefined && { error: problem })}
      />
    </Dialog>
  )
}
