import { IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { checkPlanRules } from '#contract/placement/conflicts.ts'
import { checkPlacementPlan, type Demand, type PlacementPlan } from '#contract/placement/plans.ts'
import { useRead } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { Section } from '#web/ui/Section.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { CauseList } from './CauseList.tsx'
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
          <CauseList
            causes={data.Problems}
            planId={plan.Id}
            startDate={plan.StartDate}
            students={new Map(data.Students.map(({ Id, Name }) => [Id, Name]))}
            sites={new Map(data.Demand.map(({ SiteId, Site }) => [SiteId, Site]))}
          />
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

/** ' · too many in blocks 2, 5': where more want a site than it has places; empty where none. */
const overText = (words: Words, { FirstByBlock, Places }: Demand): string => {
  const over = FirstByBlock.flatMap((first, block) => (first > (Places[block] ?? 0) ? [block + 1] : []))
  return over.length === 0
    ? ''
    : ` · ${words('placement.overIn', { count: over.length, blocks: over.join(', ') })}`
}

function DemandList({ plan, demand }: { plan: PlacementPlan; demand: readonly Demand[] }) {
  const words = useWords()
  const mayPlan = useMay()('placement.plan')
  const [changing, setChanging] = useState<Demand>()
  const [asked, setAsked] = useState<string | null>(null)
  const isByBlock = plan.RanksPer === 'block'
  const block = isByBlock && asked !== null ? Number(asked) : undefined
  // Ranked once, a first choice is for as many blocks as a student may have at one site.
  const times = isByBlock
    ? 1
    : Math.min(
        plan.Blocks.length,
        Math.max(
          ...plan.Rules.Groups.map(({ MostBlocksPerSite }) => MostBlocksPerSite ?? plan.Blocks.length),
        ),
      )
  const firstOf = ({ FirstChoices, FirstByBlock }: Demand) =>
    block === undefined ? FirstChoices * times : (FirstByBlock[block] ?? 0)
  const placesOf = ({ Places }: Demand) =>
    block === undefined ? Places.reduce((sum, each) => sum + each, 0) : (Places[block] ?? 0)
  const textOf = (site: Demand) => {
    const places = placesText(words, [placesOf(site)])
    if (block !== undefined) return words('placement.firstOf', { first: firstOf(site), places })
    return isByBlock
      ? words('placement.firstOfAll', { first: site.FirstChoices, places })
      : words('placement.firstOfEach', { first: site.FirstChoices, count: times, places })
  }
  const widest = Math.max(1, ...demand.map((site) => Math.max(firstOf(site), placesOf(site))))
  const said = ({ Takes, AtLeast, Reserved, Technologists, Closed }: Demand) =>
    [
      Closed,
      Takes === null
        ? ''
        : Takes === 0
          ? words('placement.takesNone')
          : words('placement.takesUpTo', { count: Takes }),
      AtLeast === null ? '' : words('placement.takesAtLeast', { count: AtLeast }),
      Reserved > 0 ? words('placement.reservedCount', { count: Reserved }) : '',
      Technologists === null ? '' : words('placement.technologistCount', { count: Technologists }),
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <>
      {isByBlock && (
        <div className={classes.demandBlock}>
          <SelectField
            name="demand-block"
            label={words('placement.demandBlock')}
            placeholder={words('placement.allBlocks')}
            clearable
            options={plan.Blocks.map(({ StartDate, EndDate }, index) => ({
              value: String(index),
              label: words('placement.block', { number: index + 1 }),
              detail: `${formatDate(StartDate)} – ${formatDate(EndDate)}`,
            }))}
            value={asked}
            onChange={setAsked}
          />
        </div>
      )}
      <ul className={classes.demand}>
        {demand.map((site) => {
          const places = placesOf(site)
          const first = firstOf(site)
          return (
            <li key={site.SiteId}>
              <span>
                {site.Site}
                <small>{said(site)}</small>
              </span>
              <span
                className={classes.track}
                role="img"
                data-over={first > places || undefined}
                aria-label={words('placement.demandBar', { site: site.Site, text: textOf(site) })}
              >
                <i style={{ width: `${(first / widest) * 100}%` }} />
                <u style={{ left: `${(places / widest) * 100}%` }} />
              </span>
              <span>
                {textOf(site)}
                <small>
                  {words('placement.rankedBy', { count: site.Ranked })}
                  {isByBlock && block === undefined && overText(words, site)}
                </small>
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
