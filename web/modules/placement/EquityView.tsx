import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { alphabetical } from '#contract/core/alphabet.ts'
import { type Draft, type DraftRow, getDraft, type WheelProof } from '#contract/placement/drafts.ts'
import { givesExperience, groupAt, isEvening } from '#contract/placement/plan-rules.ts'
import { checkPlacementPlan, type PlacementPlan } from '#contract/placement/plans.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { useWords } from '#web/words/use-words.ts'
import { Bars } from './Bars.tsx'
import classes from './equity.module.css'
import { meanText, rotationNames } from './placement-words.ts'

const rankKeys = [
  'placement.rank1',
  'placement.rank2',
  'placement.rank3',
  'placement.rankFourth',
  'placement.rankNone',
] as const

const meanOf = ({ Cells }: DraftRow): number | null => {
  const ranks = Cells.flatMap(({ Rank }) => (Rank === null ? [] : [Rank]))
  return ranks.length === 0 ? null : ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length
}

const wayKeys = [
  'placement.wayUnder10',
  'placement.wayUnder25',
  'placement.wayUnder50',
  'placement.wayUnder100',
  'placement.wayFrom100',
] as const

const percent = (part: number, of: number): string => `${Math.round((100 * part) / Math.max(1, of))} %`

/** Counts as bars, each with its share of all. */
const shares = (labels: readonly string[], counts: readonly number[]) => {
  const sum = counts.reduce((all, each) => all + each, 0)
  const most = Math.max(1, ...counts)
  return labels.map((label, index) => {
    const count = counts[index] ?? 0
    return { label, part: count / most, text: count.toLocaleString('en-US'), note: percent(count, sum) }
  })
}

