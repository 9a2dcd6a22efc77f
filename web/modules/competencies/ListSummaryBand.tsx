import { IconAlertTriangle } from '@tabler/icons-react'
import type { CompetencyList } from '#contract/competencies/competency-lists.ts'
import { summaryOfList } from '#contract/competencies/competency-rules.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'
import { askedText, problemText } from './summary-text.ts'

/** What the list asks in all, and what of it no student could meet; it follows what is typed. */
export function ListSummaryBand({ list }: { list: Pick<CompetencyList, 'ElectivesNeeded' | 'Sections'> }) {
  const words = useWords()
  const { InAll, WithoutItems, Problems } = summaryOfList(list)
  return (
    <div className={classes.sum} role="status">
      <p>{askedText(words, list)}</p>
      <small>{words('competencies.examsInAll', { count: InAll })}</small>
      {WithoutItems > 0 && <small>{words('competencies.withoutItems', { count: WithoutItems })}</small>}
      {Problems.length > 0 && (
        <ul className={classes.problems}>
          {Problems.map((problem) => {
            const text = problemText(words, problem)
            return (
              <li key={text}>
                <IconAlertTriangle size={16} stroke={2} aria-hidden />
                {text}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
