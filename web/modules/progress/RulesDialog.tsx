import { Button } from '@mantine/core'
import {
  getProgressRules,
  listProgress,
  type ProgressRules,
  saveProgressRules,
} from '#contract/progress/progress.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './progress.module.css'

/** What the program calls at risk, and when its cohorts are planned to be done. */
export function RulesDialog({ rules, onClose }: { rules: ProgressRules; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const save = useSave(saveProgressRules, { refresh: [getProgressRules, listProgress] })
  const limit = (max: number) => (value: number | null) =>
    value === null || (value >= 0 && value <= max) ? null : words('progress.outOfRange', { max })
  const form = useEditForm({
    initialValues: {
      DaysLate: rules.DaysLate,
      AbsencesAbove: rules.AbsencesAbove,
      LateAbove: rules.LateAbove,
      EvaluationBelow: rules.EvaluationBelow,
      HasRequirements: rules.HasRequirements,
      HasRemediation: rules.HasRemediation,
      Ends: Object.fromEntries(rules.Cohorts.map(({ Cohort, EndsOn }) => [Cohort, EndsOn])),
    },
    rules: {
      DaysLate: limit(365),
      AbsencesAbove: limit(100),
      LateAbove: limit(100),
      EvaluationBelow: limit(100),
    },
    save: async ({ Ends, ...rule }) => {
      await save.run(
        {
          params: { programId },
          body: {
            ...rule,
            Cohorts: rules.Cohorts.map(({ Cohort }) => ({ Cohort, EndsOn: Ends[Cohort] ?? null })),
          },
        },
        { basedOn: rules },
      )
      toast.done(words('progress.saved'))
      onClose()
    },
  })
  const { value: ends, onChange: setEnds } = form.field('Ends')
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('progress.rulesTitle')}
      stayOnOutsideClick
      actions={
        <Button loading={form.isSaving} onClick={() => void form.submit()}>
          {words('ui.save')}
        </Button>
      }
    >
      <p className={classes.note}>{words('progress.rulesNote')}</p>
      <Form form={form} onCancel={onClose}>
        <div className={classes.two}>
          <NumberField
            label={words('progress.daysLate')}
            description={words('progress.daysLateHint')}
            min={0}
            {...form.field('DaysLate')}
          />
          <NumberField
            label={words('progress.evaluationBelow')}
            description={words('progress.evaluationHint')}
            min={0}
            {...form.field('EvaluationBelow')}
          />
          <NumberField
            label={words('progress.absencesAbove')}
            description={words('progress.absencesHint')}
            min={0}
            {...form.field('AbsencesAbove')}
          />
          <NumberField
            label={words('progress.lateAbove')}
            description={words('progress.absencesHint')}
            min={0}
            {...form.field('LateAbove')}
          />
        </div>
        <CheckField label={words('progress.hasRequirements')} {...form.field('HasRequirements')} />
        <CheckField label={words('progress.hasRemediation')} {...form.field('HasRemediation')} />
        <fieldset className={classes.ends}>
          <legend>{words('progress.plannedEnds')}</legend>
          {rules.Cohorts.length === 0 && <p className={classes.note}>{words('progress.noCohorts')}</p>}
          <div className={classes.two}>
            {rules.Cohorts.map(({ Cohort }) => (
              <DateField
                key={Cohort}
                name={`end-${Cohort}`}
                label={Cohort}
                value={ends?.[Cohort] ?? null}
                onChange={(day) => setEnds({ ...ends, [Cohort]: day })}
              />
            ))}
          </div>
        </fieldset>
      </Form>
    </Dialog>
  )
}
