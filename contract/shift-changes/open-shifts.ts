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
  Sort,
  TimeOfDay,
} from '#contract/core/fields.ts'
import { byChoice, byDays, byValue, queryOf } from '#contract/core/filters.ts'
import { placementRules } from '#contract/scheduling/scheduling-rules.ts'
import { ShiftType } from '#contract/scheduling/site-shifts.ts'

/** What can be signed up for: a shift on a day. Times are the wall clock of the site. */
const shiftFields = {
  Id,
  Date: DateOnly,
  StartTime: TimeOfDay,
  EndTime: TimeOfDay,
  StartsAt: Instant,
  ShiftCode: z.string(),
  ShiftType,
  Site: z.string(),
  Rotation: z.string(),
  Places: z.number().int(),
  Taken: z.number().int(),
  Waiting: z.number().int(),
  Note: z.string(),
  ClosesAt: Instant,
}

export const openShiftStates = ['open', 'full', 'closed'] as const

export const OpenShift = z.object({
  ...shiftFields,
  RotationId: Id,
  SiteShiftId: Id,
  SiteId: Id,
  LevelIds: z.array(Id),
  /** Names of the levels that may sign up; empty for all. */
  Levels: z.array(z.string()),
  /** Sign-up ends this many hours before the shift starts. */
  ClosesHoursBefore: z.number().int(),
  State: z.enum(openShiftStates),
})
export type OpenShift = z.infer<typeof OpenShift>

export const openShiftFilters = {
  show: byValue('State', 'Status', { open: 'Open', full: 'Full', closed: 'Closed' }, 'Any'),
  rotation: byChoice('RotationId', 'rotation', 'Rotation'),
  site: byChoice('SiteId', 'site', '{Site}'),
  days: byDays('Dates'),
} as const
const filters = queryOf(openShiftFilters)
const sorts = ['Date', 'Site', 'Rotation', 'Taken', 'Waiting'] as const
const OpenShiftSort = Sort(sorts)
export type OpenShiftSort = z.infer<typeof OpenShiftSort>
const OpenShiftFilters = z.strictObject(filters)
export type OpenShiftFilters = z.infer<typeof OpenShiftFilters>

const oneOpenShift = z.strictObject({ programId: Id, openShiftId: Id })

export const listOpenShifts = endpoint({
  method: 'GET',
  path: '/programs/:programId/open-shifts',
  may: 'open-shifts.read',
  summary: 'Open shifts with how many have signed up and how many wait',
  params: InProgram,
  query: z.strictObject({ ...paging, ...filters, sort: OpenShiftSort.default('Date') }),
  answer: PageOf(OpenShift),
})

export const exportOpenShifts = endpoint({
  method: 'GET',
  path: '/programs/:programId/open-shifts/export',
  isHeavy: true,
  mayBePrepared: true,
  may: 'open-shifts.read',
  summary: 'The filtered open shifts as a file, with who has signed up',
  params: InProgram,
  query: z.strictObject({
    ...filters,
    sort: OpenShiftSort.default('Date'),
    Format: z.enum(['csv', 'xlsx']).default('xlsx'),
  }),
  answers: 'file',
})

export const signupStates = ['placed', 'waiting', 'dropped', 'removed', 'left', 'closed'] as const
export type SignupState = (typeof signupStates)[number]

export const getOpenShift = endpoint({
  method: 'GET',
  path: '/programs/:programId/open-shifts/:openShiftId',
  may: 'open-shifts.read',
  summary: 'An open shift with everyone who signed up, in order',
  params: oneOpenShift,
  answer: OpenShift.extend({
    Signups: z.array(
      z.object({
        Id,
        StudentId: Id,
        Student: z.string(),
        State: z.enum(signupStates),
        /** Why a waiting student could not move up when a place was free; empty otherwise. */
        Hindrance: z.string(),
        At: Instant,
      }),
    ),
  }),
})

const LevelIds = z.array(Id).max(50)
const Places = z.number().int().min(1, 'must be at least 1').max(1_000, 'can be at most 1,000')
export const openShiftNoteLength = 300
/** Most days that one call opens. */
export const maxOpenDates = 100
const ClosesHoursBefore = z
  .number()
  .int()
  .min(0)
  .max(24 * 60)

