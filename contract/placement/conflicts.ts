import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id } from '#contract/core/fields.ts'

/** Where a rule of a plan is changed. */
export const conflictKinds = [
  'siteShift',
  'siteAnswer',
  'site',
  'agreement',
  'plan',
  'planStudent',
  'lock',
  'rotation',
  'program',
  'requirements',
  'schedule',
] as const

/** Rules that cannot be kept together: the fewest that have to give way so that all students have all that the plan asks. */
export const Conflict = z.object({
  /** Each with what to change; empty when all rules can be kept. */
  Rules: z.array(
    z.object({
      Text: z.string(),
      Kind: z.enum(conflictKinds),
      StudentId: Id.nullable(),
      SiteId: Id.nullable(),
    }),
  ),
  /** That these are enough, and no fewer, is proved. */
  IsSmallest: z.boolean(),
})
export type Conflict = z.infer<typeof Conflict>

export const checkPlanRules = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-plans/:planId/conflict',
  may: 'placement.read',
  summary: 'The fewest rules of a plan that have to give way so that all students have all that it asks',
  params: z.strictObject({ programId: Id, planId: Id }),
  isHeavy: true,
  answer: z.object({
    /** Null when nothing was found in the time. */
    Conflict: Conflict.nullable(),
  }),
})
