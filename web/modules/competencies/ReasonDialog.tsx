import { useState } from 'react'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import classes from './exams.module.css'
import { whyPrivate } from './why-private.ts'

/** Asks for a text that is kept with what is done. */
export function ReasonDialog(props: {
  title: string
  hint?: string
  label: string
  verb: string
  done: string
  initial?: string
  maxLength: number
  run: (text: string) => Promise<unknown>
  onClose: () => void
}) {
  const [text, setText] = useState(props.initial ?? '')
  const { problem, isRunning, attempt } = useAttempt()
  const isPrivate = whyPrivate(text)
  const run = () =>
    attempt(async () => {
      await props.run(text)
      toast.done(props.done)
      props.onClose()
    })
  return (
    <Dialog
      opened
      stayOnOutsideClick
      onClose={props.onClose}
      title={props.title}
      subtitle={props.hint}
      actions={
        <DialogActions
          verb={props.verb}
          onCancel={props.onClose}
          onRun={() => void run()}
          isRunning={isRunning}
          isDisabled={text.trim() === '' || isPrivate !== undefined}
        />
      }
    >
      <div className={classes.fields}>
        <TextAreaField
          label={props.label}
          name="Reason"
          required
          rows={3}
          maxLength={props.maxLength}
          value={text}
          onChange={setText}
        />
        <Problem text={problem ?? isPrivate} />
      </div>
    </Dialog>
  )
}
