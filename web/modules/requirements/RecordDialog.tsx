import { useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { addProof, getStudentRequirements } from '#contract/requirements/proof-review.ts'
import { maxProofBytes } from '#contract/requirements/requirement-fields.ts'
import { randomUuid } from '#web/api/random-uuid.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { FileField } from '#web/ui/form/FileField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { type DraftEvent, EventFields, firstEvent, isEndMeant, problemsOf } from './EventFields.tsx'
import { ProofNote } from './ProofNote.tsx'
import classes from './proofs.module.css'
import { ruleText } from './rule-words.ts'

/** What staff have seen, or a vendor's result: accepted at once. */
export function RecordDialog(props: {
  studentId: number
  requirement: AnswerOf<typeof getStudentRequirements>['Items'][number]
  today: string
  onClose: () => void
}) {
  const words = useWords()
  const programId = useProgramId()
  const { requirement, studentId } = props
  const rule = requirement.Rule
  const save = useSave(addProof, { refresh: [getStudentRequirements] })
  const [key] = useState(randomUuid)
  const [events, setEvents] = useState<DraftEvent[]>([firstEvent(rule)])
  const [file, setFile] = useState<File>()
  const [vendor, setVendor] = useState('')
  const [note, setNote] = useState('')
  const [isTold, setTold] = useState(false)
  const [problem, setProblem] = useState<string>()
  const lacking = problemsOf(rule, events)
  const record = async () => {
    setTold(true)
    setProblem(undefined)
    if (Object.keys(lacking).length > 0 || !(await isEndMeant(words, rule, events))) return
    try {
      await save.run(
        {
          params: { programId, studentId },
          body: {
            proof: {
              RequirementId: requirement.Id,
              SiteId: requirement.SiteId,
              // Nothing lacks, so each has its day.
              Events: events.map((event) => ({ ...event, On: event.On! })),
              Note: note.trim(),
              Vendor: vendor.trim(),
              Key: key,
            },
          },
        },
        { files: { file: file ? [file] : [] } },
      )
      toast.done(words('requirements.recorded', { name: requirement.Name }))
      props.onClose()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <Dialog
      opened
      onClose={props.onClose}
      stayOnOutsideClick
      title={words('requirements.recordTitle', { name: requirement.Name })}
      subtitle={ruleText(words, rule)}
      actions={
        <DialogActions
          verb={words('requirements.record')}
          onCancel={props.onClose}
          onRun={() => void record()}
          isRunning={save.isRunning}
        />
      }
    >
      <div className={classes.form}>
        <EventFields
          rule={rule}
          events={events}
          onChange={setEvents}
          today={props.today}
          problems={
            isTold
              ? Object.fromEntries(Object.entries(lacking).map(([name, word]) => [name, words(word)]))
              : {}
          }
        />
        {rule.Kind === 'result' ? (
          <TextField
            label={words('requirements.vendor')}
            maxLength={100}
            name="Vendor"
            value={vendor}
            onChange={setVendor}
          />
        ) : (
          <FileField
            name="file"
            label={words('requirements.chooseFile')}
            hint={words('requirements.fileHint')}
            file={file}
            onChange={setFile}
            maxBytes={maxProofBytes}
          />
        )}
        <ProofNote note={note} onChange={setNote} problem={problem} />
      </div>
    </Dialog>
  )
}
