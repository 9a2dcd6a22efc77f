import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Instant, Line, PageOf, paging, TimeOfDay } from '#contract/core/fields.ts'
import { byChoice, byValue, byView, queryOf } from '#contract/core/filters.ts'
import { byLink } from '#contract/links/links.ts'
import { placementRules } from '#contract/scheduling/scheduling-rules.ts'
import { ShiftType } from '#contract/scheduling/site-shifts.ts'

/**
 * cover: one gives a shift and another takes it. swap: both give one. drop: one gives a shift back after the program's limit. Nothing
 * changes until it is final.
 */
export const changeKinds = ['cover', 'swap', 'drop'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** open: looks for a taker; pending: waits for approval; the others are over. */
export const changeStates = ['open', 'pending', 'done', 'declined', 'canceled', 'failed', 'expired'] as const
export type ChangeState = (typeof changeStates)[number]

/** A shift of a student, with its assignment. */
const GivenShift = z.object({
  AssignmentId: Id,
  Date: DateOnly,
  StartTime: TimeOfDay,
  EndTime: TimeOfDay,
  ShiftCode: z.string(),
  ShiftType,
  Site: z.string(),
  Rotation: z.string(),
})
export type GivenShift = z.infer<typeof GivenShift>

const changeFields = {
  Id,
  Kind: z.enum(changeKinds),
  State: z.enum(changeStates),
  StudentId: Id,
  Student: z.string(),
  Given: GivenShift,
  TakerId: Id.nullable(),
  Taker: z.string().nullable(),
  Returned: GivenShift.nullable(),
  Note: z.string(),
  /** Why it was declined or failed; empty otherwise. */
  Reason: z.string(),
  /** Who approves it. */
  Approval: z.enum(['staff', 'site', 'none']),
  CreatedAt: Instant,
  ExpiresAt: Instant,
}

export const ShiftChange = z.object(changeFields)
export type ShiftChange = z.infer<typeof ShiftChange>

const ChangeEvent = z.object({
  At: Instant,
  /** Empty for what happened by itself. */
  Actor: z.string(),
  Action: z.string(),
  Detail: z.string(),
})

// Staff ------------------------------------------------------------------------------------------------------------

export const shiftChangeFilters = {
  show: byView('show', 'Show', {
    waiting: 'Waiting for approval',
    open: 'Looking for someone',
    over: 'Past',
    all: 'All',
  }),
  kind: byValue('Kind', 'Kind', { cover: 'Cover', swap: 'Swap', drop: 'Drop' }, 'Any'),
  student: byChoice('StudentId', 'student', '{Student}'),
} as const
const filters = queryOf(shiftChangeFilters)

export const listShiftChanges = endpoint({
  method: 'GET',
  path: '/programs/:programId/shift-changes',
  may: 'shift-changes.read',
  summary: 'Swaps, covers and late drops, the newest first',
  params: InProgram,
  query: z.strictObject({ ...paging, ...filters }),
  answer: PageOf(ShiftChange),
})

export const exportShiftChanges = endpoint({
  method: 'GET',
  path: '/programs/:programId/shift-changes/export',
  isHeavy: true,
  mayBePrepared: true,
  may: 'shift-changes.read',
  summary: 'The filtered swaps, covers and late drops as a file',
  params: InProgram,
  query: z.strictObject({ ...filters, Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

const oneChange = z.strictObject({ programId: Id, changeId: Id })

export const getShiftChange = endpoint({
  method: 'GET',
  path: '/programs/:programId/shift-changes/:changeId',
  may: 'shift-changes.read',
  summary: 'One change with its history and the sites that are asked',
  params: oneChange,
  answer: ShiftChange.extend({
    Events: z.array(ChangeEvent),
    Sites: z.array(
      z.object({
        Site: z.string(),
        Recipient: z.string(),
        Answer: z.enum(['approved', 'declined']).nullable(),
        AnsweredAt: Instant.nullable(),
        Openings: z.number().int(),
      }),
    ),
    /** The rule that keeps it from becoming final now; null where none does. */
    Blocked: z.object({ Rule: z.enum(placementRules), Message: z.string() }).nullable(),
  }),
})

const decisionReasonLength = 300

export const decideShiftChange = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-changes/:changeId/decisions',
  may: 'shift-changes.decide',
  summary: 'Approve or decline; approved, it is final at once if the rules still allow it',
  params: oneChange,
  body: z.strictObject({ IsApproved: z.boolean(), Reason: Line(decisionReasonLength).default('') }),
  answer: ShiftChange,
  errors: {
    409: 'it no longer waits for approval',
    422: 'a rule of placement keeps it from becoming final; it goes on waiting',
  },
})

// A student's own -----------------------------------------------------------------------------------------------------

export const OwnShiftChange = z.object({
  ...changeFields,
  /** Whether they give the shift; otherwise it is offered to them, or they take it. */
  IsOwn: z.boolean(),
  /** Why they cannot take it; null where they can. */
  Blocked: z.object({ Rule: z.enum(placementRules), Message: z.string() }).nullable(),
  /** Their own answer to an offer; null while they have given none. */
  Answer: z.enum(['asked', 'declined', 'proposed']).nullable(),
  /** Of an own swap: who would take it, and what each gives in return. */
  Proposals: z.array(z.object({ StudentId: Id, Student: z.string(), Shift: GivenShift })),
  /** Of an own offer: how many were asked; null for everyone who could take it. */
  AskedCount: z.number().int().nullable(),
})
export type OwnShiftChange = z.infer<typeof OwnShiftChange>

/** Offers that one looks through at most: those of the next shifts. */
export const maxOffers = 200

export const listOwnShiftChanges = endpoint({
  method: 'GET',
  path: '/shift-changes',
  may: 'shift-changes.own',
  summary: 'What is offered and the own level and the rules allow to take, or the own requests',
  query: z.strictObject({ ...paging, show: z.enum(['offers', 'own']).default('offers') }),
  answer: PageOf(OwnShiftChange).extend({ IsOff: z.boolean() }),
})

export const listTakers = endpoint({
  method: 'GET',
  path: '/shift-changes/takers',
  may: 'shift-changes.own',
  summary: 'Students who could take an own shift, by the rules of placement now; at most 50',
  query: z.strictObject({ AssignmentId: Id, Kind: z.enum(['cover', 'swap']), search: Line(100).default('') }),
  answer: z.array(z.object({ Id, Name: z.string() })),
  errors: { 404: 'not an own shift to come' },
})

export const listReturnable = endpoint({
  method: 'GET',
  path: '/shift-changes/:changeId/returnable',
  may: 'shift-changes.own',
  summary: 'Own shifts that can be given in return for an offered one, with the rules checked for both',
  params: z.strictObject({ changeId: Id }),
  answer: z.array(GivenShift),
  errors: { 404: 'no such offer' },
})

export const offerShift = endpoint({
  method: 'POST',
  path: '/shift-changes',
  may: 'shift-changes.own',
  summary: 'Offer an own shift to some, or to everyone who could take it',
  body: z.strictObject({
    AssignmentId: Id,
    Kind: z.enum(['cover', 'swap']),
    /** Empty: everyone who could take it. */
    StudentIds: z.array(Id).max(50),
    Note: Line(300).default(''),
  }),
  answer: z.object({ Id }),
  status: 201,
  errors: {
    404: 'not an own shift to come, or a student who could not take it',
    409: 'offered before',
    422: 'the program has no swaps',
  },
})

const own = z.strictObject({ changeId: Id })

export const answerOffer = endpoint({
  method: 'POST',
  path: '/shift-changes/:changeId/answers',
  may: 'shift-changes.own',
  summary: 'Take an offered shift, propose one in return, or decline',
  params: own,
  body: z.strictObject({
    Answer: z.enum(['take', 'decline']),
    /** Of a swap: what is given in return. */
    AssignmentId: Id.optional(),
  }),
  answer: z.object({ State: z.enum(changeStates) }),
  errors: { 404: 'no such offer', 409: 'somebody else has it, or it is over', 422: 'a rule of placement' },
})

export const chooseProposal = endpoint({
  method: 'POST',
  path: '/shift-changes/:changeId/choices',
  may: 'shift-changes.own',
  summary: 'Choose with whom to swap',
  params: own,
  body: z.strictObject({ StudentId: Id }),
  answer: z.object({ State: z.enum(changeStates) }),
  errors: {
    404: 'no such proposal',
    409: 'it is over, or the other shift is not there now',
    422: 'a rule of placement',
  },
})

export const cancelShiftChange = endpoint({
  method: 'POST',
  path: '/shift-changes/:changeId/cancellations',
  may: 'shift-changes.own',
  summary:
    'The owner takes an offer back; whoever takes the shift steps back from it, and it is offered again',
  params: own,
  answer: z.object({ State: z.enum(changeStates) }),
  errors: { 404: 'not an own request', 409: 'it is over' },
})

// The site, by its link -----------------------------------------------------------------------------------------------

export const openShiftChange = endpoint({
  method: 'GET',
  path: '/site-shift-changes/:token',
  may: 'everyone',
  summary: 'What a swap or cover changes at the site, behind its link',
  params: byLink,
  answer: z.object({
    Site: z.string(),
    /** What changes at this site: who comes in whose place. */
    Lines: z.array(z.object({ Shift: z.string(), From: z.string(), To: z.string() })),
    Answer: z.enum(['approved', 'declined']).nullable(),
    State: z.enum(changeStates),
  }),
  errors: {
    401: 'this device has to open the link first',
    404: 'the link is unknown, expired or was withdrawn',
  },
})

export const answerShiftChange = endpoint({
  method: 'POST',
  path: '/site-shift-changes/:token/answers',
  may: 'everyone',
  summary: 'Approve or decline as the site; final once every site that is concerned has approved',
  params: byLink,
  body: z.strictObject({ IsApproved: z.boolean(), Reason: Line(decisionReasonLength).default('') }),
  answer: z.object({ State: z.enum(changeStates) }),
  errors: {
    401: 'this device has to open the link first',
    404: 'the link is unknown, expired or was withdrawn',
    409: 'answered before, or over',
  },
})
