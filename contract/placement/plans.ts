import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  InProgram,
  Instant,
  Line,
  PageOf,
  paging,
  RequiredLine,
  Sort,
  Text,
  TimeOfDay,
} from '#contract/core/fields.ts'
import { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { conflictKinds } from './conflicts.ts'
import { maxPlanStudents } from './plan-rules.ts'
import { Weights } from './weights.ts'

const Count = z.number().int()
const Whole = (min: number, max: number) => z.number().int('must be a whole number').min(min).max(max)
const onePlan = z.strictObject({ programId: Id, planId: Id })

/** Whether students rank the sites once, or for each block. */
export const ranksPer = ['plan', 'block'] as const
export type RanksPer = (typeof ranksPer)[number]

/** Most rotations that one plan places in. */
export const maxRotations = 10

export const templates = ['wheel', 'ranked'] as const
export type Template = (typeof templates)[number]

/**
 * Something that students of a group get: blocks at one of these sites, areas or types of shift, so many at least, at most, or both.
 */
export const Experience = z.strictObject({
  Name: RequiredLine(60),
  SiteIds: z.array(Id).max(200).default([]),
  AreaIds: z.array(Id).max(200).default([]),
  Types: z.array(ShiftType).max(5).default([]),
  /** How many blocks each student gets at least; 0 where only a limit above is asked. */
  Blocks: Whole(0, 60),
  /** And at most; null for any number. */
  MostBlocks: Whole(1, 60).nullable().default(null),
  /** In one of these rotations of the plan; empty means any. */
  RotationIds: z.array(Id).max(maxRotations).default([]),
  /** What a block too few or too many weighs, beside ranks and distances; null for a rule: nobody has too many, and who has too few is named. */
  Weight: Whole(1, 100).nullable().default(null),
})
export type Experience = z.infer<typeof Experience>

/** What is asked of the students of some levels. */
export const Group = z.strictObject({
  Name: RequiredLine(60),
  /** Empty: all students whose level no other group names. */
  StudentLevelIds: z.array(z.number().int().min(1).max(20)).max(20).default([]),
  ShiftsPerWeek: Whole(1, 7),
  /** 0 is Sunday. */
  Weekdays: z
    .array(Whole(0, 6))
    .min(1, 'needs at least one weekday')
    .max(7)
    .transform((days) => [...new Set(days)].sort()),
  /** Types of shifts; empty means all. */
  Types: z.array(ShiftType).max(5).default([]),
  Experiences: z.array(Experience).max(12).default([]),
  /** At most so many blocks at one site; null for any number. */
  MostBlocksPerSite: Whole(1, 60).nullable().default(null),
  /** At least so many blocks at each site that takes part and is open to the student; null for none. */
  FewestBlocksPerSite: Whole(1, 60).nullable().default(null),
})
export type Group = z.infer<typeof Group>

export const PlanRules = z.strictObject({
  Groups: z.array(Group).min(1, 'needs at least one group').max(10),
  /** Sites that take part; empty means all with shifts. */
  SiteIds: z.array(Id).max(500).default([]),
  /** Of a student's blocks, at most so many percent in the evening, at night or on weekends; null for any. */
  MostEveningPercent: Whole(0, 100).nullable().default(null),
  /** What new drafts weigh unless they are told otherwise; null for the usual. */
  Weights: Weights.nullable().default(null),
})
export type PlanRules = z.infer<typeof PlanRules>

export const planStates = ['planning', 'ranking', 'closed'] as const

const planFields = {
  Name: RequiredLine(100),
  /** The rotation; where there are several, the first. */
  RotationId: Id,
  Template: z.enum(templates),
  StartDate: DateOnly,
  EndDate: DateOnly,
  WeeksPerBlock: Whole(1, 26),
  Rules: PlanRules,
  Instructions: Text(2000).default(''),
  RanksPer: z.enum(ranksPer).default('plan'),
  MostRanks: Whole(1, 20).default(5),
  /** Other programs of the college that share a site may solve the plan together with theirs. */
  IsOpenToOthers: z.boolean().default(false),
}

const Block = z.object({ StartDate: DateOnly, EndDate: DateOnly })

export const PlacementPlan = z.object({
  Id,
  Name: z.string(),
  /** The first of its rotations. */
  RotationId: Id,
  Rotation: z.string(),
  /** All of them: a student serves the first one that takes them at a site in a block. */
  Rotations: z.array(z.object({ Id, Name: z.string() })),
  Template: z.enum(templates),
  /** Empty when the students were picked. */
  Cohort: z.string(),
  StudentIds: z.array(Id),
  StartDate: DateOnly,
  EndDate: DateOnly,
  WeeksPerBlock: Count,
  Blocks: z.array(Block),
  Rules: PlanRules,
  Instructions: z.string(),
  RanksPer: z.enum(ranksPer),
  MostRanks: Count,
  IsOpenToOthers: z.boolean(),
  /** On the program's clock; null while students do not rank. */
  OpensDate: DateOnly.nullable(),
  OpensTime: TimeOfDay.nullable(),
  ClosesDate: DateOnly.nullable(),
  ClosesTime: TimeOfDay.nullable(),
  OpensAt: Instant.nullable(),
  ClosesAt: Instant.nullable(),
  State: z.enum(planStates),
  AnsweredCount: Count,
  DraftCount: Count,
  /** Placements that were accepted and not undone. */
  AcceptedCount: Count,
  PublishedAt: Instant.nullable(),
})
export type PlacementPlan = z.infer<typeof PlacementPlan>

const isBefore = (
  { OpensDate, OpensTime }: { OpensDate: string | null; OpensTime: string | null },
  { ClosesDate, ClosesTime }: { ClosesDate: string | null; ClosesTime: string | null },
): boolean => `${OpensDate} ${OpensTime}` < `${ClosesDate} ${ClosesTime}`

export const PlacementPlanInput = z
  .strictObject({
    ...planFields,
    /** Further rotations, in the order in which students serve them. */
    MoreRotationIds: z
      .array(Id)
      .max(maxRotations - 1)
      .default([]),
    Cohort: Line(100).default(''),
    /** Read when no cohort is given. */
    StudentIds: z.array(Id).max(maxPlanStudents).default([]),
    OpensDate: DateOnly.nullable().default(null),
    OpensTime: TimeOfDay.nullable().default(null),
    ClosesDate: DateOnly.nullable().default(null),
    ClosesTime: TimeOfDay.nullable().default(null),
  })
  .refine(({ StartDate, EndDate }) => StartDate <= EndDate, {
    path: ['EndDate'],
    message: 'must not be before the start date',
  })
  .refine(({ Cohort, StudentIds }) => Cohort !== '' || StudentIds.length > 0, {
    path: ['Cohort'],
    message: 'or students are required',
  })
  .refine(
    ({ OpensDate, OpensTime, ClosesDate, ClosesTime }) =>
      [OpensTime, ClosesDate, ClosesTime].every((each) => (each === null) === (OpensDate === null)),
    { path: ['ClosesDate'], message: 'needs both dates with their times, or none' },
  )
  .refine((plan) => plan.OpensDate === null || isBefore(plan, plan), {
    path: ['ClosesDate'],
    message: 'must be after the opening',
  })
  .refine(({ Rules: { Groups } }) => new Set(Groups.map(({ Name }) => Name)).size === Groups.length, {
    path: ['Rules'],
    message: 'has two groups of one name',
  })
export type PlacementPlanInput = z.input<typeof PlacementPlanInput>

/** The rotations of an input, each once. */
export const rotationsOf = ({
  RotationId,
  MoreRotationIds,
}: Pick<z.output<typeof PlacementPlanInput>, 'RotationId' | 'MoreRotationIds'>): number[] => [
  ...new Set([RotationId, ...MoreRotationIds]),
]

export const listPlacementPlans = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-plans',
  may: 'placement.read',
  summary: 'Placement plans, the latest first unless sorted otherwise',
  params: InProgram,
  query: z.strictObject({
    ...paging,
    search: Line(100).optional(),
    sort: Sort(['Name', 'StartDate', 'StudentCount']).default('-StartDate'),
  }),
  answer: PageOf(
    PlacementPlan.omit({ Rules: true, StudentIds: true, Blocks: true, Instructions: true }).extend({
      StudentCount: Count,
      BlockCount: Count,
    }),
  ),
})

