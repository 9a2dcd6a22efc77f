import type { Problem } from '#contract/placement/plans.ts'
import { blockRange } from './block-text.rules.ts'
import { fixOf, idsOf, namesOf, warns, whoOf } from './causes.rules.ts'
import type { Fault } from './faults.rules.ts'
import type { IndexedPlan } from './indexed-plan.rules.ts'

/** Something that the program only warns about, with all places of students that it concerns. */
interface Warning {
  kind: Fault['kind']
  of: string
  students: Set<number>
  sites: Set<number>
  blocks: Set<number>
}

/** What is said of a warning; it ends before the blocks. */
const clauseOf = (indexed: IndexedPlan, { kind, of, students, sites }: Warning): string => {
  const { plan } = indexed
  const at = namesOf([...sites].toSorted((one, other) => one - other).map((s) => plan.Sites[s]?.Name ?? ''))
  const who = whoOf(indexed, [...students])
  const isOne = students.size === 1
  switch (kind) {
    case 'agreement':
      return `No agreement is in force with ${at}`
    case 'programDates':
      return 'The program’s dates leave out days'
    case 'rotationDates':
      return `The dates of the rotation leave out days at ${at}`
    case 'level':
      return `No rotation of the plan takes ${who}`
    case 'requirement':
      return `${of} of ${who} is not in order`
    case 'hoursPerDay':
      return `${who} would have more than ${plan.Options.MostHoursPerDay} hours a day at ${at}`
    default:
      return `${who} would have more than ${plan.Options.MostHoursPerWeek} hours a week ${isOne ? 'with a shift' : 'with shifts'} at ${at}`
  }
}

const problemsOf = (indexed: IndexedPlan, warnings: Iterable<Warning>): Problem[] =>
  [...warnings].map((warning) => {
    const { kind, students, sites, blocks } = warning
    const isOfSites = kind === 'agreement' || kind === 'rotationDates'
    const isOfStudents = kind === 'level' || kind === 'requirement'
    return warns({
      Text: `${clauseOf(indexed, warning)} in ${blockRange([...blocks].toSorted((one, other) => one - other))}. The program only warns about it, so students are placed all the same.`,
      Fix: fixOf[kind],
      StudentIds: isOfStudents ? idsOf(indexed, [...students]) : [],
      ...(kind === 'requirement' && { Lacks: `${warning.of} is not in order` }),
      SiteIds: isOfSites ? [...sites].flatMap((s) => indexed.plan.Sites[s]?.Id ?? []) : [],
    })
  })

/** Collects warnings, one for each cause. */
class Warnings {
  readonly found = new Map<string, Warning>()
  private readonly indexed: IndexedPlan

  constructor(indexed: IndexedPlan) {
    this.indexed = indexed
  }

  /** Adds what is warned about where these students, who are alike, are on an option. */
  add(students: readonly number[], b: number, o: number): void {
    const { options, warningsOf } = this.indexed
    for (const { kind, of = '' } of warningsOf(students[0] ?? 0, b, o)) {
      const key = `${kind} ${of}`
      const known = this.found.get(key) ?? {
        kind,
        of,
        students: new Set<number>(),
        sites: new Set<number>(),
        blocks: new Set<number>(),
      }
      for (const i of students) known.students.add(i)
      known.sites.add(options[o]?.site ?? -1)
      known.blocks.add(b)
      this.found.set(key, known)
    }
  }
}

/** What the program only warns about where students may be placed, one line a cause. */
export const findWarnings = (indexed: IndexedPlan): Problem[] => {
  const { plan, blocks, options, allowed, optionPlaces, groupOf, isPlain } = indexed
  const warnings = new Warnings(indexed)
  const alike = Map.groupBy(plan.Students.keys(), (i) => (isPlain(i) ? `group ${groupOf[i]}` : i))
  for (const students of alike.values())
    for (let b = 0; b < blocks; b++)
      for (let o = 0; o < options.length; o++) {
        const own = students.filter((i) => allowed[(i * blocks + b) * options.length + o] === 1)
        if (own.length > 0 && (optionPlaces[o * blocks + b] ?? 0) > 0) warnings.add(own, b, o)
      }
  return problemsOf(indexed, warnings.found.values())
}

/** What the program warns about in the places of a draft, one line a cause. */
export const findWarningsOf = (indexed: IndexedPlan, solution: Int16Array): Problem[] => {
  const warnings = new Warnings(indexed)
  for (const [at, o] of solution.entries())
    if (o >= 0) warnings.add([Math.floor(at / indexed.blocks)], at % indexed.blocks, o)
  return problemsOf(indexed, warnings.found.values())
}
