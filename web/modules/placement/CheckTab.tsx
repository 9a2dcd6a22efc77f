import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { checkPlanRules } from '#contract/placement/conflicts.ts'
import { checkPlacementPlan, type Demand, type PlacementPlan } from '#contract/placement/plans.ts'
import { useRead } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useWords } from '#web/words/use-words.ts'
import { ConflictList } from './ConflictList.tsx'
import classes from './placement.module.css'
import { placesText } from './placement-words.ts'
import { SiteDialog } from './SiteDialog.tsx'

/** What can never work and why, and what students want against what there is. */
export function CheckTab({ plan }: { plan: PlacementPlan }) {
  const words = useWords()
  const programId = useProgramId()
  const check = useRead(checkPlacementPlan, { params: { programId, planId: plan.Id } })
  const { data } = check
  if (!data) return check.error ? <ReadProblem read={check} /> : null
  return (
    <div className={classes.parts}>
      <Section title={words('placement.readyCheck')}>
        {data.Problems.length === 0 ? (
          <p className={classes.ready}>
            <IconCircleCheck size={18} aria-hidden />
            {words('placement.ready')}
          </p>
        ) : (
          <ul className={classes.problems}>
            {data.Problems.map(({ Kind, Text }) => (
              <li key={Text} data-kind={Kind}>
                {Kind === 'stops' ? (
                  <IconAlertTriangle size={17} aria-label={words('placement.stopsTitle')} role="img" />
                ) : (
                  <IconInfoCircle size={17} aria-label={words('placement.warnsTitle')} role="img" />
                )}
                <span>{Text}</span>
              </li>
            ))}
          </ul>
        )}
        <RulesCheck planId={plan.Id} />
      </Section>
      {data.Demand.length > 0 && (
        <Section title={words('placement.demand')}>
          <DemandList plan={plan} demand={data.Demand} />
        </Section>
      )}
    </div>
  )
}

/** Asks on request whether all rules can be kept together: it takes seconds. */
function RulesCheck({ planId }: { planId: number }) {
  const words = useWords()
  const programId = useProgramId()
  const [isAsked, setAsked] = useState(false)
  const asked = useRead(
    checkPlanRules,
    { params: { programId, planId } },
    { isEnabled: isAsked, keepsLast: false },
  )
  const { data } = asked
  return (
    <div className={classes.rulesCheck} aria-live="polite">
      {data ? (
        data.Conflict === null ? (
          <p>{words('placement.notChecked')}</p>
        ) : data.Conflict.Rules.length === 0 ? (
          <p className={classes.ready}>
            <IconCircleCheck size={18} aria-hidden />
            {words('placement.rulesAgree')}
          </p>
        ) : (
          <ConflictList conflict={data.Conflict} planId={planId} />
        )
      ) : asked.error ? (
        <ReadProblem read={asked} />
      ) : isAsked ? (
        <p>{words('placement.checkingRules')}</p>
      ) : (
        <Button variant="default" onClick={() => setAsked(true)}>
          {words('placement.checkRules')}
        </Button>
      )}
    </div>
  )
}

function DemandList({ plan, demand }: { plan: PlacementPlan; demand: readonly Demand[] }) {
  const words = useWords()
  const mayPlan = useMay()('placement.plan')
  const [changing, setChanging] = useState<Demand>()
  const widest = Math.max(1, ...demand.map(({ FirstChoices, Places }) => Math.max(FirstChoices, ...Places)))
  const said = ({ Takes, Reserved, Technologists }: Demand) =>
    [
      Takes === null
        ? ''
        : Takes === 0
          ? words('placement.takesNone')
          : words('placement.takesUpTo', { count: Takes }),
      Reserved > 0 ? words('placement.reservedCount', { count: Reserved }) : '',
      Technologists === null ? '' : words('placement.technologistCount', { count: Technologists }),
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <>
      <ul className={classes.demand}>
        {demand.map((site) => {
          const least = Math.min(...site.Places)
          return (
            <li key={site.SiteId}>
              <span>
                {site.Site}
                <small>{said(site)}</small>
              </span>
              <span
                className={classes.track}
                role="img"
                data-over={site.FirstChoices > least || undefined}
                aria-label={words('placement.demandBar', {
                  site: site.Site,
                  first: site.FirstChoices,
                  places: least,
                })}
              >
                <i style={{ width: `${(site.FirstChoices / widest) * 100}%` }} />
                <u style={{ left: `${(least / widest) * 100}%` }} />
              </span>
              <span>
                {words('placement.firstOf', {
                  first: site.FirstChoices,
                  places: placesText(words, site.Places),
                })}
                <small>{words('placement.rankedBy', { count: site.Ranked })}</small>
              </span>
              {mayPlan && (
                <Button variant="default" onClick={() => setChanging(site)}>
                  {words('placement.siteAnswer')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {changing && <SiteDialog plan={plan} site={changing} onClose={() => setChanging(undefined)} />}
    </>
  )
}
