import { beforeAll, expect, test } from 'vitest'
import { usualWeights } from '#contract/placement/weights.ts'
import { judgeWheel, makeWheel } from '#server/test/made-wheels.ts'
import { samplePlan, sampleShift, sampleSite, sampleStudent } from '#server/test/sample-plans.ts'
import { indexPlan } from '../plan/indexed-plan.rules.ts'
import type { Plan } from '../plan/plan.rules.ts'
import { randomFrom } from '../solve/instance.solver.ts'
import { type Highs, openHighs } from '../solve/linear.solver.ts'
import { instanceOf } from '../solve/plan-instance.rules.ts'
import { solve } from '../solve/solve.solver.ts'
import { cellsOf } from './draft.rules.ts'
import { explain, explainToStudent, reasonIn } from './explain.rules.ts'
import { proveWheel } from './wheel-proof.rules.ts'

let highs: Highs
beforeAll(async () => {
  highs = await openHighs()
})

const draftOf = (plan: Plan) => {
  const indexed = indexPlan(plan)
  const { instance } = instanceOf(indexed, { weights: usualWeights, places: [], cells: [] })
  const end = [...solve(highs, instance, { seed: 1, steps: 2 })].at(-1)!
  return { ...end, cells: cellsOf(indexed, end.solution) }
}

// All hundred are made by `npm run bench -- --only wheels`.
test('where a perfect wheel is known the draft is one: with closed sites, unequal places, pins, fewer blocks than sites and more', () => {
  const failed: string[] = []
  for (let seed = 5; seed <= 100; seed += 5) {
    const made = makeWheel(seed)
    const wrong = judgeWheel(made, draftOf(made.plan).cells)
    if (wrong.length > 0) failed.push(`${seed} (${made.kind}): ${wrong.join(', ')}`)
  }
  expect(failed).toEqual([])
})

test('why somebody is at a site names the wheel, and which of the blocks there it is; a wish that it does not allow is told so', () => {
  const said = new Set<string>()
  for (const seed of [5, 10, 15, 20, 25]) {
    const { plan } = makeWheel(seed)
    // Everybody would rather be where the first site is.
    for (const student of plan.Students) student.SiteIds = plan.Sites.map(({ Id }) => Id)
    const indexed = indexPlan(plan)
    const { instance } = instanceOf(indexed, { weights: usualWeights, places: [], cells: [] })
    const { solution } = [...solve(highs, instance, { seed: 1, steps: 2 })].at(-1)!
    const drafted = { indexed, instance, solution }
    for (const i of plan.Students.keys()) {
      const sites = plan.Blocks.map((_, b) => indexed.options[solution[i * indexed.blocks + b] ?? -1]?.SiteId)
      for (const [b, site] of sites.entries()) {
        if (site === undefined) continue
        const here = sites.filter((each) => each === site).length
        const turn = sites.slice(0, b + 1).filter((each) => each === site).length
        const why = explain(drafted, i, b)
        expect(why.find(({ IsOwn }) => IsOwn)?.Text).toMatch(
          here === 1
            ? /^The wheel: .*; the only block here\./
            : new RegExp(`^The wheel: .*; block ${turn} of ${here} here\\.`),
        )
        for (const { SiteId, Text, IsOwn } of why)
          if (!IsOwn && Text.includes('the wheel')) {
            said.add(Text)
            // Where it is as often there as here, a block more there and one less here are two apart.
            const there = sites.filter((each) => each === SiteId).length
            expect(there).toBeGreaterThanOrEqual(here)
          }
        expect(reasonIn(explainToStudent(drafted, i, b), 'es')).not.toMatch(/\b(?:the|every|your|turn)\b/)
      }
    }
  }
  expect(said.size).toBeGreaterThan(0)
})

/** A wheel of two or three sites by day and evening, in which not everything can be alike. */
const smallWheel = (seed: number): Plan => {
  const random = randomFrom(seed)
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  const [students, blocks] = random() < 0.5 ? [2, 3] : [3, 2]
  const ids = Array.from({ length: whole(2, 3) }, (_, s) => s + 1)
  return samplePlan({
    blocks,
    Template: 'wheel',
    Sites: ids.map((id) => sampleSite(id, { Takes: random() < 0.4 ? whole(0, 1) : null })),
    Shifts: ids.flatMap((id) => [
      sampleShift(id * 10, id, { Capacity: whole(1, 2) }),
      ...(random() < 0.5
        ? [
            sampleShift(id * 10 + 1, id, {
              Capacity: 1,
              Type: 'evening',
              StartTime: '15:00',
              EndTime: '23:00',
            }),
          ]
        : []),
    ]),
    Students: Array.from({ length: students }, (_, i) =>
      sampleStudent(i + 1, {
        SiteIds: ids.toSorted(() => random() - 0.5),
        Excluded: random() < 0.35 ? [whole(1, ids.length)] : [],
        Pins: [0, 1].flatMap((Block) => (random() < 0.4 ? [{ Block, SiteId: 1 }] : [])),
      }),
    ),
  })
}

