import { addDays } from '#contract/core/calendar.ts'
import { blocksOf } from '#contract/placement/plan-rules.ts'
import { Group } from '#contract/placement/plans.ts'
import { ProgramOptions } from '#contract/programs/program-options.ts'
import type {
  Plan,
  PlannedShift,
  PlannedSite,
  PlannedStudent,
  PlanRotation,
} from '#server/modules/placement/plan/plan.rules.ts'
import { randomFrom } from '#server/modules/placement/solve/instance.solver.ts'

const monday = '2032-03-01'

export const sampleStudent = (id: number, more: Partial<PlannedStudent> = {}): PlannedStudent => ({
  Id: id,
  FirstName: `First${id}`,
  LastName: `Last${id}`,
  Name: `Last${id}, First${id}`,
  StudentLevelId: 1,
  LevelName: 'Level 1',
  Cohort: '2032',
  LeavesOn: null,
  Requirements: [],
  SiteIds: [],
  Pins: [],
  Excluded: [],
  Points: 0,
  Latitude: null,
  Longitude: null,
  ...more,
})

export const sampleSite = (id: number, more: Partial<PlannedSite> = {}): PlannedSite => ({
  Id: id,
  Name: `Site ${id}`,
  Code: `S${id}`,
  AreaId: null,
  TimeZone: 'America/New_York',
  Latitude: null,
  Longitude: null,
  Capacity: null,
  Takes: null,
  Reserved: 0,
  Technologists: null,
  AtLeast: null,
  Agreements: [],
  ...more,
})

export const sampleShift = (id: number, siteId: number, more: Partial<PlannedShift> = {}): PlannedShift => ({
  Id: id,
  Code: `SH${id}`,
  SiteId: siteId,
  Type: 'day',
  Weekdays: [1, 2],
  StartDate: '2030-01-01',
  EndDate: '2040-01-01',
  Capacity: 1,
  StartTime: '07:00',
  EndTime: '15:30',
  ...more,
})

export const sampleRotation = (id: number, more: Partial<PlanRotation> = {}): PlanRotation => ({
  Id: id,
  Name: id === 1 ? 'Rotation' : `Rotation ${id}`,
  StartDate: '2030-01-01',
  EndDate: '2040-01-01',
  StudentLevelIds: [],
  Cohorts: [],
  AreaIds: [],
  ...more,
})

/** A plan without a database: three students, three sites with a shift of one place each, blocks of a week. */
export const samplePlan = ({ blocks = 2, ...more }: Partial<Plan> & { blocks?: number } = {}): Plan => ({
  Name: 'Plan',
  Template: 'ranked',
  Blocks: blocksOf(monday, addDays(monday, blocks * 7 - 1), 1),
  Rules: {
    Groups: [Group.parse({ Name: 'All', ShiftsPerWeek: 2, Weekdays: [1, 2, 3, 4, 5] })],
    SiteIds: [],
    MostEveningPercent: null,
    Weights: null,
  },
  RanksPer: 'plan',
  MostRanks: 5,
  Rotations: [sampleRotation(1)],
  Options: ProgramOptions.parse({ AgreementRule: 'off' }),
  ActiveFrom: null,
  ActiveThrough: null,
  DaysOff: [],
  Students: [1, 2, 3].map((id) => sampleStudent(id)),
  Sites: [1, 2, 3].map((id) => sampleSite(id)),
  Shifts: [1, 2, 3].map((id) => sampleShift(id, id)),
  Taken: new Map(),
  Placed: [],
  Accepted: [],
  Agreed: [],
  Shared: new Map(),
  Elsewhere: new Set(),
  ...more,
})

/** Evenings that a student gets: one at least, one at most, or both, as a rule or as a wish. */
const evenings = (often: (share: number) => boolean) => {
  const isLeast = often(0.7)
  return {
    Name: 'Evening',
    Types: ['evening'],
    Blocks: isLeast ? 1 : 0,
    MostBlocks: isLeast && often(0.7) ? null : 1,
    Weight: often(0.4) ? 40 : null,
  }
}

/** A small plan made by chance, with everything that rules can ask. */
export const randomPlan = (seed: number): Plan => {
  const random = randomFrom(seed)
  const whole = (most: number) => Math.floor(random() * (most + 1))
  const often = (share: number) => random() < share
  const [students, sites, blocks] = [1 + whole(3), 1 + whole(2), 1 + whole(2)]
  const ids = Array.from({ length: sites }, (_, index) => index + 1)
  const ranksPer = often(0.4) ? 'block' : 'plan'
  const ranking = () => ids.toSorted(() => random() - 0.5).slice(0, whole(sites))
  const evening = { Type: 'evening', StartTime: '15:00', EndTime: '23:00' } as const
  return samplePlan({
    blocks,
    Template: often(0.3) ? 'wheel' : 'ranked',
    Rules: {
      Groups: [
        Group.parse({
          Name: 'All',
          ShiftsPerWeek: 2,
          Weekdays: [1, 2, 3, 4, 5],
          Experiences: often(0.6) ? [evenings(often)] : [],
          MostBlocksPerSite: often(0.4) ? 1 : null,
        }),
      ],
      SiteIds: [],
      MostEveningPercent: often(0.4) ? 50 : null,
      Weights: null,
    },
    RanksPer: ranksPer,
    Sites: ids.map((id) =>
      sampleSite(id, { Takes: often(0.3) ? whole(3) : null, AtLeast: often(0.3) ? 2 + whole(1) : null }),
    ),
    Shifts: ids.flatMap((id) => [
      sampleShift(id * 10, id, { Capacity: whole(2) }),
      ...(often(0.5) ? [sampleShift(id * 10 + 1, id, { Capacity: whole(2), ...evening })] : []),
    ]),
    Students: Array.from({ length: students }, (_, index) =>
      sampleStudent(index + 1, {
        ...(ranksPer === 'block'
          ? { ByBlock: Array.from({ length: blocks }, ranking) }
          : { SiteIds: ranking() }),
        Points: whole(6),
        Excluded: often(0.15) ? [1] : [],
        Pins: often(0.1) ? [{ Block: 0, SiteId: 1 }] : [],
      }),
    ),
  })
}
