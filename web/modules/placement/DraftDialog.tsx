import {
  type ChangedPlaces,
  createDraft,
  type Draft,
  type Effort,
  efforts,
  listDrafts,
  listOtherPlans,
} from '#contract/placement/drafts.ts'
import { checkPlacementPlan, getPlacementPlanById, type PlacementPlan } from '#contract/placement/plans.ts'
import { usualWeights } from '#contract/placement/weights.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { useWords } from '#web/words/use-words.ts'
import placement from './placement.module.css'
import { TogetherField } from './TogetherField.tsx'
import { WeightSliders } from './WeightSliders.tsx'

export type DraftDialogProps = {
  plan: PlacementPlan
  name: string
  /** What-if: the draft to begin with. */
  from?: Draft
  /** Places that a remedy adds. */
  places?: readonly ChangedPlaces[]
  onClose: () => void
  onMade: (draft: Draft) => void
}

/** How a draft is made: its weights, how long it looks, and for a what-if one site with other places. */
export function DraftDialog({ plan, name, from, places = [], onClose, onMade }: DraftDialogProps) {
  const words = useWords()
  const programId = useProgramId()
  const params = { programId, planId: plan.Id }
  const check = useRead(checkPlacementPlan, { params }, { isEnabled: from !== undefined })
  const save = useSave(createDraft, { refresh: [listDrafts, getPlacementPlanById] })
  // A what-if is of this plan alone, around what the others hold.
  const others = useRead(listOtherPlans, { params }, { isEnabled: from === undefined })
  const [first] = places
  const form = useEditForm({
    initialValues: {
      Name: name,
      Effort: (from?.Effort ?? 'normal') as string | null,
      Seed: (from?.Seed ?? 1) as number | null,
      Weights: from?.Weights ?? plan.Rules.Weights ?? usualWeights,
      SiteId: first ? String(first.SiteId) : (null as string | null),
      Places: (first?.Places ?? 1) as number | null,
      With: [] as number[],
    },
    save: async ({ Name, Effort, Seed, Weights, SiteId, Places, With }) => {
      const own = SiteId
        ? [
            {
              SiteId: Number(SiteId),
              Blocks: first?.SiteId === Number(SiteId) ? first.Blocks : [],
              Places: Places ?? 0,
            },
          ]
        : []
      onMade(
        await save.run({
          params,
          body: {
            Name,
            Effort: (Effort ?? 'normal') as Effort,
            Seed: Seed ?? 1,
            Weights,
            Places: [...(from?.Places ?? []), ...own, ...places.slice(1)],
            ...(from && { FromDraftId: from.Id }),
            With: (others.data?.Plans ?? [])
              .filter(({ PlanId }) => With.includes(PlanId))
              .map(({ ProgramId, PlanId }) => ({ ProgramId, PlanId })),
          },
        }),
      )
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words(from ? 'placement.whatIf' : 'placement.makeDraft')}
      subtitle={from && words('placement.fromDraft', { name: from.Name })}
      stayOnOutsideClick
      actions={
        <Button loading={form.isSaving} onClick={() => void form.submit()}>
          {words('placement.solve')}
        </Button>
      }
    >
      <Form form={form} onCancel={onClose}>
        <TextField label={words('placement.name')} required maxLength={60} {...form.field('Name')} />
        {from && (
          <div className={placement.two}>
            <SelectField
              label={words('placement.otherPlaces')}
              placeholder={words('placement.asItIs')}
              clearable
              options={(check.data?.Demand ?? []).map(({ SiteId, Site }) => ({
                value: String(SiteId),
                label: Site,
              }))}
              {...form.field('SiteId')}
            />
            <NumberField
              label={words('placement.morePlaces')}
              min={-1000}
              max={1000}
              {...form.field('Places')}
            />
          </div>
        )}
        {others.data && (
          <TogetherField plans={others.data.Plans} notOpen={others.data.NotOpen} {...form.field('With')} />
        )}
        <WeightSliders {...form.field('Weights')} />
        <div className={placement.two}>
          <SelectField
            label={words('placement.effort')}
            options={efforts.map((value) => ({ value, label: words(`placement.effort_${value}`) }))}
            {...form.field('Effort')}
          />
          <NumberField
            label={words('placement.seed')}
            description={words('placement.seedHint')}
            min={1}
            max={1_000_000}
            isPlain
            {...form.field('Seed')}
          />
        </div>
      </Form>
    </Dialog>
  )
}
