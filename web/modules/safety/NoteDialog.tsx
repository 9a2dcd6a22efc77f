import { Button } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'

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
  const words = useWords()
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
        <>
          <Button variant="default" size="lg" onClick={props.onClose}>
            {words('safety.cancel')}
          </Button>
          <Button size="lg" disabled={note.trim() === ''} loading={isRunning} onClick={() => void save()}>
            {props.verb}
          </Button>
        </>
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
