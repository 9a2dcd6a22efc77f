import { useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { listCohorts } from '#contract/people/people.ts'
import {
  type Preset,
  type PresetSettings,
  presetSettings,
  suggestPlanPreset,
} from '#contract/placement/plan-presets.ts'
import {
  checkPlacementPlan,
  createPlacementPlan,
  type Group,
  getPlacementPlanById,
  listPlacementPlans,
  listPlanStudents,
  maxRotations,
  type PlacementPlan,
  updatePlacementPlan,
} from '#contract/placement/plans.ts'
import { getRotation } from '#contract/scheduling/rotations.ts'
import { call } from '#web/api/call.ts'
import { useOpenAddress, usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { EditPage } from '#web/shell/EditPage.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
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
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { GroupsField } from './GroupsField.tsx'
import { PresetCards } from './PresetCards.tsx'
import { WeightSliders } from './WeightSliders.tsx'

/** Add or edit a placement plan. */
export function PlanFormPage() {
  const [{ id }] = useAddress({ id: null as number | null })
  const programId = useProgramId()
  const plan = useRead(
    getPlacementPlanById,
    { params: { programId, planId: id ?? 0 } },
    { isEnabled: id !== null },
  )
  const suggested = useRead(suggestPlanPreset, { params: { programId } })
  const { data } = suggested
  if (!data) return suggested.error ? <ReadProblem read={suggested} /> : null
  return (
    <EditPage id={id} read={plan}>
      {(found) => <PlanForm plan={found} programId={programId} suggested={data} />}
    </EditPage>
  )
}

/** A group for everybody. */
const firstGroupOf = (words: Words) => ({
  Name: words('placement.allStudents'),
  StudentLevelIds: [],
  Types: [],
  Experiences: [],
  FewestBlocksPerSite: null,
})

/** What a preset puts into the form. */
const fieldsOf = (
  { ShiftsPerWeek, Weekdays, MostBlocksPerSite, ...more }: PresetSettings,
  group: ReturnType<typeof firstGroupOf>,
) => ({ ...more, Groups: [{ ...group, ShiftsPerWeek, Weekdays, MostBlocksPerSite }] as Group[] })

/** Groups whose experiences ask only for rotations that are chosen. */
const ofRotations = (groups: readonly Group[], ids: readonly number[]): Group[] =>
  groups.map((group) => ({
    ...group,
    Experiences: group.Experiences.map((each) => ({
      ...each,
      RotationIds: each.RotationIds.filter((id) => ids.length > 1 && ids.includes(id)),
    })),
  }))

type PlanFormProps = {
  plan: PlacementPlan | undefined
  programId: number
  suggested: AnswerOf<typeof suggestPlanPreset>
}

function PlanForm({ plan, programId, suggested }: PlanFormProps) {
  const words = useWords()
  const navigate = usePageNavigate()
  const openAddress = useOpenAddress()
  const refresh = [listPlacementPlans, getPlacementPlanById, checkPlacementPlan, listPlanStudents]
  const create = useSave(createPlacementPlan, { refresh })
  const update = useSave(updatePlacementPlan, { refresh })
  const cohorts = useRead(listCohorts, { params: { programId } })
  const begin = fieldsOf(presetSettings[suggested.Preset], firstGroupOf(words))
  const form = useEditForm({
    initialValues: {
      Name: plan?.Name ?? '',
      RotationIds: (plan?.Rotations ?? []).map(({ Id }) => String(Id)),
      Template: (plan?.Template ?? begin.Template) as string | null,
      StartDate: (plan?.StartDate ?? null) as string | null,
      EndDate: (plan?.EndDate ?? null) as string | null,
      WeeksPerBlock: (plan?.WeeksPerBlock ?? begin.WeeksPerBlock) as number | null,
      Cohort: (plan?.Cohort || null) as string | null,
      StudentIds: plan && !plan.Cohort ? plan.StudentIds.map(String) : [],
      Groups: plan?.Rules.Groups ?? begin.Groups,
      SiteIds: (plan?.Rules.SiteIds ?? []).map(String),
      MostEveningPercent: (plan ? plan.Rules.MostEveningPercent : begin.MostEveningPercent) as number | null,
      Weights: plan?.Rules.Weights ?? begin.Weights,
      OpensDate: plan?.OpensDate ?? null,
      OpensTime: plan?.OpensTime ?? null,
      ClosesDate: plan?.ClosesDate ?? null,
      ClosesTime: plan?.ClosesTime ?? null,
      RanksPer: (plan?.RanksPer ?? begin.RanksPer) as string | null,
      MostRanks: (plan?.MostRanks ?? begin.MostRanks) as number | null,
      Instructions: plan?.Instructions ?? '',
      IsOpenToOthers: plan?.IsOpenToOthers ?? false,
    },
    rules: {
      Name: required(),
      RotationIds: (ids: string[]) => (ids.length === 0 ? words('placement.needsRotation') : null),
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
        // The form requires one.
        RotationId: Number(values.RotationIds[0]!),
        MoreRotationIds: values.RotationIds.slice(1).map(Number),
        Template: values.Template === 'ranked' ? ('ranked' as const) : ('wheel' as const),
        // The form requires both.
        StartDate: values.StartDate!,
        EndDate: values.EndDate!,
        WeeksPerBlock: values.WeeksPerBlock ?? 1,
        Cohort: values.Cohort ?? '',
        StudentIds: values.Cohort ? [] : values.StudentIds.map(Number),
        Rules: {
          Groups: ofRotations(values.Groups, values.RotationIds.map(Number)),
          SiteIds: values.SiteIds.map(Number),
          MostEveningPercent: values.MostEveningPercent,
          Weights: values.Weights,
        },
        OpensDate: values.OpensDate,
        OpensTime: values.OpensDate ? (values.OpensTime ?? '08:00') : null,
        ClosesDate: values.ClosesDate,
        ClosesTime: values.ClosesDate ? (values.ClosesTime ?? '17:00') : null,
        RanksPer: values.RanksPer === 'block' ? ('block' as const) : ('plan' as const),
        MostRanks: values.MostRanks ?? 5,
        Instructions: values.Instructions,
        IsOpenToOthers: values.IsOpenToOthers,
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
  const weights = form.field('Weights')
  const chosenRotations = form.values.RotationIds
  const rotations = useSchedulingOptions('rotation', chosenRotations.map(Number))
  const students = useSchedulingOptions('student', form.values.StudentIds.map(Number))
  const sites = useSchedulingOptions('site', form.values.SiteIds.map(Number))
  /** The plan has the dates of the rotation unless it has its own. */
  const chooseRotations = async (ids: string[]) => {
    form.set('RotationIds', ids)
    if (ids[0] === undefined || form.values.StartDate || form.values.EndDate) return
    try {
      const rotation = await call(getRotation, { params: { programId, rotationId: Number(ids[0]) } })
      form.set('StartDate', rotation.StartDate)
      form.set('EndDate', rotation.EndDate)
    } catch {
      // The fields stay empty, and ask for a date.
    }
  }
  const [preset, setPreset] = useState(suggested.Preset)
  const choose = (next: Preset) => {
    setPreset(next)
    const fields = fieldsOf(presetSettings[next], firstGroupOf(words))
    form.set('Template', fields.Template)
    form.set('WeeksPerBlock', fields.WeeksPerBlock)
    form.set('Groups', fields.Groups)
    form.set('MostEveningPercent', fields.MostEveningPercent)
    form.set('RanksPer', fields.RanksPer)
    form.set('MostRanks', fields.MostRanks)
    form.set('Weights', fields.Weights)
  }
  return (
    <Page
      title={plan?.Name ?? words('placement.addTitle')}
      breadcrumb={words('placement.plans')}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!plan} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        {!plan && (
          <FormSection name={words('placement.presetPart')} purpose={words('placement.presetPurpose')}>
            <FullWidth>
              <PresetCards value={preset} suggested={suggested} onChange={choose} />
            </FullWidth>
          </FormSection>
        )}
        <FormSection name={words('placement.whatPart')} purpose={words('placement.whatPurpose')}>
          <FullWidth>
            <TextField label={words('placement.name')} required maxLength={100} {...form.field('Name')} />
          </FullWidth>
          <MultiSelectField
            label={words('placement.rotations')}
            description={words('placement.rotationsHint')}
            required
            most={maxRotations}
            {...rotations}
            {...form.field('RotationIds')}
            onChange={(ids) => void chooseRotations(ids)}
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
            <GroupsField
              rotations={
                chosenRotations.length > 1
                  ? chosenRotations.map((id) => ({ value: id, label: rotations.chosenLabels[id] ?? '…' }))
                  : []
              }
              value={groups.value}
              onChange={groups.onChange}
            />
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
          <SelectField
            label={words('placement.ranksPer')}
            description={words('placement.ranksPerHint')}
            required
            options={[
              { value: 'plan', label: words('placement.ranksPer_plan') },
              { value: 'block', label: words('placement.ranksPer_block') },
            ]}
            {...form.field('RanksPer')}
          />
          <NumberField label={words('placement.mostRanks')} min={1} {...form.field('MostRanks')} />
          <FullWidth>
            <TextAreaField
              label={words('placement.instructions')}
              maxLength={2000}
              {...form.field('Instructions')}
            />
          </FullWidth>
        </FormSection>
        <FormSection name={words('placement.weightsPart')} purpose={words('placement.weightsPurpose')}>
          <FullWidth>
            <WeightSliders value={weights.value} onChange={weights.onChange} />
          </FullWidth>
        </FormSection>
        <FormSection name={words('placement.togetherPart')} purpose={words('placement.togetherPurpose')}>
          <FullWidth>
            <CheckField
              label={words('placement.openToOthers')}
              description={words('placement.openToOthersHint')}
              {...form.field('IsOpenToOthers')}
            />
          </FullWidth>
        </FormSection>
      </Form>
    </Page>
  )
}