/** Every way in which such a plan can be, by its places, pins and exclusions alone: [student × blocks + block] is a shift, or undefined. */
const everyWay = function* ({ Students, Blocks, Shifts, Sites }: Plan) {
  const cells = Students.length * Blocks.length
  const at = new Array<number>(cells).fill(-1)
  const room = (b: number) => {
    const held = Students.flatMap((_, i) => Shifts[at[i * Blocks.length + b] ?? -1] ?? [])
    return (
      Shifts.every(({ Id, Capacity }) => held.filter((shift) => shift.Id === Id).length <= Capacity) &&
      Sites.every(({ Id, Takes }) => held.filter(({ SiteId }) => SiteId === Id).length <= (Takes ?? cells))
    )
  }
  const mayBe = (cell: number, shift: (typeof Shifts)[number]) => {
    const student = Students[Math.floor(cell / Blocks.length)]!
    const pin = student.Pins.find(({ Block }) => Block === cell % Blocks.length)
    return !student.Excluded.includes(shift.SiteId) && (!pin || pin.SiteId === shift.SiteId)
  }
  const step = function* (cell: number): Generator<readonly number[]> {
    if (cell === cells) {
      if ([...Blocks.keys()].every(room)) yield at
      return
    }
    for (let o = -1; o < Shifts.length; o++) {
      if (o >= 0 && !mayBe(cell, Shifts[o]!)) continue
      at[cell] = o
      if (room(cell % Blocks.length)) yield* step(cell + 1)
    }
    at[cell] = -1
  }
  yield* step(0)
}

/** Blocks without a place, blocks that are not as all go through the sites, and the same of evenings: counted by the rule. */
const unevenBy = ({ Students, Blocks, Shifts, Sites }: Plan, way: readonly number[]): number[] => {
  const ofStudent = (i: number) => Blocks.flatMap((_, b) => Shifts[way[i * Blocks.length + b] ?? -1] ?? [])
  const isOpen = ({ Excluded, Pins }: (typeof Students)[number], site: number, b: number) =>
    Sites.find(({ Id }) => Id === site)?.Takes !== 0 &&
    !Excluded.includes(site) &&
    Pins.every(({ Block, SiteId }) => Block !== b || SiteId === site)
  let turns = 0
  for (const [i, student] of Students.entries()) {
    const opens = Sites.map(({ Id }) => [...Blocks.keys()].filter((b) => isOpen(student, Id, b)).length)
    const blocks = [...Blocks.keys()].filter((b) => Sites.some(({ Id }) => isOpen(student, Id, b))).length
    // One round after the other, each through the sites that still have a block.
    const least = opens.map(() => 0)
    let left = blocks
    for (;;) {
      const next = [...opens.keys()].filter((s) => least[s]! < opens[s]!)
      if (next.length === 0 || next.length > left) break
      for (const s of next) least[s] = least[s]! + 1
      left -= next.length
    }
    for (const [s, { Id }] of Sites.entries()) {
      const had = ofStudent(i).filter(({ SiteId }) => SiteId === Id).length
      const most =
        left > 0 && least[s]! < opens[s]! ? least[s]! + 1 : Math.max(least[s]!, opens[s]! > 0 ? 1 : 0)
      turns += Math.max(0, least[s]! - had) + Math.max(0, had - most) + Math.max(0, had - most - 1)
    }
  }
  const evenings = Students.map((_, i) => ofStudent(i).filter(({ Type }) => Type === 'evening').length)
  const offBy = (low: number) =>
    evenings.reduce((sum, each) => sum + Math.max(0, low - each) + Math.max(0, each - low - 1), 0)
  return [way.filter((o) => o < 0).length, turns, Math.min(...Blocks.map((_, low) => offBy(low)))]
}

