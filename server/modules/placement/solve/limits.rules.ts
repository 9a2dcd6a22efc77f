import { isEvening } from '#contract/placement/plan-rules.ts'
import type { IndexedPlan } from '../plan/indexed-plan.rules.ts'
import type { PlanOption } from '../plan/plan.rules.ts'
import type { Limits } from './instance.solver.ts'

/** A rule of the plan that a limit comes from. */
export interface LimitPart {
  rule: 'experience' | 'mostOfExperience' | 'mostPerSite' | 'fewestPerSite' | 'evenings'
  least?: Int16Array
  most?: Int16Array
}

/** Limits with the name that people know them by. */
export interface NamedLimits extends Limits {
  name: string
  parts: readonly LimitPart[]
}

/** At the same weight, a block too few or too many costs as much as one step of rank. */
const softUnit = 10

const has = (options: readonly PlanOption[], test: (option: PlanOption) => boolean): Uint8Array =>
  Uint8Array.from(options, (option) => (test(option) ? 1 : 0))

/** The sites that a student can be at in any block: [i × sites + s]. */
const reachOf = ({ plan, blocks, options, allowed }: IndexedPlan): Uint8Array => {
  const sites = plan.Sites.length
  const reaches = new Uint8Array(plan.Students.length * sites)
  const width = options.length
  const siteOf = Int32Array.from(options, ({ site }) => site)
  for (let i = 0; i < plan.Students.length; i++)
    for (let b = 0; b < blocks; b++)
      for (let o = 0; o < width; o++)
        if (allowed[(i * blocks + b) * width + o] === 1) reaches[i * sites + (siteOf[o] ?? 0)] = 1
  return reaches
}

/** Limits of blocks per site, as each student's group asks. */
const siteLimitsOf = (indexed: IndexedPlan, sitePlaces: Int32Array): NamedLimits[] => {
  const { plan, blocks, options, groupOf } = indexed
  const count = plan.Students.length
  const sites = plan.Sites.length
  const reaches = reachOf(indexed)
  return plan.Sites.flatMap((site, s) => {
    if (sitePlaces.subarray(s * blocks, (s + 1) * blocks).every((places) => places === 0)) return []
    const most = new Int16Array(count).fill(blocks)
    const least = new Int16Array(count)
    for (let i = 0; i < count; i++) {
      const group = plan.Rules.Groups[groupOf[i] ?? -1]
      if (!group) continue
      if (group.MostBlocksPerSite !== null) most[i] = Math.min(blocks, group.MostBlocksPerSite)
      if (group.FewestBlocksPerSite !== null && reaches[i * sites + s] === 1)
        least[i] = group.FewestBlocksPerSite
    }
    const isBound = least.some((each) => each > 0) || most.some((each) => each < blocks)
    const parts = [
      { rule: 'mostPerSite' as const, most },
      { rule: 'fewestPerSite' as const, least },
    ]
    return isBound
      ? [{ name: site.Name, has: has(options, (option) => option.site === s), least, most, parts }]
      : []
  })
}

const eveningLimits = ({ plan, blocks, options }: IndexedPlan, percent: number): NamedLimits => {
  const count = plan.Students.length
  const most = new Int16Array(count).fill(Math.floor((blocks * percent) / 100))
  return {
    name: 'evenings and weekends',
    has: has(options, ({ type }) => isEvening(type)),
    least: new Int16Array(count),
    most,
    parts: [{ rule: 'evenings', most }],
  }
}

/** The limits from a plan's rules and wishes, without those of the wheel. */
export const limitsOf = (indexed: IndexedPlan, sitePlaces: Int32Array): NamedLimits[] => {
  const { plan, needs } = indexed
  const { MostEveningPercent } = plan.Rules
  return [
    ...needs.map(({ name, has: of, least, most, weight }) => ({
      name,
      has: of,
      least,
      most,
      ...(weight !== null && { softCost: weight * softUnit }),
      parts: [
        { rule: 'experience' as const, least },
        { rule: 'mostOfExperience' as const, most },
      ],
    })),
    ...siteLimitsOf(indexed, sitePlaces),
    ...(MostEveningPercent === null ? [] : [eveningLimits(indexed, MostEveningPercent)]),
  ]
}
