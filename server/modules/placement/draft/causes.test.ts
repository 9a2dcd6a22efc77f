import { beforeAll, expect, test } from 'vitest'
import { Group } from '#contract/placement/plans.ts'
import { usualWeights } from '#contract/placement/weights.ts'
import { ProgramOptions } from '#contract/programs/program-options.ts'
import { samplePlan, sampleShift, sampleSite, sampleStudent } from '#server/test/sample-plans.ts'
import { indexPlan } from '../plan/indexed-plan.rules.ts'
import type { Plan } from '../plan/plan.rules.ts'
import { findProblems } from '../plan/readiness.rules.ts'
import { findConflict } from '../solve/conflicts.rules.ts'
import { type Highs, openHighs } from '../solve/linear.solver.ts'
import { instanceOf } from '../solve/plan-instance.rules.ts'
import { solve } from '../solve/solve.solver.ts'
import { figuresOf } from './figures.rules.ts'

let highs: Highs
beforeAll(async () => {
  highs = await openHighs()
})

const ids = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const missing = (Name: string) => ({ Name, Status: 'missing' as const, ExpiresOn: null })
const solved = (plan: Plan, places: Parameters<typeof instanceOf>[1]['places'] = []) => {
  const indexed = indexPlan(plan)
  const { instance } = instanceOf(indexed, { weights: usualWeights, places, cells: [] })
  const end = [...solve(highs, instance, { seed: 1, steps: 3 })].at(-1)!
  return { indexed, instance, figures: figuresOf(indexed, instance, end, { isLast: true }) }
}

/** Without a word about where everybody is: these plans have no places. */
const problemsOf = (plan: Plan) =>
  findProblems(indexPlan({ ...plan, Rules: { ...plan.Rules, Weights: { ...usualWeights, Distance: 0 } } }))

test('what keeps all out is one line with its number, in the check and in the draft, and another cause is another line', () => {
  const plan = samplePlan({
    Options: ProgramOptions.parse({ AgreementRule: 'off', ComplianceRule: 'block' }),
    Students: ids(240).map((id) =>
      sampleStudent(id, { Requirements: [missing('CPR'), ...(id <= 30 ? [missing('TB test')] : [])] }),
    ),
    Sites: ids(30).map((id) => sampleSite(id)),
    Shifts: ids(30).map((id) => sampleShift(id, id, { Capacity: 8 })),
  })
  const stops = problemsOf(plan)
  expect(stops.map(({ Text }) => Text)).toEqual([
    '240 students have nowhere to go in blocks 1–2: CPR is missing.',
    '30 students have nowhere to go in blocks 1–2: TB test is missing.',
  ])
  expect(stops[0]).toMatchObject({
    Fix: 'requirements',
    StudentId: null,
    SiteIds: [],
    Lacks: 'CPR is missing',
  })
  expect(stops.map(({ StudentIds }) => StudentIds.length)).toEqual([240, 30])
  const { figures } = solved(plan)
  expect(figures.Problems).toEqual([
    '240 students have no place in blocks 1–2: CPR is missing.',
    '30 students have no place in blocks 1–2: TB test is missing.',
  ])
  expect(figures.Causes?.map(({ Fix, StudentIds }) => [Fix, StudentIds.length])).toEqual([
    ['requirements', 240],
    ['requirements', 30],
  ])
})

test('a site that is the cause is named, and what is said where students have nowhere to go is not said again', () => {
  const agreed = { InitialDate: '2030-01-01', TerminationDate: '2040-01-01', Capacity: null }
  const plan = (sites: number, more: Partial<Plan> = {}) =>
    samplePlan({
      Options: ProgramOptions.parse({ AgreementRule: 'block' }),
      Sites: ids(sites).map((id) => sampleSite(id)),
      Shifts: ids(sites).map((id) => sampleShift(id, id, { Capacity: 3 })),
      ...more,
    })
  const all = problemsOf(plan(30))
  expect(all).toHaveLength(1)
  expect(all[0]).toMatchObject({
    Kind: 'stops',
    Fix: 'agreement',
    Text: '3 students have nowhere to go in blocks 1–2: no agreement is in force with Site 1, Site 2 and 28 more.',
  })
  expect(all[0]?.SiteIds).toHaveLength(30)
  const some = plan(3, {
    Sites: [sampleSite(1, { Agreements: [{ SiteId: 1, ...agreed }] }), sampleSite(2), sampleSite(3)],
  })
  expect(problemsOf(some).map(({ Kind, Text }) => `${Kind} ${Text}`)).toEqual([
    'warns 2 sites have no agreement in force in blocks 1–2, so nobody is placed there: Site 2 and Site 3. Renew them first.',
  ])
  // What keeps one out only together is one line of all that there is.
  const one = plan(2, {
    Sites: [sampleSite(1, { Agreements: [{ SiteId: 1, ...agreed }] }), sampleSite(2)],
    Students: [sampleStudent(1, { Excluded: [1] }), sampleStudent(2)],
  })
  expect(problemsOf(one)[0]).toMatchObject({
    StudentId: 1,
    Text: 'Last1, First1 has nowhere to go in blocks 1–2: excluded from Site 1; no agreement is in force with Site 2.',
  })
})

