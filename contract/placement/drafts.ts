import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, Instant, RequiredLine } from '#contract/core/fields.ts'
import { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { Conflict } from './conflicts.ts'
import { Problem } from './plans.ts'
import { usualWeights, Weights } from './weights.ts'

const Count = z.number().int()
const Whole = (min: number, max: number) => z.number().int('must be a whole number').min(min).max(max)
const onePlan = z.strictObject({ programId: Id, planId: Id })
const oneDraft = onePlan.extend({ draftId: Id })

export const efforts = ['quick', 'normal', 'thorough'] as const
export type Effort = (typeof efforts)[number]

/** More or fewer places than a site has, in some blocks (from 0) or in all. */
export const ChangedPlaces = z.strictObject({
  SiteId: Id,
  Blocks: z.array(Whole(0, 59)).max(60).default([]),
  Places: Whole(-1_000, 1_000),
})
export type ChangedPlaces = z.infer<typeof ChangedPlaces>

/** Most plans of other programs that are solved together with one. */
export const maxOtherPlans = 5

export const DraftInput = z.strictObject({
  Name: RequiredLine(60),
  /** The same seed, plan and effort give the same draft. */
  Seed: Whole(1, 1_000_000).default(1),
  Effort: z.enum(efforts).default('normal'),
  Weights: Weights.default(usualWeights),
  Places: z.array(ChangedPlaces).max(100).default([]),
  /** A draft to begin with: its locked cells stay. */
  FromDraftId: Id.optional(),
  /** Plans of other programs to solve together with this one: each gets a draft of its own. */
  With: z
    .array(z.strictObject({ ProgramId: Id, PlanId: Id }))
    .max(maxOtherPlans)
    .refine((plans) => new Set(plans.map(({ PlanId }) => PlanId)).size === plans.length, 'has a plan twice')
    .default([]),
})
export type DraftInput = z.input<typeof DraftInput>

export const draftStates = ['queued', 'running', 'done', 'stopped', 'failed'] as const

/** Something that would give students a place, or an experience that they lack; solved before it is told. */
export const Remedy = z.object({
  Text: z.string(),
  Places: z.array(ChangedPlaces),
  /** Students whose places it changes; absent in drafts of before. */
  Touches: Count.optional(),
  /** That nobody lacks anything with it; absent in drafts of before. */
  IsEnough: z.boolean().optional(),
})
export type Remedy = z.infer<typeof Remedy>

/** How far everyone goes through every site alike. */
export const WheelProof = z.object({
  /** The sites that at least one student may go to in at least one block. */
  SiteIds: z.array(Id),
  /** Blocks that each student has at each of them when all have it alike. */
  Fewest: Count,
  Most: Count,
  /** Everybody has a place in every block, all have the sites alike, and the experiences and evenings. */
  IsEven: z.boolean(),
  /** No draft has it more alike, which is proved. */
  IsBest: z.boolean(),
  /** What keeps it from being alike; empty when it is, or when no single thing does. */
  Reasons: z.array(z.string()),
})
export type WheelProof = z.infer<typeof WheelProof>

export const DraftFigures = z.object({
  /** Blocks of students with a place, and all of them. */
  Placed: Count,
  Cells: Count,
  /** Over the cells at a ranked site; null when nothing was ranked. */
  MeanRank: z.number().nullable(),
  /** The same with cells at a site that was not ranked, each as one below the last that may be ranked; absent in drafts of before. */
  MeanRankWithUnranked: z.number().nullable().optional(),
  /** Cells by rank: first, second, third, fourth and lower, not ranked. */
  Ranks: z.array(Count).length(5),
  /** Cells by their distance in miles: under 10, 25, 50, 100, and more; absent in drafts of before. */
  Miles: z.array(Count).length(5).optional(),
  /** Median over all cells whose distance is known. */
  MedianMiles: z.number().nullable(),
  /** Most points less fewest points that students are owed, before and after this plan. */
  SpreadBefore: Count,
  SpreadAfter: Count,
  /** How far the draft may be above the best possible: 0.006 is at most 0.6 %. */
  Gap: z.number(),
  /** In the solver's units: what the draft costs, and what none costs less than. */
  Cost: z.number(),
  Bound: z.number(),
  /** Blocks that experiences still lack. */
  Missing: Count,
  /** What the draft could not do, one line a cause. */
  Problems: z.array(z.string()),
  /** The same with whom it concerns and where it is ended; absent in drafts of before. */
  Causes: z.array(Problem).optional(),
  Remedies: z.array(Remedy),
  /** Of a wheel; absent in drafts of before. */
  Wheel: WheelProof.optional(),
  /** Once a run has ended that could not give all students all; absent where nothing was found in the time. */
  Conflict: Conflict.optional(),
})
export type DraftFigures = z.infer<typeof DraftFigures>

export const Draft = z.object({
  Id,
  PlanId: Id,
  Name: z.string(),
  ParentId: Id.nullable(),
  Seed: Count,
  Effort: z.enum(efforts),
  Weights,
  Places: z.array(ChangedPlaces),
  State: z.enum(draftStates),
  Error: z.string(),
  /** How many steps of how many are done while it runs. */
  Step: Count,
  Steps: Count,
  /** Roughly how long all of it takes, in seconds, by what its own first steps have taken; 0 while that is not known. */
  ExpectedSeconds: Count,
  /** How long it runs already, in seconds; null when it does not run. */
  RunSeconds: Count.nullable(),
  Seconds: z.number().nullable(),
  Figures: DraftFigures.nullable(),
  LockedCount: Count,
  AcceptedCount: Count,
  /** The other programs whose plans were solved together with this one; how many students they have, from five on. */
  Together: z.array(z.object({ Program: z.string(), Students: Count.nullable() })),
  /** That the next run is one of all of them: they are being solved together, or were stopped before the end. */
  IsJoint: z.boolean(),
  CreatedAt: Instant,
  CreatedBy: z.string(),
})
export type Draft = z.infer<typeof Draft>

export const listDrafts = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-plans/:planId/drafts',
  may: 'placement.read',
  summary: 'The drafts of a placement plan with their figures, the oldest first',
  params: onePlan,
  answer: z.object({ Drafts: z.array(Draft) }),
})

