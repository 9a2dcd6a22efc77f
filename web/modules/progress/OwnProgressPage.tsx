import { getOwnProgress } from '#contract/progress/progress.ts'
import { useRead } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { PlanList } from '#web/shared/PlanList.tsx'
import { ProgressCard } from '#web/shared/ProgressCard.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { dateOfInstant, formatInstant } from '#web/ui/dates.ts'
import { Page } from '#web/ui/Page.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './progress.module.css'

/** How far a student is, for them: the day of completion, plans, and what the program has told them. */
export function OwnProgressPage() {
  const words = useWords()
  const timeZone = useTimeZone()
  const own = useRead(getOwnProgress)
  const { data } = own
  return (
    <Page title={words('progress.title')} inset>
      {own.error && <ReadProblem read={own} />}
      {data && (
        <div className={classes.sections}>
          <ProgressCard progress={data} />
          {data.Plans.length > 0 && (
            <Section title={words('progress.plans')}>
              <PlanList plans={data.Plans} today={dateOfInstant(Date.now(), timeZone)} />
            </Section>
          )}
          {data.Notes.length > 0 && (
            <Section title={words('progress.notes')}>
              <ul className={classes.notes}>
                {data.Notes.map(({ Id, Text, By, At }) => (
                  <li key={Id}>
                    <p>{Text}</p>
                    <small>{[By, formatInstant(At, timeZone)].filter(Boolean).join(' · ')}</small>
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </div>
      )}
    </Page>
  )
}
