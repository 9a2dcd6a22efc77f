import {
  type ClinicalRecord,
  revokeClinicalRecord,
  type StudentClinicalRecord,
  signClearance,
  withdrawClearance,
} from '#contract/clinical-records/clinical-records.ts'
import { clearanceSentence, clearanceText } from '#contract/clinical-records/record-rules.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId, useUser } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './clinical-records.module.css'
import { recorded } from './IssueDialog.tsx'
import { Checks } from './record-parts.tsx'

interface DialogProps {
  studentId: number
  name: string
  onClose: () => void
}

export function SignDialog({
  studentId,
  name,
  data,
  onClose,
}: DialogProps & { data: StudentClinicalRecord }) {
  const words = useWords()
  const programId = useProgramId()
  const me = useUser()
  const sign = useSave(signClearance, recorded)
  const isMet = Object.values(data.Checks).every((check) => check.IsMet)
  const form = useEditForm({
    initialValues: { Name: '', Exception: '' },
    rules: { Name: required(), ...(!isMet && { Exception: required() }) },
    save: async (values) => {
      await sign.run({
        params: { programId, studentId },
        body: { ...values, Version: clearanceText.version },
      })
      toast.done({ title: words('clinicalRecords.signed', { name }) })
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('clinicalRecords.signTitle', { name })}
      stayOnOutsideClick
      actions={
        <Button loading={form.isSaving} onClick={() => void form.submit()}>
          {words('clinicalRecords.sign')}
        </Button>
      }
    >
      <Checks checks={data.Checks} />
      <p className={classes.signed}>
        {clearanceSentence(data.Checks, {
          missing: data.Missing,
          exception: form.values.Exception.trim() || '…',
          name: me.Name,
        })}
      </p>
      <Form form={form} onCancel={onClose}>
        {!isMet && (
          <TextField
            label={words('clinicalRecords.signException')}
            description={words('clinicalRecords.signExceptionHint')}
            required
            maxLength={500}
            {...form.field('Exception')}
          />
        )}
        <TextField
          label={words('clinicalRecords.signName')}
          description={me.Name}
          required
          maxLength={200}
          {...form.field('Name')}
        />
      </Form>
    </Dialog>
  )
}

export function WithdrawDialog({ studentId, name, onClose }: DialogProps) {
  const words = useWords()
  const programId = useProgramId()
  const withdraw = useSave(withdrawClearance, recorded)
  return (
    <ReasonDialog
      title={words('clinicalRecords.withdrawTitle', { name })}
      note={words('clinicalRecords.withdrawNote')}
      verb={words('clinicalRecords.withdraw')}
      onClose={onClose}
      save={async (Reason) => {
        await withdraw.run({ params: { programId, studentId }, body: { Reason } })
        toast.done({ title: words('clinicalRecords.withdrawn') })
      }}
    />
  )
}

export function RevokeDialog({ record, onClose }: { record: ClinicalRecord; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const revoke = useSave(revokeClinicalRecord, recorded)
  return (
    <ReasonDialog
      title={words('clinicalRecords.revokeTitle', { number: record.Number })}
      note={words('clinicalRecords.revokeNote')}
      verb={words('clinicalRecords.revoke')}
      onClose={onClose}
      save={async (Reason) => {
        await revoke.run({ params: { programId, recordId: record.Id }, body: { Reason } })
        toast.done({ title: words('clinicalRecords.revoked', { number: record.Number }) })
      }}
    />
  )
}

function ReasonDialog({
  title,
  note,
  verb,
  onClose,
  save,
}: {
  title: string
  note: string
  verb: string
  onClose: () => void
  save: (reason: string) => Promise<void>
}) {
  const words = useWords()
  const form = useEditForm({
    initialValues: { Reason: '' },
    rules: { Reason: required() },
    save: async ({ Reason }) => {
      await save(Reason)
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      actions={
        <Button color="red" loading={form.isSaving} onClick={() => void form.submit()}>
          {verb}
        </Button>
      }
    >
      <p className={classes.note}>{note}</p>
      <Form form={form} onCancel={onClose}>
        <TextField
          label={words('clinicalRecords.revokeReason')}
          required
          maxLength={500}
          {...form.field('Reason')}
        />
      </Form>
    </Dialog>
  )
}
