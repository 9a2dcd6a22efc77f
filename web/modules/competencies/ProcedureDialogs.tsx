import type { CompetencyList } from '#contract/competencies/competency-lists.ts'
import {
  changeProcedures,
  type ParticipationLevel,
  type Procedure,
} from '#contract/competencies/procedures.ts'
import { useSave } from '#web/api/use-call.ts'
import { offerUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'
import { optionsOf } from './procedure-columns.tsx'
import { useDesignChange } from './use-design-change.tsx'
import { type Design, designed } from './use-lists.ts'
import { inputOf, useProcedureChange } from './use-procedure-change.ts'

/** What of a procedure's exam may be other than its list says: levels that count, comments, and the passing score. */
export function ProcedureDialog(props: {
  procedure: Procedure
  list: CompetencyList
  params: Design['params']
  levels: readonly ParticipationLevel[]
  onClose: () => void
}) {
  const { procedure, list, params, onClose } = props
  const words = useWords()
  const change = useProcedureChange(params)
  const ask = useDesignChange(params)
  const own = props.levels.flatMap(({ Name, IsCounted, In }) =>
    In.filter(({ MajorStudyId }) => MajorStudyId === procedure.MajorStudyId).map(({ Id }) => ({
      Id,
      Name,
      IsCounted,
    })),
  )
  const usual = own.filter(({ IsCounted }) => IsCounted).map(({ Name }) => Name)
  const form = useEditForm({
    initialValues: {
      CountedLevelIds: (procedure.CountedLevelIds ?? []).map(String),
      CommentBelow: procedure.CommentBelow,
      PassingPercent: procedure.PassingPercent,
    },
    save: async ({ CountedLevelIds, CommentBelow, PassingPercent }) => {
      const body = {
        ...inputOf(procedure),
        CommentBelow,
        PassingPercent,
        CountedLevelIds: CountedLevelIds.length > 0 ? CountedLevelIds.map(Number) : null,
      }
      if (!(await ask({ Kind: 'procedure', ProcedureId: procedure.Id, ...body }))) return
      await change(procedure, body)
      onClose()
    },
  })
  const ofList = (value: number | null, unit = '') =>
    words('competencies.asList', {
      value: value === null ? words('competencies.none') : `${value}${unit}`,
    })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('competencies.examRulesOf', { name: procedure.Name })}
      stayOnOutsideClick
      actions={
        <DisabledReason reason={form.changed.length === 0 && words('ui.nothingChanged')}>
          <Button loading={form.isSaving} onClick={() => void form.submit()}>
            {words('competencies.save')}
          </Button>
        </DisabledReason>
      }
    >
      <Form form={form} onCancel={onClose}>
        <MultiSelectField
          label={words('competencies.countedLevels')}
          description={words('competencies.countedLevelsHint', {
            levels: usual.join(', ') || words('competencies.none'),
          })}
          placeholder={words('competencies.asMajorStudy')}
          options={optionsOf(own)}
          lockedBecause={own.length === 0 && words('competencies.noLevelsYet')}
          {...form.field('CountedLevelIds')}
        />
        <div className={classes.twoColumns}>
          <NumberField
            label={words('competencies.commentBelow')}
            description={words('competencies.ownCommentBelowHint')}
            placeholder={ofList(list.CommentBelow)}
            decimals={2}
            max={99_999}
            {...form.field('CommentBelow')}
          />
          <NumberField
            label={words('competencies.passingPercent')}
            description={words('competencies.ownPassingPercentHint')}
            placeholder={ofList(list.PassingPercent, ' %')}
            unit=" %"
            min={1}
            max={100}
            {...form.field('PassingPercent')}
          />
        </div>
      </Form>
    </Dialog>
  )
}

type Answer = string | null
const ticks = ['MayBeSimulated', 'NeedsLabCheck', 'IsAlwaysDirect'] as const
const changeable = ['IsMandatory', 'LogsNeeded', ...ticks] as const

/** Sets the same rules for the ticked procedures; what is left as it is stays. */
export function ManyProceduresDialog(props: {
  procedures: readonly Procedure[]
  params: Design['params']
  onChanged: () => void
  onClose: () => void
}) {
  const { procedures, params, onChanged, onClose } = props
  const words = useWords()
  const change = useSave(changeProcedures, designed)
  const ask = useDesignChange(params)
  /** Gives each procedure back what it had, one call for all that had the same. */
  const changeBack = async (names: readonly (typeof changeable)[number][]) => {
    const formerly = (each: Procedure) => Object.fromEntries(names.map((name) => [name, each[name]]))
    // A group has one at least.
    for (const group of Map.groupBy(procedures, (each) => JSON.stringify(formerly(each))).values())
      await change.run({ params, body: { Ids: group.map(({ Id }) => Id), Changes: formerly(group[0]!) } })
  }
  const form = useEditForm({
    initialValues: {
      IsMandatory: null as Answer,
      LogsNeeded: null as number | null,
      MayBeSimulated: null as Answer,
      NeedsLabCheck: null as Answer,
      IsAlwaysDirect: null as Answer,
    },
    save: async ({ LogsNeeded, ...answers }) => {
      const Changes = {
        ...(LogsNeeded !== null && { LogsNeeded }),
        ...Object.fromEntries(
          Object.entries(answers).flatMap(([name, answer]) =>
            answer === null ? [] : [[name, answer === 'yes']],
          ),
        ),
      }
      const body = { Ids: procedures.map(({ Id }) => Id), Changes }
      if (!(await ask({ Kind: 'procedures', ...body }))) return
      const { Changed } = await change.run({ params, body })
      offerUndo({
        deleted: words('competencies.changedCount', { count: Changed }),
        restore: () => changeBack(changeable.filter((name) => name in Changes)),
        restored: words('competencies.changesUndone'),
      })
      onChanged()
      onClose()
    },
  })
  const choices = (yes: string, no: string) => [
    { value: 'yes', label: yes },
    { value: 'no', label: no },
  ]
  const names = {
    MayBeSimulated: words('competencies.simulationLong'),
    NeedsLabCheck: words('competencies.labCheckLong'),
    IsAlwaysDirect: words('competencies.alwaysDirectLong'),
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('competencies.changeMany')}
      stayOnOutsideClick
      summary={words('competencies.procedureCount', { count: procedures.length })}
      actions={
        <DisabledReason reason={form.changed.length === 0 && words('competencies.chooseChange')}>
          <Button loading={form.isSaving} onClick={() => void form.submit()}>
            {words('competencies.change')}
          </Button>
        </DisabledReason>
      }
    >
      <Form form={form} onCancel={onClose}>
        <div className={classes.twoColumns}>
          <SelectField
            label={words('competencies.kind')}
            placeholder={words('competencies.leaveAsIs')}
            clearable
            options={choices(words('competencies.mandatory'), words('competencies.elective'))}
            {...form.field('IsMandatory')}
          />
          <NumberField
            label={words('competencies.logsLong')}
            placeholder={words('competencies.leaveAsIs')}
            min={0}
            max={10_000}
            {...form.field('LogsNeeded')}
          />
          {ticks.map((name) => (
            <SelectField
              key={name}
              label={names[name]}
              placeholder={words('competencies.leaveAsIs')}
              clearable
              options={choices(words('competencies.yes'), words('competencies.no'))}
              {...form.field(name)}
            />
          ))}
        </div>
      </Form>
    </Dialog>
  )
}
