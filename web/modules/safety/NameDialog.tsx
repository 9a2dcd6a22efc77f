import { type ReactNode, useState } from 'react'
import { SignatureField } from '#web/shared/SignatureField.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'

/** Something that is signed by typing one's name. */
export function NameDialog(props: {
  title: string
  text: string
  verb: string
  isReady?: boolean
  children?: ReactNode
  /** A refusal is shown under the name. */
  onSign: (name: string) => Promise<void>
  onClose: () => void
}) {
  const words = useWords()
  const [name, setName] = useState('')
  const { problem, isRunning, attempt } = useAttempt()
  const sign = () =>
    attempt(async () => {
      await props.onSign(name.trim())
      props.onClose()
    })
  return (
    <Dialog
      opened
      stayOnOutsideClick
      title={props.title}
      onClose={props.onClose}
      actions={
        <DialogActions
          verb={props.verb}
          onCancel={props.onClose}
          onRun={() => void sign()}
          isRunning={isRunning}
          isDisabled={name.trim() === '' || props.isReady === false}
        />
      }
    >
      <p>{props.text}</p>
      {props.children}
      <SignatureField label={words('safety.typeName')} value={name} onChange={setName} problem={problem} />
    </Dialog>
  )
}