export const getPlacementPlanById = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-plans/:planId',
  may: 'placement.read',
  summary: 'A placement plan with its rules and blocks',
  params: onePlan,
  answer: PlacementPlan,
})

const planErrors = {
  404: 'the rotation, a student or a site does not exist',
  409: 'placements of the plan were accepted, so dates and students stay',
  422: 'the plan lies outside its rotation, has too many blocks, or the cohort has no active students',
} as const

export const createPlacementPlan = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans',
  may: 'placement.plan',
  summary: 'Add a placement plan',
  params: InProgram,
  body: PlacementPlanInput,
  answer: PlacementPlan,
  errors: planErrors,
})

export const updatePlacementPlan = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans/:planId',
  may: 'placement.plan',
  summary: 'Change a placement plan',
  params: onePlan,
  body: PlacementPlanInput,
  answer: PlacementPlan,
  errors: planErrors,
  basis: {
    read: getPlacementPlanById,
    elsewhere: {
      MoreRotationIds: ({ Rotations }: PlacementPlan) => Rotations.slice(1).map((rotation) => rotation.Id),
    },
  },
})

export const deletePlacementPlan = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/placement-plans/:planId',
  may: 'placement.plan',
  summary: 'Delete a placement plan of which nothing is accepted; it can be restored',
  params: onePlan,
  errors: { 409: 'placements of it were accepted' },
})

