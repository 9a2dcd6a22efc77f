import { givesExperience, groupAt, patternsOf } from '#contract/placement/plan-rules.ts'
import { dayKey, sharedKey } from '#contract/scheduling/scheduling-rules.ts'
import { agreedOn } from './agreed-places.rules.ts'
import { datesOf, type Fault, isWithin, StudentFaults } from './faults.rules.ts'
import type { Plan, PlanOption } from './plan.rules.ts'
import { rotationOf, rotationsAt } from './rotations.rules.ts'

/** An experience of a group: how many blocks each of its students is to have at some of the options. */
export interface Need {
  name: string
  /** By option. */
  has: Uint8Array
  /** By student. */
  least: Int16Array
  most: Int16Array
  /** What one block too few or too many weighs, if this is a wish. */
  weight: number | null
}

/** A plan by position: students i, blocks b, options o and sites s. */
export interface IndexedPlan {
  plan: Plan
  blocks: number
  options: readonly PlanOption[]
  /** The group of each student; -1 for none. */
  groupOf: Int16Array
  /** [o × blocks + b], and [s × blocks + b]. */
  optionPlaces: Int32Array
  sitePlaces: Int32Array
  /** [(i × blocks + b) × options + o] */
  allowed: Uint8Array
  /** The option that was accepted, or -1: [i × blocks + b]. */
  fixed: Int16Array
  needs: readonly Need[]
  /** Which of the plan's rotations a student serves on an option in a block, by its position; -1 for none. */
  rotationAt: (i: number, b: number, o: number) => number
  /** Why a student cannot be on an option in a block. */
  faultOf: (i: number, b: number, o: number) => string | undefined
  /** All reasons, the plainest first. */
  faultsOf: (i: number, b: number, o: number) => Iterable<Fault>
  /** What the program only warns about where a student is on an option in a block. */
  warningsOf: (i: number, b: number, o: number) => Iterable<Fault>
  /** Whether a student's group alone decides where they can be. */
  isPlain: (i: number) => boolean
  /** The most students that a site takes by its answer, its agreement and what is reserved, [s × blocks + b]; `noLimit` if only its shifts limit it. */
  siteMost: Int32Array
  /** Where students of other programs leave a shared site fewer places than it would have, [s × blocks + b]. */
  isElsewhere: Uint8Array
}

/** More places than any plan has students. */
export const noLimit = 30_000

/** The group of each student: the one that names their level, or the one that names none. */
const groupsOf = ({ Students, Rules: { Groups } }: Plan): Int16Array =>
  Int16Array.from(Students, ({ StudentLevelId }) => groupAt(Groups, StudentLevelId))

/** Whether experiences of a plan ask for its rotations. */
const asksForRotations = ({ Rotations, Rules: { Groups } }: Plan): boolean =>
  Rotations.length > 1 &&
  Groups.some(({ Experiences }) => Experiences.some(({ RotationIds }) => RotationIds.length > 0))

/**
 * An option split by the rotations it is for, each part with its blocks; parts never share a place, since no two are in the same block.
 * Not split unless an experience asks for rotations.
 */
const byRotations = (plan: Plan, option: PlanOption): PlanOption[] => {
  const keys = plan.Blocks.map((_, b) => {
    const dates = option.weekdays.flatMap((__, group) => datesOf(plan, option, group, b)).toSorted()
    const [first] = dates
    const last = dates.at(-1)
    return first && last ? rotationsAt(plan, option.areaId, first, last) : []
  })
  return [...Map.groupBy(keys.keys(), (b) => keys[b]?.join() ?? '').values()].map((own) => ({
    ...option,
    blocks: keys.map((_, b) => own.includes(b)),
    rotations: keys[own[0] ?? 0] ?? [],
  }))
}

