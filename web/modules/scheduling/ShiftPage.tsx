import {
  createSiteShift,
  getSiteShift,
  listSiteShifts,
  type ShiftType,
  type SiteShift,
  updateSiteShift,
} from '#contract/scheduling/site-shifts.ts'
import { leaveTo } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { EditPage } from '#web/shell/EditPage.tsx'
import { dateOfInstant } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { all, required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { TimeField } from '#web/ui/form/TimeField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { isBefore } from './is-before.ts'
import { shiftTypeName, shiftTypes } from './shift-words.ts'
import { WeekdayField } from './WeekdayField.tsx'

/** Add or edit a site shift. */
export function ShiftPage() {
  const [{ id }] = useAddress({ id: null as number | null })
  const programId = useProgramId()
  const shift = useRead(
    getSiteShift,
    { params: { programId, siteShiftId: id ?? 0 } },
    { isEnabled: id !== null },
  )
  return (
    <EditPage id={id} read={shift}>
      {(found) => <ShiftForm shift={found} programId={programId} />}
    </EditPage>
  )
}

function ShiftForm({ shift, programId }: { shift: SiteShift | undefined; programId: number }) {
  const words = useWords()
  const refresh = [listSiteShifts, getSiteShift]
  const create = useSave(createSiteShift, { refresh })
  const update = useSave(updateSiteShift, { refresh })
  const today = dateOfInstant(Date.now(), useTimeZone())
  const sites = useSchedulingOptions('site', [shift?.SiteId ?? null])
  const form = useEditForm({
    initialValues: {
      SiteId: (shift ? String(shift.SiteId) : null) as string | null,
      Code: shift?.Code ?? '',
      Name: shift?.Name ?? '',
      Type: (shift?.Type ?? 'day') as string | null,
      Weekdays: shift?.Weekdays ?? [1, 2, 3, 4, 5],
      StartTime: (shift?.StartTime ?? '07:00') as string | null,
      EndTime: (shift?.EndTime ?? '15:30') as string | null,
      Capacity: (shift?.Capacity ?? 1) as number | null,
      StartDate: (shift?.StartDate ?? today) as string | null,
      EndDate: (shift?.EndDate ?? null) as string | null,
    },
    rules: {
      SiteId: required(),
      Code: required(),
      Type: required(),
      Weekdays: required(words('scheduling.weekdaysRequired')),
      StartTime: required(),
      EndTime: required(),
      Capacity: required(),
      StartDate: required(),
      EndDate: all(required(), (end: string | null, { StartDate }: { StartDate: string | null }) =>
        isBefore(end, StartDate) ? words('scheduling.endBeforeStart') : null,
      ),
    },
    draftKey: `shift-${programId}-${shift?.Id ?? 0}`,
    save: (values) => {
      const body = {
        SiteId: Number(values.SiteId),
        Code: values.Code.trim(),
        Name: values.Name.trim(),
        Type: values.Type as ShiftType,
        Weekdays: values.Weekdays,
        // The form requires all of these.
        StartTime: values.StartTime!,
        EndTime: values.EndTime!,
        Capacity: values.Capacity!,
        StartDate: values.StartDate!,
        EndDate: values.EndDate!,
      }
      return shift
        ? update.run({ params: { programId, siteShiftId: shift.Id }, body }, { basedOn: shift })
        : create.run({ params: { programId }, body })
    },
  })
  const leave = () => leaveTo('/admin/shifts')
  const saved = () => {
    toast.done(words('scheduling.saved', { name: form.values.Code.trim() }))
    leave()
  }
  const { StartTime, EndTime } = form.values
  const isOvernight = StartTime && EndTime && EndTime <= StartTime
  return (
    <Page
      title={shift?.Code ?? words('scheduling.newShift')}
      breadcrumb={words('scheduling.shifts')}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!shift} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('scheduling.shiftWhere')} purpose={words('scheduling.shiftWherePurpose')}>
          <FullWidth>
            <SelectField
              label={words('scheduling.site')}
              required
              search={sites.search}
              chosenLabel={shift?.Site}
              {...form.field('SiteId')}
            />
          </FullWidth>
          <TextField label={words('scheduling.code')} required maxLength={20} {...form.field('Code')} />
          <TextField label={words('scheduling.name')} maxLength={100} {...form.field('Name')} />
          <SelectField
            label={words('scheduling.type')}
            required
            options={shiftTypes.map((type) => ({ value: type, label: shiftTypeName(words, type) }))}
            {...form.field('Type')}
          />
        </FormSection>
        <FormSection name={words('scheduling.shiftWhen')} purpose={words('scheduling.shiftWhenPurpose')}>
          <FullWidth>
            <WeekdayField label={words('scheduling.weekdays')} required {...form.field('Weekdays')} />
          </FullWidth>
          <TimeField label={words('scheduling.startTime')} required {...form.field('StartTime')} />
          <TimeField
            label={words('scheduling.endTime')}
            required
            description={
              isOvernight
                ? words(EndTime === StartTime ? 'scheduling.dayLong' : 'scheduling.overnight')
                : undefined
            }
            {...form.field('EndTime')}
          />
          <DateField label={words('scheduling.startDate')} required {...form.field('StartDate')} />
          <DateField label={words('scheduling.endDate')} required {...form.field('EndDate')} />
        </FormSection>
        <FormSection
          name={words('scheduling.shiftHowMany')}
          purpose={words('scheduling.shiftHowManyPurpose')}
        >
          <NumberField
            label={words('scheduling.capacity')}
            hint={words('scheduling.capacityHint')}
            required
            min={0}
            max={10_000}
            {...form.field('Capacity')}
          />
        </FormSection>
      </Form>
    </Page>
  )
}
