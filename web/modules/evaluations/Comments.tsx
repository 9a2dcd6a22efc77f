import type { ResultComment } from '#contract/evaluations/evaluation-results.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './results.module.css'

/** Comments with their question, and the evaluation where it may be known. */
export function Comments({ rows }: { rows: ResultComment[] }) {
  const words = useWords()
  return (
    <ul className={classes.comments}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: comments of anonymous forms have no identity
        <li key={index}>
          <p>{row.Text}</p>
          <div className={classes.origin}>
            <span>{[row.Item, row.Template, row.Subject].filter(Boolean).join(' · ')}</span>
            {row.Score &&
              (row.IsLow ? <StatusTag status="careful">{row.Score}</StatusTag> : <span>{row.Score}</span>)}
            {row.EvaluationId ? (
              <PageLink href={`/new/evaluate/${row.EvaluationId}`}>
                {row.Date ? formatDate(row.Date) : words('evaluations.open')}
              </PageLink>
            ) : (
              <span>{words('evaluations.readAnonymous')}</span>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
