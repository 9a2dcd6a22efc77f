import { IconPlus, IconTrash } from '@tabler/icons-react'
import {
  addRemediationPlan,
  closeRemediationPlan,
  getStudentProgress,
  listProgress,
  maxTasks,
  type RemediationPlan,
  updateRemediationPlan,
} from '#contract/progress/progress.ts'
import { useSave } from '#web/api/use-call.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { ActionIcon } from '#web/ui/icon-buttons.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import type { At } from './student-lists.tsx'
import classes from './students.module.css'

/** What a change of a plan makes old. */
export const planned = { refresh: [getStudentProgress, listProgress] }

interface TaskInput {
  Id?: number
  Text: string
  DueOn: string | null
}

/** Begins a remediation plan, or changes one that is open. */
export function PlanDialog({ at, plan, onClose }: { at: At; plan?: RemediationPlan; onClose: () => void }) {
  const words = useWords()
  const add = useSave(addRemediationPlan, planned)
  const update = useSave(updateRemediationPlan, planned)
  const form = useEditForm({
    initialValues: {
      Title: plan?.Title ?? '',
      Goal: plan?.Goal ?? '',
      DueOn: plan?.DueOn ?? (null as string | null),
      Tasks: (plan?.Tasks ?? []).map(({ Id, Text, DueOn }): TaskInput => ({ Id, Text, DueOn })),
    },
    rules: { Title: required(), DueOn: required() },
    save: async ({ DueOn, Tasks, ...values }) => {
      const body = {
        ...values,
        // The rules ask for a day.
        DueOn: DueOn ?? '',
        Tasks: Tasks.filter(({ Text }) => Text.trim() !== ''),
      }
      if (plan)
        await update.run({
          params: { ...at.params, planId: plan.Id },
          body: { ...body, Revision: plan.Revision },
        })
      else await add.run({ ...at, body })
      toast.done(words(plan ? 'progress.planSaved' : 'progress.planAdded'))
      onClose()
    },
  })
  const { value: tasks = [], onChange: setTasks } = form.field('Tasks')
  const change = (index: number, part: Partial<TaskInput>) =>
    setTasks(tasks.map((task, at) => (at === index ? { ...task, ...part } : task)))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words(plan ? 'progress.editPlan' : 'progress.newPlan')}
      stayOnOutsideClick
      actions={
        <Button loading={form.isSaving} onClick={() => void form.submit()}>
          {words('ui.save')}
        </Button>
      }
    >
      <Form form={form} onCancel={onClose}>
        <TextField label={words('progress.planTitle')} required maxLength={200} {...form.field('Title')} />
        <TextAreaField
          label={words('progress.goal')}
          description={words('progress.goalHint')}
          maxLength={2000}
          {...form.field('Goal')}
        />
        <DateField label={words('progress.dueOn')} required {...form.field('DueOn')} />
        <fieldset className={classes.planTasks}>
          <legend>{words('progress.tasks')}</legend>
          {tasks.map((task, index) => (
            <div key={task.Id ?? `new-${index}`}>
              <TextField
                name={`task-${index}`}
                label={words('progress.task', { number: index + 1 })}
                maxLength={300}
                value={task.Text}
                onChange={(Text) => change(index, { Text: Text ?? '' })}
              />
              <DateField
                name={`task-due-${index}`}
                label={words('progress.taskDue', { number: index + 1 })}
                value={task.DueOn}
                onChange={(DueOn) => change(index, { DueOn })}
              />
              <ActionIcon
                variant="subtle"
                size={36}
                aria-label={words('progress.removeTask', { number: index + 1 })}
                onClick={() => setTasks(tasks.filter((_, at) => at !== index))}
              >
                <IconTrash size={17} stroke={1.75} aria-hidden />
              </ActionIcon>
            </div>
          ))}
          {tasks.length < maxTasks && (
            <Button
              variant="default"
              leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />}
              onClick={() => setTasks([...tasks, { Text: '', DueOn: null }])}
            >
              {words('progress.addTask')}
            </Button>
          )}
        </fieldset>
      </Form>
    </Dialog>
  )
}

/** Closes a plan with what came of it. */
export function ClosePlanDialog({
  at,
  plan,
  onClose,
}: {
  at: At
  plan: RemediationPlan
  onClose: () => void
}) {
  const words = useWords()
  const close = useSave(closeRemediationPlan, planned)
  const form = useEditForm({
    initialValues: { State: 'completed' as string | null, Outcome: '' },
    rules: { State: required(), Outcome: required() },
    save: async ({ State, Outcome }) => {
      await close.run({
        params: { ...at.params, planId: plan.Id },
        body: { State: State === 'canceled' ? 'canceled' : 'completed', Outcome },
      })
      toast.done(words('progress.closed'))
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('progress.closeTitle', { title: plan.Title })}
      stayOnOutsideClick
      actions={
        <Button loading={form.isSaving} onClick={() => void form.submit()}>
          {words('progress.close')}
        </Button>
      }
    >
      <Form form={form} onCancel={onClose}>
        <SelectField
          label={words('progress.how')}
          required
          options={(['completed', 'canceled'] as const).map((value) => ({
            value,
            label: words(`progress.${value}`),
          }))}
          {...form.field('State')}
        />
        <TextField label={words('progress.outcome')} required maxLength={1000} {...form.field('Outcome')} />
      </Form>
    </Dialog>
  )
}
