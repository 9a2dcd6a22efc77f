import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import {
  addGoal,
  addOutcome,
  changeGoal,
  changeOutcome,
  copyPlan,
  exportPlan,
  getPlan,
  outcomeFields,
  type PlanGoal,
  type PlanOutcome,
  removeGoal,
  removeOutcome,
  restoreGoal,
  restoreOutcome,
} from '#contract/reports/systematic-plans.ts'
import { callAddress } from '#web/api/call.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { attempt, deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { ActionIcon } from '#web/ui/icon-buttons.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { EditableText } from './EditableText.tsx'
import classes from './plans.module.css'

const longest = 2000
const longestGoal = 500

/** Systematic Plans: the goals of a program with outcomes, how they are measured and what came of them. */
export function SystematicPlansPage() {
  const words = useWords()
  const programId = useProgramId()
  const mayWrite = useMay()('systematic-plans.write')
  const [at, setAt] = useAddress({ year: null as number | null })
  const here = { params: { programId } }
  const plan = useRead(getPlan, { ...here, query: at.year === null ? {} : { Year: at.year } })
  const copy = useSave(copyPlan, { refresh: [getPlan] })
  const [isAdding, setAdding] = useState(false)
  const year = plan.data?.Year ?? at.year ?? new Date().getFullYear()
  const years = [...new Set([year, ...(plan.data?.Years ?? []), (plan.data?.Years[0] ?? year) + 1])].toSorted(
    (a, b) => b - a,
  )
  const goals = plan.data?.Goals ?? []
  const address = (Format: 'xlsx' | 'csv' | 'pdf') =>
    callAddress(exportPlan, { ...here, query: { Year: year, Format } })

  const copyOn = () =>
    attempt(async () => {
      const { Goals } = await copy.run({ ...here, body: { FromYear: year, ToYear: year + 1 } })
      setAt({ year: year + 1 })
      toast.done(words('plans.copied', { count: Goals, year: year + 1 }))
    })
  const add = (
    <Button
      leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />}
      onClick={() => setAdding(true)}
      disabled={!plan.data}
    >
      {words('plans.addGoal')}
    </Button>
  )
  const outcomeCount = goals.reduce((sum, { Outcomes }) => sum + Outcomes.length, 0)
  return (
    <Page
      title={words('plans.title')}
      count={
        plan.data &&
        `${words('plans.goalCount', { count: goals.length })} · ${words('plans.outcomeCount', { count: outcomeCount })}`
      }
      filters={
        <FilterBar>
          <SelectChip
            name={words('plans.year')}
            fixed
            options={years.map((each) => ({ value: String(each), label: String(each) }))}
            value={String(year)}
            onChange={(value) => setAt({ year: Number(value) })}
          />
        </FilterBar>
      }
      actions={
        <>
          <ExportMenu address={address} pdf={address('pdf')} />
          {mayWrite && (
            <>
              <DisabledReason reason={plan.data && goals.length === 0 && words('plans.nothingToCopy')}>
                <Button
                  variant="default"
                  leftSection={<IconCopy size={17} stroke={1.75} aria-hidden />}
                  loading={copy.isRunning}
                  disabled={!plan.data}
                  onClick={() => void copyOn()}
                >
                  {words('plans.copy', { year: year + 1 })}
                </Button>
              </DisabledReason>
              {add}
            </>
          )}
        </>
      }
      inset
    >
      {plan.error && (
        <PageMessage
          kind="error"
          text={words('plans.loadFailed', { reason: plan.error.message })}
          onRetry={() => void plan.refetch()}
        />
      )}
      {plan.data && goals.length === 0 && (
        <div className={classes.nothing}>
          <p>{words(mayWrite ? 'plans.empty' : 'plans.emptyReader', { year })}</p>
          {mayWrite && add}
        </div>
      )}
      {goals.map((goal, index) => (
        <GoalSection
          key={goal.Id}
          goal={goal}
          number={index + 1}
          programId={programId}
          isReadOnly={!mayWrite}
        />
      ))}
      {isAdding && (
        <AddDialog
          title={words('plans.newGoal', { year })}
          label={words('plans.goal')}
          maxLength={longestGoal}
          endpoint={(Text) => ({ goal: { Year: year, Text } })}
          programId={programId}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  )
}

interface GoalProps {
  goal: PlanGoal
  number: number
  programId: number
  isReadOnly: boolean
}

/** One goal with the table of its outcomes. */
function GoalSection({ goal, number, programId, isReadOnly }: GoalProps) {
  const words = useWords()
  const refresh = { refresh: [getPlan] }
  const rename = useSave(changeGoal, refresh)
  const change = useSave(changeOutcome, refresh)
  const dropGoal = useSave(removeGoal, refresh)
  const bringGoal = useSave(restoreGoal, refresh)
  const dropOutcome = useSave(removeOutcome, refresh)
  const bringOutcome = useSave(restoreOutcome, refresh)
  const [isAdding, setAdding] = useState(false)
  const atGoal = { params: { programId, goalId: goal.Id } }

  const deleteGoal = () =>
    deleteWithUndo({
      remove: () => dropGoal.run(atGoal),
      restore: () => bringGoal.run(atGoal),
      deleted: words('plans.goalDeleted'),
    })
  const deleteOutcome = ({ Id }: PlanOutcome) => {
    const atOutcome = { params: { programId, outcomeId: Id } }
    return deleteWithUndo({
      remove: () => dropOutcome.run(atOutcome),
      restore: () => bringOutcome.run(atOutcome),
      deleted: words('plans.outcomeDeleted'),
    })
  }
  const fields = ['Outcome', ...outcomeFields] as const
  return (
    <section className={classes.goal} aria-label={words('plans.goalNumber', { number })}>
      <header>
        <h2>
          <span>{words('plans.goalNumber', { number })}</span>
          <EditableText
            label={words('plans.goalNumber', { number })}
            value={goal.Text}
            maxLength={longestGoal}
            isRequired
            isReadOnly={isReadOnly}
            save={(text) => rename.run({ ...atGoal, body: { Text: text.replace(/\s+/g, ' ') } })}
          />
        </h2>
        {!isReadOnly && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={words('plans.deleteGoal', { number })}
            title={words('plans.delete')}
            onClick={() => void deleteGoal()}
          >
            <IconTrash size={17} stroke={1.75} />
          </ActionIcon>
        )}
      </header>
      {goal.Outcomes.length === 0 ? (
        <p className={classes.quiet}>{words('plans.noOutcomes')}</p>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              {fields.map((field) => (
                <th key={field} scope="col" data-field={field}>
                  {words(`plans.${field}`)}
                </th>
              ))}
              {!isReadOnly && (
                <td className={classes.end}>
                  <span className="p-sr-only">{words('plans.delete')}</span>
                </td>
              )}
            </tr>
          </thead>
          <tbody>
            {goal.Outcomes.map((outcome) => (
              <tr key={outcome.Id}>
                {fields.map((field) => (
                  <td key={field}>
                    <span className={classes.label} aria-hidden>
                      {words(`plans.${field}`)}
                    </span>
                    <EditableText
                      label={words(`plans.${field}`)}
                      value={outcome[field]}
                      maxLength={longest}
                      isRequired={field === 'Outcome'}
                      isReadOnly={isReadOnly}
                      save={(text) =>
                        change.run({
                          params: { programId, outcomeId: outcome.Id },
                          body: { [field]: text },
                        })
                      }
                    />
                  </td>
                ))}
                {!isReadOnly && (
                  <td className={classes.end}>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size="lg"
                      aria-label={words('plans.deleteOutcome', { name: outcome.Outcome.slice(0, 80) })}
                      title={words('plans.delete')}
                      onClick={() => void deleteOutcome(outcome)}
                    >
                      <IconTrash size={16} stroke={1.75} />
                    </ActionIcon>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!isReadOnly && (
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconPlus size={15} stroke={1.75} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          {words('plans.addOutcome')}
        </Button>
      )}
      {isAdding && (
        <AddDialog
          title={words('plans.newOutcome')}
          subtitle={words('plans.newOutcomeFor', { goal: goal.Text })}
          label={words('plans.Outcome')}
          maxLength={longest}
          endpoint={(Outcome) => ({ outcome: { goalId: goal.Id, Outcome } })}
          programId={programId}
          onClose={() => setAdding(false)}
        />
      )}
    </section>
  )
}

interface AddProps {
  title: string
  subtitle?: string
  label: string
  maxLength: number
  /** What the text becomes. */
  endpoint: (
    text: string,
  ) => { goal: { Year: number; Text: string } } | { outcome: { goalId: number; Outcome: string } }
  programId: number
  onClose: () => void
}

/** Asks for the text of a new goal or outcome. */
function AddDialog({ title, subtitle, label, maxLength, endpoint, programId, onClose }: AddProps) {
  const words = useWords()
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const goal = useSave(addGoal, { refresh: [getPlan] })
  const outcome = useSave(addOutcome, { refresh: [getPlan] })
  const add = async () => {
    const made = endpoint(text.replace(/\s+/g, ' ').trim())
    try {
      if ('goal' in made) await goal.run({ params: { programId }, body: made.goal })
      else {
        const { goalId, Outcome } = made.outcome
        await outcome.run({ params: { programId, goalId }, body: { Outcome } })
      }
      onClose()
    } catch (failure) {
      setError((failure as Error).message)
    }
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      subtitle={subtitle}
      stayOnOutsideClick
      actions={
        <>
          <LeaveButton onClick={onClose} />
          <Button
            loading={goal.isRunning || outcome.isRunning}
            disabled={text.trim() === ''}
            onClick={() => void add()}
          >
            {words('plans.add')}
          </Button>
        </>
      }
    >
      <TextAreaField
        label={label}
        required
        maxLength={maxLength}
        name="Text"
        value={text}
        error={error}
        onChange={setText}
      />
    </Dialog>
  )
}
