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
import { placementRules } from './scheduling-rules.ts'
import { ShiftType } from './site-shifts.ts'

/** One student on one shift on one day. */
export const ShiftAssignment = z.object({
  Id,
  RotationId: Id,
  StudentId: Id,
  AreaId: Id.nullable(),
  SiteId: Id,
  SiteShiftId: Id,
  Rotation: z.string(),
  Date: DateOnly,
  LastName: z.string(),
  FirstName: z.string(),
  Area: z.string().nullable(),
  Site: z.string(),
  SiteCode: z.string(),
  ShiftCode: z.string(),
  ShiftType,
  ModifiedAt: Instant,
})
export type ShiftAssignment = z.infer<typeof ShiftAssignment>

const assignmentFilters = {
  search: Line(100).optional(),
  RotationId: Id.optional(),
  StudentId: Id.optional(),
  AreaId: Id.optional(),
  SiteId: Id.optional(),
  SiteShiftId: Id.optional(),
  FromDate: DateOnly.optional(),
  ThroughDate: DateOnly.optional(),
  /** Assignments: only what was added together with these, in the same calls. */
  AddedWith: z.array(Id).max(50).optional(),
  /** Only the students, sites and shifts of the caller's personal filters. */
  MyStudents: z.boolean().optional(),
  MySites: z.boolean().optional(),
  MyShifts: z.boolean().optional(),
}
export const AssignmentFilters = z.strictObject(assignmentFilters)
export type AssignmentFilters = z.infer<typeof AssignmentFilters>

export const assignmentSorts = [
  'Rotation',
  'Date',
  'LastName',
  'FirstName',
  'Area',
  'Site',
  'SiteCode',
  'ShiftCode',
  'ShiftType',
] as const
const AssignmentSort = Sort(assignmentSorts)
export type AssignmentSort = z.infer<typeof AssignmentSort>

export const listShiftAssignments = endpoint({
  method: 'GET',
  path: '/programs/:programId/shift-assignments',
  may: 'scheduling.read',
  summary: 'Schedule assignments; a supervisor sees those at their sites',
  params: InProgram,
  query: z.strictObject({
    ...paging,
    ...assignmentFilters,
    sort: AssignmentSort.default('Date'),
    /**
     * By date, in place of a page: the page of the first assignment on or after this day, else the last page. Of more than are counted,
     * what comes from that day on.
     */
    StartAt: DateOnly.optional(),
    /** `NextCursor` of the page before: deep pages cost what the first one costs. `Total` is then null. */
    cursor: z.string().max(5_000).optional(),
  }),
  answer: PageOf(ShiftAssignment).extend({ NextCursor: z.string().nullable() }),
})

/** A request that was refused, or placed with a warning: which rule, whom and which day it concerns. */
export const PlacementFinding = z.object({
  StudentId: Id,
  Date: DateOnly,
  Rule: z.enum(placementRules),
  Message: z.string(),
  /** Of a refusal, what speaks against it besides, whether that would be refused or only warned about. */
  Also: z
    .array(z.object({ Rule: z.enum(placementRules), Message: z.string(), IsWarning: z.boolean() }))
    .optional(),
})
export type PlacementFinding = z.infer<typeof PlacementFinding>

export const PlacementAnswer = z.object({
  Added: z.number().int(),
  /** The assignments that were made or changed. */
  Ids: z.array(Id),
  Refused: z.array(PlacementFinding),
  /** Rules that the program only warns about. */
  Warnings: z.array(PlacementFinding),
})
export type PlacementAnswer = z.infer<typeof PlacementAnswer>

/** Students times dates of one call. */
export const maxPlacements = 20_000

