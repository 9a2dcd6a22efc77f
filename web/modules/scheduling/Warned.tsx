import { IconAlertTriangle } from '@tabler/icons-react'
import type { PlacementFinding } from '#contract/scheduling/assignments.ts'
import { FixRule } from '#web/shared/FixRule.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './scheduling.module.css'

/** Below what was done: what to look after all the same, on lines of its own; the first of several tells one of them. */
export function Warned({ warnings }: { warnings: readonly PlacementFinding[] }) {
  const words = useWords()
  const [first] = warnings
  if (!first) return null
  return (
    <span className={classes.warned}>
      <IconAlertTriangle size={14} stroke={2} aria-hidden />
      <span>
        <b>{words('scheduling.warned', { count: warnings.length })}</b> {first.Message}{' '}
        <FixRule rule={first.Rule} studentId={first.StudentId} />
      </span>
    </span>
  )
}
