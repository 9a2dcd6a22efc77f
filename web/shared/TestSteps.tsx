import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import type { OutsideTest } from '#contract/core/outside-test.ts'
import classes from './TestSteps.module.css'

/** How far a test of something outside came: each step with its name and what was found. */
export function TestSteps({ steps }: { steps: OutsideTest['Steps'] }) {
  return (
    <ul className={classes.steps}>
      {steps.map(({ Name, IsOk, Detail }) => (
        <li key={Name} data-ok={IsOk || undefined}>
          {IsOk ? (
            <IconCircleCheck size={18} stroke={1.75} aria-hidden />
          ) : (
            <IconCircleX size={18} stroke={1.75} aria-hidden />
          )}
          <div>
            <b>{Name}</b>
            <span>{Detail}</span>
          </div>
        </li>
      ))}
    </ul>
  )
}