/** Which ranks a draft reaches, how far its ways are and how full its sites, and how often each student is at each site: what accreditors ask for. */
export function EquityView({ plan, draft }: { plan: PlacementPlan; draft: Draft }) {
  const words = useWords()
  const programId = useProgramId()
  const read = useRead(getDraft, { params: { programId, planId: draft.PlanId, draftId: draft.Id } })
  const check = useRead(checkPlacementPlan, { params: { programId, planId: draft.PlanId } })
  const { data } = read
  if (!data) return read.error ? <ReadProblem read={read} /> : null
  const siteOf = new Map(data.Shifts.map((shift) => [shift.SiteShiftId, shift]))
  const totals = new Map<number, { code: string; name: string; count: number }>()
  const counts = data.Rows.map(({ Cells }) => {
    const own = new Map<number, number>()
    for (const { SiteShiftId } of Cells) {
      const site = siteOf.get(SiteShiftId)
      if (!site) continue
      own.set(site.SiteId, (own.get(site.SiteId) ?? 0) + 1)
      const known = totals.get(site.SiteId) ?? { code: site.SiteCode, name: site.Site, count: 0 }
      totals.set(site.SiteId, { ...known, count: known.count + 1 })
    }
    return own
  })
  const { Groups } = plan.Rules
  const experiences = [...new Set(Groups.flatMap(({ Experiences }) => Experiences.map(({ Name }) => Name)))]
  const typesOf = ({ Cells }: DraftRow) =>
    Cells.flatMap(({ SiteShiftId, RotationId }) => {
      const shift = siteOf.get(SiteShiftId)
      return shift ? [{ ...shift, RotationId }] : []
    })
  const rotations = [...rotationNames(plan)]
  /** Blocks of an experience that a student has, of those that their group asks for. */
  const hadOf = (row: DraftRow, name: string) => {
    const asked = Groups[groupAt(Groups, row.StudentLevelId)]?.Experiences.find(({ Name }) => Name === name)
    if (!asked) return undefined
    const had = typesOf(row).filter((shift) => givesExperience(asked, shift)).length
    return { had, of: asked.Blocks, isMissed: had < asked.Blocks || had > (asked.MostBlocks ?? had) }
  }
  const wheel = draft.Figures?.Wheel
  // A site within reach at which nobody is counts as well.
  for (const { SiteId, Site, Code } of check.data?.Demand ?? [])
    if (wheel?.SiteIds.includes(SiteId) && !totals.has(SiteId))
      totals.set(SiteId, { code: Code, name: Site, count: 0 })
  const sites = [...totals].toSorted(([, one], [, other]) => alphabetical(one.code, other.code))
  const spread = (each: readonly number[]): string =>
    each.length === 0 ? '' : `${Math.min(...each)}–${Math.max(...each)}`
  const spreadOf = (id: number): string => spread(counts.map((own) => own.get(id) ?? 0))
  const eveningsOf = (row: DraftRow) => typesOf(row).filter(({ Type }) => isEvening(Type)).length
  const load = (check.data?.Demand ?? []).flatMap(({ SiteId, Site, Places }) => {
    const places = Places.reduce((sum, each) => sum + each, 0)
    const placed = totals.get(SiteId)?.count ?? 0
    return places + placed === 0
      ? []
      : [
          {
            label: Site,
            part: placed / Math.max(1, places),
            text: words('placement.hadOf', { had: placed, asked: places }),
            note: percent(placed, places),
          },
        ]
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className={classes.equity} tabIndex={0} aria-label={words('placement.equity')}>
      <div className={classes.charts}>
        {draft.Figures?.MeanRank != null && (
          <Bars
            title={words('placement.ranksReached')}
            bars={shares(
              rankKeys.map((key) => words(key)),
              draft.Figures.Ranks,
            )}
          />
        )}
        {draft.Figures?.Miles?.some((count) => count > 0) && (
          <Bars
            title={words('placement.waysChart')}
            bars={shares(
              wayKeys.map((key) => words(key)),
              draft.Figures.Miles,
            )}
          />
        )}
        {load.length > 0 && <Bars title={words('placement.loadChart')} bars={load} />}
      </div>
      {wheel && <WheelLine wheel={wheel} />}
      <h2>{words('placement.whoGotWhat')}</h2>
      <p>{words('placement.whoGotWhatHint')}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{words('placement.students')}</th>
            <th scope="col">{words('placement.figMean')}</th>
            <th scope="col">{words('placement.points')}</th>
            <th scope="col">
              {words('placement.evenings')}
              <small>
                {words('placement.andWeekends')}
                {wheel && ` · ${spread(data.Rows.map(eveningsOf))}`}
              </small>
            </th>
            {rotations.map(([id, name]) => (
              <th key={id} scope="col">
                {name}
                <small>{words('placement.rotation')}</small>
              </th>
            ))}
            {experiences.map((name) => (
              <th key={name} scope="col">
                {name}
                {wheel && <small>{spread(data.Rows.flatMap((row) => hadOf(row, name)?.had ?? []))}</small>}
              </th>
            ))}
            {sites.map(([id, { code, name }]) => (
              <th key={id} scope="col" title={name}>
                {code}
                <small>{spreadOf(id)}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.Rows.map((row, index) => (
            <tr key={row.StudentId}>
              <th scope="row">{row.Student}</th>
              <td>{meanText(meanOf(row))}</td>
              <td>{row.Points}</td>
              <td>{eveningsOf(row)}</td>
              {rotations.map(([id]) => {
                const count = row.Cells.filter(({ RotationId }) => RotationId === id).length
                return (
                  <td key={id} data-none={count === 0 || undefined}>
                    {count}
                  </td>
                )
              })}
              {experiences.map((name) => {
                const each = hadOf(row, name)
                return (
                  <td key={name} data-lacks={each?.isMissed || undefined}>
                    {each
                      ? each.of > 0
                        ? words('placement.hadOf', { had: each.had, asked: each.of })
                        : each.had
                      : ''}
                  </td>
                )
              })}
              {sites.map(([id]) => {
                const count = counts[index]?.get(id) ?? 0
                return (
                  <td
                    key={id}
                    data-none={count === 0 || undefined}
                    data-lacks={
                      (wheel?.SiteIds.includes(id) && (count < wheel.Fewest || count > wheel.Most)) ||
                      undefined
                    }
                  >
                    {count}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Whether everyone goes through every site alike, and what keeps it from that. */
function WheelLine({ wheel: { SiteIds, Fewest, Most, IsEven, IsBest, Reasons } }: { wheel: WheelProof }) {
  const words = useWords()
  const state = IsEven ? 'even' : IsBest ? 'best' : 'uneven'
  const each =
    Fewest === Most
      ? words('placement.wheelEach', { count: Most })
      : words('placement.wheelBetween', { fewest: Fewest, most: Most })
  return (
    <div className={classes.wheel} data-even={IsEven || undefined}>
      <p>
        {IsEven ? <IconCircleCheck size={17} aria-hidden /> : <IconAlertTriangle size={17} aria-hidden />}
        <strong>
          {Fewest === 0
            ? words(`placement.wheelOther_${state}`, { count: SiteIds.length })
            : words(`placement.wheelEvery_${state}`, { count: SiteIds.length, each })}
        </strong>
      </p>
      {Reasons.length > 0 && (
        <ul>
          {Reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {!IsEven && Reasons.length === 0 && (
        <p>{words(IsBest ? 'placement.wheelTogether' : 'placement.wheelLonger')}</p>
      )}
    </div>
  )
}
