import { datesOf, type Fault, programRules } from '../plan/faults.rules.ts'
import { brokenRules, type Solution } from '../solve/instance.solver.ts'
import type { Drafted } from './draft.rules.ts'

/** The names of rules, as other refused placements give them, and those of plans. */
const ruleOf: Record<Fault['kind'], string> = {
  ...programRules,
  noGroup: 'group',
  weekdays: 'shift_weekday',
  excluded: 'excluded',
  pinned: 'pinned',
  noDay: 'day_off',
  shiftDates: 'shift_dates',
  rotationArea: 'rotation_area',
  otherRotation: 'rotation_dates',
  overlap: 'overlap',
}

/** A rule that a change breaks, and the students affected, each with their first day there. */
export interface Breach {
  text: string
  rule: string
  about: { StudentId: number; Date: string }[]
}

const mostBreaches = 50

/** The rules that a change breaks and that were not broken before. */
export const listBreaches = (drafted: Drafted, next: Solution): Breach[] => {
  const { indexed, instance, solution } = drafted
  const { plan, blocks, options } = indexed
  const before = new Set(brokenRules(instance, solution))
  const firstDay = (i: number, b: number): string => {
    const option = options[next[i * blocks + b] ?? -1]
    const dates = option ? datesOf(plan, option, indexed.groupOf[i] ?? -1, b) : []
    return dates[0] ?? plan.Blocks[b]?.StartDate ?? ''
  }
  const about = (i: number, b: number) => ({ StudentId: plan.Students[i]?.Id ?? 0, Date: firstDay(i, b) })
  /** Students whom the change moves to such options in a block. */
  const broughtTo = (b: number, isThere: (o: number) => boolean) =>
    [...plan.Students.keys()]
      .filter((i) => {
        const o = next[i * blocks + b] ?? -1
        return o >= 0 && o !== solution[i * blocks + b] && isThere(o)
      })
      .map((i) => about(i, b))
  const breachOf = (broken: string): Breach => {
    const [rule, ...rest] = broken.split(' ')
    const [first = 0, second = 0, third = 0] = rest.map(Number)
    const name = plan.Students[first]?.Name ?? ''
    if (rule === 'allowed') {
      const [fault] = indexed.faultsOf(first, second, third)
      return {
        text: `${name} cannot be there: ${fault?.text ?? 'another place is locked or accepted'}.`,
        rule: fault ? ruleOf[fault.kind] : 'taken',
        about: [about(first, second)],
      }
    }
    if (rule === 'most') {
      const limits = instance.categories[second]
      const at = [...plan.Blocks.keys()].findLast((b) => {
        const o = next[first * blocks + b] ?? -1
        return o >= 0 && o !== solution[first * blocks + b] && limits?.has[o] === 1
      })
      return {
        text: `${name} has as many blocks of ${limits?.name} as the plan allows.`,
        rule: 'most',
        about: [about(first, at ?? 0)],
      }
    }
    const b = first % blocks
    const at = Math.floor(first / blocks)
    const s = rule === 'option' ? (options[at]?.site ?? -1) : at
    const site = plan.Sites[s]
    const there = broughtTo(b, (o) => (rule === 'option' ? o === at : options[o]?.site === s))
    if (rule === 'fewest')
      return {
        text: `${site?.Name} takes at least ${site?.AtLeast} students at a time, or none, also in block ${b + 1}.`,
        rule: 'at_least',
        about: there,
      }
    return {
      text:
        indexed.isElsewhere[s * blocks + b] === 1
          ? `${site?.Name} has no free place in block ${b + 1}: another program has places there.`
          : `${site?.Name} has no free place in block ${b + 1}.`,
      rule: 'capacity',
      about: there,
    }
  }
  const found = brokenRules(instance, next)
    .filter((rule) => !before.has(rule))
    .slice(0, mostBreaches)
    .map(breachOf)
  // A shift and its site may be full at once, which reads as one problem.
  return [
    ...new Map(found.toReversed().map((each) => [JSON.stringify([each.text, each.about]), each])).values(),
  ].toReversed()
}
