import { useState } from 'react'
import { previewAutomatic } from '#contract/evaluations/evaluation-making.ts'
import {
  automaticProblem,
  eachChoices,
  isMadeByRule,
  type MakeEach,
  type MakeOn,
  makeOns,
  needsPeople,
} from '#contract/evaluations/evaluation-making-rules.ts'
import type { TemplateDetail } from '#contract/evaluations/evaluations.ts'
import { listUsers } from '#contract/people/people.ts'
import { useRead } from '#web/api/use-call.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { SwitchField } from '#web/ui/form/SwitchField.tsx'
import type { EditForm } from '#web/ui/form/use-edit-form.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { peopleOf } from './people-of.ts'
import type { TemplateFields } from './template-fields.ts'
import { ruleOf } from './template-fields.ts'

interface SectionProps {
  programId: number
  form: EditForm<TemplateFields>
}

/** The rule by which a template makes its evaluations, with what it would create in the next days. */
export function AutomaticSection({
  programId,
  form,
  source,
}: SectionProps & { source: TemplateDetail | undefined }) {
  const words = useWords()
  const { values } = form
  const rule = ruleOf(values)
  const isPossible = !rule.IsAnonymous && isMadeByRule(rule)
  const isOn = isPossible && values.IsAutomatic
  const eaches = eachChoices(rule.MakeOn, rule)
  const people = useRead(
    listUsers,
    { params: { programId }, query: {} },
    { isEnabled: isOn && needsPeople(rule) },
  )
  return (
    <FormSection name={words('evaluations.automaticSection')} purpose={words('evaluations.automaticPurpose')}>
      <FullWidth>
        <SwitchField
          label={`${words('evaluations.automatic')}: ${words(isOn ? 'evaluations.automaticOn' : 'evaluations.automaticOff')}`}
          description={words('evaluations.automaticHint')}
          lockedBecause={!isPossible && words('evaluations.automaticNot')}
          {...form.field('IsAutomatic')}
          value={isOn}
        />
      </FullWidth>
      {isOn && (
        <>
          <SelectField
            label={words('evaluations.makeOn')}
            required
            options={makeOns.map((value) => ({ value, label: words(`evaluations.makeOn_${value}`) }))}
            {...form.field('MakeOn')}
            onChange={(value) => {
              form.set('MakeOn', value)
              const [first = 'shift'] = eachChoices((value ?? 'shift') as MakeOn, rule)
              form.set('MakeEach', first)
            }}
          />
          {rule.MakeOn === 'fixed' ? (
            <DateField label={words('evaluations.makeDate')} required {...form.field('MakeDate')} />
          ) : (
            <NumberField
              label={words('evaluations.makeDays')}
              min={-365}
              max={365}
              description={words(
                rule.MakeOn === 'shift'
                  ? 'evaluations.makeDaysShiftHint'
                  : 'evaluations.makeDaysRotationHint',
              )}
              {...form.field('MakeDays')}
            />
          )}
          <SelectField
            label={words('evaluations.makeEach')}
            required
            options={eaches.map((value) => ({ value, label: words(`evaluations.makeEach_${value}`) }))}
            {...form.field('MakeEach')}
            value={eaches.includes(values.MakeEach as MakeEach) ? values.MakeEach : null}
          />
          <DateField
            label={words('evaluations.automaticFrom')}
            required
            description={words('evaluations.automaticFromHint')}
            {...form.field('AutomaticFrom')}
          />
          {needsPeople(rule) && (
            <FullWidth>
              <MultiSelectField
                label={words('evaluations.makePeople')}
                required
                description={words('evaluations.makePeopleHint')}
                options={peopleOf(people.data, [rule.EvaluatorRole, rule.SubjectRole])}
                {...form.field('MakePersonIds')}
              />
            </FullWidth>
          )}
          <FullWidth>
            <RulePreview programId={programId} templateId={source?.Id ?? null} values={values} />
          </FullWidth>
        </>
      )}
    </FormSection>
  )
}

const pageSize = 25

function RulePreview({
  programId,
  templateId,
  values,
}: {
  programId: number
  templateId: number | null
  values: TemplateFields
}) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const [page, setPage] = useState(1)
  const Rule = ruleOf(values)
  const isWhole =
    automaticProblem({ ...Rule, IsAutomatic: true }) === null && (Rule.DueRule !== 'fixed' || Rule.DueDate)
  const planned = useRead(
    previewAutomatic,
    { params: { programId }, query: { page, pageSize }, body: { TemplateId: templateId, Rule } },
    { isEnabled: Boolean(isWhole) },
  )
  const total = planned.data?.Total ?? 0
  const evaluators = planned.data?.Evaluators ?? 0
  const text = !isWhole
    ? words('evaluations.previewFirst')
    : planned.error
      ? planned.error.message
      : !planned.data
        ? ''
        : total === 0
          ? words('evaluations.previewNone')
          : `${words('evaluations.previewCount', { count: total })}, ${words('evaluations.previewEvaluators', { count: evaluators })}`
  return (
    <div className={classes.planned}>
      <span role="status">{text}</span>
      {isWhole && total > 0 && (
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            setPage(1)
            setOpen(true)
          }}
        >
          {words('evaluations.previewList')}
        </Button>
      )}
      {isOpen && (
        <Dialog
          opened
          flush
          width={860}
          onClose={() => setOpen(false)}
          title={words('evaluations.previewRule')}
          subtitle={text}
          summary={<Pager page={page} pageSize={pageSize} total={total} onPage={setPage} />}
        >
          <Grid
            id="planned-evaluations"
            label={words('evaluations.previewRule')}
            {...fromList(planned)}
            rowKey={(row) => planned.data?.Items.indexOf(row) ?? 0}
            height="auto"
            noColumnChoice
            columns={[
              {
                id: 'Day',
                header: words('evaluations.madeOn'),
                width: 110,
                cell: (row) => formatDate(row.Day),
              },
              { id: 'Evaluator', header: words('evaluations.evaluator'), identity: true, grow: 2 },
              { id: 'Subject', header: words('evaluations.subject'), grow: 2 },
              { id: 'Site', header: words('evaluations.site'), grow: 2 },
              {
                id: 'EndDate',
                header: words('evaluations.dueOn'),
                width: 110,
                cell: (row) => (row.EndDate ? formatDate(row.EndDate) : words('evaluations.noDue')),
              },
            ]}
          />
        </Dialog>
      )}
    </div>
  )
}

/** When evaluators are reminded, and when coordinators hear of it. */
export function RemindersSection({ form }: { form: EditForm<TemplateFields> }) {
  const words = useWords()
  return (
    <FormSection name={words('evaluations.reminders')} purpose={words('evaluations.remindersPurpose')}>
      <NumberField
        label={words('evaluations.remindBefore')}
        min={1}
        max={60}
        placeholder={words('evaluations.remindNever')}
        {...form.field('RemindBefore')}
      />
      <NumberField
        label={words('evaluations.escalateAfter')}
        min={1}
        max={365}
        description={words('evaluations.escalateHint')}
        {...form.field('EscalateAfter')}
      />
      <NumberField
        label={words('evaluations.remindMost')}
        min={0}
        max={20}
        description={words('evaluations.remindMostHint')}
        {...form.field('RemindMost')}
      />
      <NumberField label={words('evaluations.remindEvery')} min={1} max={60} {...form.field('RemindEvery')} />
      <FullWidth>
        <CheckField label={words('evaluations.remindOnDay')} {...form.field('RemindOnDay')} />
      </FullWidth>
    </FormSection>
  )
}
