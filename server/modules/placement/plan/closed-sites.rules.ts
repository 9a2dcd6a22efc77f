import type { Problem } from '#contract/placement/plans.ts'
import { namesOf, warns } from './causes.rules.ts'
import type { IndexedPlan } from './indexed-plan.rules.ts'
import type { PlannedStudent } from './plan.rules.ts'

/** Why nobody can be placed at a site in any block, with what ends it. */
interface Closed {
  /** As it follows the name of the site. */
  text: string
  /** As it follows the names of several. */
  many: string
  toDo: string
  Fix: NonNullable<Problem['Fix']>
}

const closed = {
  left: {
    text: 'does not take part in the plan',
    many: 'do not take part in the plan',
    toDo: 'Add it to the plan’s sites, or tell those who ranked it.',
    Fix: 'plan',
  },
  noShift: {
    text: 'has no shift on the dates of the plan',
    many: 'have no shift on the dates of the plan',
    toDo: 'Add a site shift.',
    Fix: 'siteShift',
  },
  otherShifts: {
    text: 'has no shift on the weekdays and of the types of the groups',
    many: 'have no shift on the weekdays and of the types of the groups',
    toDo: 'Add a site shift, or change the groups.',
    Fix: 'siteShift',
  },
  answer: {
    text: 'takes nobody in this plan',
    many: 'take nobody in this plan',
    toDo: 'Change the answer of the site, or tell those who ranked it.',
    Fix: 'siteAnswer',
  },
  full: {
    text: 'has no place left in any block',
    many: 'have no place left in any block',
    toDo: 'Add places.',
    Fix: 'siteShift',
  },
  barred: {
    text: 'is open to no student of the plan in any block',
    many: 'are open to no student of the plan in any block',
    toDo: 'Look at its agreement and dates, and at what it requires of students.',
    Fix: 'site',
  },
} satisfies Record<string, Closed>

/** Why nobody can be placed at a site; undefined if somebody can. */
export const closedBy = (
  { plan, options, blocks, sitePlaces }: IndexedPlan,
  usable: Int32Array,
  s: number,
): Closed | undefined => {
  const site = plan.Sites[s]
  const { SiteIds } = plan.Rules
  if (!site || usable.subarray(s * blocks, (s + 1) * blocks).some((places) => places > 0)) return undefined
  if (SiteIds.length > 0 && !SiteIds.includes(site.Id)) return closed.left
  if (!plan.Shifts.some(({ SiteId }) => SiteId === site.Id)) return closed.noShift
  if (!options.some((option) => option.site === s)) return closed.otherShifts
  if (site.Takes === 0) return closed.answer
  return sitePlaces.subarray(s * blocks, (s + 1) * blocks).some((places) => places > 0)
    ? closed.barred
    : closed.full
}

/** The sites that a student ranks, once or in some block. */
const rankedOf = ({ SiteIds, ByBlock }: PlannedStudent): readonly number[] => ByBlock?.flat() ?? SiteIds

/**
 * Sites that students rank, or that the plan names, and where nobody can be placed in any block: one line a cause.
 *
 * @param named sites whose cause is listed already
 */
export const findClosedSites = (
  indexed: IndexedPlan,
  usable: Int32Array,
  named: ReadonlySet<number>,
): Problem[] => {
  const { plan } = indexed
  const ranked = new Set(plan.Students.flatMap(rankedOf))
  const found = plan.Sites.flatMap((site, s) => {
    const isMeant = ranked.has(site.Id) || plan.Rules.SiteIds.includes(site.Id)
    const why = isMeant && !named.has(site.Id) ? closedBy(indexed, usable, s) : undefined
    // A site that takes nobody was asked: only those who ranked it have to be told.
    return why && (why !== closed.answer || ranked.has(site.Id)) ? [{ site, why }] : []
  })
  const gone = [...ranked].filter((id) => !plan.Sites.some(({ Id }) => Id === id))
  return [
    ...[...Map.groupBy(found, ({ why }) => why)].map(([{ text, many, toDo, Fix }, own]) => {
      const students = plan.Students.filter((student) =>
        own.some(({ site }) => rankedOf(student).includes(site.Id)),
      ).length
      const [it, who] = [
        own.length === 1 ? 'it' : 'them',
        students === 1 ? '1 student' : `${students} students`,
      ]
      const choices = students === 0 ? '' : ` ${who} ranked ${it}.`
      return warns({
        Text: `${namesOf(own.map(({ site }) => site.Name))} ${own.length === 1 ? text : many}.${choices} ${toDo}`,
        Fix,
        SiteIds: own.map(({ site }) => site.Id),
      })
    }),
    ...(gone.length === 0
      ? []
      : [
          warns({
            Text: `${gone.length === 1 ? 'A site that students ranked is' : `${gone.length} sites that students ranked are`} not active any more, so these choices cannot be met. Activate ${gone.length === 1 ? 'it' : 'them'}, or tell those who ranked ${gone.length === 1 ? 'it' : 'them'}.`,
            Fix: 'site',
            SiteIds: gone,
          }),
        ]),
  ]
}
