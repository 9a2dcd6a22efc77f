import { isEvening } from '#contract/placement/plan-rules.ts'
import type { Model } from '../plan/indexed-plan.rules.ts'
import type { PlanOption } from '../plan/plan.rules.ts'
import type { Limits } from './instance.solver.ts'

/** A rule of the plan that a limit comes from. */
export interface LimitPart {
  rule: 'experience' | 'mostOfExperience' | 'mostPerSite' | 'fewestPerSite' | 'evenings'
  least?: Int16Array
  most?: Int16Array
}

/** Limits of students with a name that people know. */
export interface NamedLimits extends Limits {
  name: string
  parts: readonly LimitPart[]
}

/** A block too few or too many at a weight of 60 is as dear as one step of rank at 60. */
const softUnit = 10

const has = (options: readonly PlanOption[], test: (option: PlanOption) => boolean): Uint8Array =>
  Uint8Array.from(options, (option) => (test(option) ? 1 : 0))

/** The sites that a student can be at in any block: [i × sites + s]. */
const reachOf = ({ facts, blocks, options, allowed }: Model): Uint8Array => {
  const sites = facts.Sites.length
  const reaches = new Uint8Array(facts.Students.length * sites)
  const width = options.length
  const siteOf = Int32Array.from(options, ({ site }) => site)
  for (let i = 0; i < facts.Students.length; i++)
    for (let b = 0; b < blocks; b++)
      for (let o = 0; o < width; o++)
        if (allowed[(i * blocks + b) * width + o] === 1) reaches[i * sites + (siteOf[o] ?? 0)] = 1
  return reaches
}

/** How many blocks each student has at each site: what her group asks for. */
const siteLimitsOf = (model: Model, sitePlaces: Int32Array): NamedLimits[] => {
  const { facts, blocks, options, groupOf } = model
  const count = facts.Students.length
  const sites = facts.Sites.length
  const reaches = reachOf(model)
  return facts.Sites.flatMap((site, s) => {
    if (sitePlaces.subarray(s * blocks, (s + 1) * blocks).every((places) => places === 0)) return []
    const most = new Int16Array(count).fill(blocks)
    const least = new Int16Array(count)
    for (let i = 0; i < count; i++) {
      const group = facts.Rules.Groups[groupOf[i] ?? -1]
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

const eveningLimits = ({ facts, blocks, options }: Model, percent: number): NamedLimits => {
  const count = facts.Students.length
  const most = new Int16Array(count).fill(Math.floor((blocks * percent) / 100))
  return {
    name: 'evenings and weekends',
    has: has(options, ({ type }) => isEvening(type)),
    least: new Int16Array(count),
    most,
    parts: [{ rule: 'evenings', most }],
  }
}

/** What the rules and wishes of a plan ask, without the wheel. */
export const limitsOf = (model: Model, sitePlaces: Int32Array): NamedLimits[] => {
  const { facts, needs } = model
  const { MostEveningPercent } = facts.Rules
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
    ...siteLimitsOf(model, sitePlaces),
    ...(MostEveningPercent === null ? [] : [eveningLimits(model, MostEveningPercent)]),
  ]
}