export const restorePlacementPlan = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans/:planId/restoration',
  may: 'placement.plan',
  summary: 'Bring a deleted placement plan back',
  params: onePlan,
  answer: PlacementPlan,
})

export const Problem = z.object({
  /** `stops` cannot be solved; `warns` costs somebody something. */
  Kind: z.enum(['stops', 'warns']),
  /** One line a cause, whoever it concerns. */
  Text: z.string(),
  /** Where only one is concerned. */
  StudentId: Id.nullable(),
  SiteId: Id.nullable(),
  /** Where it is ended; null where nothing of the product could. */
  Fix: z.enum(conflictKinds).nullable(),
  /** All whom it concerns, and all sites that it is about. */
  StudentIds: z.array(Id),
  SiteIds: z.array(Id),
  /** What the students lack, about nobody by name; where requirements are the cause. */
  Lacks: z.string().optional(),
})
export type Problem = z.infer<typeof Problem>

export const Demand = z.object({
  SiteId: Id,
  Site: z.string(),
  Code: z.string(),
  /** Students at a time, by block: the least of its shifts, its agreement and what it said; 0 where no student may go. */
  Places: z.array(Count),
  /** Why nobody can be placed there in any block, as it follows the name of the site; empty if somebody can. */
  Closed: z.string().default(''),
  FirstChoices: Count,
  /** Students who ranked it at all. */
  Ranked: Count,
  /** First choices by block, where each block is ranked; empty where the plan is. */
  FirstByBlock: z.array(Count),
  Takes: Count.nullable(),
  Reserved: Count,
  Technologists: Count.nullable(),
  AtLeast: Count.nullable(),
  AgreementCapacity: Count.nullable(),
})
export type Demand = z.infer<typeof Demand>

