import { isEvening } from '#contract/placement/plan-rules.ts'
import type { Problem } from '#contract/placement/plans.ts'
import { usualWeights } from '#contract/placement/weights.ts'
import { blockRange } from './block-text.rules.ts'
import { causesOf, groupedBy, namesOf, stops, warns } from './causes.rules.ts'
import { findClosedSites } from './closed-sites.rules.ts'
import type { IndexedPlan } from './indexed-plan.rules.ts'
import { reachedSites, reachOf, usablePlaces } from './reach.rules.ts'
import { findWarnings } from './warnings.rules.ts'

/** The most causes listed. */
const most = 100

/** Whether there is something in a block that a student may be on. */
const hasSomewhere = ({ blocks, options, allowed }: IndexedPlan, i: number, b: number): boolean =>
  allowed.subarray((i * blocks + b) * options.length, (i * blocks + b + 1) * options.length).includes(1)

const findPlaceProblems = (indexed: IndexedPlan): Problem[] => {
  const { plan, blocks, sitePlaces } = indexed
  const short = new Map<number, number[]>()
  for (let b = 0; b < blocks; b++) {
    const places = plan.Sites.reduce((sum, _, s) => sum + (sitePlaces[s * blocks + b] ?? 0), 0)
    // Whoever has nowhere to go lacks something else.
    const seeking = [...plan.Students.keys()].filter((i) => hasSomewhere(indexed, i, b)).length
    const missing = seeking - places
    if (missing > 0) short.set(missing, [...(short.get(missing) ?? []), b])
  }
  return [...short].map(([missing, at]) =>
    stops({
      Text: `More students than places in ${blockRange(at)}: ${missing} short. Add shifts or places, or plan fewer students.`,
      Fix: 'siteShift',
    }),
  )
}

/** Sites to which more students are pinned than they have places. */
const findPinProblems = (indexed: IndexedPlan): Problem[] => {
  const { plan, blocks, sitePlaces, fixed } = indexed
  return plan.Sites.flatMap(({ Id: siteId, Name }, s) =>
    [...plan.Blocks.keys()].flatMap((b) => {
      const pinned = plan.Students.filter(
        ({ Pins }, i) =>
          (fixed[i * blocks + b] ?? -1) < 0 &&
          Pins.some(({ Block, SiteId }) => Block === b && SiteId === siteId),
      )
      const places = sitePlaces[s * blocks + b] ?? 0
      return pinned.length <= places
        ? []
        : [
            stops({
              Text: `${pinned.length === 1 ? `${pinned[0]?.Name} is` : `${pinned.length} students are`} pinned to ${Name} in ${blockRange([b])}, which has ${places === 0 ? 'no place' : places === 1 ? '1 place' : `${places} places`} then. Take out pins, or add places.`,
              Fix: 'planStudent',
              StudentIds: pinned.map(({ Id }) => Id),
              SiteIds: [siteId],
            }),
          ]
    }),
  )
}

/** Experiences of evenings and weekends that do not fit into the most of them that a student may have. */
const findEveningProblems = ({ plan, blocks }: IndexedPlan): Problem[] => {
  const { Groups, MostEveningPercent } = plan.Rules
  if (MostEveningPercent === null) return []
  const most = Math.floor((blocks * MostEveningPercent) / 100)
  return Groups.flatMap((group) =>
    group.Experiences.flatMap(({ Name, Types, Blocks, Weight }) =>
      Types.length > 0 && Types.every(isEvening) && Blocks > most
        ? [
            (Weight === null ? stops : warns)({
              Text: `${group.Name}: ${Name} asks for ${Blocks} ${Blocks === 1 ? 'block' : 'blocks'} in the evening, at night or on weekends, and at most ${MostEveningPercent}\u00a0% of ${blocks} blocks is ${most}.`,
              Fix: 'plan',
            }),
          ]
        : [],
    ),
  )
}

/** Sites that take a minimum at a time or none, and have fewer places than that. */
const findLeastProblems = ({ plan, blocks, sitePlaces, options }: IndexedPlan): Problem[] => {
  const used = new Set(options.map(({ site }) => site))
  return plan.Sites.flatMap(({ Id, Name, AtLeast }, s) => {
    if (AtLeast === null || !used.has(s)) return []
    const short = [...plan.Blocks.keys()].filter((b) => (sitePlaces[s * blocks + b] ?? 0) < AtLeast)
    return short.length === 0
      ? []
      : [
          warns({
            Text: `${Name} takes at least ${AtLeast} students at a time, or none, and has fewer places in ${blockRange(short)}, so nobody is placed there then.`,
            Fix: 'siteAnswer',
            SiteIds: [Id],
          }),
        ]
  })
}

