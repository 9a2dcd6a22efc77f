import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id } from '#contract/core/fields.ts'

const oneUser = z.strictObject({ programId: Id, userId: Id })
const count = z.number().int()

const Leaving = {
  /**
   * The last day on which the person counts, not before a day with records. On one to come, access ends on the day after, and
   * until then it can be changed by another call.
   */
  LastDay: DateOnly,
  /** The student who gets the coming shifts, as far as the rules of placement allow. */
  HandToId: Id.nullable().default(null),
}

const Refused = z.array(z.object({ AssignmentId: Id, Site: z.string(), Date: DateOnly, Message: z.string() }))

export const LeavingPreview = z.object({
  /** The program's day: with a last day after it, the person works on until then. */
  Today: DateOnly,
  /** The last day to come as it is set now. */
  LeavesOn: DateOnly.nullable(),
  /** The last day with records; nobody leaves before it. */
  LastRecord: DateOnly.nullable(),
  Sites: z.array(
    z.object({
      SiteId: Id,
      Site: z.string(),
      /** Coming shifts there. */
      Shifts: count,
      Handed: count,
      /** An open placement list names the person: send the site a new one. */
      IsListed: z.boolean(),
      /** The site's contact is told by an email when the person leaves. */
      IsTold: z.boolean(),
    }),
  ),
  /** Shifts that the other student cannot take, and why. They are freed. */
  Refused,
  /** Shifts up to the last day that were freed or handed on for an earlier one: they come back as far as they are free. */
  Returning: count,
  /** Open evaluations about or by the person. */
  Evaluations: count,
  /** Waiting lists that the person is on. */
  WaitingLists: count,
  /** Open swaps, covers and drop requests of the person. */
  ShiftRequests: count,
  /** Placement plans that name the person: their drafts leave the person out. */
  PlacementPlans: count,
  /** Time that waits for approval. It stays. */
  PendingRecords: count,
})
export type LeavingPreview = z.infer<typeof LeavingPreview>

export const previewLeaving = endpoint({
  method: 'GET',
  path: '/programs/:programId/users/:userId/leaving',
  may: 'people.write',
  summary: 'What happens when the person leaves; nothing is changed',
  params: oneUser,
  /** The last day is today unless given. */
  query: z.strictObject({ ...Leaving, LastDay: DateOnly.optional() }),
  answer: LeavingPreview,
  errors: { 422: 'the other student may not get shifts' },
})

export const leaveProgram = endpoint({
  method: 'POST',
  path: '/programs/:programId/users/:userId/leaving',
  proof: true,
  endsPeople: true,
  may: 'people.write',
  summary:
    'A person leaves: shifts after the last day are freed or handed on at once, access ends and open evaluations stop once it is over; what was before stays. Changes a last day to come, too',
  params: oneUser,
  body: z.strictObject(Leaving),
  answer: z.object({
    Freed: count,
    Handed: count,
    Evaluations: count,
    Refused,
    /** The last day to come, on which access does not end yet. */
    LeavesOn: DateOnly.nullable(),
    /** Shifts that came back since the last day is later than before. */
    Returned: count,
  }),
  errors: {
    409: 'the person has left already',
    422: 'the last day is before a day with records, it is oneself, or a test user',
  },
})

export const undoLeaving = endpoint({
  method: 'POST',
  path: '/programs/:programId/users/:userId/returns',
  proof: true,
  may: 'people.write',
  summary:
    'Give back access, or take back a last day to come, with what was freed, handed on and stopped when the person left',
  params: oneUser,
  answer: z.object({
    Shifts: count,
    Evaluations: count,
    /** Shifts that did not come back, and why. */
    Refused,
  }),
  errors: { 409: 'the person has neither left nor a last day to come', 422: 'it is a test user' },
})
