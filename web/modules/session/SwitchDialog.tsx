import { useState } from 'react'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextInput } from '#web/ui/inputs.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { useWords } from '#web/words/use-words.ts'
import { type Asking, stopAsking, switchTo } from './switching.ts'

/** Asks for the code of the account that is switched to: switching never skips its authenticator. */
export function SwitchDialog({ asking }: { asking: Asking }) {
  const words = useWords()
  const [code, setCode] = useState('')
  return (
    <Dialog
      opened
      onClose={stopAsking}
      title={words('account.switchCode')}
      width={440}
      actions={
        <>
          <LeaveButton onClick={stopAsking} />
          <Button type="submit" form="switch">
            {words('account.switch')}
          </Button>
        </>
      }
    >
      <form
        id="switch"
        onSubmit={(event) => {
          event.preventDefault()
          if (code.trim()) void switchTo(asking, code)
        }}
      >
        <TextInput
          label={words('account.switchCodeIntro', { name: asking.UserName })}
          description={words('identity.codeHint')}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoComplete="one-time-code"
          error={asking.failure}
          data-autofocus
        />
      </form>
    </Dialog>
  )
}
