import type { Conflict } from '#contract/placement/conflicts.ts'
import { daysOfBlock } from '#contract/placement/plan-rules.ts'
import { blockRange } from '../plan/block-text.rules.ts'
import { datesOf, type Fault } from '../plan/faults.rules.ts'
import { type IndexedPlan, noLimit } from '../plan/indexed-plan.rules.ts'
import type { PlanOption } from '../plan/plan.rules.ts'
import { countIn, type Solution } from './instance.solver.ts'
import type { LimitPart } from './limits.rules.ts'
import type { Highs } from './linear.solver.ts'
import type { PlanInstance } from './plan-instance.rules.ts'
import { type RuleSum, type RuleSystem, relaxFewest } from './relaxation.solver.ts'

/** Up to this many columns the smallest set is searched student by student; up to the second number, students who are alike count as one. */
const exactColumns = 1_500
const mostColumns = 8_000

type ConflictRule = Conflict['Rules'][number]

/** By how much a rule is exceeded at most, and in which blocks. */
interface Passed {
  by: number
  blocks: readonly number[]
}

interface Rule extends Omit<ConflictRule, 'Text'> {
  text: (passed: Passed) => string
}

const blockCount = (count: number): string => (count === 1 ? '1 block' : `${count} blocks`)
const placeCount = (count: number): string => (count === 1 ? '1 more place' : `${count} more places`)

/** The rules of a plan as people read them, by key. */
class Rules {
  readonly list: Rule[] = []
  private readonly known = new Map<string, number>()
  private readonly indexed: IndexedPlan

  constructor(indexed: IndexedPlan) {
    this.indexed = indexed
  }

  of(
    key: string,
    make: () => Partial<Omit<Rule, 'text'>> & { Kind: Rule['Kind']; text: Rule['text'] },
  ): number {
    const before = this.known.get(key)
    if (before !== undefined) return before
    this.known.set(key, this.list.length)
    this.list.push({ StudentId: null, SiteId: null, ...make() })
    return this.list.length - 1
  }

  ofShift(o: number): number {
    const { plan, options } = this.indexed
    const option = options[o] as PlanOption
    const site = plan.Sites[option.site]
    const shift = plan.Shifts.find(({ Id }) => Id === option.SiteShiftId)
    const isStaff = site?.Technologists != null && site.Technologists < (shift?.Capacity ?? 0)
    return this.of(`places ${option.SiteShiftId}`, () => ({
      Kind: isStaff ? 'siteAnswer' : 'siteShift',
      SiteId: option.SiteId,
      text: ({ by, blocks }) =>
        isStaff
          ? `${site?.Name}, ${option.code}: technologists for ${placeCount(by)} in ${blockRange(blocks)}`
          : `${site?.Name}, ${option.code}: ${placeCount(by)} in ${blockRange(blocks)}`,
    }))
  }

  ofSite(s: number, b: number): number {
    const { plan } = this.indexed
    const site = plan.Sites[s]
    const agreed = site?.Agreements.some(({ Capacity }) => Capacity !== null) ?? false
    const isAnswer = site?.Takes != null || (site?.Reserved ?? 0) > 0
    return this.of(`site ${s}`, () => ({
      Kind: isAnswer ? 'siteAnswer' : agreed ? 'agreement' : 'site',
      SiteId: site?.Id ?? null,
      text: ({ by, blocks }) =>
        `${site?.Name}: takes ${by} more at a time in ${blockRange(blocks.length > 0 ? blocks : [b])}`,
    }))
  }

  ofLeast(s: number): number {
    const site = this.indexed.plan.Sites[s]
    return this.of(`least ${s}`, () => ({
      Kind: 'siteAnswer',
      SiteId: site?.Id ?? null,
      text: ({ by, blocks }) => `${site?.Name}: takes ${by} fewer at a time as well in ${blockRange(blocks)}`,
    }))
  }

