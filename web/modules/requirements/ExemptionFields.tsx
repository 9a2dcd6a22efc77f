import { type ExemptionKind, exemptionKinds } from '#contract/requirements/requirement-rules.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './proofs.module.css'
import { exemptionWords } from './rule-words.ts'

/** What an exemption is, why, and until when; with what was refused. */
export function ExemptionFields(props: {
  kind: ExemptionKind
  onKind: (kind: ExemptionKind) => void
  reason: string
  onReason: (reason: string) => void
  reasonHint: string
  until: string | null
  onUntil: (until: string | null) => void
  problem: string | undefined
}) {
  const words = useWords()
  return (
    <>
      <SelectField
        label={words('requirements.exemptKind')}
        required
        name="Kind"
        options={exemptionKinds.map((value) => ({ value, label: words(exemptionWords[value]) }))}
        value={props.kind}
        onChange={(value) => props.onKind((value ?? 'waiver') as ExemptionKind)}
      />
      <TextAreaField
        label={words('requirements.exemptReason')}
        hint={props.reasonHint}
        required
        rows={2}
        maxLength={500}
        name="Reason"
        value={props.reason}
        onChange={props.onReason}
      />
      <DateField
        label={words('requirements.exemptUntilLabel')}
        hint={words('requirements.exemptUntilHint')}
        name="Until"
        value={props.until}
        onChange={props.onUntil}
      />
      {props.problem && (
        <p role="alert" className={classes.problem}>
          {props.problem}
        </p>
      )}
    </>
  )
}
