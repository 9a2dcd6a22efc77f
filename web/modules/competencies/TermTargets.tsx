import { useState } from 'react'
import { listTermTargets } from '#contract/competencies/competency-grid.ts'
import { useRead } from '#web/api/use-call.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { later } from '#web/ui/later.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'

const TermTargetsDialog = later(() => import('./TermTargetsDialog.tsx').then((m) => m.TermTargetsDialog))

/** The term targets of a list on its rules page: they are saved by their own dialog. */
export function TermTargets({ params }: { params: { programId: number; listId: number } }) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const read = useRead(listTermTargets, { params }, { keepsLast: false })
  if (read.error) return <ReadProblem read={read} />
  // With its button: terms that came above it would move it away from a press.
  if (!read.data) return null
  const { Targets } = read.data
  return (
    <div className={classes.terms}>
      {Targets.length === 0 && <p>{words('competencyProgress.termsNone')}</p>}
      {Targets.length > 0 && (
        <ul>
          {Targets.map(({ Name, Cohort, FromDate, ThroughDate, Exams }) => (
            <li key={`${Name} ${Cohort} ${FromDate}`}>
              {words('competencyProgress.termLine', {
                name: Name,
                cohort: Cohort ?? words('competencyProgress.termAllCohorts'),
                from: formatDate(FromDate),
                through: formatDate(ThroughDate),
                exams: words('competencyProgress.examCount', { count: Exams }),
              })}
            </li>
          ))}
        </ul>
      )}
      <Button variant="default" {...TermTargetsDialog.near} onClick={() => setOpen(true)}>
        {words('competencyProgress.setTargets')}
      </Button>
      {isOpen && <TermTargetsDialog params={params} onClose={() => setOpen(false)} />}
    </div>
  )
}
