import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  InProgram,
  Instant,
  Minutes,
  PageOf,
  paging,
  RequiredText,
  TimeOfDay,
  weekFields,
} from '#contract/core/fields.ts'
import { states } from '#contract/requirements/requirement-rules.ts'
import { VerificationRow } from '#contract/requirements/verifications.ts'
import { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { HoursRow } from '#contract/time/hours-summary.ts'
import { TimeRecord } from '#contract/time/time-records.ts'

const one = z.strictObject({ programId: Id, studentId: Id })
const oneNote = z.strictObject({ programId: Id, studentId: Id, noteId: Id })
const page = z.strictObject(paging)
const Count = z.number().int()

/** Who a student is: the head of the student's page. */
export const Student = z.object({
  Id,
  FirstName: z.string(),
  LastName: z.string(),
  StudentNumber: z.string().nullable(),
  StudentLevel: z.string().nullable(),
  Cohort: z.string().nullable(),
  Area: z.string().nullable(),
  EmailAddress: z.string(),
  PhoneNumber: z.string(),
  IsActive: z.boolean(),
  /** Of somebody who has left the program. */
  LastDay: DateOnly.nullable(),
  /** The last day to come of whoever leaves. */
  LeavesOn: DateOnly.nullable(),
  /** The access level: a student, or an alumnus whose record stays. */
  AccessLevel: Count,
  /** Whether the hours will be enough in the rotations that run; null where none does, for supervisors, without a target and after leaving. */
  IsOnTrack: z.boolean().nullable(),
})
export type Student = z.infer<typeof Student>

export const getStudent = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId',
  may: 'students.read',
  summary: 'Who a student is; supervisors see students with shifts at their sites',
  params: one,
  views: 'studentId',
  answer: Student,
})

export const getStudentHours = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/hours',
  may: 'students.files',
  summary: 'Hours and forecast of a student, with attendance in the current rotation',
  params: one,
  views: 'studentId',
  answer: z.object({
    /** The rotation that runs today; null where the student has no part in one. */
    Rotation: z
      .object({ Id, Name: z.string(), EndDate: DateOnly, WeeklyTargetMinutes: Minutes, Hours: HoursRow })
      .nullable(),
    /** Over all rotations. */
    All: HoursRow,
    /** The last eight weeks. */
    Weeks: z.array(z.object({ ...weekFields, ApprovedMinutes: Count, PendingMinutes: Count })),
    /** Since the rotation began, or in the last 120 days where none runs. */
    Attendance: z.object({
      Since: DateOnly,
      Worked: Count,
      /** Past shifts with one half of a pair alone: a clock-in without its clock-out, or the reverse. */
      Unmatched: Count,
      Late: Count,
      /** Mean minutes of those that were late. */
      LateMinutes: Count,
      Absent: Count,
      /** Past shifts without any record. */
      Missed: Count,
      /** Corrections that the student asked for and nobody decided. */
      CorrectionsOpen: Count,
    }),
  }),
})

export const StudentShift = z.object({
  AssignmentId: Id,
  SiteId: Id,
  Site: z.string(),
  ShiftCode: z.string(),
  ShiftName: z.string(),
  ShiftType,
  Rotation: z.string(),
  Date: DateOnly,
  StartTime: TimeOfDay,
  EndTime: TimeOfDay,
  /** What became of it: `ahead` and `running` by the clock, the others by the records. */
  State: z.enum(['ahead', 'running', 'worked', 'unmatched', 'absent', 'missed']),
})
export type StudentShift = z.infer<typeof StudentShift>

export const listStudentShifts = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/shifts',
  may: 'students.read',
  summary: 'Shifts of a student: the next ones by date, or past ones from the newest',
  params: one,
  query: z.strictObject({ ...paging, When: z.enum(['next', 'past']).default('next') }),
  views: 'studentId',
  answer: PageOf(StudentShift),
})

export const listStudentRecords = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/time-records',
  may: 'students.read',
  summary: 'Time records of a student, newest first',
  params: one,
  query: page,
  views: 'studentId',
  answer: PageOf(TimeRecord),
})

export const StudentEvaluation = z.object({
  Id,
  Date: DateOnly,
  EndDate: DateOnly.nullable(),
  Template: z.string(),
  Evaluator: z.string(),
  Site: z.string(),
  IsCompleted: z.boolean(),
  IsLate: z.boolean(),
  IsStopped: z.boolean(),
  /** From 0 to 100 of the scale; null before completion, without scores and for anonymous forms. */
  Percent: z.number().nullable(),
})
export type StudentEvaluation = z.infer<typeof StudentEvaluation>

export const listStudentEvaluations = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/evaluations',
  may: 'students.read',
  summary: 'Evaluations about a student, newest first, with the trend of scores',
  params: one,
  query: page,
  views: 'studentId',
  answer: PageOf(StudentEvaluation).extend({
    Completed: Count,
    Open: Count,
    NextDue: DateOnly.nullable(),
    /** The last twelve with scores, oldest first. */
    Trend: z.array(z.object({ EvaluationId: Id, Date: DateOnly, Percent: z.number() })),
  }),
})

