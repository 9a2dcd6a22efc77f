import { getOwnPlacementResult, listOwnPlacement } from '#contract/placement/own-placement.ts'
import { useParams } from '#web/api/place.ts'
import { useRead } from '#web/api/use-call.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './placement.module.css'
import { rankText } from './placement-words.ts'
import { RankingPage } from './RankingPage.tsx'

/** A plan as a student sees it: their ranking, and once it is published where they are placed and why. */
export function OwnPlanPage() {
  const words = useWords()
  const { planId = '' } = useParams()
  const own = useRead(listOwnPlacement)
  if (!own.data) return <Page title={words('placement.own')}>{own.error && <ReadProblem read={own} />}</Page>
  const plan = own.data.Plans.find(({ PlanId }) => PlanId === Number(planId))
  return plan?.State === 'published' ? <Result planId={plan.PlanId} /> : <RankingPage />
}

function Result({ planId }: { planId: number }) {
  const words = useWords()
  const result = useRead(getOwnPlacementResult, { params: { planId } })
  const { data } = result
  if (!data)
    return <Page title={words('placement.own')}>{result.error && <ReadProblem read={result} />}</Page>
  return (
    <Page title={words('placement.own')} inset>
      <div className={classes.ranking}>
        <h2>{data.Plan}</h2>
        <p className={classes.hint}>
          {[
            data.Rotations.join(', '),
            `${formatDate(data.StartDate)} – ${formatDate(data.EndDate)}`,
            data.Points > 0 && words('placement.owedNext', { count: data.Points }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <div className={classes.panel}>
          <ul>
            {data.Blocks.map(({ Block, StartDate, EndDate, Site, Rotation, City, Shift, Rank, Reason }) => (
              <li key={Block} className={`${classes.plain} ${classes.result}`}>
                <span className={classes.number}>{Rank ?? '–'}</span>
                <span>
                  <b>{Site || words('placement.noPlace')}</b>
                  <small>
                    {[
                      `${words('placement.block', { number: Block + 1 })}, ${formatDate(StartDate)} – ${formatDate(EndDate)}`,
                      data.Rotations.length > 1 && Rotation,
                      Shift,
                      City,
                      Rank !== null && words('placement.choiceText', { rank: rankText(words, Rank) }),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </small>
                  {Reason && <small>{Reason}</small>}
                </span>
              </li>
            ))}
          </ul>
        </div>
        <p className={classes.hint}>{words('placement.scheduleCounts')}</p>
      </div>
    </Page>
  )
}
