import { useState } from 'react'
import { approveRegistrant, declineRegistrant } from '#contract/identity/registration.ts'
import { listStudentLevels, searchUsers, type UserRow } from '#contract/people/people.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Stack } from '#web/ui/base.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Approves a registrant into a student, or declines with a reason. */
export function RegistrantDialog(props: {
  programId: number
  registrant: UserRow
  isApproval: boolean
  onClose: () => void
}) {
  const words = useWords()
  const { programId, registrant, isApproval, onClose } = props
  const name = `${registrant.FirstName} ${registrant.LastName}`
  const params = { programId, userId: registrant.Id }
  const levels = useRead(listStudentLevels, { params: { programId } }, { isEnabled: isApproval })
  const refresh = { refresh: [searchUsers] }
  const approve = useSave(approveRegistrant, refresh)
  const decline = useSave(declineRegistrant, refresh)
  const [level, setLevel] = useState<string | null>(null)
  const [cohort, setCohort] = useState('')
  const [reason, setReason] = useState('')
  const run = () =>
    attempt(async () => {
      if (isApproval) {
        await approve.run({
          params,
          body: { StudentLevelId: level === null ? null : Number(level), Cohort: cohort },
        })
      } else await decline.run({ params, body: { Reason: reason } })
      toast.done(words(isApproval ? 'people.approved' : 'people.declined', { name }))
      onClose()
    })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words(isApproval ? 'people.approveTitle' : 'people.declineTitle', { name })}
      subtitle={registrant.EmailAddress}
      width={480}
      stayOnOutsideClick
      summary={words(isApproval ? 'people.approveIntro' : 'people.declineIntro', { name })}
      actions={
        <DialogActions
          verb={words(isApproval ? 'people.approveVerb' : 'people.decline')}
          onCancel={onClose}
          onRun={() => void run()}
          isRunning={approve.isRunning || decline.isRunning}
          isDanger={!isApproval}
        />
      }
    >
      {isApproval ? (
        <Stack gap="md">
          <SelectField
            label={words('people.studentLevel')}
            name="StudentLevelId"
            options={(levels.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            value={level}
            onChange={setLevel}
          />
          <TextField
            label={words('people.cohort')}
            name="Cohort"
            maxLength={100}
            value={cohort}
            onChange={setCohort}
          />
        </Stack>
      ) : (
        <TextAreaField
          label={words('people.declineReason')}
          name="Reason"
          maxLength={1000}
          value={reason}
          onChange={setReason}
        />
      )}
    </Dialog>
  )
}
