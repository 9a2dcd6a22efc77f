import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { RemediationPlan } from '#contract/progress/progress.ts'
import { formatDate } from '#web/ui/dates.ts'
import { Checkbox } from '#web/ui/inputs.ts'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './ProgressCard.module.css'

type Task = RemediationPlan['Tasks'][number]

const stateStatus = { open: 'pending', completed: 'approved', canceled: 'rejected' } as const

const dayText = (words: Words, { DueOn, DoneOn, DoneBy }: Task): string => {
  if (DoneOn)
    return DoneBy
      ? words('progress.doneBy', { date: formatDate(DoneOn), name: DoneBy })
      : words('progress.doneOn', { date: formatDate(DoneOn) })
  return DueOn ? words('progress.due', { date: formatDate(DueOn) }) : ''
}

/** Ticked at once; what the server refuses goes back. */
function TaskTick({ task, onTick }: { task: Task; onTick: (isDone: boolean) => Promise<unknown> }) {
  const words = useWords()
  const [wanted, setWanted] = useState<boolean>()
  const tick = async (isDone: boolean) => {
    setWanted(isDone)
    await onTick(isDone)
    setWanted(undefined)
  }
  return (
    <Checkbox
      label={task.Text}
      description={dayText(words, task)}
      checked={wanted ?? task.DoneOn !== null}
      onChange={(event) => void tick(event.currentTarget.checked)}
    />
  )
}

/** Remediation plans with their tasks; staff tick off what is done. */
export function PlanList({
  plans,
  today,
  onTask,
  verbs,
}: {
  plans: readonly RemediationPlan[]
  /** The program's day. */
  today: string
  onTask?: (plan: RemediationPlan, task: Task, isDone: boolean) => Promise<unknown>
  /** The buttons of an open plan. */
  verbs?: (plan: RemediationPlan) => ReactNode
}) {
  const words = useWords()
  if (plans.length === 0) return <p>{words('progress.noPlans')}</p>
  return (
    <ul className={classes.plans}>
      {plans.map((plan) => (
        <li key={plan.Id}>
          <div className={classes.planHead}>
            <h3>{plan.Title}</h3>
            {plan.State === 'open' && plan.DueOn < today ? (
              <StatusTag status="careful">
                {words('progress.overdue', { date: formatDate(plan.DueOn) })}
              </StatusTag>
            ) : (
              <StatusTag status={stateStatus[plan.State]}>
                {plan.State === 'open'
                  ? words('progress.due', { date: formatDate(plan.DueOn) })
                  : words(`progress.planState_${plan.State}`)}
              </StatusTag>
            )}
          </div>
          {plan.Goal && <p>{plan.Goal}</p>}
          <p>{words('progress.begun', { date: formatDate(plan.StartedOn), name: plan.By })}</p>
          {plan.ClosedOn && (
            <p>{words('progress.closedOn', { date: formatDate(plan.ClosedOn), outcome: plan.Outcome })}</p>
          )}
          {plan.Tasks.length > 0 && (
            <ul className={classes.tasks}>
              {plan.Tasks.map((task) => (
                <li key={task.Id} data-done={task.DoneOn ? true : undefined}>
                  {onTask && plan.State === 'open' ? (
                    <TaskTick task={task} onTick={(isDone) => onTask(plan, task, isDone)} />
                  ) : (
                    <>
                      {task.DoneOn ? (
                        <IconCircleCheck size={16} stroke={1.75} aria-hidden />
                      ) : (
                        <IconCircle size={16} stroke={1.75} aria-hidden />
                      )}
                      <span>
                        {task.Text}
                        <small>{dayText(words, task)}</small>
                      </span>
                    </>
                  )}
                </li>
              ))}
            </ul>
          )}
          {verbs && plan.State === 'open' && <div className={classes.verbs}>{verbs(plan)}</div>}
        </li>
      ))}
    </ul>
  )
}