export const createDraft = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans/:planId/drafts',
  may: 'placement.plan',
  summary: 'Have a draft made: from the plan, or as a what-if from another draft',
  params: onePlan,
  body: DraftInput,
  answer: Draft,
  errors: {
    403: 'a plan of another program is not open to be solved together',
    404: 'the draft to begin with, a site or a plan of another program does not exist',
    409: 'one of the plans has as many drafts as it can have',
  },
})

export const listOtherPlans = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-plans/:planId/other-plans',
  may: 'placement.plan',
  summary:
    'Plans of other programs of the college that a plan can be solved together with: in the same weeks, at a site that both share',
  params: onePlan,
  answer: z.object({
    Plans: z.array(
      z.object({
        ProgramId: Id,
        Program: z.string(),
        PlanId: Id,
        Plan: z.string(),
        StartDate: DateOnly,
        EndDate: DateOnly,
        /** From five on. */
        Students: Count.nullable(),
        /** The shared sites, as the own program calls them. */
        Sites: z.array(z.string()),
      }),
    ),
    /** Programs with such a plan that they have not opened to others. */
    NotOpen: z.array(z.string()),
  }),
})

/** A cell of the grid: what a student has in a block. */
export const Cell = z.object({
  Block: Count,
  SiteShiftId: Id,
  /** From 1; null when the site was not ranked. */
  Rank: Count.nullable(),
  IsLocked: z.boolean(),
  IsAccepted: z.boolean(),
  /** Which of the plan's rotations the student serves there. */
  RotationId: Id,
  /** That the student ranked something for this block. */
  HasRanked: z.boolean(),
  /** As the crow flies from the student's ZIP code; null when one of both is not known. */
  Miles: z.number().nullable(),
})
export type Cell = z.infer<typeof Cell>

export const DraftRow = z.object({
  StudentId: Id,
  Student: z.string(),
  StudentLevelId: Count.nullable(),
  StudentLevel: z.string().nullable(),
  Points: Count,
  HasRanked: z.boolean(),
  Cells: z.array(Cell),
})
export type DraftRow = z.infer<typeof DraftRow>

export const DraftShift = z.object({
  SiteShiftId: Id,
  Shift: z.string(),
  Type: ShiftType,
  /** Of its site. */
  AreaId: Id.nullable(),
  SiteId: Id,
  Site: z.string(),
  SiteCode: z.string(),
})
export type DraftShift = z.infer<typeof DraftShift>

export const getDraft = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-plans/:planId/drafts/:draftId',
  may: 'placement.read',
  summary: 'A draft with the places of all students',
  params: oneDraft,
  answer: z.object({
    Draft,
    Rows: z.array(DraftRow),
    Shifts: z.array(DraftShift),
    Blocks: z.array(z.object({ StartDate: DateOnly, EndDate: DateOnly })),
    /** Students with a place, by block. */
    Placed: z.array(Count),
  }),
})