export const listStudentRequirements = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/requirements',
  may: 'students.files',
  summary: 'Requirements, background checks and immunizations of a student',
  params: one,
  views: 'studentId',
  answer: z.object({
    Requirements: z.array(
      z.object({
        Id,
        Name: z.string(),
        BlocksPlacement: z.boolean(),
        /** Faculty learn whether it is met: accepted or missing. */
        State: z.enum(states),
        Expires: DateOnly.nullable(),
        Site: z.string(),
      }),
    ),
    BackgroundChecks: z.array(VerificationRow),
    Immunizations: z.array(VerificationRow),
  }),
})

export const StudentNote = z.object({
  Id,
  Text: z.string(),
  By: z.string(),
  At: Instant,
  /** Whether the student reads it too. */
  IsShared: z.boolean(),
  /** Whether the caller may delete it: authors their own, coordinators and above all. */
  IsDeletable: z.boolean(),
})
export type StudentNote = z.infer<typeof StudentNote>

export const listStudentNotes = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/notes',
  class: 'conduct',
  may: 'students.files',
  summary: 'Notes of staff about a student, newest first; the student sees those that are shared',
  params: one,
  query: page,
  views: 'studentId',
  answer: PageOf(StudentNote),
})

export const addStudentNote = endpoint({
  method: 'POST',
  path: '/programs/:programId/students/:studentId/notes',
  class: 'conduct',
  may: 'students.files',
  summary: 'Add a note about a student',
  params: one,
  body: z.strictObject({
    Text: RequiredText(2000),
    IsShared: z.boolean().default(false),
  }),
  answer: StudentNote,
})

export const deleteStudentNote = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/students/:studentId/notes/:noteId',
  class: 'conduct',
  may: 'students.files',
  summary: 'Delete a note; it can be restored',
  params: oneNote,
  errors: { 403: 'it is the note of someone else' },
})

export const restoreStudentNote = endpoint({
  method: 'POST',
  path: '/programs/:programId/students/:studentId/notes/:noteId/restoration',
  class: 'conduct',
  may: 'students.files',
  summary: 'Bring a deleted note back',
  params: oneNote,
  answer: StudentNote,
  errors: { 403: 'it is the note of someone else' },
})

/** What became of an email, as the program's log of emails shows it. */
export const StudentEmail = z.object({
  Id,
  Subject: z.string(),
  Sender: z.string(),
  Status: z.enum(['queued', 'sent', 'failed', 'blocked', 'cancelled']),
  At: Instant,
})
export type StudentEmail = z.infer<typeof StudentEmail>

export const listStudentEmails = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/emails',
  may: 'students.files',
  summary: 'Emails sent to a student, newest first, without their text',
  params: one,
  query: page,
  views: 'studentId',
  answer: PageOf(StudentEmail),
})

export const StudentChange = z.object({
  Id,
  At: Instant,
  By: z.string(),
  /** What was done, in the words of the call's summary. */
  What: z.string(),
  /** Values of the account before and after, where they were kept. */
  Fields: z.array(z.object({ Field: z.string(), Before: z.string(), After: z.string() })),
})
export type StudentChange = z.infer<typeof StudentChange>

export const listStudentChanges = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/changes',
  may: 'students.files',
  summary: 'Who changed what on the record of a student, newest first',
  params: one,
  query: page,
  views: 'studentId',
  answer: PageOf(StudentChange),
})

/** A requirement that has expired and keeps its student from being scheduled. */
export const ExpiredRequirement = z.object({
  StudentId: Id,
  Student: z.string(),
  StudentLevel: z.string().nullable(),
  RequirementId: Id,
  Requirement: z.string(),
  Expires: DateOnly,
  EmailAddress: z.string(),
  /** The proof that waits for review, where one was sent. */
  Waiting: z.object({ ProofId: Id, SentAt: Instant }).nullable(),
})

export type ExpiredRequirement = z.infer<typeof ExpiredRequirement>

export const listExpiredRequirements = endpoint({
  method: 'GET',
  path: '/programs/:programId/expired-requirements',
  may: 'students.files',
  summary: 'Expired requirements that keep students from being scheduled, the oldest first',
  params: InProgram,
  query: page,
  answer: PageOf(ExpiredRequirement),
})

export const SupervisedStudent = z.object({
  Id,
  Student: z.string(),
  StudentLevel: z.string().nullable(),
  EmailAddress: z.string(),
  /** Approved and pending, at the sites of the supervisor, in this week. */
  WeekMinutes: Count,
  NextShift: z
    .object({ Site: z.string(), Date: DateOnly, StartTime: TimeOfDay, EndTime: TimeOfDay, ShiftType })
    .nullable(),
  /** Evaluations about the student that wait for the supervisor. */
  EvaluationsDue: Count,
})
export type SupervisedStudent = z.infer<typeof SupervisedStudent>

export const listSupervisedStudents = endpoint({
  method: 'GET',
  path: '/programs/:programId/supervised-students',
  may: 'students.supervised',
  summary: 'Students with shifts at the own sites, from 30 days back to all that is ahead',
  params: InProgram,
  query: z.strictObject({ ...paging, search: z.string().max(100).default('') }),
  answer: PageOf(SupervisedStudent),
})
