import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, Instant, Text } from '#contract/core/fields.ts'
import { BlockRanking, BlockRankings, ranksPer } from './plans.ts'

const onePlan = z.strictObject({ planId: Id })

export const RankedSite = z.object({
  SiteId: Id,
  Site: z.string(),
  Code: z.string(),
  City: z.string(),
  /** As the crow flies from the student's ZIP code; null when one of both is not known. */
  Miles: z.number().nullable(),
  /** The area, and the types of its shifts. */
  Offers: z.array(z.string()),
  /** Shifts that the student had there before. */
  EarlierCount: z.number().int(),
  /** The blocks, from 0, in which it has a shift. */
  Blocks: z.array(z.number().int()),
})
export type RankedSite = z.infer<typeof RankedSite>

export const OwnRanking = z.object({
  PlanId: Id,
  Plan: z.string(),
  Rotation: z.string(),
  /** All of the plan, the first one first. */
  Rotations: z.array(z.string()),
  StartDate: DateOnly,
  EndDate: DateOnly,
  Blocks: z.array(z.object({ StartDate: DateOnly, EndDate: DateOnly })),
  Instructions: z.string(),
  /** Whether the student ranks the sites once or for each block. */
  RanksPer: z.enum(ranksPer),
  MostRanks: z.number().int(),
  OpensAt: Instant,
  ClosesAt: Instant,
  State: z.enum(['ahead', 'open', 'closed']),
  Points: z.number().int(),
  Sites: z.array(RankedSite),
  /** The best first; empty where each block is ranked. */
  SiteIds: z.array(Id),
  /** Where each block is ranked: those that they have ranked, by block. */
  BlockRankings: z.array(BlockRanking),
  Reason: z.string(),
  SavedAt: Instant.nullable(),
  SubmittedAt: Instant.nullable(),
})
export type OwnRanking = z.infer<typeof OwnRanking>

export const listOwnPlacement = endpoint({
  method: 'GET',
  path: '/placement/mine',
  may: 'placement.own',
  summary: 'The plans that a student ranks for, and the results that are published',
  answer: z.object({
    Plans: z.array(
      z.object({
        PlanId: Id,
        Plan: z.string(),
        StartDate: DateOnly,
        EndDate: DateOnly,
        State: z.enum(['ahead', 'open', 'closed', 'published']),
        OpensAt: Instant.nullable(),
        ClosesAt: Instant.nullable(),
        SubmittedAt: Instant.nullable(),
      }),
    ),
  }),
})

export const getOwnRanking = endpoint({
  method: 'GET',
  path: '/placement/mine/:planId/ranking',
  may: 'placement.own',
  summary: 'What a student can rank for a plan, and what they have ranked',
  params: onePlan,
  answer: OwnRanking,
})

export const saveOwnRanking = endpoint({
  method: 'POST',
  path: '/placement/mine/:planId/ranking',
  may: 'placement.own',
  summary: 'Rank sites; saved as it goes, and confirmed by email when it is submitted',
  params: onePlan,
  body: z.strictObject({
    SiteIds: z
      .array(Id)
      .max(20)
      .refine((ids) => new Set(ids).size === ids.length, 'has a site twice'),
    /** Where each block is ranked, instead of `SiteIds`. */
    BlockRankings: BlockRankings.default([]),
    Reason: Text(500).default(''),
    /** That this is it: answered by a receipt. It can be changed until the window closes. */
    IsSubmitted: z.boolean().default(false),
  }),
  answer: z.object({ SavedAt: Instant, SubmittedAt: Instant.nullable() }),
  basis: { read: getOwnRanking },
  errors: {
    404: 'a site or a block is not in the plan',
    409: 'the window is not open, by the clock of the database, or the plan ranks in the other way by now',
  },
})

export const getOwnPlacementResult = endpoint({
  method: 'GET',
  path: '/placement/mine/:planId/result',
  may: 'placement.own',
  summary: 'Where a student is placed by a published plan, with their own reasons',
  params: onePlan,
  answer: z.object({
    PlanId: Id,
    Plan: z.string(),
    Rotation: z.string(),
    /** All of the plan, the first one first. */
    Rotations: z.array(z.string()),
    StartDate: DateOnly,
    EndDate: DateOnly,
    /** What the student is owed from this plan. */
    Points: z.number().int(),
    Blocks: z.array(
      z.object({
        Block: z.number().int(),
        StartDate: DateOnly,
        EndDate: DateOnly,
        /** Empty where they have no place. */
        Site: z.string(),
        /** Which of the plan's rotations they serve then; empty where they have no place. */
        Rotation: z.string(),
        City: z.string(),
        Shift: z.string(),
        /** 0 is Sunday. */
        Weekdays: z.array(z.number().int()),
        Rank: z.number().int().nullable(),
        Reason: z.string(),
      }),
    ),
  }),
})