  ofLimit(part: LimitPart, name: string, i: number): number {
    const { plan, groupOf } = this.indexed
    const g = groupOf[i] ?? -1
    const group = plan.Rules.Groups[g]
    const inPlan = (text: Rule['text']) => () => ({ Kind: 'plan' as const, text })
    switch (part.rule) {
      case 'experience':
        return this.of(
          `experience ${g} ${name}`,
          inPlan(({ by }) => `${group?.Name}: ask for ${blockCount(by)} less of ${name}`),
        )
      case 'mostOfExperience':
        return this.of(
          `mostOf ${g} ${name}`,
          inPlan(({ by }) => `${group?.Name}: allow ${blockCount(by)} more of ${name}`),
        )
      case 'mostPerSite':
        return this.of(
          `most ${g}`,
          inPlan(
            ({ by }) =>
              `${group?.Name}: allow ${blockCount((group?.MostBlocksPerSite ?? 0) + by)} at one site`,
          ),
        )
      case 'fewestPerSite':
        return this.of(
          `fewest ${g}`,
          inPlan(({ by }) => `${group?.Name}: ask for ${blockCount(by)} less at each site`),
        )
      case 'evenings':
        return this.of(
          'evenings',
          inPlan(
            ({ by }) =>
              `Evenings and weekends: allow ${blockCount(by)} more than ${plan.Rules.MostEveningPercent} %`,
          ),
        )
    }
  }

  ofLock(i: number, b: number): number {
    const student = this.indexed.plan.Students[i]
    return this.of(`lock ${i} ${b}`, () => ({
      Kind: 'lock',
      StudentId: student?.Id ?? null,
      text: () => `${student?.Name}: unlock block ${b + 1}`,
    }))
  }

  private rotations(): string {
    return this.indexed.plan.Rotations.map(({ Name }) => Name).join(' or ')
  }

  /** The rule behind a fault; undefined if nothing in the product can lift it. */
  ofFault({ kind, text }: Fault, i: number, b: number, o: number): number | undefined {
    const { plan, options, groupOf } = this.indexed
    const option = options[o] as PlanOption
    const site = plan.Sites[option.site]
    const student = plan.Students[i]
    const ofStudent = (Kind: Rule['Kind'], what: string) => () => ({
      Kind,
      StudentId: student?.Id ?? null,
      text: () => `${student?.Name}: ${what}`,
    })
    const g = groupOf[i] ?? -1
    switch (kind) {
      case 'noGroup':
      case 'otherRotation':
        return undefined
      case 'rotationArea':
        return this.of(`area ${option.areaId}`, () => ({
          Kind: 'rotation',
          SiteId: option.SiteId,
          text: () => `${this.rotations()}: add the area of ${site?.Name}`,
        }))
      case 'noDay': {
        const at = plan.Blocks[b]
        const weekdays = option.weekdays[g]
        if (!at || !weekdays || daysOfBlock(at, weekdays).length === 0) return undefined
        return this.of('daysOff', () => ({
          Kind: 'program',
          text: () => 'Days off: let students work on some',
        }))
      }
      case 'weekdays':
        return this.of(`weekdays ${g}`, () => ({
          Kind: 'plan',
          text: () => `${plan.Rules.Groups[g]?.Name}: allow more weekdays or types of shifts`,
        }))
      case 'excluded':
        return this.of(
          `excluded ${i} ${option.site}`,
          ofStudent('planStudent', `lift the exclusion from ${site?.Name}`),
        )
      case 'pinned':
        return this.of(`pinned ${i} ${b}`, ofStudent('planStudent', `remove the pin in block ${b + 1}`))
      case 'shiftDates':
        return this.of(`dates ${option.SiteShiftId}`, () => ({
          Kind: 'siteShift',
          SiteId: option.SiteId,
          text: () => `${site?.Name}, ${option.code} ${text}: let it run longer`,
        }))
      case 'agreement':
        return this.of(`agreement ${option.site}`, () => ({
          Kind: 'agreement',
          SiteId: option.SiteId,
          text: () => `${site?.Name} ${text}: renew it`,
        }))
      case 'rotationDates':
        return this.of(kind, () => ({
          Kind: 'rotation',
          text: () =>
            `${this.rotations()}: let ${plan.Rotations.length > 1 ? 'them' : 'it'} last as long as the plan`,
        }))
      case 'level':
        return this.of(`level ${student?.StudentLevelId} ${student?.Cohort}`, () => ({
          Kind: 'rotation',
          text: () =>
            `${this.rotations()}: take ${[student?.LevelName, student?.Cohort].filter(Boolean).join(', ')}`,
        }))
      case 'programDates':
        return this.of(kind, () => ({
          Kind: 'program',
          text: () => 'The program’s dates: cover the whole plan',
        }))
      case 'hoursPerDay':
        return this.of(kind, () => ({
          Kind: 'program',
          text: () => `Allow more than ${plan.Options.MostHoursPerDay} hours a day`,
        }))
      case 'hoursPerWeek':
        return this.of(kind, () => ({
          Kind: 'program',
          text: () => `Allow more than ${plan.Options.MostHoursPerWeek} hours a week`,
        }))
      case 'requirement':
        return this.of(`requirement ${i}`, ofStudent('requirements', text))
      case 'overlap':
        return this.of(`overlap ${i} ${b}`, ofStudent('schedule', `move the other shift (${text})`))
    }
  }
}

