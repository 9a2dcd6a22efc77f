import { useState } from 'react'
import {
  endExemptions,
  getStudentRequirements,
  grantExemptions,
} from '#contract/requirements/proof-review.ts'
import type { ExemptionKind } from '#contract/requirements/requirement-rules.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { offerUndo } from '#web/ui/attempt.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import { ExemptionFields } from './ExemptionFields.tsx'
import classes from './proofs.module.css'

/** Exempts students from a requirement; with Undo. */
export function ExemptDialog(props: {
  studentIds: readonly number[]
  /** Whose name is in the title, where it is one. */
  name?: string
  requirements: readonly { Id: number; Name: string }[]
  requirementId?: number
  onClose: (isDone: boolean) => void
}) {
  const words = useWords()
  const programId = useProgramId()
  const grant = useSave(grantExemptions, { refresh: [getStudentRequirements] })
  const end = useSave(endExemptions, { refresh: [getStudentRequirements] })
  const [requirement, setRequirement] = useState<string | null>(
    props.requirementId === undefined ? null : String(props.requirementId),
  )
  const [kind, setKind] = useState<ExemptionKind>('waiver')
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState<string | null>(null)
  const { problem, attempt } = useAttempt()
  const count = props.studentIds.length
  const save = () =>
    attempt(async () => {
      const { Ids } = await grant.run({
        params: { programId },
        body: {
          StudentIds: [...props.studentIds],
          // The button waits for it.
          RequirementId: Number(requirement!),
          Kind: kind,
          Reason: reason.trim(),
          Until: until,
        },
      })
      offerUndo({
        deleted: words('requirements.didExempt', { count }),
        restore: () => end.run({ params: { programId }, body: { Ids } }),
        restored: words('requirements.exemptionEnded'),
        notRestored: words('requirements.exemptionNotEnded'),
      })
      props.onClose(true)
    })
  const isReady = requirement !== null && reason.trim() !== ''
  return (
    <Dialog
      opened
      onClose={() => props.onClose(false)}
      stayOnOutsideClick
      title={words('requirements.exemptTitle', {
        name: props.name ?? words('requirements.selected', { count }),
      })}
      actions={
        <DialogActions
          verb={words('requirements.exempt')}
          onCancel={() => props.onClose(false)}
          onRun={() => void save()}
          isRunning={grant.isRunning}
          isDisabled={!isReady}
        />
      }
    >
      <div className={classes.form}>
        <SelectField
          label={words('requirements.requirement')}
          required
          name="Requirement"
          options={props.requirements.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
          value={requirement}
          onChange={setRequirement}
        />
        <ExemptionFields
          kind={kind}
          onKind={setKind}
          reason={reason}
          onReason={setReason}
          reasonHint={words('requirements.exemptReasonHint')}
          until={until}
          onUntil={setUntil}
          problem={problem}
        />
      </div>
    </Dialog>
  )
}
