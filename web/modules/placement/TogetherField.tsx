import { formatDate } from '#contract/core/calendar.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { type listOtherPlans, maxOtherPlans } from '#contract/placement/drafts.ts'
import { Checkbox } from '#web/ui/inputs.ts'
import { useWords } from '#web/words/use-words.ts'
import placement from './placement.module.css'

export type TogetherFieldProps = {
  plans: AnswerOf<typeof listOtherPlans>['Plans']
  /** Programs with a plan that they have not opened. */
  notOpen: readonly string[]
  /** Ids of plans. */
  value: number[]
  onChange: (ids: number[]) => void
}

/** Plans of other programs that share sites, to be solved together with this one; nothing where there are none. */
export function TogetherField({ plans, notOpen, value, onChange }: TogetherFieldProps) {
  const words = useWords()
  if (plans.length === 0 && notOpen.length === 0) return null
  return (
    <fieldset className={placement.together}>
      <legend>{words('placement.solveWith')}</legend>
      {plans.length > 0 && <p>{words('placement.solveWithHint')}</p>}
      {plans.map(({ PlanId, Program, Plan, StartDate, EndDate, Students, Sites }) => (
        <Checkbox
          key={PlanId}
          label={words('placement.planOf', { program: Program, plan: Plan })}
          description={[
            words('placement.fromTo', { from: formatDate(StartDate), through: formatDate(EndDate) }),
            Students === null
              ? words('placement.fewStudents')
              : words('placement.studentCount', { count: Students }),
            words('placement.sharing', { sites: Sites.join(', ') }),
          ].join(' · ')}
          checked={value.includes(PlanId)}
          disabled={!value.includes(PlanId) && value.length >= maxOtherPlans}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? [...value, PlanId] : value.filter((id) => id !== PlanId))
          }
        />
      ))}
      {notOpen.length > 0 && <p>{words('placement.notOpened', { programs: notOpen.join(', ') })}</p>}
    </fieldset>
  )
}