/** Sites and students whose location is unknown, if distance counts. */
const findUnknownPlaces = ({ plan, options }: IndexedPlan): Problem[] => {
  if ((plan.Rules.Weights ?? usualWeights).Distance === 0) return []
  const used = new Set(options.map(({ site }) => site))
  const sites = plan.Sites.filter(({ Latitude }, s) => used.has(s) && Latitude === null)
  const students = plan.Students.filter(({ Latitude }) => Latitude === null)
  const isOne = students.length === 1
  return [
    ...(sites.length === 0
      ? []
      : [
          warns({
            Text: `${namesOf(sites.map(({ Name }) => Name))} ${sites.length === 1 ? 'has' : 'have'} no known place, so distance does not count there. Give a ZIP code or coordinates.`,
            Fix: 'site',
            SiteIds: sites.map(({ Id }) => Id),
          }),
        ]),
    ...(students.length === 0
      ? []
      : [
          warns({
            Text: `${isOne ? students[0]?.Name : `${students.length} students`} ${isOne ? 'has' : 'have'} no known ZIP code, so distance does not count for them.`,
            Fix: 'schedule',
            StudentIds: students.map(({ Id }) => Id),
          }),
        ]),
  ]
}

/** Rotations that no shift of the plan is for, if there are several. */
const findRotationProblems = ({ plan, groupOf, options, rotationAt, blocks }: IndexedPlan): Problem[] => {
  if (plan.Rotations.length === 1) return []
  const used = new Set<number>()
  const anyOf = new Map(
    [...groupOf.entries()].map(([i, g]) => [
      `${g} ${plan.Students[i]?.LevelName} ${plan.Students[i]?.Cohort}`,
      i,
    ]),
  )
  for (const i of anyOf.values())
    for (let b = 0; b < blocks; b++) for (let o = 0; o < options.length; o++) used.add(rotationAt(i, b, o))
  return plan.Rotations.flatMap(({ Name }, r) =>
    used.has(r)
      ? []
      : [
          warns({
            Text: `No student of the plan serves ${Name}: another rotation comes first, or its dates, areas, levels or cohorts leave it out.`,
            Fix: 'rotation',
          }),
        ],
  )
}

/** Sites without an agreement in force, one line for all that lack it in the same blocks. */
const findAgreementProblems = ({
  plan,
  blocks,
  options,
  optionPlaces,
  faultsOf,
  groupOf,
}: IndexedPlan): Problem[] => {
  const lacking = new Map<number, Set<number>>()
  for (const [o, option] of options.entries())
    for (let b = 0; b < blocks; b++) {
      if ((optionPlaces[o * blocks + b] ?? 0) === 0) continue
      // Any student of a group that comes there reveals what is wrong with the site itself.
      const i = groupOf.findIndex((group) => group >= 0 && option.weekdays[group] != null)
      if (i >= 0 && [...faultsOf(i, b, o)].some(({ kind }) => kind === 'agreement'))
        lacking.set(option.site, (lacking.get(option.site) ?? new Set()).add(b))
    }
  const byBlocks = Map.groupBy(lacking, ([, at]) => blockRange([...at].toSorted((one, other) => one - other)))
  return [...byBlocks].map(([at, own]) => {
    const sites = own.flatMap(([s]) => plan.Sites[s] ?? [])
    const names = namesOf(sites.map(({ Name }) => Name))
    return warns({
      Text:
        sites.length === 1
          ? `${names} has no agreement in force in ${at}, so nobody is placed there. Renew it first.`
          : `${sites.length} sites have no agreement in force in ${at}, so nobody is placed there: ${names}. Renew them first.`,
      Fix: 'agreement',
      SiteIds: sites.map(({ Id }) => Id),
    })
  })
}

const findGroupProblems = (indexed: IndexedPlan): Problem[] => {
  const without = [...indexed.groupOf.keys()]
    .filter((i) => (indexed.groupOf[i] ?? -1) < 0)
    .map((i) => ({ i, key: indexed.plan.Students[i]?.LevelName ?? 'students without a level' }))
  return groupedBy(indexed, without, (who, count, { key }) => ({
    Text: `${who} ${count === 1 ? 'is' : 'are'} in no group of the plan. Add a group for ${key}.`,
    Fix: 'plan',
  })).map(stops)
}

const findNowhere = (indexed: IndexedPlan): Problem[] => {
  const { plan, groupOf } = indexed
  const nowhere = new Map<number, number[]>()
  for (const i of plan.Students.keys()) {
    if ((groupOf[i] ?? -1) < 0) continue
    const at = [...plan.Blocks.keys()].filter((b) => !hasSomewhere(indexed, i, b))
    if (at.length > 0) nowhere.set(i, at)
  }
  return causesOf(indexed, nowhere, ['has nowhere to go', 'have nowhere to go'])
}

