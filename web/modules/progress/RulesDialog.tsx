import { useState } from 'react'
import { listStudentLevels } from '#contract/people/people.ts'
import {
  getProgressRules,
  listProgress,
  type ProgressRules,
  saveProgressRules,
} from '#contract/progress/progress.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './progress.module.css'

/** The key of the rule of all levels that have none of their own. */
const everyLevel = 'all'
type Rule = Omit<ProgressRules, 'Levels' | 'Cohorts'>
/** The figures alone, without what they are kept with. */
const ruleOf = ({
  Levels: _levels,
  Cohorts: _cohorts,
  StudentLevelId: _level,
  ...rule
}: Rule & { Levels?: unknown; Cohorts?: unknown; StudentLevelId?: unknown }): Rule => rule
/** The largest figure of each field. */
const most = {
  DaysLate: 365,
  BehindBy: 100,
  AbsencesAbove: 100,
  LateAbove: 100,
  EvaluationBelow: 100,
  RequirementsAbove: 100,
} as const

type Figure = keyof typeof most
const isTooLarge = <Name extends keyof Rule>(rule: Rule, name: Name): name is Name & Figure =>
  name in most && Number(rule[name] ?? 0) > most[name as Figure]

/** What the program calls at risk, and when its cohorts are planned to be done. */
export function RulesDialog({ rules, onClose }: { rules: ProgressRules; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const save = useSave(saveProgressRules, { refresh: [getProgressRules, listProgress] })
  const levels = useRead(listStudentLevels, { params: { programId } }, { staleMs: 300_000 })
  const [level, setLevel] = useState(everyLevel)
  const form = useEditForm({
    initialValues: {
      Rules: {
        [everyLevel]: ruleOf(rules),
        ...Object.fromEntries(rules.Levels.map((each) => [String(each.StudentLevelId), ruleOf(each)])),
      } as Record<string, Rule>,
      Ends: Object.fromEntries(rules.Cohorts.map(({ Cohort, EndsOn }) => [Cohort, EndsOn])),
    },
    rules: {
      Rules: (all) =>
        Object.values(all).some((rule) =>
          (Object.keys(most) as Figure[]).some((name) => isTooLarge(rule, name)),
        )
          ? words('progress.outOfRange', { max: 100 })
          : null,
    },
    save: async ({ Ends, Rules: { [everyLevel]: own = ruleOf(rules), ...levels } }) => {
      await save.run(
        {
          params: { programId },
          body: {
            ...own,
            Levels: Object.entries(levels).map(([id, rule]) => ({ StudentLevelId: Number(id), ...rule })),
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
  const all = form.values.Rules
  const hasOwn = level in all
  const shown = all[level] ?? all[everyLevel]!
  const part = <Name extends keyof Rule>(name: Name) => ({
    name,
    value: shown[name],
    onChange: (value: Rule[Name] | null) =>
      form.set('Rules', {
        ...all,
        [level]: { ...shown, [name]: value ?? (name === 'RequirementsAbove' ? 0 : null) },
      }),
    lockedBecause: !hasOwn && ' ',
    ...(isTooLarge(shown, name) && { error: words('progress.outOfRange', { max: most[name] }) }),
  })
  const setOwn = (isOwn: boolean) => {
    const { [level]: _gone, ...others } = all
    form.set('Rules', isOwn ? { ...all, [level]: { ...all[everyLevel]! } } : others)
  }
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
        {(levels.data ?? []).length > 0 && (
          <SelectField
            name="level"
            label={words('progress.rulesFor')}
            required
            options={[
              { value: everyLevel, label: words('progress.allLevels') },
              ...(levels.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name })),
            ]}
            value={level}
            onChange={(next) => setLevel(next ?? everyLevel)}
          />
        )}
        {level !== everyLevel && (
          <CheckField name="own" label={words('progress.ownRule')} value={hasOwn} onChange={setOwn} />
        )}
        <div className={classes.two}>
          <NumberField
            label={words('progress.daysLate')}
            description={words('progress.daysLateHint')}
            min={0}
            {...part('DaysLate')}
          />
          <NumberField
            label={words('progress.behindBy')}
            description={words('progress.behindByHint')}
            min={0}
            {...part('BehindBy')}
          />
          <NumberField
            label={words('progress.requirementsAbove')}
            description={words('progress.absencesHint')}
            min={0}
            {...part('RequirementsAbove')}
          />
          <NumberField
            label={words('progress.evaluationBelow')}
            description={words('progress.evaluationHint')}
            min={0}
            {...part('EvaluationBelow')}
          />
          <NumberField
            label={words('progress.absencesAbove')}
            description={words('progress.absencesHint')}
            min={0}
            {...part('AbsencesAbove')}
          />
          <NumberField
            label={words('progress.lateAbove')}
            description={words('progress.absencesHint')}
            min={0}
            {...part('LateAbove')}
          />
        </div>
        <CheckField label={words('progress.hasRequirements')} {...part('HasRequirements')} />
        <CheckField label={words('progress.hasRemediation')} {...part('HasRemediation')} />
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
