import {
  checkPlacementPlan,
  type Demand,
  listPlanStudents,
  type PlacementPlan,
  type PlanStudent,
  savePlanStudent,
} from '#contract/placement/plans.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { changed } from './changed.ts'
import classes from './placement.module.css'

export type PlanStudentDialogProps = {
  plan: PlacementPlan
  sites: readonly Demand[]
  student: PlanStudent
  onClose: () => void
}

/** Where one student is in any case, where never, and their ranking. */
export function PlanStudentDialog({ plan, sites, student, onClose }: PlanStudentDialogProps) {
  const words = useWords()
  const programId = useProgramId()
  const save = useSave(savePlanStudent, { refresh: [listPlanStudents, checkPlacementPlan] })
  const options = sites.map(({ SiteId, Site }) => ({ value: String(SiteId), label: Site }))
  const form = useEditForm({
    initialValues: {
      SiteIds: student.SiteIds.map(String),
      ByBlock: Object.fromEntries(
        student.BlockRankings.map(({ Block, SiteIds }) => [Block, SiteIds.map(String)]),
      ) as Record<number, string[]>,
      ExcludedSiteIds: student.ExcludedSiteIds.map(String),
      Pins: Object.fromEntries(student.Pins.map(({ Block, SiteId }) => [Block, String(SiteId)])) as Record<
        number,
        string | null
      >,
      Note: student.Note,
    },
    save: async ({ SiteIds, ByBlock, ExcludedSiteIds, Pins, Note }) => {
      await save.run({
        params: { programId, planId: plan.Id, studentId: student.StudentId },
        body: changed(student, {
          SiteIds: SiteIds.map(Number),
          BlockRankings: plan.Blocks.flatMap((_, Block) => {
            const ids = (ByBlock[Block] ?? []).map(Number)
            return ids.length > 0 ? [{ Block, SiteIds: ids }] : []
          }),
          ExcludedSiteIds: ExcludedSiteIds.map(Number),
          Pins: Object.entries(Pins).flatMap(([block, site]) =>
            site ? [{ Block: Number(block), SiteId: Number(site) }] : [],
          ),
          Note,
        }),
      })
      toast.done(words('placement.studentSaved', { name: student.Student }))
      onClose()
    },
  })
  const pins = form.field('Pins')
  const ranked = form.field('ByBlock')
  return (
    <Dialog
      opened
      onClose={onClose}
      title={student.Student}
      stayOnOutsideClick
      actions={
        <Button loading={form.isSaving} onClick={() => void form.submit()}>
          {words('ui.save')}
        </Button>
      }
    >
      <Form form={form} onCancel={onClose}>
        {plan.RanksPer === 'plan' && (
          <MultiSelectField
            label={words('placement.rankFor')}
            description={words('placement.rankForHint')}
            options={options}
            most={plan.MostRanks}
            {...form.field('SiteIds')}
          />
        )}
        <MultiSelectField
          label={words('placement.exclude')}
          description={words('placement.excludeHint')}
          options={options}
          {...form.field('ExcludedSiteIds')}
        />
        <TextField label={words('placement.studentNote')} maxLength={200} {...form.field('Note')} />
        {plan.RanksPer === 'block' && (
          <fieldset className={classes.plainSet}>
            <legend>{words('placement.rankForBlocks')}</legend>
            <p className={classes.hint}>{words('placement.rankForHint')}</p>
            <div className={classes.two}>
              {plan.Blocks.map((_, block) => (
                <MultiSelectField
                  // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place
                  key={block}
                  name={`rank-${block}`}
                  label={words('placement.block', { number: block + 1 })}
                  placeholder={words('placement.notRankedYet')}
                  options={options}
                  most={plan.MostRanks}
                  value={ranked.value[block] ?? []}
                  onChange={(ids) => ranked.onChange({ ...ranked.value, [block]: ids })}
                />
              ))}
            </div>
          </fieldset>
        )}
        <div className={classes.two}>
          {plan.Blocks.map((_, block) => (
            <SelectField
              // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place
              key={block}
              name={`pin-${block}`}
              label={`${words('placement.pins')} · ${words('placement.block', { number: block + 1 })}`}
              placeholder={words('placement.noPin')}
              clearable
              options={options}
              value={pins.value[block] ?? null}
              onChange={(site) => pins.onChange({ ...pins.value, [block]: site })}
            />
          ))}
        </div>
      </Form>
    </Dialog>
  )
}
