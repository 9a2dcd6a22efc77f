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
import { DayLongTick, dayAfterOf } from './DayLongTick.tsx'
import classes from './time.module.css'
import { useTakeBack } from './use-take-back.ts'
import { isSecond, WhichTime } from './WhichTime.tsx'

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
  /** The zone of the site at hand. */
  zone: string
  onClose: () => void
}) {
  const { kind, date, siteId, sites, zone, onClose } = props
  const words = useWords()
  const report = useSave(reportException, { refresh: [getClock, listOwnRecords] })
  const takeBack = useTakeBack()
  const form = useEditForm({
    initialValues: {
      Date: date as string | null,
      Time: null as string | null,
      TimeIsSecond: null as string | null,
      EndTime: null as string | null,
      EndTimeIsSecond: null as string | null,
      IsDayLong: false,
      SiteId: (siteId === null ? null : String(siteId)) as string | null,
      Reason: '',
    },
    rules: { Date: required(), Reason: required(), ...(kind !== 'absence' && { Time: required() }) },
    save: async (values) => {
      const made = await report.run({
        body: {
          Kind: kind,
          // The form requires it.
          Date: values.Date!,
          ...(values.Time && { Time: values.Time }),
          TimeIsSecond: isSecond(values.TimeIsSecond),
          ...(values.EndTime && { EndTime: values.EndTime }),
          EndTimeIsSecond: isSecond(values.EndTimeIsSecond),
          ...dayAfterOf(values),
          ...(values.SiteId && { SiteId: Number(values.SiteId) }),
          Reason: values.Reason.trim(),
        },
      })
      toast.done({ title: words('time.reported'), undo: () => void takeBack.run(made) })
      onClose()
    },
  })
  const when = { date: form.values.Date, zone }
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
              <WhichTime {...when} time={form.values.Time} {...form.field('TimeIsSecond')} />
              <TimeField label={words('time.endTime')} {...form.field('EndTime')} />
              <WhichTime {...when} time={form.values.EndTime} {...form.field('EndTimeIsSecond')} />
              <DayLongTick
                time={form.values.Time}
                endTime={form.values.EndTime}
                {...form.field('IsDayLong')}
              />
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