export const checkPlacementPlan = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-plans/:planId/readiness',
  may: 'placement.read',
  summary: 'What of a plan can never work and why, and what students rank against the places of each site',
  params: onePlan,
  answer: z.object({
    Problems: z.array(Problem),
    /** The names of all students whom problems concern. */
    Students: z.array(z.object({ Id, Name: z.string() })),
    Demand: z.array(Demand),
    Blocks: z.array(Block),
  }),
})

export const savePlacementSite = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans/:planId/sites/:siteId',
  may: 'placement.plan',
  summary:
    'Record what a site has said about a plan: how many it takes, and what is reserved for others; what is left out stays',
  params: onePlan.extend({ siteId: Id }),
  body: z.strictObject({
    Takes: Whole(0, 10_000).nullable().optional(),
    Reserved: Whole(0, 10_000).optional(),
    Technologists: Whole(0, 10_000).nullable().optional(),
    /** So many students at a time at least, or none; null for any number. */
    AtLeast: Whole(2, 10_000).nullable().optional(),
  }),
})

const Pin = z.strictObject({ Block: Whole(0, 59), SiteId: Id })

/** What a student ranks for one block, the best first. */
export const BlockRanking = z.strictObject({
  Block: Whole(0, 59),
  SiteIds: z
    .array(Id)
    .max(20)
    .refine((ids) => new Set(ids).size === ids.length, 'has a site twice'),
})
export type BlockRanking = z.infer<typeof BlockRanking>

/** Rankings of blocks, each block once. */
export const BlockRankings = z
  .array(BlockRanking)
  .max(60)
  .refine((blocks) => new Set(blocks.map(({ Block }) => Block)).size === blocks.length, 'has a block twice')

export const PlanStudent = z.object({
  StudentId: Id,
  Student: z.string(),
  StudentLevel: z.string().nullable(),
  /** From 0; what is owed from earlier plans. */
  Points: Count,
  SiteIds: z.array(Id),
  /** Where each block is ranked: those that they have ranked, by block. */
  BlockRankings: z.array(BlockRanking),
  Reason: z.string(),
  SavedAt: Instant.nullable(),
  SubmittedAt: Instant.nullable(),
  Pins: z.array(Pin),
  ExcludedSiteIds: z.array(Id),
  Note: z.string(),
  IsActive: z.boolean(),
})
export type PlanStudent = z.infer<typeof PlanStudent>

export const listPlanStudents = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-plans/:planId/students',
  may: 'placement.read',
  summary: 'The students of a plan with their rankings, pins and exclusions',
  params: onePlan,
  query: z.strictObject({
    ...paging,
    search: Line(100).optional(),
    sort: Sort(['Student', 'Points', 'SubmittedAt']).default('Student'),
    /** Only who has not submitted a ranking. */
    IsMissing: z.boolean().default(false),
  }),
  answer: PageOf(PlanStudent).extend({ MissingCount: Count }),
})

export const savePlanStudent = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans/:planId/students/:studentId',
  may: 'placement.plan',
  summary: 'Pin a student to sites, exclude them from sites, or rank for them; what is left out stays',
  params: onePlan.extend({ studentId: Id }),
  body: z.strictObject({
    Pins: z
      .array(Pin)
      .max(60)
      .refine((pins) => new Set(pins.map((pin) => pin.Block)).size === pins.length, 'has a block twice')
      .optional(),
    ExcludedSiteIds: z.array(Id).max(500).optional(),
    Note: Line(200).optional(),
    SiteIds: z
      .array(Id)
      .max(20)
      .refine((ids) => new Set(ids).size === ids.length, 'has a site twice')
      .optional(),
    /** Read where each block is ranked. */
    BlockRankings: BlockRankings.optional(),
  }),
  errors: { 404: 'the student or a site is not in the plan' },
})

export const remindPlanStudents = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans/:planId/reminders',
  may: 'placement.plan',
  summary: 'Remind the students who have not submitted a ranking by email',
  params: onePlan,
  answer: z.object({ Sent: Count }),
  errors: { 409: 'students cannot rank now' },
})