/** Patterns of one shift that share a weekday share its places, so they are one option. */
const optionsOf = (plan: Plan): PlanOption[] => {
  const isByRotations = asksForRotations(plan)
  const { Groups, SiteIds } = plan.Rules
  const siteIndex = new Map(plan.Sites.map(({ Id }, index) => [Id, index]))
  const chosen = new Set(SiteIds)
  const options: PlanOption[] = []
  for (const shift of plan.Shifts) {
    const site = siteIndex.get(shift.SiteId)
    if (site === undefined || (chosen.size > 0 && !chosen.has(shift.SiteId))) continue
    const parts: { days: Set<number>; weekdays: (number[] | null)[] }[] = []
    for (const [index, group] of Groups.entries()) {
      if (group.Types.length > 0 && !group.Types.includes(shift.Type)) continue
      for (const pattern of patternsOf(group, shift.Weekdays)) {
        const touching = parts.filter(({ days }) => pattern.some((day) => days.has(day)))
        const part = touching[0] ?? { days: new Set<number>(), weekdays: Groups.map(() => null) }
        if (touching.length === 0) parts.push(part)
        for (const other of touching.slice(1)) {
          for (const day of other.days) part.days.add(day)
          part.weekdays = part.weekdays.map((days, at) => days ?? other.weekdays[at] ?? null)
          parts.splice(parts.indexOf(other), 1)
        }
        for (const day of pattern) part.days.add(day)
        part.weekdays[index] ??= pattern
      }
    }
    for (const { weekdays } of parts) {
      const option = {
        SiteShiftId: shift.Id,
        SiteId: shift.SiteId,
        site,
        code: shift.Code,
        type: shift.Type,
        areaId: plan.Sites[site]?.AreaId ?? null,
        weekdays,
      }
      options.push(...(isByRotations ? byRotations(plan, option) : [option]))
    }
  }
  return options
}

/** The days of an option in a block, for any group. */
export const daysOfOption = (plan: Plan, option: PlanOption, b: number): Set<string> =>
  new Set(
    option.blocks && option.blocks[b] !== true
      ? []
      : option.weekdays.flatMap((_, group) => datesOf(plan, option, group, b)),
  )

/**
 * Whether the shifts of a site have no day in common in a block. Then each counts on its own days where places of the site are shared;
 * otherwise all students of the site count on all of its days.
 */
export const areApart = (days: readonly ReadonlySet<string>[]): boolean => {
  const some = days.filter(({ size }) => size > 0)
  return (
    some.length > 1 &&
    new Set(some.flatMap((each) => [...each])).size === some.reduce((sum, { size }) => sum + size, 0)
  )
}