/** Twenty students each of whom needs a block of surgery, for which there are 18 places. */
const surgery = (more: Partial<Plan> = {}) =>
  samplePlan({
    blocks: 6,
    Rules: {
      Groups: [
        Group.parse({
          Name: 'All',
          ShiftsPerWeek: 2,
          Weekdays: [1, 2, 3, 4, 5],
          Experiences: [{ Name: 'Surgery', SiteIds: [1], Blocks: 1 }],
        }),
      ],
      SiteIds: [],
      MostEveningPercent: null,
      Weights: null,
    },
    Students: ids(20).map((id) => sampleStudent(id)),
    Sites: [sampleSite(1), sampleSite(2)],
    Shifts: [sampleShift(1, 1, { Capacity: 3 }), sampleShift(2, 2, { Capacity: 20 })],
    ...more,
  })

test('a missing experience is helped by places, not by asking less of everybody; what is offered was solved', () => {
  const plan = surgery()
  const { indexed, instance, figures } = solved(plan)
  expect(figures.Problems).toEqual(['2 students lack 1 block of Surgery.'])
  const [offer] = figures.Remedies
  expect(offer?.Text).toMatch(
    /^(?:One more place|2 more places) at Site 1 in blocks? [\d–, ]+ gives? Last\d+, First\d+ and Last\d+, First\d+ Surgery$/,
  )
  expect(offer?.IsEnough).toBe(true)
  expect(offer?.Touches).toBeLessThanOrEqual(4)
  expect(solved(plan, offer?.Places).figures).toMatchObject({ Missing: 0, Problems: [] })
  const conflict = findConflict(highs, { indexed, instance })
  expect(conflict?.Rules.map(({ Kind }) => Kind)).toEqual(['siteShift'])
})

test('a missing experience is helped also where nobody wishes anything, at a site that closes early, and by evenings', () => {
  const early = surgery({
    Shifts: [
      sampleShift(1, 1, { Capacity: 9, EndDate: surgery().Blocks[1]!.EndDate }),
      sampleShift(2, 2, { Capacity: 20 }),
    ],
  })
  const evening = surgery({
    Rules: {
      ...early.Rules,
      Groups: early.Rules.Groups.map((group) => ({
        ...group,
        Experiences: [{ ...group.Experiences[0]!, SiteIds: [], Types: ['evening'] }],
      })),
    },
    Shifts: [
      sampleShift(1, 1, { Capacity: 20 }),
      sampleShift(2, 2, { Capacity: 3, Type: 'evening', StartTime: '15:00', EndTime: '23:00' }),
    ],
  })
  for (const plan of [early, evening]) {
    expect(solved(plan).figures.Missing).toBe(2)
    const [offer] = solved(plan).figures.Remedies
    expect(offer?.IsEnough).toBe(true)
    expect(solved(plan, offer?.Places).figures.Missing).toBe(0)
  }
})

test('offers come by how much they leave, then by whom they touch, and several sites together where none is enough', () => {
  const plan = samplePlan({
    blocks: 1,
    Students: ids(4).map((id) => sampleStudent(id, { Excluded: id <= 2 ? [2, 3] : id === 3 ? [1, 3] : [] })),
    Shifts: [sampleShift(1, 1), sampleShift(2, 2), sampleShift(3, 3)],
  })
  const { figures } = solved(plan)
  expect(figures.Placed).toBe(3)
  expect(figures.Remedies.length).toBeGreaterThan(0)
  for (const { Places, IsEnough } of figures.Remedies)
    expect(solved(plan, Places).figures.Placed === 4).toBe(IsEnough)
  const touched = figures.Remedies.map(({ Touches }) => Touches ?? 0)
  expect(touched).toEqual(touched.toSorted((one, other) => one - other))
  const apart = samplePlan({
    blocks: 1,
    Students: ids(4).map((id) => sampleStudent(id, { Excluded: id <= 2 ? [2] : [1] })),
    Sites: [sampleSite(1), sampleSite(2)],
    Shifts: [sampleShift(1, 1), sampleShift(2, 2)],
  })
  const [both] = solved(apart).figures.Remedies
  expect(both?.Text).toMatch(
    /^One more place at Site \d in block 1 and one more place at Site \d in block 1 place /,
  )
  expect(solved(apart, both?.Places).figures.Placed).toBe(4)
  const twice = samplePlan({
    blocks: 2,
    Students: ids(2).map((id) => sampleStudent(id)),
    Sites: [sampleSite(1)],
    Shifts: [sampleShift(1, 1)],
  })
  expect(solved(twice).figures.Remedies[0]?.Text).toMatch(
    /^One more place at Site 1 in blocks 1–2 places Last\d+, First\d+$/,
  )
})
