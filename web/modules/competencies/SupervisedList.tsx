import type { Supervised } from '#contract/competencies/supervision.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './exams.module.css'

/** A student's procedures under indirect supervision, by major study. */
export function SupervisedList({ Studies }: Pick<Supervised, 'Studies'>) {
  const words = useWords()
  if (Studies.length === 0) return <p className={classes.quiet}>{words('exams.allDirect')}</p>
  return (
    <dl className={classes.supervised}>
      {Studies.map(({ Name, Procedures }) => (
        <div key={Name}>
          <dt>{Name}</dt>
          <dd>{Procedures.join(', ')}</dd>
        </div>
      ))}
    </dl>
  )
}
