import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { getStudentProgress, type RemediationPlan, setRemediationTask } from '#contract/progress/progress.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useTimeZone } from '#web/api/use-state.ts'
import { PlanList } from '#web/shared/PlanList.tsx'
import { ProgressCard } from '#web/shared/ProgressCard.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant } from '#web/ui/dates.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useWords } from '#web/words/use-words.ts'
import { ClosePlanDialog, PlanDialog, planned } from './PlanDialogs.tsx'
import type { At } from './student-lists.tsx'
import classes from './students.module.css'

/** How far a student is, when they will be done, and their remediation plans. */
export function StudentProgress({ at }: { at: At }) {
  const words = useWords()
  const timeZone = useTimeZone()
  const mayWrite = useMay()('remediation.write')
  const [asked, setAsked] = useState<'new' | { plan: RemediationPlan; isClosing: boolean }>()
  const setTask = useSave(setRemediationTask, planned)
  const progress = useRead(getStudentProgress, at)
  const { data } = progress
  const done = () => setAsked(undefined)
  if (progress.error && !data)
    return <PageMessage kind="error" text={progress.error.message} onRetry={() => void progress.refetch()} />
  if (!data) return null
  return (
    <div className={classes.part}>
      <ProgressCard progress={data} forStaff />
      <Section
        title={words('progress.plans')}
        end={
          mayWrite && (
            <Button
              variant="default"
              leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />}
              onClick={() => setAsked('new')}
            >
              {words('progress.addPlan')}
            </Button>
          )
        }
      >
        <PlanList
          plans={data.Plans}
          today={dateOfInstant(Date.now(), timeZone)}
          {...(mayWrite && {
            onTask: (plan, task, IsDone) =>
              attempt(() =>
                setTask.run({
                  params: { ...at.params, planId: plan.Id, taskId: task.Id },
                  body: { IsDone },
                }),
              ),
            verbs: (plan) => (
              <>
                <Button variant="default" onClick={() => setAsked({ plan, isClosing: false })}>
                  {words('progress.editPlan')}
                </Button>
                <Button variant="default" onClick={() => setAsked({ plan, isClosing: true })}>
                  {words('progress.close')}
                </Button>
              </>
            ),
          })}
        />
      </Section>
      {asked === 'new' && <PlanDialog at={at} onClose={done} />}
      {typeof asked === 'object' &&
        (asked.isClosing ? (
          <ClosePlanDialog at={at} plan={asked.plan} onClose={done} />
        ) : (
          <PlanDialog at={at} plan={asked.plan} onClose={done} />
        ))}
    </div>
  )
}
