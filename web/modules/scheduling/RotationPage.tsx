import {
  createRotation,
  getRotation,
  listRotations,
  type Rotation,
  updateRotation,
} from '#contract/scheduling/rotations.ts'
import { leaveTo } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { EditPage } from '#web/shell/EditPage.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { all, required } from '#web/ui/form/rules.ts'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { isBefore } from './is-before.ts'

/** Add or edit a rotation. */
export function RotationPage() {
  const [{ id }] = useAddress({ id: null as number | null })
  const programId = useProgramId()
  const rotation = useRead(
    getRotation,
    { params: { programId, rotationId: id ?? 0 } },
    { isEnabled: id !== null },
  )
  return (
    <EditPage id={id} read={rotation}>
      {(found) => <RotationForm rotation={found} programId={programId} />}
    </EditPage>
  )
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

function RotationForm({ rotation, programId }: { rotation: Rotation | undefined; programId: number }) {
  const words = useWords()
  const refresh = [listRotations, getRotation]
  const create = useSave(createRotation, { refresh })
  const update = useSave(updateRotation, { refresh })
  const levels = useSchedulingOptions('level', rotation?.StudentLevelIds ?? [])
  const areas = useSchedulingOptions('area', rotation?.AreaIds ?? [])
  const form = useEditForm({
    initialValues: {
      Name: rotation?.Name ?? '',
      StartDate: (rotation?.StartDate ?? null) as string | null,
      EndDate: (rotation?.EndDate ?? null) as string | null,
      StudentLevelIds: (rotation?.StudentLevelIds ?? []).map(String),
      Cohorts: (rotation?.Cohorts ?? []).join('\n'),
      AreaIds: (rotation?.AreaIds ?? []).map(String),
      TargetHours: (rotation ? rotation.TargetMinutes / 60 : 0) as number | null,
      Notes: rotation?.Notes ?? '',
    },
    rules: {
      Name: required(),
      StartDate: required(),
      EndDate: all(required(), (end: string | null, { StartDate }: { StartDate: string | null }) =>
        isBefore(end, StartDate) ? words('scheduling.endBeforeStart') : null,
      ),
    },
    draftKey: `rotation-${programId}-${rotation?.Id ?? 0}`,
    save: (values) => {
      const body = {
        Name: values.Name.trim(),
        // The form requires both.
        StartDate: values.StartDate!,
        EndDate: values.EndDate!,
        StudentLevelIds: values.StudentLevelIds.map(Number),
        Cohorts: lines(values.Cohorts),
        AreaIds: values.AreaIds.map(Number),
        TargetMinutes: Math.round((values.TargetHours ?? 0) * 60),
        Notes: values.Notes,
      }
      return rotation
        ? update.run({ params: { programId, rotationId: rotation.Id }, body }, { basedOn: rotation })
        : create.run({ params: { programId }, body })
    },
  })
  const leave = () => leaveTo('/admin/rotations')
  const saved = () => {
    toast.done(words('scheduling.saved', { name: form.values.Name.trim() }))
    leave()
  }
  return (
    <Page
      title={rotation?.Name ?? words('scheduling.newRotation')}
      breadcrumb={words('scheduling.rotations')}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!rotation} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection
          name={words('scheduling.rotationWhen')}
          purpose={words('scheduling.rotationWhenPurpose')}
        >
          <FullWidth>
            <TextField label={words('scheduling.name')} required maxLength={100} {...form.field('Name')} />
          </FullWidth>
          <DateField label={words('scheduling.startDate')} required {...form.field('StartDate')} />
          <DateField label={words('scheduling.endDate')} required {...form.field('EndDate')} />
        </FormSection>
        <FormSection name={words('scheduling.rotationWho')} purpose={words('scheduling.rotationWhoPurpose')}>
          <MultiSelectField
            label={words('scheduling.levels')}
            placeholder={words('scheduling.allLevels')}
            {...levels}
            {...form.field('StudentLevelIds')}
          />
          <TextAreaField
            label={words('scheduling.cohorts')}
            hint={words('scheduling.cohortsHint')}
            {...form.field('Cohorts')}
          />
        </FormSection>
        <FormSection
          name={words('scheduling.rotationWhat')}
          purpose={words('scheduling.rotationWhatPurpose')}
        >
          <NumberField
            label={words('scheduling.targetHours')}
            min={0}
            decimals={1}
            unit=" h"
            {...form.field('TargetHours')}
          />
          <MultiSelectField
            label={words('scheduling.areas')}
            placeholder={words('scheduling.all')}
            {...areas}
            {...form.field('AreaIds')}
          />
          <FullWidth>
            <TextAreaField label={words('scheduling.notes')} maxLength={2000} {...form.field('Notes')} />
          </FullWidth>
        </FormSection>
      </Form>
    </Page>
  )
}
