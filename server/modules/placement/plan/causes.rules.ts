import type { conflictKinds } from '#contract/placement/conflicts.ts'
import type { Problem } from '#contract/placement/plans.ts'
import { blockRange } from './block-text.rules.ts'
import type { Fault } from './faults.rules.ts'
import type { IndexedPlan } from './indexed-plan.rules.ts'

/** One thing that is wrong, with the students and sites it concerns. */
interface Cause {
  Text: string
  Fix?: Problem['Fix']
  StudentIds?: readonly number[]
  SiteIds?: readonly number[]
  Lacks?: string
}

const problem = (
  Kind: Problem['Kind'],
  { Text, Fix = null, StudentIds = [], SiteIds = [], Lacks }: Cause,
): Problem => ({
  Kind,
  Text,
  StudentId: StudentIds.length === 1 ? (StudentIds[0] ?? null) : null,
  SiteId: SiteIds.length === 1 ? (SiteIds[0] ?? null) : null,
  Fix,
  StudentIds: [...StudentIds],
  SiteIds: [...SiteIds],
  ...(Lacks !== undefined && { Lacks }),
})

/** A problem that no draft can get around. */
export const stops = (cause: Cause): Problem => problem('stops', cause)

/** A problem that costs some students something. */
export const warns = (cause: Cause): Problem => problem('warns', cause)

/** 'Okafor, Ada', or '240 students'. */
export const whoOf = ({ plan }: Pick<IndexedPlan, 'plan'>, students: readonly number[]): string =>
  students.length === 1 ? (plan.Students[students[0] ?? 0]?.Name ?? '') : `${students.length} students`

/** 'Harbor', 'Harbor and Mercy', or 'Harbor, Mercy and 28 more'. */
export const namesOf = (names: readonly string[]): string =>
  names.length > 3
    ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
    : names.length > 1
      ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
      : (names[0] ?? '')

export const idsOf = ({ plan }: Pick<IndexedPlan, 'plan'>, students: readonly number[]): number[] =>
  students.flatMap((i) => plan.Students[i]?.Id ?? [])

/** Where to fix a fault. */
export const fixOf: Record<Fault['kind'], (typeof conflictKinds)[number]> = {
  noGroup: 'plan',
  weekdays: 'plan',
  excluded: 'planStudent',
  pinned: 'planStudent',
  noDay: 'program',
  shiftDates: 'siteShift',
  rotationArea: 'rotation',
  otherRotation: 'rotation',
  rotationDates: 'rotation',
  programDates: 'program',
  agreement: 'agreement',
  level: 'rotation',
  requirement: 'requirements',
  hoursPerDay: 'program',
  hoursPerWeek: 'program',
  overlap: 'schedule',
}

/** A reason that bars a student from places, with the sites it applies to. */
interface Bar {
  key: string
  kind: Fault['kind']
  text: string
  of: string
  sites: Set<number>
}

const withoutDates = (text: string): string => text.replace(/ \d\d\/\d\d\/\d{4}/g, '')

const phraseOf = ({ plan }: IndexedPlan, { kind, of, sites }: Bar, texts: ReadonlySet<string>): string => {
  const at = namesOf([...sites].map((s) => plan.Sites[s]?.Name ?? ''))
  switch (kind) {
    case 'agreement':
      return `no agreement is in force with ${at}`
    case 'excluded':
      return `excluded from ${at}`
    case 'pinned':
      return 'pinned to a site that has no shift for them'
    case 'weekdays':
      return `no shift at ${at} runs on the weekdays of the group`
    case 'noDay':
      return 'all days are days off'
    case 'shiftDates':
      return `the shifts at ${at} do not run then`
    case 'rotationArea':
      return `the rotation leaves out ${at}`
    case 'programDates':
      return 'the block lies outside the program’s dates'
    case 'level':
      return 'no rotation of the plan takes them'
    case 'overlap':
      return texts.size === 1 ? ([...texts][0] ?? '') : 'another shift overlaps'
    case 'requirement': {
      const plain = new Set([...texts].map(withoutDates))
      return texts.size === 1
        ? ([...texts][0] ?? '')
        : plain.size === 1
          ? ([...plain][0] ?? '')
          : `${of} is not in order`
    }
    default:
      return [...texts][0] ?? ''
  }
}

