import { addTimeRecord, type TimeRecord } from '#contract/time/time-records.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { addDays, formatDate } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TimeField } from '#web/ui/form/TimeField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { recordReads } from './record-reads.ts'
import { typeName } from './record-words.tsx'
import classes from './time.module.css'
import { isSecond, WhichTime } from './WhichTime.tsx'

/** The day and time of the half that a punch lacks, by its shift. */
export const proposedHalf = (half: TimeRecord) => {
  const missing = half.Type === 'in' ? ('out' as const) : ('in' as const)
  // Of a night, the missing clock-out is on the day after, the missing clock-in on the day before.
  const isNight = half.ShiftEnd && half.ShiftStart && half.ShiftEnd <= half.ShiftStart
  return {
    missing,
    date: isNight ? addDays(half.Date, missing === 'out' ? 1 : -1) : half.Date,
    time: missing === 'out' ? half.ShiftEnd : half.ShiftStart,
  }
}

/** Adds the half that a punch lacks, at its site: all that a supervisor by link may add. */
export function HalfDialog({ half, onClose }: { half: TimeRecord; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const add = useSave(addTimeRecord, { refresh: recordReads })
  const { missing, date, time } = proposedHalf(half)
  const form = useEditForm({
    initialValues: {
      Date: date as string | null,
      Time: time as string | null,
      TimeIsSecond: null as string | null,
      Reason: '',
    },
    rules: { Date: required(), Time: required() },
    save: async (values) => {
      await add.run({
        params: { programId },
        body: {
          StudentId: half.StudentId,
          Kind: missing,
          // The form requires both.
          Date: values.Date!,
          Time: values.Time!,
          TimeIsSecond: isSecond(values.TimeIsSecond),
          Reason: values.Reason.trim(),
          PartnerId: half.Id,
        },
      })
      toast.done(words('time.added', { name: half.Student }))
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      stayOnOutsideClick
      title={words(`time.addHalf.${missing}`)}
      subtitle={words('time.addFor', {
        name: half.Student,
        kind: typeName(words, half.Type).toLowerCase(),
        when: `${formatDate(half.Date)} ${half.Time}`,
      })}
      actions={
        <DialogActions
          verb={words('time.add')}
          onCancel={onClose}
          onRun={() => void form.submit()}
          isRunning={form.isSaving}
        />
      }
    >
      <Form form={form} onCancel={onClose} onSaved={onClose}>
        <div className={classes.fields}>
          <DateField label={words('time.date')} required {...form.field('Date')} />
          <TimeField label={words('time.time')} required {...form.field('Time')} />
          <WhichTime
            date={form.values.Date}
            time={form.values.Time}
            zone={half.TimeZone}
            {...form.field('TimeIsSecond')}
          />
        </div>
        <TextAreaField label={words('time.note')} maxLength={1000} rows={2} {...form.field('Reason')} />
      </Form>
    </Dialog>
  )
}