/** Experiences that students cannot have as often as asked. */
const findNeedProblems = (indexed: IndexedPlan): Problem[] => {
  const { plan, blocks, options, allowed, needs } = indexed
  const width = options.length
  return needs.flatMap(({ name, has, least, weight }) => {
    const short: { i: number; key: string; needed: number; reach: number }[] = []
    for (const i of plan.Students.keys()) {
      const needed = least[i] ?? 0
      if (needed === 0) continue
      let reach = 0
      for (let b = 0; b < blocks; b++) {
        const row = allowed.subarray((i * blocks + b) * width, (i * blocks + b + 1) * width)
        if (row.some((is, o) => is === 1 && has[o] === 1)) reach++
      }
      if (needed > reach) short.push({ i, key: `${needed} ${reach}`, needed, reach })
    }
    return groupedBy(indexed, short, (who, count, { needed, reach }) => ({
      Text:
        reach === 0
          ? `${who} can be placed at no site with ${name}.`
          : `${who} ${count === 1 ? 'needs' : 'need'} ${needed} blocks of ${name} and can have ${reach}.`,
      Fix: 'plan',
    })).map(weight === null ? stops : warns)
  })
}

const findExperienceProblems = (indexed: IndexedPlan): Problem[] => {
  const { plan, blocks, options, optionPlaces, sitePlaces, needs } = indexed
  const problems: Problem[] = []
  for (const { name, has, least, weight } of needs) {
    const needed = least.reduce(
      (sum, each, i) => sum + ([...plan.Blocks.keys()].some((b) => hasSomewhere(indexed, i, b)) ? each : 0),
      0,
    )
    let places = 0
    for (let b = 0; b < blocks; b++)
      for (let s = 0; s < plan.Sites.length; s++) {
        const ofSite = options.reduce(
          (sum, option, o) =>
            sum + (option.site === s && has[o] === 1 ? (optionPlaces[o * blocks + b] ?? 0) : 0),
          0,
        )
        places += Math.min(ofSite, sitePlaces[s * blocks + b] ?? 0)
      }
    if (needed > places)
      problems.push(
        weight === null
          ? stops({
              Text: `${name} has ${places} places in all blocks, and ${needed} are needed: ${needed - places} short.`,
              Fix: 'siteShift',
            })
          : warns({
              Text: `${name} has ${places} places in all blocks, and ${needed} are wished: ${needed - places} short.`,
              Fix: 'siteShift',
            }),
      )
  }
  for (const group of plan.Rules.Groups) {
    const required = group.Experiences.filter(({ Weight }) => Weight === null)
    const sum = required.reduce((all, { Blocks }) => all + Blocks, 0)
    const isEach = required.every(({ Blocks }) => Blocks <= blocks)
    if (!isEach)
      problems.push(
        stops({
          Text: `${group.Name}: an experience asks for more blocks than the plan has (${blocks}).`,
          Fix: 'plan',
        }),
      )
    else if (sum > blocks)
      problems.push(
        warns({
          Text: `${group.Name}: experiences add up to ${sum} blocks of ${blocks}. It works only where one site gives several.`,
          Fix: 'plan',
        }),
      )
  }
  return problems
}

/** What in a plan can never work and why, one line per cause; then what may cost students something. */
export const findProblems = (indexed: IndexedPlan): Problem[] => {
  const { plan, options, blocks } = indexed
  if (plan.Students.length === 0) return [stops({ Text: 'The plan has no active students.', Fix: 'plan' })]
  if (options.length === 0)
    return [
      stops({
        Text: 'No shift runs on the weekdays and of the types that the groups allow. Add site shifts, or change the groups.',
        Fix: 'plan',
      }),
    ]
  const usable = usablePlaces(indexed)
  const counted = { ...indexed, sitePlaces: usable }
  const found = [
    ...findPlaceProblems(counted),
    ...findExperienceProblems(counted),
    ...findGroupProblems(indexed),
    ...findPinProblems(indexed),
    ...findEveningProblems(indexed),
    ...findNowhere(indexed),
    ...findNeedProblems(indexed),
    ...findLeastProblems(counted),
    ...findRotationProblems(indexed),
    ...findUnknownPlaces(indexed),
    ...findWarnings(indexed),
  ]
  // Already listed if it leaves students nowhere to go.
  const said = new Set(found.filter(({ Fix }) => Fix === 'agreement').flatMap(({ SiteIds }) => SiteIds))
  found.push(...findAgreementProblems(indexed).filter(({ SiteIds }) => SiteIds.some((id) => !said.has(id))))
  const named = new Set(found.flatMap(({ SiteIds }) => SiteIds))
  found.push(...findClosedSites(indexed, usable, named))
  const sites = reachedSites(plan.Sites.length, reachOf(indexed, indexed)).length
  if (plan.Template === 'wheel' && blocks < sites)
    found.push(
      warns({
        Text: `There are ${sites} sites within reach and ${blocks} blocks: in this plan, each student goes to ${blocks} different ones.`,
        Fix: 'plan',
      }),
    )
  return found
    .toSorted((one, other) => Number(one.Kind === 'warns') - Number(other.Kind === 'warns'))
    .slice(0, most)
}
