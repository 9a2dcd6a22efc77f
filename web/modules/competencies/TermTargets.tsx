import { Button } from '@mantine/core'
import { useState } from 'react'
import { listTermTargets } from '#contract/competencies/competency-grid.ts'
import { useRead } from '#web/api/use-call.ts'
import { formatDate } from '#web/ui/dates.ts'
import { later } from '#web/ui/later.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'

const TermTargetsDialog = later(() => import('./TermTargetsDialog.tsx').then((m) => m.TermTargetsDialog))

/** The term targets of a list on its rules page: they are saved by their own dialog. */
export function TermTargets({ params }: { params: { programId: number; listId: number } }) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const { data } = useRead(listTermTargets, { params }, { keepsLast: false })
  return (
    <div className={classes.terms}>
      {data?.Targets.length === 0 && <p>{words('competencyProgress.termsNone')}</p>}
      {data && data.Targets.length > 0 && (
        <ul>
          {data.Targets.map(({ Name, Cohort, FromDate, ThroughDate, Exams }) => (
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
