import type { Weights } from '#contract/placement/weights.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './draft.module.css'

const goals: readonly (keyof Weights)[] = ['Rank', 'Distance', 'Fairness', 'Needs', 'Changes', 'Load']

export type WeightSlidersProps = { value: Weights; onChange: (weights: Weights) => void }

/** What a draft weighs: a slider for each goal, with its meaning. */
export function WeightSliders({ value, onChange }: WeightSlidersProps) {
  const words = useWords()
  return (
    <div className={classes.weights}>
      {goals.map((goal) => (
        <label key={goal}>
          <span>
            {words(`placement.goal_${goal}`)}
            <small>{words(`placement.goalHint_${goal}`)}</small>
          </span>
          <input
            type="range"
            min={0}
            max={100}
            step={5}
            value={value[goal]}
            onChange={(event) => onChange({ ...value, [goal]: Number(event.currentTarget.value) })}
          />
          <output>{value[goal]}</output>
        </label>
      ))}
    </div>
  )
}
