import { type Area, createArea, listAreas, updateArea } from '#contract/areas/areas.ts'
import { leaveTo } from '#web/api/navigate.ts'
import { usePlace } from '#web/api/place.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Form, FormActions, FormSection } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { SwitchField } from '#web/ui/form/SwitchField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Add or edit an area; the list hands the area over with the navigation, and it is read again behind it. */
export function AreaPage() {
  const [{ id }] = useAddress({ id: null as number | null })
  const handed = (usePlace().state as { area?: Area }).area
  const programId = useProgramId()
  const areas = useRead(
    listAreas,
    { params: { programId }, query: { all: true } },
    { isEnabled: id !== null, staleMs: 0 },
  )
  const area = (areas.isFetchedAfterMount ? undefined : handed) ?? areas.data?.find((each) => each.Id === id)
  if (id !== null && !area) {
    if (areas.error) return <ReadProblem read={areas} />
    return areas.data ? <PageProblem kind="not-found" /> : null
  }
  return <AreaForm area={area} programId={programId} />
}

function AreaForm({ area, programId }: { area: Area | undefined; programId: number }) {
  const words = useWords()
  const create = useSave(createArea, { refresh: [listAreas] })
  const update = useSave(updateArea, { refresh: [listAreas] })
  const form = useEditForm({
    initialValues: {
      Name: area?.Name ?? '',
      IsActive: (area ? String(area.IsActive) : 'true') as string | null,
      AreNotificationsEnabled: area?.AreNotificationsEnabled ?? false,
    },
    rules: { Name: required(), IsActive: required() },
    draftKey: `area-${programId}-${area?.Id ?? 0}`,
    save: (values) => {
      const body = {
        Name: values.Name.trim(),
        IsActive: values.IsActive === 'true',
        AreNotificationsEnabled: values.AreNotificationsEnabled,
      }
      return area
        ? update.run({ params: { programId, areaId: area.Id }, body }, { basedOn: area })
        : create.run({ params: { programId }, body })
    },
  })
  const leave = () => leaveTo('/admin/manage-areas')
  const saved = () => {
    toast.done(words('areas.saved', { name: form.values.Name.trim() }))
    leave()
  }
  return (
    <Page
      title={area?.Name ?? words('areas.newTitle')}
      breadcrumb={words('areas.title')}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!area} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('areas.section')} purpose={words('areas.purpose')}>
          <TextField label={words('areas.nameLabel')} required maxLength={100} {...form.field('Name')} />
          <SelectField
            label={words('areas.status')}
            required
            options={[
              { value: 'true', label: words('areas.active') },
              { value: 'false', label: words('areas.inactive') },
            ]}
            {...form.field('IsActive')}
          />
          <SwitchField label={words('areas.copyNotifications')} {...form.field('AreNotificationsEnabled')} />
        </FormSection>
      </Form>
    </Page>
  )
}
