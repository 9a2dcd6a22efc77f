import { useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { type IncidentKind, incidentKinds, type listOwnIncidents } from '#contract/safety/incidents.ts'
import { randomUuid } from '#web/api/random-uuid.ts'
import { useAppState, useUser } from '#web/api/use-state.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import { sendIncident } from './incident-sending.ts'
import { kindWords } from './incident-words.ts'
import classes from './safety.module.css'

/** A student reports an incident or exposure. */
export function ReportIncidentDialog({
  own,
  onClose,
}: {
  own: AnswerOf<typeof listOwnIncidents>
  onClose: () => void
}) {
  const words = useWords()
  const { Id: account } = useUser()
  const program = useAppState().data?.ProgramId ?? null
  const [key] = useState(randomUuid)
  const [kind, setKind] = useState<string | null>(null)
  const [date, setDate] = useState<string | null>(own.Today)
  const [site, setSite] = useState<string | null>(null)
  const [description, setDescription] = useState('')
  const [action, setAction] = useState('')
  const [told, setTold] = useState('')
  const { problem, isRunning, attempt } = useAttempt()
  const send = () =>
    attempt(async () => {
      const isSaved = await sendIncident(
        { account, program },
        {
          Key: key,
          Kind: kind as IncidentKind,
          // The button waits for both.
          Date: date!,
          SiteId: site === null ? null : Number(site),
          Description: description.trim(),
          Action: action.trim(),
          Told: told.trim(),
        },
      )
      toast.done(words(isSaved ? 'safety.didReport' : 'safety.keptReport'))
      onClose()
    })
  return (
    <Dialog
      opened
      stayOnOutsideClick
      title={words('safety.reportTitle')}
      onClose={onClose}
      actions={
        <DialogActions
          verb={words('safety.send')}
          onCancel={onClose}
          onRun={() => void send()}
          isRunning={isRunning}
          isDisabled={kind === null || date === null || description.trim() === ''}
        />
      }
    >
      <div className={classes.form}>
        <SelectField
          label={words('safety.kind')}
          required
          name="Kind"
          options={incidentKinds.map((value) => ({ value, label: words(kindWords[value]) }))}
          value={kind}
          onChange={setKind}
        />
        <DateField label={words('safety.date')} required name="Date" value={date} onChange={setDate} />
        <SelectField
          label={words('safety.site')}
          name="SiteId"
          placeholder={words('safety.noSite')}
          clearable
          options={own.Sites.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
          value={site}
          onChange={setSite}
        />
        <TextAreaField
          label={words('safety.description')}
          hint={words('safety.descriptionHint')}
          required
          rows={4}
          maxLength={2000}
          name="Description"
          value={description}
          onChange={setDescription}
        />
        <TextAreaField
          label={words('safety.action')}
          rows={2}
          maxLength={1000}
          name="Action"
          value={action}
          onChange={setAction}
        />
        <TextField label={words('safety.told')} maxLength={200} name="Told" value={told} onChange={setTold} />
        {problem && (
          <p role="alert" className={classes.problem}>
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}