export const createOpenShifts = endpoint({
  method: 'POST',
  path: '/programs/:programId/open-shifts',
  may: 'open-shifts.manage',
  summary: 'Open places of a shift on some days for sign-up',
  params: InProgram,
  body: z.strictObject({
    RotationId: Id,
    SiteShiftId: Id,
    Dates: z.array(DateOnly).min(1, 'needs at least one date').max(maxOpenDates),
    LevelIds,
    Places,
    /** Sign-up ends this many hours before the shift starts. */
    ClosesHoursBefore,
    Note: Line(openShiftNoteLength).default(''),
    /** Tell the students who may sign up, within the product and by email. */
    IsAnnounced: z.boolean().default(false),
  }),
  answer: z.object({
    Created: z.number().int(),
    /** Days that were open already. */
    Skipped: z.number().int(),
  }),
  status: 201,
  errors: {
    404: 'the rotation, the shift or a level does not exist',
    422: 'a day on which the shift does not run, outside the rotation, or too late to sign up for',
  },
})

export const updateOpenShift = endpoint({
  method: 'POST',
  path: '/programs/:programId/open-shifts/:openShiftId',
  may: 'open-shifts.manage',
  summary: 'Change places, levels, note, or until when students sign up',
  params: oneOpenShift,
  body: z.strictObject({ Places, LevelIds, ClosesHoursBefore, Note: Line(openShiftNoteLength) }),
  answer: OpenShift,
  errors: { 409: 'fewer places than are taken' },
  basis: { read: getOpenShift },
})

export const closeOpenShift = endpoint({
  method: 'POST',
  path: '/programs/:programId/open-shifts/:openShiftId/closings',
  may: 'open-shifts.manage',
  summary: 'End sign-up. Students who are placed stay placed; those who wait are told',
  params: oneOpenShift,
  answer: OpenShift,
  errors: { 409: 'closed before' },
})

export const reopenOpenShift = endpoint({
  method: 'POST',
  path: '/programs/:programId/open-shifts/:openShiftId/reopenings',
  may: 'open-shifts.manage',
  summary: 'Undo a closing; the waiting list comes back as it was',
  params: oneOpenShift,
  answer: OpenShift,
  errors: { 409: 'not closed, over, or opened again meanwhile' },
})

// A student's own ----------------------------------------------------------------------------------------------------

export const OwnOpenShift = z.object({
  ...shiftFields,
  IsPlaced: z.boolean(),
  /** Their place in line, from 1; null while they do not wait. */
  WaitingAs: z.number().int().nullable(),
  /** Until when they can drop it themselves; later only with approval. */
  DropsUntil: Instant,
  /** Their drop waits for approval. */
  IsDropAsked: z.boolean(),
  /** The rule that keeps them out, and why; null where they can sign up or have. */
  Blocked: z.object({ Rule: z.enum(placementRules), Message: z.string() }).nullable(),
})
export type OwnOpenShift = z.infer<typeof OwnOpenShift>

export const listOwnOpenShifts = endpoint({
  method: 'GET',
  path: '/open-shifts',
  may: 'open-shifts.own',
  summary: 'Open shifts for the own level, with what keeps one out, and the own sign-ups',
  query: z.strictObject({ ...paging, show: z.enum(['open', 'own']).default('open') }),
  answer: PageOf(OwnOpenShift),
})

const own = z.strictObject({ openShiftId: Id })

export const signUpForOpenShift = endpoint({
  method: 'POST',
  path: '/open-shifts/:openShiftId/signups',
  may: 'open-shifts.own',
  summary: 'Take a place, or a place on the waiting list',
  params: own,
  body: z.strictObject({
    /** Join the waiting list when no place is left. */
    IsWaiting: z.boolean().default(false),
  }),
  answer: z.object({ IsPlaced: z.boolean(), WaitingAs: z.number().int().nullable() }),
  errors: {
    404: 'no such open shift for the own level',
    409: 'no place is left (`full`), closed, or signed up before',
    422: 'a rule of placement',
  },
})

export const leaveOpenShift = endpoint({
  method: 'POST',
  path: '/open-shifts/:openShiftId/drops',
  may: 'open-shifts.own',
  summary: 'Leave the waiting list, or drop the shift; after the program’s limit only with approval',
  params: own,
  body: z.strictObject({ Reason: Line(300).default('') }),
  /** Not dropped: after the program’s limit it waits for approval. */
  answer: z.object({ IsDropped: z.boolean() }),
  errors: {
    404: 'not signed up',
    409: 'the shift has started, or a request about it waits',
  },
})
