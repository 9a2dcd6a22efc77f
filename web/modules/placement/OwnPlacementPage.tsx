import { listOwnPlacement } from '#contract/placement/own-placement.ts'
import { useRead } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { RouterLink } from '#web/shell/RouterLink.tsx'
import { formatDate, formatInstant } from '#web/ui/dates.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './placement.module.css'

/** The plans that a student ranks for. */
export function OwnPlacementPage() {
  const words = useWords()
  const timeZone = useTimeZone()
  const own = useRead(listOwnPlacement)
  const { data } = own
  return (
    <Page title={words('placement.own')} inset>
      {own.error && !data && <ReadProblem read={own} />}
      {data?.Plans.length === 0 && <PageMessage kind="empty" text={words('placement.ownEmpty')} />}
      {data && data.Plans.length > 0 && (
        <div className={classes.ranking}>
          <div className={classes.panel}>
            <ul>
              {data.Plans.map((plan) => {
                const when = {
                  ahead: words('placement.ownAhead', { when: formatInstant(plan.OpensAt ?? '', timeZone) }),
                  open: words('placement.ownOpen', { when: formatInstant(plan.ClosesAt ?? '', timeZone) }),
                  closed: words('placement.ownClosed', {
                    when: formatInstant(plan.ClosesAt ?? '', timeZone),
                  }),
                  published: words('placement.ownPublished'),
                }[plan.State]
                return (
                  <li key={plan.PlanId} className={classes.plain}>
                    <RouterLink href={`/new/placement/${plan.PlanId}`} className={classes.site}>
                      <span>
                        <b>{plan.Plan}</b>
                        <small>
                          {[
                            `${formatDate(plan.StartDate)} – ${formatDate(plan.EndDate)}`,
                            when,
                            plan.SubmittedAt && words('placement.ownSubmitted'),
                          ]
                            .filter(Boolean)
                            .join(' · ')}
                        </small>
                      </span>
                    </RouterLink>
                  </li>
                )
              })}
            </ul>
          </div>
        </div>
      )}
    </Page>
  )
}