export const exportDraft = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-plans/:planId/drafts/:draftId/export',
  may: 'placement.read',
  summary:
    'A draft as a file: a row a student with their places, ranks, points, and how often they have each experience and site',
  params: oneDraft,
  query: z.strictObject({ Format: z.enum(['csv', 'xlsx', 'pdf']).default('xlsx') }),
  isHeavy: true,
  mayBePrepared: true,
  answers: 'file',
})

export const runDraft = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans/:planId/drafts/:draftId/runs',
  may: 'placement.plan',
  summary:
    'Solve a draft again from where it is; locked cells stay. One that was stopped while several plans were solved together goes on with all',
  params: oneDraft,
  answer: Draft,
  errors: { 409: 'it runs already, or a draft that was solved together with it does' },
})

export const stopDraft = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans/:planId/drafts/:draftId/stop',
  may: 'placement.plan',
  summary:
    'Stop a run, of all plans that are solved together; the best so far is kept, and it can go on from there',
  params: oneDraft,
  answer: Draft,
  errors: { 409: 'it does not run' },
})

export const deleteDraft = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/placement-plans/:planId/drafts/:draftId',
  may: 'placement.plan',
  summary: 'Delete a draft of which nothing is accepted, also while it runs; it can be restored',
  params: oneDraft,
  errors: { 409: 'placements of it were accepted' },
})

export const restoreDraft = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans/:planId/drafts/:draftId/restoration',
  may: 'placement.plan',
  summary: 'Bring a deleted draft back',
  params: oneDraft,
  answer: Draft,
})

const CellKey = z.strictObject({ StudentId: Id, Block: Whole(0, 59) })

export const lockCells = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans/:planId/drafts/:draftId/locks',
  may: 'placement.plan',
  summary: 'Lock cells of a draft, so that the next run leaves them, or unlock them',
  params: oneDraft,
  body: z.strictObject({ Cells: z.array(CellKey).min(1).max(1_000), IsLocked: z.boolean() }),
  answer: Draft,
  errors: { 404: 'a cell is empty', 409: 'it runs' },
})

/** A site that a student ranked higher, or the one that they have, and why. */
export const Why = z.object({
  SiteId: Id,
  Site: z.string(),
  Rank: Count.nullable(),
  IsOwn: z.boolean(),
  Text: z.string(),
  /** That the solver can say what it would cost to give it to them anyway. */
  IsPossible: z.boolean(),
})
export type Why = z.infer<typeof Why>

export const explainCell = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-plans/:planId/drafts/:draftId/why',
  may: 'placement.read',
  summary: 'Why a student is where they are in a block: what they ranked higher and why they do not have it',
  params: oneDraft,
  query: z.strictObject({ StudentId: Id, Block: Whole(0, 59) }),
  isHeavy: true,
  answer: z.object({
    Why: z.array(Why),
    StudentText: z.string(),
    /** What was accepted is explained as the draft was then. */
    AcceptedDate: Instant.nullable(),
  }),
  errors: { 404: 'the student or the block is not in the plan' },
})

export const forceCell = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-plans/:planId/drafts/:draftId/cost',
  may: 'placement.read',
  summary: 'What it would cost others in the block to give a student a site anyway',
  params: oneDraft,
  query: z.strictObject({
    StudentId: Id,
    Block: Whole(0, 59),
    SiteId: Id,
  }),
  isHeavy: true,
  answer: z.object({
    /** Whose place would change, the student first. */
    Moves: z.array(
      z.object({
        StudentId: Id,
        Student: z.string(),
        From: z.string(),
        FromRank: Count.nullable(),
        To: z.string(),
        ToRank: Count.nullable(),
        SiteShiftId: Id.nullable(),
      }),
    ),
    MeanRankBefore: z.number().nullable(),
    MeanRankAfter: z.number().nullable(),
    /** In the solver's units: 0 or less means that it is as good. */
    Cost: z.number(),
  }),
  errors: { 404: 'the student, the block or the site is not in the plan', 422: 'they cannot be there' },
})

export const setCells = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans/:planId/drafts/:draftId/cells',
  may: 'placement.plan',
  summary: 'Put students on shifts in a block of a draft by hand, within the rules; the first one is locked',
  params: oneDraft,
  body: z.strictObject({
    Block: Whole(0, 59),
    Cells: z
      .array(
        z.strictObject({
          StudentId: Id,
          SiteShiftId: Id.nullable(),
          /** Absent: the first student's place is locked, the others' are not. */
          IsLocked: z.boolean().optional(),
        }),
      )
      .min(1)
      .max(500),
  }),
  answer: Draft,
  errors: { 404: 'a student or a shift is not in the plan', 409: 'it runs', 422: 'a rule refuses it' },
})