const places = (plan: Plan, options: readonly PlanOption[]) => {
  const blocks = plan.Blocks.length
  const optionPlaces = new Int32Array(options.length * blocks)
  const sitePlaces = new Int32Array(plan.Sites.length * blocks)
  const siteMost = new Int32Array(plan.Sites.length * blocks).fill(noLimit)
  const isElsewhere = new Uint8Array(plan.Sites.length * blocks)
  const optionDates: Set<string>[] = []
  const shifts = new Map(plan.Shifts.map((shift) => [shift.Id, shift]))
  /** Students placed by others at a site, by day. */
  const others = new Map<string, number>()
  const siteOfShift = new Map(plan.Shifts.map(({ Id, SiteId }) => [Id, SiteId]))
  for (const [key, { Placed }] of plan.Taken) {
    const [shiftId, date] = key.split(' ')
    const at = `${siteOfShift.get(Number(shiftId))} ${date}`
    others.set(at, (others.get(at) ?? 0) + Placed)
  }
  for (const [o, option] of options.entries()) {
    const shift = shifts.get(option.SiteShiftId)
    const site = plan.Sites[option.site]
    if (!shift || !site) continue
    for (let b = 0; b < blocks; b++) {
      const dates = daysOfOption(plan, option, b)
      optionDates[o * blocks + b] = dates
      let least = dates.size === 0 ? 0 : Number.POSITIVE_INFINITY
      for (const date of dates) {
        const day = plan.Taken.get(dayKey(shift.Id, date))
        const capacity = Math.min(
          day?.Capacity ?? shift.Capacity,
          site.Technologists ?? Number.POSITIVE_INFINITY,
        )
        least = Math.min(least, capacity - (day?.Placed ?? 0))
      }
      optionPlaces[o * blocks + b] = Math.max(0, Math.min(least, noLimit))
    }
  }
  /** The fewest places left at a shared site on these days; undefined if it is not shared. */
  const sharedOn = (siteId: number, dates: ReadonlySet<string>) => {
    let left: { places: number; isElsewhere: boolean } | undefined
    for (const date of dates) {
      const key = sharedKey(siteId, date)
      const free = plan.Shared.get(key)
      if (free !== undefined && free < (left?.places ?? Number.POSITIVE_INFINITY))
        left = { places: free, isElsewhere: plan.Elsewhere.has(key) }
    }
    return left
  }
  const agreedOf = Map.groupBy(plan.Agreed, ({ SiteId }) => SiteId)
  for (const [s, site] of plan.Sites.entries()) {
    const ofSite = [...options.keys()].filter((o) => options[o]?.site === s)
    for (let b = 0; b < blocks; b++) {
      const at = plan.Blocks[b]
      const inForce = at
        ? site.Agreements.filter(({ InitialDate, TerminationDate }) =>
            isWithin(at.StartDate, InitialDate, TerminationDate),
          )
        : []
      const agreed =
        inForce.length > 0 && inForce.every(({ Capacity }) => Capacity !== null)
          ? Math.max(...inForce.map(({ Capacity }) => Capacity ?? 0))
          : Number.POSITIVE_INFINITY
      const most = Math.min(
        site.Takes ?? Number.POSITIVE_INFINITY,
        agreed,
        site.Capacity ?? Number.POSITIVE_INFINITY,
      )
      const ownDates = ofSite.map((o) => optionDates[o * blocks + b] ?? new Set<string>())
      const dates = new Set(ownDates.flatMap((own) => [...own]))
      const isApart = areApart(ownDates)
      for (const [index, o] of isApart ? ofSite.entries() : []) {
        const left = sharedOn(site.Id, ownDates[index] ?? new Set())
        if (!left || left.places >= (optionPlaces[o * blocks + b] ?? 0)) continue
        optionPlaces[o * blocks + b] = Math.max(0, left.places)
        if (left.isElsewhere) isElsewhere[s * blocks + b] = 1
      }
      const scheduled = ofSite.reduce((sum, o) => sum + (optionPlaces[o * blocks + b] ?? 0), 0)
      let takes = most
      for (const date of dates) {
        const atMost = Math.min(most, agreedOn(agreedOf.get(site.Id) ?? [], site.Id, date) ?? most)
        takes = Math.min(takes, atMost - (others.get(`${site.Id} ${date}`) ?? 0))
      }
      const shared = isApart ? undefined : sharedOn(site.Id, dates)
      if (shared && shared.places < takes) {
        if (shared.isElsewhere && shared.places < scheduled) isElsewhere[s * blocks + b] = 1
        takes = shared.places
      }
      const left = Math.min(scheduled, takes)
      sitePlaces[s * blocks + b] = Math.max(0, left - site.Reserved)
      const said = site.Reserved > 0 ? left : takes
      if (said < Number.POSITIVE_INFINITY) siteMost[s * blocks + b] = Math.max(0, said - site.Reserved)
    }
  }
  return { optionPlaces, sitePlaces, siteMost, isElsewhere }
}

/** The shifts of a plan with their weekdays, and how many places they and their sites have in each block. */
export const placesOfPlan = (plan: Plan) => {
  const options = optionsOf(plan)
  return { options, ...places(plan, options) }
}

/** A key for which of the plan's rotations take a student; the same for all if the experience asks for none. */
const takenKey = (plan: Plan, i: number, isByRotations: boolean): string => {
  const student = plan.Students[i]
  return isByRotations && student ? plan.Rotations.map((_, r) => rotationOf(plan, student, [r])).join() : ''
}

