import { getClock, listOwnRecords, reportException } from '#contract/time/clock.ts'
import { useSave } from '#web/api/use-call.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TimeField } from '#web/ui/form/TimeField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './time.module.css'

export type ReportKind = 'absence' | 'exception' | 'makeup'

const titles = {
  absence: 'time.reportAbsenceTitle',
  exception: 'time.exceptionTitle',
  makeup: 'time.makeupTitle',
} as const
const hints = {
  absence: 'time.reportAbsenceHint',
  exception: 'time.exceptionHint',
  makeup: 'time.makeupHint',
} as const

/** Reports an absence, hours that the clock does not have, or planned makeup; staff decide. */
export function ReportDialog(props: {
  kind: ReportKind
  date: string
  siteId: number | null
  sites: readonly { SiteId: number; Name: string }[]
  onClose: () => void
}) {
  const { kind, date, siteId, sites, onClose } = props
  const words = useWords()
  const report = useSave(reportException, { refresh: [getClock, listOwnRecords] })
  const form = useEditForm({
    initialValues: {
      Date: date as string | null,
      Time: null as string | null,
      EndTime: null as string | null,
      SiteId: (siteId === null ? null : String(siteId)) as string | null,
      Reason: '',
    },
    rules: { Date: required(), Reason: required(), ...(kind !== 'absence' && { Time: required() }) },
    save: async (values) => {
      await report.run({
        body: {
          Kind: kind,
          // The form requires it.
          Date: values.Date!,
          ...(values.Time && { Time: values.Time }),
          ...(values.EndTime && { EndTime: values.EndTime }),
          ...(values.SiteId && { SiteId: Number(values.SiteId) }),
          Reason: values.Reason.trim(),
        },
      })
      toast.done(words('time.reported'))
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      stayOnOutsideClick
      title={words(titles[kind])}
      subtitle={words(hints[kind])}
      actions={
        <DialogActions
          verb={words('time.send')}
          onCancel={onClose}
          onRun={() => void form.submit()}
          isRunning={form.isSaving}
        />
      }
    >
      <Form form={form} onCancel={onClose} onSaved={onClose}>
        <div className={classes.fields}>
          <DateField label={words('time.date')} required {...form.field('Date')} />
          {kind !== 'absence' && (
            <>
              <TimeField label={words('time.beginTime')} required {...form.field('Time')} />
              <TimeField label={words('time.endTime')} {...form.field('EndTime')} />
            </>
          )}
          <SelectField
            label={words('time.site')}
            placeholder={words('time.siteOfShift')}
            options={sites.map(({ SiteId, Name }) => ({ value: String(SiteId), label: Name }))}
            {...form.field('SiteId')}
          />
        </div>
        <TextAreaField
          label={words('time.reasonField')}
          required
          maxLength={1000}
          rows={2}
          {...form.field('Reason')}
        />
      </Form>
    </Dialog>
  )
}
