import { useState } from 'react'
import type { Asking } from '#web/api/assurance.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Textarea } from '#web/ui/inputs.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { useWords } from '#web/words/use-words.ts'

const [least, most] = [10, 300]

/** Asks why somebody looks at what is private; whose record it is reads the answer. */
export function ReasonDialog({ asking }: { asking: Asking }) {
  const words = useWords()
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const isShort = reason.trim().length < least
  return (
    <Dialog
      opened
      onClose={() => asking.answer(false)}
      unsaved={reason === '' ? 0 : 1}
      title={words('shell.reasonTitle')}
      width={440}
      actions={
        <>
          <LeaveButton onClick={() => asking.answer(false)} />
          <Button type="submit" form="reason">
            {words('shell.reasonGive')}
          </Button>
        </>
      }
    >
      <form
        id="reason"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (!isShort) asking.answer(true, reason.trim())
        }}
      >
        <Textarea
          label={words('shell.reason')}
          description={words('shell.reasonHint')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={most}
          autosize
          minRows={2}
          error={isTried && isShort ? words('shell.reasonShort') : undefined}
          data-autofocus
        />
      </form>
    </Dialog>
  )
}
