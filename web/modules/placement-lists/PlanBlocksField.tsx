import { useState } from 'react'
import { listRequestPlans } from '#contract/placement-lists/place-requests.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { formatDate } from '#web/ui/dates.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './placement-lists.module.css'
import { stretchOf } from './request-words.ts'

/** Takes the dates of a request from a placement plan: all of it, or from one of its blocks through another. */
export function PlanBlocksField({ onChoose }: { onChoose: (from: string, through: string) => void }) {
  const words = useWords()
  const programId = useProgramId()
  const [planId, setPlanId] = useState<string | null>(null)
  const [first, setFirst] = useState<string | null>(null)
  const [last, setLast] = useState<string | null>(null)
  const plans = useRead(listRequestPlans, { params: { programId } })
  const plan = plans.data?.find(({ Id }) => String(Id) === planId)
  if (!plans.data || plans.data.length === 0) return null
  const take = (begin: string | null, end: string | null) => {
    setFirst(begin)
    setLast(end)
    const from = plan?.Blocks[Number(begin ?? 0)]
    const through = plan?.Blocks[end === null ? plan.Blocks.length - 1 : Number(end)]
    if (from && through && from.StartDate <= through.EndDate) onChoose(from.StartDate, through.EndDate)
  }
  const options = (plan?.Blocks ?? []).map(({ StartDate, EndDate }, block) => ({
    value: String(block),
    label: words('placement.block', { number: block + 1 }),
    detail: stretchOf(StartDate, EndDate),
  }))
  return (
    <>
      <SelectField
        label={words('placeRequests.plan')}
        hint={words('placeRequests.planHint')}
        name="PlanId"
        placeholder={words('placeRequests.ownDates')}
        clearable
        options={plans.data.map(({ Id, Name, StartDate, EndDate }) => ({
          value: String(Id),
          label: Name,
          detail: `${formatDate(StartDate)} – ${formatDate(EndDate)}`,
        }))}
        value={planId}
        onChange={(next) => {
          setPlanId(next)
          setFirst(null)
          setLast(null)
          const chosen = plans.data?.find(({ Id }) => String(Id) === next)
          if (chosen) onChoose(chosen.StartDate, chosen.EndDate)
        }}
      />
      {plan && plan.Blocks.length > 1 && (
        <div className={classes.pair}>
          <SelectField
            label={words('placeRequests.firstBlock')}
            name="FirstBlock"
            placeholder={words('placement.block', { number: 1 })}
            options={options}
            value={first}
            onChange={(next) =>
              take(next, last !== null && next !== null && Number(last) < Number(next) ? next : last)
            }
          />
          <SelectField
            label={words('placeRequests.lastBlock')}
            name="LastBlock"
            placeholder={words('placement.block', { number: plan.Blocks.length })}
            options={options}
            value={last}
            onChange={(next) =>
              take(first !== null && next !== null && Number(first) > Number(next) ? next : first, next)
            }
          />
        </div>
      )}
    </>
  )
}
