import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, Instant, TimeOfDay } from '#contract/core/fields.ts'

const Count = z.number().int()
const onePlan = z.strictObject({ programId: Id, planId: Id })

export const Acceptance = z.object({
  Id,
  DraftId: Id,
  Draft: z.string(),
  /** Blocks of students. */
  Cells: Count,
  Shifts: Count,
  /** Of its shifts that are still there: those to come, which undoing removes, and those that have begun. */
  Ahead: Count,
  Begun: Count,
  AcceptedAt: Instant,
  AcceptedBy: z.string(),
  UndoneAt: Instant.nullable(),
})
export type Acceptance = z.infer<typeof Acceptance>

export const listAcceptances = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-plans/:planId/acceptances',
  may: 'placement.read',
  summary: 'What was accepted of a placement plan, the latest first',
  params: onePlan,
  answer: z.object({ Acceptances: z.array(Acceptance) }),
})

export const acceptDraft = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans/:planId/drafts/:draftId/acceptances',
  may: 'placement.plan',
  summary:
    'Make the shifts of a draft, all of them or those of some blocks or students; nothing when one cannot be made',
  params: onePlan.extend({ draftId: Id }),
  body: z.strictObject({
    /** From 0; empty means all. */
    Blocks: z.array(Count.min(0).max(59)).max(60).default([]),
    /** Empty means all. */
    StudentIds: z.array(Id).max(5_000).default([]),
  }),
  isHeavy: true,
  answer: Acceptance,
  errors: {
    409: 'the draft is being solved',
    422: 'nothing is left to accept, or a place is gone or a rule refuses it, with the reasons',
  },
})

export const undoAcceptance = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans/:planId/acceptances/:acceptanceId/undo',
  may: 'placement.plan',
  summary: 'Remove the shifts of an acceptance that have not begun and are still as they were made',
  params: onePlan.extend({ acceptanceId: Id }),
  isHeavy: true,
  answer: z.object({
    Removed: Count,
    Kept: Count,
    /** That nothing accepted is left, so what was published, or was to be, is hidden again. */
    IsHidden: z.boolean(),
  }),
  errors: { 409: 'it was undone already' },
})

export const publishPlan = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-plans/:planId/publication',
  may: 'placement.plan',
  summary: 'Show students their result with its reasons now or from a time on, or hide it again',
  params: onePlan,
  body: z
    .strictObject({
      IsPublished: z.boolean(),
      /** On the program's clock; null for now. */
      Date: DateOnly.nullable().default(null),
      Time: TimeOfDay.nullable().default(null),
    })
    .refine((body) => (body.Date === null) === (body.Time === null), {
      path: ['Time'],
      message: 'is required with a date',
    }),
  answer: z.object({ PublishedAt: Instant.nullable() }),
  errors: { 409: 'nothing was accepted' },
})
