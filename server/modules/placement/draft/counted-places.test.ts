import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { ProgramOptions } from '#contract/programs/program-options.ts'
import { samplePlan, sampleShift, sampleSite, sampleStudent } from '#server/test/sample-plans.ts'
import { indexPlan } from '../plan/indexed-plan.rules.ts'
import type { Plan } from '../plan/plan.rules.ts'
import { usablePlaces } from '../plan/reach.rules.ts'
import { randomFrom } from '../solve/instance.solver.ts'
import { type Highs, openHighs } from '../solve/linear.solver.ts'
import { instanceOf } from '../solve/plan-instance.rules.ts'
import { solve } from '../solve/solve.solver.ts'

let highs: Highs
beforeAll(async () => {
  highs = await openHighs()
})

/** A plan with all that can close a place: agreements, dates, hours, answers, exclusions and requirements, each rule as strict as it may be. */
const closingPlan = (seed: number): Plan => {
  const random = randomFrom(seed)
  const whole = (most: number) => Math.floor(random() * (most + 1))
  const often = (share: number) => random() < share
  const strictness = () => (['off', 'warn', 'block'] as const)[whole(2)]
  const ids = [1, 2, 3]
  return samplePlan({
    blocks: 2,
    Options: ProgramOptions.parse({
      AgreementRule: strictness(),
      HoursPerDayRule: strictness(),
      HoursPerWeekRule: strictness(),
      ProgramDatesRule: strictness(),
      ComplianceRule: strictness(),
      MostHoursPerDay: often(0.3) ? 8 : 10,
      MostHoursPerWeek: often(0.3) ? 16 : 40,
    }),
    ActiveThrough: often(0.3) ? '2032-03-07' : null,
    Sites: ids.map((id) =>
      sampleSite(id, {
        Takes: often(0.3) ? whole(3) : null,
        Reserved: often(0.2) ? 1 : 0,
        Agreements: often(0.5)
          ? [
              {
                SiteId: id,
                InitialDate: null,
                TerminationDate: often(0.5) ? '2032-03-07' : null,
                Capacity: null,
              },
            ]
          : [],
      }),
    ),
    Shifts: ids.flatMap((id) =>
      [0, 1].map((n) =>
        sampleShift(id * 10 + n, id, {
          Capacity: whole(3),
          ...(often(0.3) && { EndDate: '2032-03-07' }),
          ...(n === 1 && { Type: 'evening', StartTime: '15:00', EndTime: '23:00' }),
        }),
      ),
    ),
    Students: Array.from({ length: 8 }, (_, index) =>
      sampleStudent(index + 1, {
        Excluded: index < 2 && often(0.5) ? [1 + whole(2)] : [],
        Requirements:
          index % 2 === 1 && often(0.5) ? [{ Name: 'CPR', Status: 'missing', ExpiresOn: null }] : [],
      }),
    ),
  })
}

test('what is counted as places is what a draft can use, whatever closes a site and however strict the rule is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
      const indexed = indexPlan(closingPlan(seed))
      const { plan, blocks, options } = indexed
      const usable = usablePlaces(indexed)
      const { instance } = instanceOf(indexed, {
        weights: { Rank: 60, Distance: 0, Fairness: 0, Changes: 0, Load: 0, Needs: 0 },
        places: [],
        cells: [],
      })
      for (const s of plan.Sites.keys()) {
        // Nothing but this site: as many as can be are placed there.
        const allowed = instance.allowed.map((is, at) => (options[at % options.length]?.site === s ? is : 0))
        const { solution } = [...solve(highs, { ...instance, allowed }, { seed: 1, steps: 1 })].at(-1)!
        for (let b = 0; b < blocks; b++) {
          const width = options.length
          const may = [...plan.Students.keys()].filter((i) =>
            allowed.subarray((i * blocks + b) * width, (i * blocks + b + 1) * width).includes(1),
          ).length
          const places = usable[s * blocks + b] ?? 0
          expect(solution.filter((o, at) => o >= 0 && at % blocks === b)).toHaveLength(Math.min(places, may))
          if (may === 0) expect(places).toBe(0)
        }
      }
    }),
    { numRuns: 80 },
  )
})