const compare = (one: readonly number[], other: readonly number[]): number =>
  one.map((each, at) => each - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0

test('where not all can be alike, no other draft is: places first, then sites, then evenings, beside every way there is', () => {
  let uneven = 0
  for (let seed = 1; seed <= 60; seed++) {
    const plan = smallWheel(seed)
    let best: number[] | undefined
    for (const way of everyWay(plan)) {
      const each = unevenBy(plan, way)
      if (!best || compare(each, best) < 0) best = each
    }
    const { cells, bound, cost } = draftOf(plan)
    const way = plan.Students.flatMap(({ Id }) =>
      plan.Blocks.map((_, b) => {
        const cell = cells.find(({ StudentId, Block }) => StudentId === Id && Block === b)
        return plan.Shifts.findIndex((shift) => shift.Id === cell?.SiteShiftId)
      }),
    )
    expect({ seed, uneven: unevenBy(plan, way) }).toEqual({ seed, uneven: best })
    expect(bound).toBe(cost)
    if (best?.some((each) => each > 0)) uneven++
  }
  expect(uneven).toBeGreaterThan(20)
})

test('the proof says in words what keeps a wheel from being complete, counts sites within reach alone, and says when it is', () => {
  const ids = [1, 2, 3]
  const proof = (more: Partial<Plan> & { blocks?: number }) => {
    const plan = samplePlan({
      blocks: 3,
      Template: 'wheel',
      Sites: [...ids.map((id) => sampleSite(id)), sampleSite(4, { Takes: 0 })],
      Shifts: [1, 2, 3, 4].map((id) => sampleShift(id, id, { Capacity: 2 })),
      ...more,
    })
    const indexed = indexPlan(plan)
    const { instance } = instanceOf(indexed, { weights: usualWeights, places: [], cells: [] })
    const end = [...solve(highs, instance, { seed: 1, steps: 2 })].at(-1)!
    return proveWheel({ indexed, instance, solution: end.solution }, end.isEvenest ?? false)
  }
  expect(proof({})).toEqual({ SiteIds: ids, Fewest: 1, Most: 1, IsEven: true, IsBest: true, Reasons: [] })
  const closed = proof({
    Shifts: [
      sampleShift(1, 1, { Capacity: 2, EndDate: '2032-03-07' }),
      sampleShift(2, 2, { Capacity: 9 }),
      sampleShift(3, 3, { Capacity: 9 }),
    ],
  })
  expect(closed).toMatchObject({
    IsEven: false,
    IsBest: true,
    Reasons: ['Site 1 has 2 places in all blocks for 3 students: it has none in blocks 2–3.'],
  })
  const kept = proof({
    Students: [
      sampleStudent(1, { Excluded: [2] }),
      sampleStudent(2),
      sampleStudent(3, { Pins: [0, 1].map((Block) => ({ Block, SiteId: 3 })) }),
    ],
  })
  expect(kept).toMatchObject({ IsEven: false, IsBest: true })
  expect(kept.Reasons).toEqual([
    'Last1, First1 cannot go to Site 2 in any block: is excluded from this site.',
    'Last3, First3 can be nowhere but at Site 3 in more than 1 block: pinned, locked or accepted there, or kept out elsewhere.',
  ])
  expect(proof({ blocks: 2 })).toMatchObject({ Fewest: 0, Most: 1, IsEven: true })
  const short = proof({
    blocks: 2,
    Shifts: [
      sampleShift(1, 1),
      sampleShift(2, 2),
      sampleShift(3, 3, { StartDate: samplePlan({ blocks: 2 }).Blocks[1]!.StartDate }),
    ],
  })
  expect(short).toMatchObject({ IsEven: false, Reasons: ['1 block of students has no place.'] })
  expect(
    proof({ blocks: 4, Shifts: [1, 2, 3].map((id) => sampleShift(id, id, { Capacity: 3 })) }),
  ).toMatchObject({ Fewest: 1, Most: 2, IsEven: true })
})

test('where a site has too few places for all turns, what it has is shared out: nobody misses it while others are there often', () => {
  const countsAt = (capacities: readonly number[], blocks: number, students: number, late = 0) => {
    const plan = samplePlan({
      blocks,
      Template: 'wheel',
      Sites: capacities.map((_, s) => sampleSite(s + 1)),
      Shifts: capacities.map((Capacity, s) => sampleShift(s + 1, s + 1, { Capacity })),
      Students: Array.from({ length: students }, (_, i) => sampleStudent(i + 1)),
    })
    const scarce = capacities.length
    const open = { ...plan.Shifts[scarce - 1]!, StartDate: plan.Blocks[late]!.StartDate }
    const { cells } = draftOf({ ...plan, Shifts: [...plan.Shifts.slice(0, -1), open] })
    return plan.Students.map(
      ({ Id }) =>
        cells.filter(({ StudentId, SiteShiftId }) => StudentId === Id && SiteShiftId === scarce).length,
    ).sort((one, other) => one - other)
  }
  expect(countsAt([8, 1], 10, 8)).toEqual([1, 1, 1, 1, 1, 1, 2, 2])
  expect(countsAt([4, 4, 3, 3, 3], 10, 12, 4)).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2])
})
