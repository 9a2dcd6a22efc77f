import type { TimeRecord } from '#contract/time/time-records.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDate, formatHours } from '#web/ui/dates.ts'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Asks why; the student reads the reason. */
export function RejectDialog(props: {
  records: readonly Pick<TimeRecord, 'Id' | 'Minutes' | 'Type' | 'PartnerId' | 'Student' | 'Date'>[]
  /** They are one shift. */
  byShift: boolean
  onClose: () => void
  onReject: (reason: string) => Promise<void>
}) {
  const { records, byShift, onClose, onReject } = props
  const words = useWords()
  const minutes = records.reduce((sum, row) => sum + (row.Type === 'absence' ? 0 : row.Minutes), 0)
  const ids = new Set(records.map(({ Id }) => Id))
  const leavesHalf = records.some(({ PartnerId }) => PartnerId !== null && !ids.has(PartnerId))
  const [first] = records
  const form = useEditForm({
    initialValues: { Reason: '' },
    rules: { Reason: required() },
    save: (values) => onReject(values.Reason.trim()),
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words(byShift ? 'time.rejectShift' : 'time.rejectTitle', { count: records.length })}
      subtitle={first && (byShift || records.length === 1) && `${first.Student}, ${formatDate(first.Date)}`}
      summary={
        <>
          {minutes > 0 && <div>{words('time.rejectHours', { hours: formatHours(minutes) })}</div>}
          {leavesHalf && <div>{words('time.rejectHalf')}</div>}
        </>
      }
      actions={
        <>
          <LeaveButton onClick={onClose} />
          <Button color="red" loading={form.isSaving} onClick={() => void form.submit()}>
            {words('time.reject')}
          </Button>
        </>
      }
    >
      <Form form={form} onCancel={onClose} onSaved={onClose}>
        <TextAreaField
          label={words('time.reason')}
          hint={words('time.rejectReasonHint')}
          required
          maxLength={1000}
          {...form.field('Reason')}
        />
      </Form>
    </Dialog>
  )
}