const needsOf = (plan: Plan, options: readonly PlanOption[], groupOf: Int16Array): Need[] =>
  plan.Rules.Groups.flatMap((group, g) =>
    group.Experiences.flatMap((experience) => {
      const isByRotations = experience.RotationIds.length > 0 && plan.Rotations.length > 1
      const members = [...groupOf.keys()].filter((i) => groupOf[i] === g)
      return [...Map.groupBy(members, (i) => takenKey(plan, i, isByRotations)).values()].map((own) => {
        const isOwn = new Set(own)
        const [first] = own
        const student = plan.Students[first ?? -1]
        const rotation = (option: PlanOption) =>
          plan.Rotations[isByRotations && student ? rotationOf(plan, student, option.rotations ?? []) : -1]
        return {
          name: experience.Name,
          weight: experience.Weight,
          has: Uint8Array.from(options, (option) =>
            givesExperience(experience, {
              SiteId: option.SiteId,
              AreaId: option.areaId,
              Type: option.type,
              RotationId: isByRotations ? (rotation(option)?.Id ?? 0) : undefined,
            })
              ? 1
              : 0,
          ),
          least: Int16Array.from(groupOf, (_, i) => (isOwn.has(i) ? experience.Blocks : 0)),
          most: Int16Array.from(groupOf, (_, i) =>
            isOwn.has(i) ? (experience.MostBlocks ?? plan.Blocks.length) : plan.Blocks.length,
          ),
        }
      })
    }),
  )

/** A plan by position, with the places of its shifts and sites and who may be where. */
export const indexPlan = (plan: Plan): IndexedPlan => {
  const blocks = plan.Blocks.length
  const groupOf = groupsOf(plan)
  const options = optionsOf(plan)
  const faults = new StudentFaults(plan, options, groupOf)
  const { optionPlaces, sitePlaces, siteMost, isElsewhere } = places(plan, options)
  const count = plan.Students.length
  const width = options.length
  const allowed = new Uint8Array(count * blocks * width)
  const fixed = new Int16Array(count * blocks).fill(-1)
  const indexOf = new Map(plan.Students.map(({ Id }, i) => [Id, i]))
  for (const { StudentId, Block: block, SiteShiftId } of plan.Accepted) {
    const i = indexOf.get(StudentId)
    if (i === undefined || block >= blocks) continue
    const o = options.findIndex(
      (option) =>
        option.SiteShiftId === SiteShiftId &&
        option.weekdays[groupOf[i] ?? -1] &&
        option.blocks?.[block] !== false,
    )
    if (o >= 0) fixed[i * blocks + block] = o
  }
  // Students of a group with nothing of their own share a row.
  const plainRows = new Map<number, number>()
  for (let i = 0; i < count; i++) {
    const isPlain = faults.isPlain(i)
    for (const b of plan.Blocks.keys()) {
      const at = i * blocks + b
      const isFree = (fixed[at] ?? -1) < 0
      const key = (groupOf[i] ?? -1) * blocks + b
      const same = isPlain && isFree ? plainRows.get(key) : undefined
      if (same !== undefined) {
        allowed.copyWithin(at * width, same * width, (same + 1) * width)
        continue
      }
      for (let o = 0; o < width; o++)
        if (isFree ? faults.find(i, b, o) === undefined : fixed[at] === o) allowed[at * width + o] = 1
      if (isPlain && isFree) plainRows.set(key, at)
    }
  }
  return {
    plan,
    blocks,
    options,
    groupOf,
    optionPlaces,
    sitePlaces,
    allowed,
    fixed,
    needs: needsOf(plan, options, groupOf),
    rotationAt: (i, b, o) => faults.rotationAt(i, b, o),
    faultOf: (i, b, o) => faults.find(i, b, o),
    faultsOf: (i, b, o) => faults.each(i, b, o),
    warningsOf: (i, b, o) => faults.warnings(i, b, o),
    isPlain: (i) => faults.isPlain(i),
    siteMost,
    isElsewhere,
  }
}
