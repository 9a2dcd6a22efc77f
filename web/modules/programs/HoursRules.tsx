import type { AnswerOf } from '#contract/core/endpoint.ts'
import {
  checkHoursRule,
  countAlike,
  creditOf,
  type HoursRule,
  listHoursRules,
  mealLimits,
  noRule,
  removeHoursRule,
  roundings,
  ruleOn,
  saveHoursRule,
} from '#contract/time/rules-of-hours.ts'
import { call } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { formatSpan } from '#web/shared/CreditNote.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Group } from '#web/ui/base.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { useDebouncedValue } from '#web/ui/hooks.ts'
import { toast } from '#web/ui/toast.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './programs.module.css'

/** A rule to be edited, or the one that a new rule begins with. */
export type EditedRule = { rule: HoursRule; today: string; isNew: boolean }

const ruleText = (words: Words, rule: HoursRule): string => {
  const parts = [
    rule.MealMinutes > 0 &&
      words(rule.MealRepeats ? 'programs.ruleMeals' : 'programs.ruleMeal', {
        minutes: rule.MealMinutes,
        hours: rule.MealAfterHours,
      }),
    rule.RoundTo !== '0' && words('programs.ruleRounded', { minutes: rule.RoundTo }),
    rule.FromShiftStart && words('programs.ruleFromStart'),
    rule.ToShiftEnd && words('programs.ruleToEnd'),
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : words('programs.ruleNone')
}

const signed = (minutes: number): string => `${minutes < 0 ? '−' : '+'}${formatSpan(Math.abs(minutes))}`

/** What another rule would change: records, planned shifts and what they come to. */
const effectsOf = (
  words: Words,
  { Recounted, Minutes, Planned, PlannedMinutes }: AnswerOf<typeof checkHoursRule>,
): string[] => [
  Recounted === 0
    ? words('programs.ruleChangesNone')
    : words('programs.ruleChanges', { count: Recounted, hours: signed(Minutes) }),
  Planned === 0
    ? words('programs.rulePlannedNone')
    : words('programs.rulePlanned', { count: Planned, hours: signed(PlannedMinutes) }),
  ...(Recounted + Planned > 0
    ? [words('programs.ruleProjected', { hours: signed(Minutes + PlannedMinutes) })]
    : []),
]

/** How much of the time on the clock counts, from which day on. */
export function HoursRulesSection(props: { programId: number; onEdit: (edited: EditedRule) => void }) {
  const { programId, onEdit } = props
  const words = useWords()
  const read = useRead(listHoursRules, { params: { programId } })
  const remove = useSave(removeHoursRule, { refresh: [listHoursRules] })
  const today = read.data?.Today ?? ''
  const rules = read.data?.Rules ?? []
  const holding = ruleOn(rules, today)
  const restore = useSave(saveHoursRule, { refresh: [listHoursRules] })
  const drop = async (rule: HoursRule) => {
    const params = { programId, from: rule.From }
    // Without it, the rule before it goes on.
    const body = {
      ...ruleOn(
        rules.filter((each) => each !== rule),
        rule.From,
      ),
      From: rule.From,
    }
    await attempt(async () => {
      const effects = await call(checkHoursRule, { params: { programId }, body })
      const isMeant = await confirm({
        title: words('programs.ruleDeleteTitle', { date: formatDate(rule.From) }),
        text: words('programs.ruleDeleteThen', { rule: ruleText(words, body) }),
        detail: effectsOf(words, effects).join(' '),
        verb: words('ui.delete'),
        danger: true,
      })
      if (!isMeant) return
      await remove.run({ params })
      toast.done({
        title: words('programs.ruleRemoved'),
        undo: () => void attempt(() => restore.run({ params: { programId }, body: rule })),
      })
    })
  }
  return (
    <FormSection name={words('programs.hoursSection')} purpose={words('programs.hoursPurpose')}>
      <FullWidth>
        {read.error && <p role="alert">{read.error.message}</p>}
        {read.data && (
          <>
            {rules.length === 0 && <p className={classes.noRule}>{words('programs.ruleNone')}</p>}
            <ul className={classes.rules}>
              {rules.map((rule) => (
                <li key={rule.From}>
                  <span>
                    <b>{words('programs.ruleSince', { date: formatDate(rule.From) })}</b>
                    {rule === holding && <span className="p-muted"> {words('programs.ruleInForce')}</span>}
                    <br />
                    {ruleText(words, rule)}
                  </span>
                  {rule.From >= today && (
                    <Group gap={8} wrap="nowrap">
                      <Button
                        variant="default"
                        aria-label={words('ui.editRow', { name: formatDate(rule.From) })}
                        onClick={() => onEdit({ rule, today, isNew: false })}
                      >
                        {words('ui.edit')}
                      </Button>
                      <Button
                        variant="default"
                        aria-label={words('ui.deleteRow', { name: formatDate(rule.From) })}
                        onClick={() => void drop(rule)}
                      >
                        {words('ui.delete')}
                      </Button>
                    </Group>
                  )}
                </li>
              ))}
            </ul>
            <Button
              variant="default"
              onClick={() => onEdit({ rule: { ...holding, From: today }, today, isNew: true })}
            >
              {words('ui.addNew')}
            </Button>
          </>
        )}
      </FullWidth>
    </FormSection>
  )
}

const example = { in: '06:48', out: '15:37', start: '07:00', end: '15:30' }
const moment = (time: string): number => Date.parse(`2026-11-19T${time}Z`)

const isWithin = (value: number | null, { min, max }: { min: number; max: number }): boolean =>
  value !== null && value >= min && value <= max

/** Adds a rule from a day on, or changes one whose day has not passed. */
export function HoursRuleDialog(props: { programId: number; edited: EditedRule; onClose: () => void }) {
  const { programId, edited, onClose } = props
  const { From, RoundTo, ...rule } = edited.rule
  const words = useWords()
  const save = useSave(saveHoursRule, { refresh: [listHoursRules] })
  const form = useEditForm({
    initialValues: {
      ...rule,
      From: From as string | null,
      MealMinutes: rule.MealMinutes as number | null,
      MealAfterHours: rule.MealAfterHours as number | null,
      RoundTo: RoundTo as string | null,
    },
    rules: { From: required(), MealMinutes: required(), MealAfterHours: required(), RoundTo: required() },
    save: async (values) => {
      const { Recounted } = await save.run({
        params: { programId },
        // The form requires every field.
        body: values as HoursRule,
      })
      toast.done(
        Recounted > 0
          ? words('programs.ruleRecounted', { count: Recounted })
          : words('programs.saved', { name: words('programs.hoursSection') }),
      )
      onClose()
    },
  })
  const chosen: HoursRule = {
    ...noRule,
    ...(form.values as HoursRule),
    MealMinutes: form.values.MealMinutes ?? 0,
    MealAfterHours: form.values.MealAfterHours ?? 0,
  }
  const credit = creditOf(
    chosen,
    { startsAt: moment(example.in), endsAt: moment(example.out) },
    { startsAt: moment(example.start), endsAt: moment(example.end) },
  )
  const isWhole =
    form.values.From !== null &&
    isWithin(form.values.MealMinutes, mealLimits.MealMinutes) &&
    isWithin(form.values.MealAfterHours, mealLimits.MealAfterHours)
  const [asked] = useDebouncedValue(chosen, 300)
  const check = useRead(
    checkHoursRule,
    { params: { programId }, body: asked },
    { isEnabled: isWhole && asked.From !== null, staleMs: 0 },
  )
  const effects = isWhole && check.data ? effectsOf(words, check.data) : []
  return (
    <Dialog
      opened
      onClose={onClose}
      stayOnOutsideClick
      title={words(edited.isNew ? 'programs.ruleNew' : 'programs.ruleEdit')}
      subtitle={words('programs.ruleKept')}
      summary={isWhole && words('programs.ruleExample', { ...example, hours: formatSpan(credit.minutes) })}
      refusal={
        <span className="p-muted" role="status">
          {[isWhole && countAlike(chosen, noRule) && words('programs.ruleNone'), ...effects]
            .filter(Boolean)
            .join(' ')}
        </span>
      }
      actions={
        <DialogActions
          verb={words('ui.save')}
          onCancel={onClose}
          onRun={() => void form.submit()}
          isRunning={form.isSaving}
        />
      }
    >
      <Form form={form} onCancel={onClose} onSaved={onClose}>
        <div className={classes.ruleFields}>
          <DateField
            label={words('programs.ruleFrom')}
            required
            min={edited.today}
            {...form.field('From')}
            {...(!edited.isNew && { lockedBecause: words('programs.ruleFromLocked') })}
          />
          <SelectField
            label={words('programs.ruleRound')}
            required
            options={roundings.map((value) => ({
              value,
              label:
                value === '0'
                  ? words('programs.ruleRoundNot')
                  : words('programs.ruleRoundTo', { minutes: value }),
            }))}
            {...form.field('RoundTo')}
          />
          <NumberField
            label={words('programs.ruleMealMinutes')}
            hint={words('programs.ruleMealHint')}
            required
            {...mealLimits.MealMinutes}
            {...form.field('MealMinutes')}
          />
          <NumberField
            label={words('programs.ruleMealAfter')}
            required
            {...mealLimits.MealAfterHours}
            {...form.field('MealAfterHours')}
          />
        </div>
        <CheckField
          label={words('programs.ruleMealRepeats', { hours: form.values.MealAfterHours ?? 0 })}
          {...form.field('MealRepeats')}
        />
        <CheckField label={words('programs.ruleFromStartLong')} {...form.field('FromShiftStart')} />
        <CheckField label={words('programs.ruleToEndLong')} {...form.field('ToShiftEnd')} />
      </Form>
    </Dialog>
  )
}
