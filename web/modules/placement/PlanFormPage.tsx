import { listCohorts } from '#contract/people/people.ts'
import {
  checkPlacementPlan,
  createPlacementPlan,
  type Group,
  getPlacementPlanById,
  listPlacementPlans,
  listPlanStudents,
  type PlacementPlan,
  updatePlacementPlan,
} from '#contract/placement/plans.ts'
import { useOpenAddress, usePageNavigate } from '#web/api/navigate.ts'
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
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { TimeField } from '#web/ui/form/TimeField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { GroupsField } from './GroupsField.tsx'

/** Add or edit a placement plan. */
export function PlanFormPage() {
  const [{ id }] = useAddress({ id: null as number | null })
  const programId = useProgramId()
  const plan = useRead(
    getPlacementPlanById,
    { params: { programId, planId: id ?? 0 } },
    { isEnabled: id !== null },
  )
  return (
    <EditPage id={id} read={plan}>
      {(found) => <PlanForm plan={found} programId={programId} />}
    </EditPage>
  )
}

function PlanForm({ plan, programId }: { plan: PlacementPlan | undefined; programId: number }) {
  const words = useWords()
  const navigate = usePageNavigate()
  const openAddress = useOpenAddress()
  const refresh = [listPlacementPlans, getPlacementPlanById, checkPlacementPlan, listPlanStudents]
  const create = useSave(createPlacementPlan, { refresh })
  const update = useSave(updatePlacementPlan, { refresh })
  const cohorts = useRead(listCohorts, { params: { programId } })
  const rotation = useSchedulingOptions('rotation', [plan?.RotationId ?? null])
  const students = useSchedulingOptions('student', plan && !plan.Cohort ? plan.StudentIds : [])
  const sites = useSchedulingOptions('site', plan?.Rules.SiteIds ?? [])
  const firstGroup: Group = {
    Name: words('placement.allStudents'),
    StudentLevelIds: [],
    ShiftsPerWeek: 2,
    Weekdays: [1, 2, 3, 4, 5],
    Types: [],
    Experiences: [],
    MostBlocksPerSite: null,
    FewestBlocksPerSite: null,
  }
  const form = useEditForm({
    initialValues: {
      Name: plan?.Name ?? '',
      RotationId: (plan ? String(plan.RotationId) : null) as string | null,
      Template: (plan?.Template ?? 'wheel') as string | null,
      StartDate: (plan?.StartDate ?? null) as string | null,
      EndDate: (plan?.EndDate ?? null) as string | null,
      WeeksPerBlock: (plan?.WeeksPerBlock ?? 2) as number | null,
      Cohort: (plan?.Cohort || null) as string | null,
      StudentIds: plan && !plan.Cohort ? plan.StudentIds.map(String) : [],
      Groups: plan?.Rules.Groups ?? [firstGroup],
      SiteIds: (plan?.Rules.SiteIds ?? []).map(String),
      MostEveningPercent: (plan ? plan.Rules.MostEveningPercent : 25) as number | null,
      OpensDate: plan?.OpensDate ?? null,
      OpensTime: plan?.OpensTime ?? null,
      ClosesDate: plan?.ClosesDate ?? null,
      ClosesTime: plan?.ClosesTime ?? null,
      MostRanks: (plan?.MostRanks ?? 5) as number | null,
      Instructions: plan?.Instructions ?? '',
    },
    rules: {
      Name: required(),
      RotationId: required(),
      StartDate: required(),
      EndDate: all(required(), (end: string | null, { StartDate }: { StartDate: string | null }) =>
        end && StartDate && end < StartDate ? words('placement.endBeforeStart') : null,
      ),
      Cohort: (cohort: string | null, { StudentIds }: { StudentIds: string[] }) =>
        cohort || StudentIds.length > 0 ? null : words('placement.needsStudents'),
    },
    draftKey: `placement-plan-${programId}-${plan?.Id ?? 0}`,
    save: (values) => {
      const body = {
        Name: values.Name.trim(),
        RotationId: Number(values.RotationId),
        Template: values.Template === 'ranked' ? ('ranked' as const) : ('wheel' as const),
        // The form requires both.
        StartDate: values.StartDate!,
        EndDate: values.EndDate!,
        WeeksPerBlock: values.WeeksPerBlock ?? 1,
        Cohort: values.Cohort ?? '',
        StudentIds: values.Cohort ? [] : values.StudentIds.map(Number),
        Rules: {
          Groups: values.Groups,
          SiteIds: values.SiteIds.map(Number),
          MostEveningPercent: values.MostEveningPercent,
        },
        OpensDate: values.OpensDate,
        OpensTime: values.OpensDate ? (values.OpensTime ?? '08:00') : null,
        ClosesDate: values.ClosesDate,
        ClosesTime: values.ClosesDate ? (values.ClosesTime ?? '17:00') : null,
        MostRanks: values.MostRanks ?? 5,
        Instructions: values.Instructions,
      }
      return plan
        ? update.run({ params: { programId, planId: plan.Id }, body }, { basedOn: plan })
        : create.run({ params: { programId }, body })
    },
  })
  const leave = () => (plan ? openAddress(`/new/admin/placement/${plan.Id}`) : navigate('/admin/placement'))
  const saved = () => {
    toast.done(words('placement.saved', { name: form.values.Name.trim() }))
    leave()
  }
  const groups = form.field('Groups')
  return (
    <Page
      title={plan?.Name ?? words('placement.addTitle')}
      breadcrumb={words('placement.plans')}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!plan} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('placement.whatPart')} purpose={words('placement.whatPurpose')}>
          <FullWidth>
            <TextField label={words('placement.name')} required maxLength={100} {...form.field('Name')} />
          </FullWidth>
          <SelectField
            label={words('placement.rotation')}
            required
            search={rotation.search}
            {...(plan && { chosenLabel: plan.Rotation })}
            {...form.field('RotationId')}
          />
          <SelectField
            label={words('placement.template')}
            description={words('placement.templateHint')}
            required
            options={[
              { value: 'wheel', label: words('placement.wheel') },
              { value: 'ranked', label: words('placement.ranked') },
            ]}
            {...form.field('Template')}
          />
          <DateField label={words('placement.startDate')} required {...form.field('StartDate')} />
          <DateField label={words('placement.endDate')} required {...form.field('EndDate')} />
          <NumberField label={words('placement.weeksPerBlock')} min={1} {...form.field('WeeksPerBlock')} />
        </FormSection>
        <FormSection name={words('placement.whoPart')} purpose={words('placement.whoPurpose')}>
          <SelectField
            label={words('placement.cohort')}
            placeholder={words('placement.pickStudents')}
            options={(cohorts.data ?? []).map((cohort) => ({ value: cohort, label: cohort }))}
            {...form.field('Cohort')}
          />
          {!form.values.Cohort && (
            <MultiSelectField label={words('placement.picked')} {...students} {...form.field('StudentIds')} />
          )}
        </FormSection>
        <FormSection name={words('placement.groupsPart')} purpose={words('placement.groupsPurpose')}>
          <FullWidth>
            <GroupsField value={groups.value} onChange={groups.onChange} />
          </FullWidth>
        </FormSection>
        <FormSection name={words('placement.sitesPart')} purpose={words('placement.sitesPurpose')}>
          <MultiSelectField
            label={words('placement.sites')}
            placeholder={words('placement.allSites')}
            {...sites}
            {...form.field('SiteIds')}
          />
          <NumberField
            label={words('placement.eveningPercent')}
            description={words('placement.eveningHint')}
            min={0}
            unit=" %"
            {...form.field('MostEveningPercent')}
          />
        </FormSection>
        <FormSection name={words('placement.rankPart')} purpose={words('placement.rankPurpose')}>
          <DateField label={words('placement.opensDate')} {...form.field('OpensDate')} />
          <TimeField label={words('placement.opensTime')} {...form.field('OpensTime')} />
          <DateField label={words('placement.closesDate')} {...form.field('ClosesDate')} />
          <TimeField label={words('placement.closesTime')} {...form.field('ClosesTime')} />
          <NumberField label={words('placement.mostRanks')} min={1} {...form.field('MostRanks')} />
          <FullWidth>
            <TextAreaField
              label={words('placement.instructions')}
              maxLength={2000}
              {...form.field('Instructions')}
            />
          </FullWidth>
        </FormSection>
      </Form>
    </Page>
  )
}
