import {
  getStudentClinicalRecord,
  issueClinicalRecords,
  listClearance,
  listClinicalRecords,
} from '#contract/clinical-records/clinical-records.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './clinical-records.module.css'

/** What issuing, clearing and revoking make old. */
export const recorded = { refresh: [listClearance, listClinicalRecords, getStudentClinicalRecord] }

/** Issues a record for each of these students. */
export function IssueDialog({
  studentIds,
  onClose,
  onDone,
}: {
  studentIds: readonly number[]
  onClose: () => void
  onDone?: () => void
}) {
  const words = useWords()
  const programId = useProgramId()
  const issue = useSave(issueClinicalRecords, recorded)
  const form = useEditForm({
    initialValues: { HasEvaluations: false, HasRequirements: false },
    save: async (values) => {
      const { Records } = await issue.run({
        params: { programId },
        body: { StudentIds: [...studentIds], ...values },
      })
      toast.done({ title: words('clinicalRecords.issuedToast', { count: Records.length }) })
      onDone?.()
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('clinicalRecords.issueTitle')}
      actions={
        <Button loading={form.isSaving} onClick={() => void form.submit()}>
          {words('clinicalRecords.issueMany', { count: studentIds.length })}
        </Button>
      }
    >
      <p className={classes.note}>{words('clinicalRecords.issueNote')}</p>
      <Form form={form} onCancel={onClose}>
        <CheckField label={words('clinicalRecords.issueEvaluations')} {...form.field('HasEvaluations')} />
        <CheckField label={words('clinicalRecords.issueRequirements')} {...form.field('HasRequirements')} />
      </Form>
      <p className={classes.note}>{words('clinicalRecords.issueHint')}</p>
    </Dialog>
  )
}
