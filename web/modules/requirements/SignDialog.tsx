import { useState } from 'react'
import {
  getOwnRequirements,
  type OwnRequirement,
  signRequirement,
} from '#contract/requirements/own-requirements.ts'
import { useSave } from '#web/api/use-call.ts'
import { SignatureField } from '#web/shared/SignatureField.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './proofs.module.css'

/** The text of a requirement, signed by typing one's name. */
export function SignDialog({ requirement, onClose }: { requirement: OwnRequirement; onClose: () => void }) {
  const words = useWords()
  const sign = useSave(signRequirement, { refresh: [getOwnRequirements] })
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const { Rule: rule } = requirement
  const submit = async () => {
    try {
      await sign.run({
        params: { requirementId: requirement.Id },
        body: { Name: name.trim(), SiteId: requirement.SiteId, Version: requirement.Version },
      })
      toast.done(words('requirements.didSign'))
      onClose()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <Dialog
      title={requirement.Name}
      opened
      stayOnOutsideClick
      onClose={onClose}
      subtitle={requirement.Site && words('requirements.atSite', { site: requirement.Site })}
      actions={
        <DialogActions
          verb={words('requirements.signButton')}
          onCancel={onClose}
          onRun={() => void submit()}
          isRunning={sign.isRunning}
        />
      }
    >
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p style={{ whiteSpace: 'pre-wrap', margin: 0 }}>{rule.Kind === 'signed' && rule.Text}</p>
        <SignatureField
          label={words('requirements.typeName')}
          value={name}
          onChange={setName}
          problem={problem}
        />
      </form>
    </Dialog>
  )
}
