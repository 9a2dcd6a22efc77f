import { daysOfBlock } from '#contract/placement/plan-rules.ts'
import { dayKey } from '#contract/scheduling/scheduling-rules.ts'
import type { Plan } from '#server/modules/placement/plan/plan.rules.ts'
import { randomFrom } from '#server/modules/placement/solve/instance.solver.ts'
import { samplePlan, sampleShift, sampleSite, sampleStudent } from './sample-plans.ts'

/** What is special about a wheel that is made. */
const wheelKinds = ['plain', 'pins', 'closed', 'unequal', 'few blocks', 'many blocks', 'all'] as const
type WheelKind = (typeof wheelKinds)[number]

/** A plan of which a perfect wheel is known. */
export interface MadeWheel {
  kind: WheelKind
  plan: Plan
  /** The sites that somebody may go to, by their ids. */
  reached: readonly number[]
}

/**
 * A plan in which everybody can go through every site, made of a seed: first a perfect wheel is drawn, then places, pins and closed sites that it keeps.
 * What students rank pulls them elsewhere.
 */
export const makeWheel = (seed: number): MadeWheel => {
  const random = randomFrom(seed)
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  const shuffled = <Item>(items: readonly Item[]): Item[] =>
    items
      .map((item) => ({ item, at: random() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ item }) => item)
  const kind = wheelKinds[seed % wheelKinds.length] ?? 'plain'
  const has = (...kinds: WheelKind[]) => kinds.includes(kind) || kind === 'all'
  const sites = whole(3, 9)
  const times = whole(1, 3)
  const blocks =
    kind === 'few blocks' ? whole(2, sites - 1) : kind === 'many blocks' ? sites + whole(1, sites) : sites
  const ids = Array.from({ length: sites }, (_, s) => s + 1)
  const turn = (length: number) => shuffled(Array.from({ length }, (_, at) => at))
  // A student's sites one after the other, as often as blocks allow: moved on by one for each student, then all mixed.
  const rows = Array.from({ length: times }, () => {
    const [order, names] = [turn(sites), shuffled(ids)]
    const when = turn(blocks)
    return order.map((from) => when.map((b) => names[(from + b) % sites] ?? 0))
  }).flat()
  if (has('unequal')) for (const row of rows) row.splice(0, blocks, ...shuffled(row))
  const countAt = (id: number, b: number) => rows.filter((row) => row[b] === id).length
  const pinned = has('pins') ? 0.1 + random() * 0.4 : 0
  // Closed by the site, by its dates, and to every student.
  const closed = has('closed') ? [91, 92, 93] : []
  const own = samplePlan({ blocks })
  const places = new Map<string, { Placed: number; Capacity: number }>()
  for (const id of ids)
    for (const [b, block] of own.Blocks.entries()) {
      const Capacity = has('unequal')
        ? countAt(id, b) + (random() < 0.25 ? 1 : 0)
        : times + (random() < 0.2 ? 1 : 0)
      for (const date of daysOfBlock(block, [1, 2])) places.set(dayKey(id, date), { Placed: 0, Capacity })
    }
  const students = rows.map((row, index) =>
    sampleStudent(index + 1, {
      SiteIds: shuffled(ids).slice(0, 3),
      Excluded: closed.slice(2),
      Pins: row.flatMap((SiteId, Block) => (random() < pinned ? [{ Block, SiteId }] : [])),
    }),
  )
  return {
    kind,
    reached: ids.filter((id) => rows.some((row) => row.includes(id))),
    plan: samplePlan({
      blocks,
      Template: 'wheel',
      Sites: [...ids, ...closed].map((id) => sampleSite(id, id === 91 ? { Takes: 0 } : {})),
      Shifts: [...ids, ...closed].map((id) =>
        sampleShift(id, id, { Capacity: 2 * times, ...(id === 92 && { EndDate: '2032-01-01' }) }),
      ),
      Students: students,
      Taken: places,
    }),
  }
}

/**
 * What is wrong with a draft as a wheel, by the rule alone: everybody has a place in every block where they may be and there is room, and what
 * students have at the sites that somebody may go to differs by at most one.
 */
export const judgeWheel = (
  { plan, reached }: MadeWheel,
  cells: readonly { StudentId: number; Block: number; SiteShiftId: number }[],
): string[] => {
  const wrong: string[] = []
  const siteOf = new Map(plan.Shifts.map(({ Id, SiteId }) => [Id, SiteId]))
  const there = new Map<string, number>()
  const counts = new Map<string, number>()
  const seen = new Set<string>()
  for (const { StudentId, Block, SiteShiftId } of cells) {
    const site = siteOf.get(SiteShiftId) ?? 0
    const student = plan.Students.find(({ Id }) => Id === StudentId)
    if (seen.has(`${StudentId} ${Block}`)) wrong.push(`${StudentId} is twice in block ${Block}`)
    seen.add(`${StudentId} ${Block}`)
    if (!reached.includes(site) || student?.Excluded.includes(site)) wrong.push(`${StudentId} is at ${site}`)
    const pin = student?.Pins.find((each) => each.Block === Block)
    if (pin && pin.SiteId !== site) wrong.push(`${StudentId} is not where they are pinned`)
    there.set(`${SiteShiftId} ${Block}`, (there.get(`${SiteShiftId} ${Block}`) ?? 0) + 1)
    counts.set(`${StudentId} ${site}`, (counts.get(`${StudentId} ${site}`) ?? 0) + 1)
  }
  for (const [key, count] of there) {
    const [shift = 0, block = 0] = key.split(' ').map(Number)
    const { StartDate } = plan.Blocks[block] ?? { StartDate: '' }
    if (count > (plan.Taken.get(dayKey(shift, StartDate))?.Capacity ?? 0)) wrong.push(`too many at ${key}`)
  }
  if (seen.size !== plan.Students.length * plan.Blocks.length) wrong.push('somebody has no place')
  const each = plan.Students.flatMap(({ Id }) => reached.map((site) => counts.get(`${Id} ${site}`) ?? 0))
  if (Math.max(...each) - Math.min(...each) > 1)
    wrong.push(`${Math.min(...each)} to ${Math.max(...each)} at a site`)
  return wrong
}