export const PlacementInput = z
  .strictObject({
    RotationId: Id,
    SiteShiftId: Id,
    StudentIds: z.array(Id).min(1, 'needs at least one student').max(2_000),
    Dates: z.array(DateOnly).min(1, 'needs at least one date').max(400),
    AllOrNothing: z.boolean().default(false),
  })
  .refine(({ StudentIds, Dates }) => StudentIds.length * Dates.length <= maxPlacements, {
    path: ['Dates'],
    message: `This makes more than ${maxPlacements.toLocaleString('en-US')} assignments. Add them in parts.`,
  })

export const addShiftAssignments = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-assignments',
  may: 'scheduling.assign',
  summary: 'Place students on a shift on dates, as far as the rules allow',
  params: InProgram,
  body: PlacementInput,
  answer: PlacementAnswer,
  errors: {
    403: 'Add/Edit Disabled for faculty',
    404: 'the rotation, the shift or a student does not exist',
    422: 'AllOrNothing, and something was refused: nothing was added',
  },
})

export const checkShiftAssignments = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-assignments/checks',
  may: 'scheduling.assign',
  changes: false,
  summary: 'What adding would answer now; nothing is changed',
  params: InProgram,
  body: PlacementInput,
  answer: PlacementAnswer,
})

const AssignmentIds = z.array(Id).min(1, 'needs at least one assignment').max(maxPlacements)

export const changeShiftAssignments = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-assignments/changes',
  may: 'scheduling.assign',
  summary: 'Put assignments on another shift, as far as the rules allow',
  params: InProgram,
  body: z.strictObject({ Ids: AssignmentIds, SiteShiftId: Id, AllOrNothing: z.boolean().default(false) }),
  answer: PlacementAnswer,
  errors: { 403: 'Add/Edit Disabled for faculty', 422: 'AllOrNothing, and something was refused' },
})

export const moveShiftAssignment = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-assignments/:assignmentId/moves',
  may: 'scheduling.assign',
  summary: 'Move an assignment to another student or date, if the rules allow',
  params: z.strictObject({ programId: Id, assignmentId: Id }),
  body: z.strictObject({ StudentId: Id, Date: DateOnly }),
  answer: PlacementAnswer,
  errors: { 403: 'Add/Edit Disabled for faculty' },
})

export const removeShiftAssignments = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-assignments/removals',
  may: 'scheduling.assign',
  summary: 'Remove assignments; they can be restored',
  params: InProgram,
  body: z.strictObject({ Ids: AssignmentIds }),
  answer: z.object({ Removed: z.number().int() }),
  errors: { 403: 'Add/Edit Disabled for faculty', 404: 'an assignment does not exist' },
})

export const restoreShiftAssignments = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-assignments/restorations',
  may: 'scheduling.assign',
  summary: 'Undo a removal; the rules are checked again',
  params: InProgram,
  body: z.strictObject({ Ids: AssignmentIds }),
  answer: PlacementAnswer,
  errors: { 403: 'Add/Edit Disabled for faculty', 404: 'a removed assignment does not exist' },
})

export const exportShiftAssignments = endpoint({
  method: 'GET',
  path: '/programs/:programId/shift-assignments/export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'scheduling.read',
  summary: 'The filtered assignments as a file, streamed whatever their number',
  params: InProgram,
  query: z.strictObject({
    ...assignmentFilters,
    sort: AssignmentSort.default('Date'),
    Format: z.enum(['csv', 'xlsx']).default('xlsx'),
  }),
  answers: 'file',
})

export const getShiftAssignment = endpoint({
  method: 'GET',
  path: '/programs/:programId/shift-assignments/:assignmentId',
  may: 'scheduling.read',
  summary: 'One assignment with its times, its places and whether the student is there',
  params: z.strictObject({ programId: Id, assignmentId: Id }),
  answer: ShiftAssignment.extend({
    StartTime: TimeOfDay,
    EndTime: TimeOfDay,
    TimeZone: z.string(),
    Placed: z.number().int(),
    Capacity: z.number().int(),
    ClockedInAt: Instant.nullable(),
    ClockedOutAt: Instant.nullable(),
  }),
})
