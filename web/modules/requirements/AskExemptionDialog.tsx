import { useState } from 'react'
import { askExemption } from '#contract/requirements/exemption-requests.ts'
import { getOwnRequirements, type OwnRequirement } from '#contract/requirements/own-requirements.ts'
import type { ExemptionKind } from '#contract/requirements/requirement-rules.ts'
import { useSave } from '#web/api/use-call.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import { ExemptionFields } from './ExemptionFields.tsx'
import classes from './proofs.module.css'

/** A student asks to be exempt from a requirement. */
export function AskExemptionDialog({
  requirement,
  onClose,
}: {
  requirement: OwnRequirement
  onClose: () => void
}) {
  const words = useWords()
  const ask = useSave(askExemption, { refresh: [getOwnRequirements] })
  const [kind, setKind] = useState<ExemptionKind>('waiver')
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState<string | null>(null)
  const { problem, attempt } = useAttempt()
  const send = () =>
    attempt(async () => {
      await ask.run({
        params: { requirementId: requirement.Id },
        body: { Kind: kind, Reason: reason.trim(), Until: until },
      })
      toast.done(words('requirements.didAsk'))
      onClose()
    })
  return (
    <Dialog
      opened
      onClose={onClose}
      stayOnOutsideClick
      title={words('requirements.askTitle', { name: requirement.Name })}
      actions={
        <DialogActions
          verb={words('requirements.ask')}
          onCancel={onClose}
          onRun={() => void send()}
          isRunning={ask.isRunning}
          isDisabled={reason.trim() === ''}
        />
      }
    >
      <div className={classes.form}>
        <ExemptionFields
          kind={kind}
          onKind={setKind}
          reason={reason}
          onReason={setReason}
          reasonHint={words('requirements.askReasonHint')}
          until={until}
          onUntil={setUntil}
          problem={problem}
        />
      </div>
    </Dialog>
  )
}
