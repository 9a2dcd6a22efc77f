import { writeAboutRecords } from '#contract/time/approvals.ts'
import type { TimeRecord } from '#contract/time/time-records.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { useWords } from '#web/words/use-words.ts'
import { useMailed } from './use-mailed.ts'

/** An email to the students of the ticked records. */
export function WriteDialog(props: { records: readonly TimeRecord[]; onClose: () => void }) {
  const { records, onClose } = props
  const words = useWords()
  const programId = useProgramId()
  const write = useSave(writeAboutRecords)
  const tell = useMailed()
  const names = [...new Map(records.map(({ StudentId, Student }) => [StudentId, Student])).values()]
  const form = useEditForm({
    initialValues: { Subject: '', Text: '' },
    rules: { Subject: required(), Text: required() },
    save: async (values) => {
      const done = await write.run({
        params: { programId },
        body: {
          Ids: records.map(({ Id }) => Id),
          Subject: values.Subject.trim(),
          Text: values.Text.trim(),
        },
      })
      tell(done)
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      stayOnOutsideClick
      title={words('time.writeTitle', { count: names.length })}
      subtitle={names.slice(0, 3).join(' · ') + (names.length > 3 ? ` +${names.length - 3}` : '')}
      summary={words('time.writeEach')}
      actions={
        <>
          <LeaveButton onClick={onClose} />
          <Button loading={form.isSaving} onClick={() => void form.submit()}>
            {words('time.send')}
          </Button>
        </>
      }
    >
      <Form form={form} onCancel={onClose} onSaved={onClose}>
        <TextField label={words('time.subject')} required maxLength={200} {...form.field('Subject')} />
        <TextAreaField
          label={words('time.text')}
          required
          maxLength={5000}
          rows={6}
          {...form.field('Text')}
        />
      </Form>
    </Dialog>
  )
}
