import {
  checkPlacementPlan,
  type Demand,
  type PlacementPlan,
  savePlacementSite,
} from '#contract/placement/plans.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { changed } from './changed.ts'

export type SiteDialogProps = { plan: PlacementPlan; site: Demand; onClose: () => void }

/** What a site has said about a plan. */
export function SiteDialog({ plan, site, onClose }: SiteDialogProps) {
  const words = useWords()
  const programId = useProgramId()
  const save = useSave(savePlacementSite, { refresh: [checkPlacementPlan] })
  const form = useEditForm({
    initialValues: {
      Takes: site.Takes,
      Reserved: site.Reserved as number | null,
      Technologists: site.Technologists,
      AtLeast: site.AtLeast,
    },
    rules: {
      AtLeast: (least: number | null, { Takes }: { Takes: number | null }) =>
        least !== null && Takes !== null && Takes > 0 && least > Takes
          ? words('placement.leastAboveMost')
          : null,
    },
    save: async ({ Takes, Reserved, Technologists, AtLeast }) => {
      await save.run({
        params: { programId, planId: plan.Id, siteId: site.SiteId },
        body: changed(site, {
          Takes,
          Reserved: Reserved ?? 0,
          Technologists,
          AtLeast: AtLeast === null || AtLeast < 2 ? null : AtLeast,
        }),
      })
      toast.done(words('placement.siteSaved', { name: site.Site }))
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('placement.siteAnswer')}
      subtitle={site.Site}
      stayOnOutsideClick
      actions={
        <Button loading={form.isSaving} onClick={() => void form.submit()}>
          {words('ui.save')}
        </Button>
      }
    >
      <Form form={form} onCancel={onClose}>
        <NumberField
          label={words('placement.takes')}
          description={words('placement.takesHint')}
          min={0}
          {...form.field('Takes')}
        />
        <NumberField
          label={words('placement.atLeast')}
          description={words('placement.atLeastHint')}
          min={0}
          {...form.field('AtLeast')}
        />
        <NumberField label={words('placement.reserved')} min={0} {...form.field('Reserved')} />
        <NumberField
          label={words('placement.technologists')}
          description={words('placement.technologistsHint')}
          min={0}
          {...form.field('Technologists')}
        />
      </Form>
    </Dialog>
  )
}
