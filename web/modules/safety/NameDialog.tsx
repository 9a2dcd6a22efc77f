import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useUser } from '#web/api/use-state.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
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
  const user = useUser()
  const [name, setName] = useState('')
  const { problem, isRunning, attempt } = useAttempt()
  return (
    <Dialog
      opened
      stayOnOutsideClick
      title={props.title}
      onClose={props.onClose}
      actions={
        <>
          <Button variant="default" size="lg" onClick={props.onClose}>
            {words('safety.cancel')}
          </Button>
          <Button
            size="lg"
            disabled={name.trim() === '' || props.isReady === false}
            loading={isRunning}
            onClick={() => void attempt(() => props.onSign(name.trim()), props.onClose)}
          >
            {props.verb}
          </Button>
        </>
      }
    >
      <p>{props.text}</p>
      {props.children}
      <TextField
        label={words('safety.typeName')}
        hint={user.Name}
        required
        maxLength={100}
        autoComplete="name"
        name="Name"
        value={name}
        onChange={setName}
        {...(problem !== undefined && { error: problem })}
      />
    </Dialog>
  )
}
