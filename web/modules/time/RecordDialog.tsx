import { addTimeRecord, editTimeRecord, type TimeKind, type TimeRecord } from '#contract/time/time-records.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { CreditNote } from '#web/shared/CreditNote.tsx'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TimeField } from '#web/ui/form/TimeField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { DayLongTick, dayAfterOf } from './DayLongTick.tsx'
import { proposedHalf } from './HalfDialog.tsx'
import { recordReads } from './record-reads.ts'
import { typeName } from './record-words.tsx'
import classes from './time.module.css'
import { isSecond, WhichTime } from './WhichTime.tsx'

/** What the dialog for a new record begins with. */
export type RecordStart = {
  StudentId?: number
  Student?: string
  Kind?: TimeKind
  SiteId?: number | null
  Date?: string
  Time?: string
  EndTime?: string | null
}

export type RecordDialogProps = {
  onClose: () => void
} & ({ edit: TimeRecord } | { half: TimeRecord } | { start: RecordStart })

const kinds: readonly TimeKind[] = ['in', 'out', 'exception', 'absence', 'makeup']

/** Adds a record, adds the other half of a punch, or edits one; the old value is kept. */
export function RecordDialog(props: RecordDialogProps) {
  const { onClose } = props
  const words = useWords()
  const programId = useProgramId()
  const add = useSave(addTimeRecord, { refresh: recordReads })
  const update = useSave(editTimeRecord, { refresh: recordReads })
  const edit = 'edit' in props ? props.edit : undefined
  const half = 'half' in props ? props.half : undefined
  const start = 'start' in props ? props.start : undefined
  const proposed = half && proposedHalf(half)
  const form = useEditForm({
    initialValues: {
      StudentId: idText(start?.StudentId ?? edit?.StudentId ?? half?.StudentId),
      Kind: (edit?.Type ?? proposed?.missing ?? start?.Kind ?? 'in') as string | null,
      SiteId: idText(start?.SiteId ?? edit?.SiteId ?? half?.SiteId),
      Date: (proposed?.date ?? start?.Date ?? edit?.Date ?? null) as string | null,
      Time: (start?.Time ?? edit?.Time ?? proposed?.time ?? null) as string | null,
      TimeIsSecond: null as string | null,
      EndTime: (start?.EndTime ?? edit?.EndTime ?? null) as string | null,
      EndTimeIsSecond: null as string | null,
      IsDayLong: edit !== undefined && edit.EndTime === edit.Time,
      Reason: '',
    },
    rules: {
      StudentId: required(),
      Kind: required(),
      Date: required(),
      Time: required(),
      ...(edit && { Reason: required() }),
    },
    save: async (values) => {
      const common = {
        // The form requires both.
        Date: values.Date!,
        Time: values.Time!,
        TimeIsSecond: isSecond(values.TimeIsSecond),
        ...(values.SiteId && { SiteId: Number(values.SiteId) }),
        ...(isSpan(values.Kind) &&
          values.EndTime && {
            EndTime: values.EndTime,
            EndTimeIsSecond: isSecond(values.EndTimeIsSecond),
            ...dayAfterOf(values),
          }),
      }
      const record = edit
        ? await update.run({
            params: { programId, recordId: edit.Id },
            body: { ...common, Reason: values.Reason.trim() },
          })
        : await add.run({
            params: { programId },
            body: {
              ...common,
              StudentId: Number(values.StudentId),
              Kind: values.Kind as TimeKind,
              Reason: values.Reason.trim(),
              ...(half && { PartnerId: half.Id }),
            },
          })
      toast.done(words(edit ? 'time.saved' : 'time.added', { name: record.Student }))
      onClose()
    },
  })
  const students = useSchedulingOptions(
    'student',
    form.values.StudentId ? [Number(form.values.StudentId)] : [],
  )
  const sites = useSchedulingOptions('site', form.values.SiteId ? [Number(form.values.SiteId)] : [])
  const known = edit ?? half
  const programZone = useTimeZone()
  const when = { date: form.values.Date, zone: known?.TimeZone ?? programZone }
  const title = edit
    ? words('time.editTitle')
    : proposed
      ? words(`time.addHalf.${proposed.missing}`)
      : words('time.addTitle')
  return (
    <Dialog
      opened
      onClose={onClose}
      stayOnOutsideClick
      title={title}
      subtitle={
        known &&
        words('time.addFor', {
          name: known.Student,
          kind: typeName(words, known.Type).toLowerCase(),
          when: `${formatDate(known.Date)} ${known.Time}`,
        })
      }
      refusal={edit && words('time.editKept')}
      actions={
        <>
          <LeaveButton onClick={onClose} />
          <Button loading={form.isSaving} onClick={() => void form.submit()}>
            {words(edit ? 'time.save' : 'time.add')}
          </Button>
        </>
      }
    >
      <Form form={form} onCancel={onClose} onSaved={onClose}>
        {edit && <CreditNote record={edit} />}
        <div className={classes.fields}>
          {!known && (
            <>
              <SelectField
                label={words('time.student')}
                required
                search={students.search}
                chosenLabel={start?.Student ?? students.chosenLabels[form.values.StudentId ?? '']}
                {...form.field('StudentId')}
              />
              <SelectField
                label={words('time.type')}
                required
                options={kinds.map((value) => ({ value, label: typeName(words, value) }))}
                {...form.field('Kind')}
              />
            </>
          )}
          <DateField label={words('time.date')} required {...form.field('Date')} />
          <TimeField label={words('time.time')} required {...form.field('Time')} />
          <WhichTime {...when} time={form.values.Time} {...form.field('TimeIsSecond')} />
          {isSpan(form.values.Kind) && (
            <>
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
            search={sites.search}
            chosenLabel={known?.Location ?? sites.chosenLabels[form.values.SiteId ?? '']}
            {...form.field('SiteId')}
          />
        </div>
        <TextAreaField
          label={words(edit ? 'time.reason' : 'time.note')}
          required={Boolean(edit)}
          maxLength={1000}
          rows={2}
          {...form.field('Reason')}
        />
      </Form>
    </Dialog>
  )
}

const idText = (id: number | null | undefined): string | null => (id ? String(id) : null)
const isSpan = (kind: string | null): boolean => kind !== 'in' && kind !== 'out'
