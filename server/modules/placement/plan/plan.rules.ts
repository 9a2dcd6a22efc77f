import { type Block, milesBetween } from '#contract/placement/plan-rules.ts'
import type { PlanRules, RanksPer, Template } from '#contract/placement/plans.ts'
import type { ProgramOptions } from '#contract/programs/program-options.ts'
import type { AgreementFacts, RotationFacts, StudentFacts } from '#contract/scheduling/scheduling-rules.ts'
import type { ShiftType } from '#contract/scheduling/site-shifts.ts'
import type { AgreedPlaces } from './agreed-places.rules.ts'

export interface PlannedStudent extends StudentFacts {
  /** 'Okafor, Ada' */
  Name: string
  /** Sites as ranked, best first; empty if each block is ranked. */
  SiteIds: readonly number[]
  /** The same for each block, if the plan ranks blocks. */
  ByBlock?: readonly (readonly number[])[]
  Pins: readonly { Block: number; SiteId: number }[]
  Excluded: readonly number[]
  /** Owed from earlier plans. */
  Points: number
  Latitude: number | null
  Longitude: number | null
  /** Procedures still to log, in all and by site; absent if the draft does not weigh it or nothing is owed. */
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
  /** The most students the site has room for. */
  Capacity: number | null
  Takes: number | null
  Reserved: number
  Technologists: number | null
  /** At least this many students at a time, or none at all; null for any number. */
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

/** A rotation of a plan. If there are several, its areas say which sites are for it; all if it has none. */
export type PlanRotation = RotationFacts & { AreaIds: readonly number[] }

/** A plan: all that staff set up and students ranked, with the people, sites and shifts that it is solved from. */
export interface Plan {
  Name: string
  Template: Template
  Blocks: readonly Block[]
  Rules: PlanRules
  RanksPer: RanksPer
  MostRanks: number
  /** At least one; a student serves the first that takes them at a site on the dates of a block. */
  Rotations: readonly PlanRotation[]
  Options: ProgramOptions
  ActiveFrom: string | null
  ActiveThrough: string | null
  DaysOff: readonly { StartDate: string; EndDate: string }[]
  Students: readonly PlannedStudent[]
  Sites: readonly PlannedSite[]
  Shifts: readonly PlannedShift[]
  /** By `dayKey`, not counting what this plan has placed. */
  Taken: ReadonlyMap<string, { Placed: number; Capacity: number }>
  /** Other shifts of the students. */
  Placed: readonly PlanPlacement[]
  /** What sites offered for all their shifts and the program accepted, oldest first. */
  Agreed: readonly AgreedPlaces[]
  /** Places left at shared sites, by `sharedKey`, not counting what this plan has placed. */
  Shared: ReadonlyMap<string, number>
  /** Of these, the days on which other programs, or drafts solved together with this one, have students there. */
  Elsewhere: ReadonlySet<string>
  /** What was accepted already. */
  Accepted: readonly { StudentId: number; Block: number; SiteShiftId: number }[]
}

/** A shift on some of its weekdays: what a student gets for a block. */
export interface PlanOption {
  SiteShiftId: number
  SiteId: number
  site: number
  code: string
  type: ShiftType
  areaId: number | null
  /** By group; null for groups that cannot come. */
  weekdays: (number[] | null)[]
  /** The blocks in which the option exists, if the shift is for other rotations in other blocks; all if absent. */
  blocks?: readonly boolean[]
  /** The rotations it is for, by position in the plan and in their order; all if absent. */
  rotations?: readonly number[]
}

const nothing: readonly number[] = []

/** What a student ranks for a block, best first. */
export const rankingOf = ({ Students }: Plan, i: number, b: number): readonly number[] => {
  const student = Students[i]
  return (student?.ByBlock ? student.ByBlock[b] : student?.SiteIds) ?? nothing
}

/** The rank of a site for a student in a block, from 1; 0 if not ranked. */
export const rankAt = (plan: Plan, i: number, b: number, siteId: number): number =>
  rankingOf(plan, i, b).indexOf(siteId) + 1

/** How many steps a site is below a student's first choice in a block; 0 if they ranked nothing. */
export const stepsBelowFirst = (plan: Plan, i: number, b: number, siteId: number): number => {
  const rank = rankAt(plan, i, b, siteId)
  return rankingOf(plan, i, b).length === 0 ? 0 : rank === 0 ? plan.MostRanks : rank - 1
}

/** The share of what a student still has to log that is done at a site, from 0 to 1; undefined if it does not count. */
export const owedAt = ({ Owed }: PlannedStudent, siteId: number): number | undefined =>
  Owed && Owed.Total > 0 ? (Owed.BySite.get(siteId) ?? 0) / Owed.Total : undefined

/** Miles from a student to a site; null if either location is unknown. */
export const milesOf = (student: PlannedStudent, site: PlannedSite): number | null =>
  student.Latitude === null || student.Longitude === null || site.Latitude === null || site.Longitude === null
    ? null
    : milesBetween(
        { Latitude: student.Latitude, Longitude: student.Longitude },
        { Latitude: site.Latitude, Longitude: site.Longitude },
      )