/** What bars a student from every option in a block: the reasons that are each enough alone, or else all of them. */
const barsOf = (
  { plan, options, faultsOf }: IndexedPlan,
  i: number,
  b: number,
): { bars: Bar[]; isEachEnough: boolean } => {
  const bars = new Map<string, Bar>()
  const pin = plan.Students[i]?.Pins.find(({ Block }) => Block === b)
  const own = [...options.keys()].filter((o) => !pin || options[o]?.SiteId === pin.SiteId)
  if (own.length === 0)
    return {
      bars: [{ key: 'pinned', kind: 'pinned', text: '', of: '', sites: new Set() }],
      isEachEnough: true,
    }
  const counts = new Map<string, number>()
  for (const o of own)
    for (const { kind, text, of = '' } of faultsOf(i, b, o)) {
      const key = `${kind} ${of}`
      const bar = bars.get(key) ?? { key, kind, text, of, sites: new Set<number>() }
      bar.sites.add(options[o]?.site ?? -1)
      bars.set(key, bar)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  const whole = [...bars.values()].filter(({ key }) => counts.get(key) === own.length)
  if (whole.length > 0) return { bars: whole, isEachEnough: true }
  const often = (key: string) => counts.get(key) ?? 0
  return {
    bars: [...bars.values()].toSorted((one, other) => often(other.key) - often(one.key)),
    isEachEnough: false,
  }
}

/** For each student, the blocks in which something holds. */
type BlocksOf = ReadonlyMap<number, readonly number[]>

/**
 * Why students have nowhere to go in some blocks, one line per cause: a cause they share is listed once, with all of them.
 *
 * @param says the consequence, as it follows the name: 'has nowhere to go'
 */
export const causesOf = (
  indexed: IndexedPlan,
  nowhere: BlocksOf,
  says: readonly [one: string, many: string],
): Problem[] => {
  const { plan } = indexed
  const found = new Map<
    string,
    { bars: Bar[]; texts: Map<string, Set<string>>; students: number[]; blocks: Set<number>; isAll: boolean }
  >()
  for (const [i, blocks] of nowhere) {
    const { bars, isEachEnough } = barsOf(indexed, i, blocks[0] ?? 0)
    // A reason that is enough alone is a cause of its own; reasons that bar them only together are one cause.
    for (const own of isEachEnough ? bars.map((bar) => [bar]) : [bars.slice(0, 3)]) {
      const key = own.map((bar) => bar.key).join(', ')
      const known = found.get(key) ?? {
        bars: own.map((bar) => ({ ...bar, sites: new Set(bar.sites) })),
        texts: new Map<string, Set<string>>(),
        students: [],
        blocks: new Set(blocks),
        isAll: true,
      }
      if (known.blocks.size !== blocks.length || blocks.some((b) => !known.blocks.has(b))) known.isAll = false
      for (const b of blocks) known.blocks.add(b)
      for (const [at, bar] of own.entries()) {
        for (const s of bar.sites) known.bars[at]?.sites.add(s)
        known.texts.set(bar.key, (known.texts.get(bar.key) ?? new Set()).add(bar.text))
      }
      known.students.push(i)
      found.set(key, known)
    }
  }
  return [...found.values()]
    .toSorted((one, other) => other.students.length - one.students.length)
    .map(({ bars, texts, students, blocks, isAll }) => {
      const at = blockRange([...blocks].toSorted((one, other) => one - other))
      const phrases = bars.map((bar) => phraseOf(indexed, bar, texts.get(bar.key) ?? new Set()))
      const ofSites = bars.filter(({ kind }) =>
        ['agreement', 'shiftDates', 'rotationArea', 'excluded'].includes(kind),
      )
      return stops({
        Text: `${whoOf(indexed, students)} ${says[students.length === 1 ? 0 : 1]} in ${isAll ? at : `some of ${at}`}: ${phrases.join('; ')}.`,
        Fix: fixOf[bars[0]?.kind ?? 'noGroup'],
        StudentIds: idsOf(indexed, students),
        ...(bars[0]?.kind === 'requirement' && {
          Lacks: phrases.filter((_, at) => bars[at]?.kind === 'requirement').join('; '),
        }),
        SiteIds: ofSites.flatMap(({ sites }) => [...sites].flatMap((s) => plan.Sites[s]?.Id ?? [])),
      })
    })
}

/** Groups students about whom the same can be said, one line per group. */
export const groupedBy = <Item extends { i: number; key: string }>(
  indexed: IndexedPlan,
  items: readonly Item[],
  make: (who: string, count: number, first: Item) => Omit<Cause, 'StudentIds'>,
): Cause[] =>
  [...Map.groupBy(items, ({ key }) => key).values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const students = own.map(({ i }) => i)
    return [
      { ...make(whoOf(indexed, students), students.length, first), StudentIds: idsOf(indexed, students) },
    ]
  })
