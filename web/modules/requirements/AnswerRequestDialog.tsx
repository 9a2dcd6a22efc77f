import { useState } from 'react'
import {
  decideExemptionRequest,
  type ExemptionRequest,
  listExemptionRequests,
} from '#contract/requirements/exemption-requests.ts'
import { getStudentRequirements } from '#contract/requirements/proof-review.ts'
import { type ExemptionKind, exemptionKinds } from '#contract/requirements/requirement-rules.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './proofs.module.css'
import { exemptionWords } from './rule-words.ts'

/** Grants an exemption that a student asks for, as staff see it, or declines it with a reason. */
export function AnswerRequestDialog({
  request,
  isGranting,
  onClose,
}: {
  request: ExemptionRequest
  isGranting: boolean
  onClose: () => void
}) {
  const words = useWords()
  const programId = useProgramId()
  const decide = useSave(decideExemptionRequest, {
    refresh: [listExemptionRequests, getStudentRequirements],
  })
  const [kind, setKind] = useState<ExemptionKind>(request.Kind)
  const [until, setUntil] = useState(request.Until)
  const [answer, setAnswer] = useState('')
  const { problem, attempt } = useAttempt()
  const name = request.Student
  const save = () =>
    attempt(async () => {
      await decide.run({
        params: { programId, requestId: request.Id },
        body: isGranting
          ? { Decision: 'grant', Kind: kind, Until: until, Answer: answer.trim() }
          : { Decision: 'decline', Answer: answer.trim() },
      })
      toast.done(words(isGranting ? 'requirements.didGrant' : 'requirements.didDecline', { name }))
      onClose()
    })
  return (
    <Dialog
      opened
      onClose={onClose}
      stayOnOutsideClick
      title={words(isGranting ? 'requirements.grantTitle' : 'requirements.declineTitle', {
        name: request.Requirement,
      })}
      subtitle={`${name} · ${words('requirements.reasonIs', { reason: request.Reason })}`}
      actions={
        <DialogActions
          verb={words(isGranting ? 'requirements.grant' : 'requirements.decline')}
          onCancel={onClose}
          onRun={() => void save()}
          isRunning={decide.isRunning}
          isDisabled={!isGranting && answer.trim() === ''}
        />
      }
    >
      <div className={classes.form}>
        {isGranting && (
          <>
            <SelectField
              label={words('requirements.exemptKind')}
              required
              name="Kind"
              options={exemptionKinds.map((value) => ({ value, label: words(exemptionWords[value]) }))}
              value={kind}
              onChange={(value) => setKind((value ?? request.Kind) as ExemptionKind)}
            />
            <DateField
              label={words('requirements.exemptUntilLabel')}
              hint={words('requirements.exemptUntilHint')}
              name="Until"
              value={until}
              onChange={setUntil}
            />
          </>
        )}
        <TextAreaField
          label={words('requirements.answer')}
          hint={words('requirements.answerHint')}
          required={!isGranting}
          rows={2}
          maxLength={300}
          name="Answer"
          value={answer}
          onChange={setAnswer}
        />
        {problem && (
          <p role="alert" className={classes.problem}>
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}
