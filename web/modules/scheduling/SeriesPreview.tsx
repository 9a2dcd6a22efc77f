import { IconCircleCheck } from '@tabler/icons-react'
import type { SeriesAnswer, SeriesFinding, SiteShift } from '#contract/scheduling.ts'
import { dayText } from '#contract/scheduling-rules.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './series.module.css'

export type SeriesPreviewProps = {
  answer: SeriesAnswer
  students: readonly { Id: number; LastName: string; FirstName: string }[]
  shifts: readonly SiteShift[]
  /** Whether groups change shifts. */
  doesRotate: boolean
}

/** What a series would do: in figures, by group, and what the rules refuse with whom and why. */
export function SeriesPreview({ answer, students, shifts, doesRotate }: SeriesPreviewProps) {
  const words = useWords()
  const names = new Map(students.map(({ Id, LastName, FirstName }) => [Id, `${LastName}, ${FirstName}`]))
  const codes = new Map(shifts.map(({ Id, Code, Site }) => [Id, `${Code}, ${Site}`]))
  const conflicts = countOf(answer.Conflicts)
  const warnings = countOf(answer.Warnings)
  const figures = [
    [words('series.figureAdd'), answer.Added, false],
    [words('series.figureConflicts'), conflicts, conflicts > 0],
    ...(warnings > 0 ? [[words('series.figureWarnings'), warnings, false] as const] : []),
    ...(answer.Unchanged > 0 ? [[words('series.figureUnchanged'), answer.Unchanged, false] as const] : []),
    [words('series.figureDates'), answer.Dates.length, false],
    ...(answer.Skipped.length > 0
      ? [[words('series.figureSkipped'), answer.Skipped.length, false] as const]
      : []),
  ] as const
  return (
    <div className={classes.preview}>
      <dl className={classes.figures}>
        {figures.map(([name, count, isBad]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-bad={isBad || undefined}>{count.toLocaleString('en-US')}</dd>
          </div>
        ))}
      </dl>
      {answer.Dates.length === 0 && <p className={classes.none}>{words('series.noDates')}</p>}
      {answer.Dates.length > 0 && conflicts === 0 && (
        <p className={classes.good}>
          <IconCircleCheck size={18} stroke={1.75} aria-hidden />
          {words('series.allGood')}
        </p>
      )}
      <Findings title={words('series.conflicts')} findings={answer.Conflicts} />
      <Findings title={words('series.warnings')} findings={answer.Warnings} />
      {answer.Skipped.length > 0 && (
        <section>
          <h2>{words('series.skipped')}</h2>
          <p>{answer.Skipped.map(({ Date: date, Name }) => `${dayText(date)} ${Name}`).join(' · ')}</p>
        </section>
      )}
      <section>
        <h2>{words('series.groups')}</h2>
        <ul className={classes.groups}>
          {answer.Groups.map(({ Name, StudentIds, SiteShiftId }) => (
            <li key={Name}>
              <b>{words('series.groupLine', { name: Name, count: StudentIds.length })}</b>
              <span className="p-muted">
                {words(doesRotate ? 'series.startsAt' : 'series.stays', {
                  shift: codes.get(SiteShiftId) ?? '',
                })}
              </span>
              <p>{StudentIds.map((id) => names.get(id) ?? '').join(' · ')}</p>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

/** How many wishes findings are about. */
export const countOf = (findings: readonly SeriesFinding[]): number =>
  findings.reduce((sum, { Count }) => sum + Count, 0)

function Findings({ title, findings }: { title: string; findings: readonly SeriesFinding[] }) {
  const words = useWords()
  if (findings.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      {findings.map(({ Rule, Count, People }) => (
        <details key={Rule} className={classes.finding} open={findings.length === 1}>
          <summary>
            <b>{words(`series.reason_${Rule}`)}</b>
            <span className="p-muted">
              {words('series.people', { count: People.length })} ·{' '}
              {words('scheduling.totalPart', { count: Count })}
            </span>
          </summary>
          <ul>
            {People.map(({ StudentId, Name, Count: own, Message }) => (
              <li key={StudentId}>
                <b>{Name}</b> · {words('series.times', { count: own })}
                <br />
                {Message}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}