/** Students who are alike in everything that rules ask: the first of them, and their number. */
const classesOf = ({ indexed, instance }: Asked, isExact: boolean): { of: number; size: number }[] => {
  const { blocks, options, groupOf } = indexed
  const width = blocks * options.length
  const classes = new Map<string, { of: number; size: number }>()
  for (let i = 0; i < instance.students; i++) {
    if ((groupOf[i] ?? -1) < 0) continue
    const limits = instance.categories.map(({ least, most }) => `${least[i]}-${most[i]}`).join(' ')
    const row = Buffer.from(instance.allowed.subarray(i * width, (i + 1) * width)).toString('latin1')
    const fixed = instance.fixed.subarray(i * blocks, (i + 1) * blocks).join()
    const key = isExact ? String(i) : `${groupOf[i]} ${fixed} ${limits} ${row}`
    const known = classes.get(key)
    if (known) known.size++
    else classes.set(key, { of: i, size: 1 })
  }
  return [...classes.values()]
}

/** Whom a change affects: only a site, one student, a group, or the whole program. */
const reaches: Record<ConflictRule['Kind'], number> = {
  siteShift: 0,
  siteAnswer: 0,
  site: 0,
  agreement: 0,
  lock: 1,
  planStudent: 1,
  requirements: 1,
  schedule: 1,
  plan: 2,
  rotation: 2,
  program: 3,
}

interface Asked {
  indexed: IndexedPlan
  instance: PlanInstance
}

/** The rules of a plan over classes of students. */
const systemOf = ({ indexed, instance }: Asked, classes: readonly { of: number; size: number }[]) => {
  const { blocks, options, siteMost, plan } = indexed
  const width = options.length
  const rules = new Rules(indexed)
  const sums: RuleSum[] = []
  const blockOf: number[][] = []
  const add = (sum: RuleSum, at: number[]) => {
    sums.push(sum)
    blockOf.push(at)
  }
  const everyone = classes.map((_, c) => c)
  const cellsAt = (at: readonly number[], b: number) =>
    everyone.flatMap((c) => at.map((o) => ({ i: c, b, o })))
  // Days off take all days of a block, not its places.
  const placesAt = (o: number, b: number): number =>
    options[o]?.weekdays.every((_, g) => datesOf(plan, options[o] as PlanOption, g, b).length === 0)
      ? (plan.Shifts.find(({ Id }) => Id === options[o]?.SiteShiftId)?.Capacity ?? 0)
      : (instance.optionPlaces[o * blocks + b] ?? 0)
  for (let b = 0; b < blocks; b++) {
    for (let o = 0; o < width; o++)
      add(
        {
          rule: rules.ofShift(o),
          least: 0,
          most: placesAt(o, b),
          cells: cellsAt([o], b),
        },
        [b],
      )
    for (let s = 0; s < plan.Sites.length; s++) {
      const at = s * blocks + b
      const here = [...options.keys()].filter((o) => options[o]?.site === s)
      const most = siteMost[at] ?? noLimit
      const least = instance.siteLeast[at] ?? 0
      if (least > 1)
        add({ rule: rules.ofLeast(s), least, most: noLimit, isOrNone: true, cells: cellsAt(here, b) }, [b])
      if (here.length === 0 || most >= noLimit) continue
      const more = (instance.sitePlaces[at] ?? 0) - (indexed.sitePlaces[at] ?? 0)
      add({ rule: rules.ofSite(s, b), least: 0, most: Math.max(0, most + more), cells: cellsAt(here, b) }, [
        b,
      ])
    }
  }
  for (const limits of instance.categories) {
    // A wish bars nobody from a place.
    if (limits.softCost !== undefined) continue
    const here = [...options.keys()].filter((o) => limits.has[o] === 1)
    for (const part of limits.parts)
      for (const [c, { of: i, size }] of classes.entries()) {
        const least = part.least?.[i] ?? 0
        const given = countIn(instance, limits, instance.fixed, i)
        const most = Math.max(part.most?.[i] ?? blocks, given)
        if (least <= 0 && most >= blocks) continue
        const cells = plan.Blocks.flatMap((_, b) => here.map((o) => ({ i: c, b, o })))
        add({ rule: rules.ofLimit(part, limits.name, i), least: least * size, most: most * size, cells }, [])
      }
  }
  // An accepted place stays; a locked one can be unlocked.
  const barsAt = (c: number, b: number, o: number): number[] | undefined => {
    const i = classes[c]?.of ?? 0
    const accepted = indexed.fixed[i * blocks + b] ?? -1
    if (accepted >= 0) return accepted === o ? [] : undefined
    const locked = instance.fixed[i * blocks + b] ?? -1
    const bars = locked >= 0 && locked !== o ? [rules.ofLock(i, b)] : []
    if (indexed.allowed[(i * blocks + b) * width + o] === 1) return bars
    for (const fault of indexed.faultsOf(i, b, o)) {
      const rule = rules.ofFault(fault, i, b, o)
      if (rule === undefined) return undefined
      if (!bars.includes(rule)) bars.push(rule)
    }
    return bars
  }
  const bars = new Map<number, readonly number[] | undefined>()
  for (const c of everyone)
    for (let b = 0; b < blocks; b++)
      for (let o = 0; o < width; o++) bars.set((c * blocks + b) * width + o, barsAt(c, b, o))
  const system: RuleSystem = {
    students: classes.length,
    blocks,
    options: width,
    rules: rules.list.length,
    sizeOf: (c) => classes[c]?.size ?? 1,
    barsOf: (c, b, o) => bars.get((c * blocks + b) * width + o),
    sums,
    reachOf: (rule) => reaches[rules.list[rule]?.Kind ?? 'program'],
  }
  return { system, rules: rules.list, blockOf }
}

