import { type Block, milesBetween } from '#contract/placement/plan-rules.ts'
import type { PlanRules, RanksPer, Template } from '#contract/placement/plans.ts'
import type { ProgramOptions } from '#contract/programs/program-options.ts'
import type { AgreementFacts, RotationFacts, StudentFacts } from '#contract/scheduling/scheduling-rules.ts'
import type { ShiftType } from '#contract/scheduling/site-shifts.ts'
import type { AgreedPlaces } from './agreed-places.rules.ts'

export interface PlannedStudent extends StudentFacts {
  /** 'Okafor, Ada' */
  Name: string
  /** Sites as ranked, the best first; empty where each block is ranked. */
  SiteIds: readonly number[]
  /** The same of each block, where a plan ranks blocks. */
  ByBlock?: readonly (readonly number[])[]
  Pins: readonly { Block: number; SiteId: number }[]
  Excluded: readonly number[]
  /** Owed from earlier plans. */
  Points: number
  Latitude: number | null
  Longitude: number | null
  /** Procedures that they still have to log, and how many of them each site has; absent where a draft does not weigh it, or nothing is owed. */
  Owed?: { Total: number; BySite: ReadonlyMap<number, number> }
}

export interface PlannedShift {
  Id: number
  Code: string
  SiteId: number
  Type: ShiftType
  Weekdays: readonly number[]
  StartDate: string
  EndDate: string
  Capacity: number
  StartTime: string
  EndTime: string
}

export interface PlannedSite {
  Id: number
  Name: string
  Code: string
  AreaId: number | null
  TimeZone: string
  Latitude: number | null
  Longitude: number | null
  /** Students that the site has room for at all. */
  Capacity: number | null
  Takes: number | null
  Reserved: number
  Technologists: number | null
  /** So many students at a time at least, or none; null for any number. */
  AtLeast: number | null
  Agreements: readonly (AgreementFacts & { Capacity: number | null })[]
}

export interface PlanPlacement {
  StudentId: number
  SiteShiftId: number
  Date: string
  StartsAt: number
  EndsAt: number
}

/** A rotation of a plan; where there are several, its areas say which sites are for it: all when it has none. */
export type PlanRotation = RotationFacts & { AreaIds: readonly number[] }

/** A plan: all that staff set up and students ranked, with the people, sites and shifts that it is solved from. */
export interface Plan {
  Name: string
  Template: Template
  Blocks: readonly Block[]
  Rules: PlanRules
  RanksPer: RanksPer
  MostRanks: number
  /** At least one; a student serves the first one that takes them there and then. */
  Rotations: readonly PlanRotation[]
  Options: ProgramOptions
  ActiveFrom: string | null
  ActiveThrough: string | null
  DaysOff: readonly { StartDate: string; EndDate: string }[]
  Students: readonly PlannedStudent[]
  Sites: readonly PlannedSite[]
  Shifts: readonly PlannedShift[]
  /** By `dayKey`; without what the plan itself has placed. */
  Taken: ReadonlyMap<string, { Placed: number; Capacity: number }>
  /** Other shifts of the students. */
  Placed: readonly PlanPlacement[]
  /** What sites offered for all their shifts and the program accepted, the oldest first. */
  Agreed: readonly AgreedPlaces[]
  /** Places left at sites that several programs share, by `sharedKey`; without what the plan itself has placed. */
  Shared: ReadonlyMap<string, number>
  /** Of these, the days on which other programs have students there, or drafts that were solved together with the one in question. */
  Elsewhere: ReadonlySet<string>
  /** What was accepted already. */
  Accepted: readonly { StudentId: number; Block: number; SiteShiftId: number }[]
}

/** A shift on some of its weekdays: what a student is given for a block. */
export interface PlanOption {
  SiteShiftId: number
  SiteId: number
  site: number
  code: string
  type: ShiftType
  areaId: number | null
  /** By group; null for groups that cannot come. */
  weekdays: (number[] | null)[]
  /** The blocks in which it is there, where a shift is for other rotations in others; all when absent. */
  blocks?: readonly boolean[]
  /** By place in the plan: the rotations that it is for, in their order; all when absent. */
  rotations?: readonly number[]
}

const nothing: readonly number[] = []

/** What a student ranks for a block, the best first. */
export const rankingOf = ({ Students }: Plan, i: number, b: number): readonly number[] => {
  const student = Students[i]
  return (student?.ByBlock ? student.ByBlock[b] : student?.SiteIds) ?? nothing
}

/** Where a site is in the ranking of a student for a block, from 1; 0 where it is not ranked. */
export const rankAt = (plan: Plan, i: number, b: number, siteId: number): number =>
  rankingOf(plan, i, b).indexOf(siteId) + 1

/** How far below a first choice a site is for a student in a block; nothing where they ranked nothing. */
export const stepsBelowFirst = (plan: Plan, i: number, b: number, siteId: number): number => {
  const rank = rankAt(plan, i, b, siteId)
  return rankingOf(plan, i, b).length === 0 ? 0 : rank === 0 ? plan.MostRanks : rank - 1
}

/** Which part of what a student still has to log is done at a site, from 0 to 1; undefined where it does not count. */
export const owedAt = ({ Owed }: PlannedStudent, siteId: number): number | undefined =>
  Owed && Owed.Total > 0 ? (Owed.BySite.get(siteId) ?? 0) / Owed.Total : undefined

/** Miles from a student to a site; null when one of both is not known. */
export const milesOf = (student: PlannedStudent, site: PlannedSite): number | null =>
  student.Latitude === null || student.Longitude === null || site.Latitude === null || site.Longitude === null
    ? null
    : milesBetween(
        { Latitude: student.Latitude, Longitude: student.Longitude },
        { Latitude: site.Latitude, Longitude: site.Longitude },
      )