/** Whether a draft gives all students everything that the plan asks. */
export const isComplete = (instance: PlanInstance, solution: Solution): boolean =>
  solution.every((o) => o >= 0) &&
  instance.categories.every(
    (limits) =>
      limits.softCost !== undefined ||
      limits.least.every((least, i) => least === 0 || countIn(instance, limits, solution, i) >= least),
  )

/**
 * The fewest rules that have to give way so that all students have everything that the plan asks, with what to change. In plans of hundreds
 * of cells, students who are alike count as one: then fewer changes do not help, but it is not proved that these are enough. Students
 * without a group are left out, since the ready check lists them. Undefined if nothing was found within the limits.
 */
export const findConflict = (highs: Highs, asked: Asked): Conflict | undefined => {
  const { indexed, instance } = asked
  const columns = instance.students * indexed.blocks * indexed.options.length
  const isExact = columns <= exactColumns
  const classes = classesOf(asked, isExact)
  if (classes.length === 0 || classes.length * indexed.blocks * indexed.options.length > mostColumns)
    return undefined
  const { system, rules, blockOf } = systemOf(asked, classes)
  const found = relaxFewest(highs, system, { mostColumns: 2 * mostColumns })
  if (!found) return undefined
  const relaxed = found.relaxed.toSorted(
    (one, other) =>
      reaches[rules[one.rule]?.Kind ?? 'program'] - reaches[rules[other.rule]?.Kind ?? 'program'],
  )
  return {
    Rules: relaxed.flatMap(({ rule, passed }) => {
      const named = rules[rule]
      if (!named) return []
      const { text, ...more } = named
      const sizes = passed.map(({ sum, by }) => {
        const size = system.sums[sum]?.cells[0] ? system.sizeOf(system.sums[sum]?.cells[0]?.i ?? 0) : 1
        return (blockOf[sum]?.length ?? 0) > 0 ? by : Math.ceil(by / size)
      })
      const blocks = [...new Set(passed.flatMap(({ sum }) => blockOf[sum] ?? []))].toSorted((a, b) => a - b)
      return [{ ...more, Text: text({ by: Math.max(0, ...sizes), blocks }) }]
    }),
    IsSmallest: found.isProved && classes.every(({ size }) => size === 1),
  }
}
