import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, Instant, Line, withoutDefaults } from '#contract/core/fields.ts'
import { problem } from '#contract/core/problems.ts'
import { whyPrivate } from './log-refusals.ts'
import { logStates, maxCount, maxLines, patients } from './log-rules.ts'
import { PathologySetting } from './procedures.ts'

/** One line that must not tell who the patient is. */
export const Discreet = (max: number) =>
  Line(max).refine((text) => whyPrivate(text) === undefined, {
    error: ({ input }) => {
      const why = whyPrivate(String(input))
      return why && problem(why)
    },
  })

export const Patient = z.enum(patients)
export const LogState = z.enum(logStates)
const Count = z.number().int().min(1).max(maxCount)
export const Revision = z.number().int().min(1)

/** What a line says of its procedure. */
const line = {
  ProcedureId: Id,
  /** Null where the major study has no participation levels. */
  LevelId: Id.nullable(),
  Count,
  Patient: Patient.default('adult'),
  Repeats: z.number().int().min(0).max(maxCount).default(0),
  /** Required with repeats. */
  RepeatReason: Discreet(200).default(''),
  /** The radiographer who was present at the repeats; whoever verifies them adds a missing name. */
  Radiographer: Discreet(100).default(''),
  PathologyId: Id.nullable().default(null),
  /** In one's own words, where the list has none for it. */
  OtherPathology: Discreet(100).default(''),
  Note: Discreet(500).default(''),
}
export const LogLine = z.strictObject(line)
export type LogLine = z.infer<typeof LogLine>

/** An entry of the log as its student sees it. */
export const OwnEntry = z.object({
  Id,
  Revision,
  Date: DateOnly,
  ProcedureId: Id,
  Procedure: z.string(),
  MajorStudyId: Id,
  MajorStudy: z.string(),
  LevelId: Id.nullable(),
  Level: z.string().nullable(),
  Count: z.number().int(),
  Patient,
  Repeats: z.number().int(),
  RepeatReason: z.string(),
  Radiographer: z.string(),
  PathologyId: Id.nullable(),
  Pathology: z.string().nullable(),
  OtherPathology: z.string(),
  Note: z.string(),
  /** Whether it belongs to a shift of the student's. */
  HasShift: z.boolean(),
  SiteId: Id.nullable(),
  Site: z.string().nullable(),
  SupervisorId: Id.nullable(),
  Supervisor: z.string().nullable(),
  State: LogState,
  ReturnReason: z.string(),
  DecidedBy: z.string().nullable(),
  DecidedAt: Instant.nullable(),
  /** Changes by others, which keep the old values. */
  Changes: z.number().int(),
})
export type OwnEntry = z.infer<typeof OwnEntry>

const Named = z.object({ Id, Name: z.string() })

/** Where and when logs are made: what the form begins with on a day. */
export const LogContext = z.object({
  /** The day it is about: the day of the shift that runs or has just ended, else today. */
  Date: DateOnly,
  Today: DateOnly,
  /** The first day that can be logged. */
  FirstDate: DateOnly,
  /** The shift of the day; null on a day without one. */
  Shift: z
    .object({
      AssignmentId: Id,
      Date: DateOnly,
      SiteId: Id,
      Site: z.string(),
      StartTime: z.string(),
      EndTime: z.string(),
    })
    .nullable(),
  /** Where the student is placed on the day, or else clocked in. */
  SiteId: Id.nullable(),
  /** Whom the last entry at the site named; the only supervisor of the site where there is one. */
  SupervisorId: Id.nullable(),
  Sites: z.array(z.object({ SiteId: Id, Name: z.string(), Supervisors: z.array(Named) })),
  Pathology: PathologySetting,
  Pathologies: z.array(z.object({ Id, ProcedureId: Id, Name: z.string() })),
})
export type LogContext = z.infer<typeof LogContext>

export const getLogContext = endpoint({
  method: 'GET',
  path: '/procedure-log/context',
  may: 'procedures.log',
  summary:
    'What logging procedures begins with: the shift of the day or where the clock runs, its supervisors, pathologies',
  query: z.strictObject({
    /** The day of the shift that runs or has just ended, or else today, unless given. */
    Date: DateOnly.optional(),
  }),
  answer: LogContext,
})

export const StandingStudy = z.object({
  Id,
  Name: z.string(),
  IsPatientCare: z.boolean(),
  ElectivesNeeded: z.number().int(),
  Levels: z.array(z.object({ Id, Name: z.string(), IsCounted: z.boolean() })),
})

export const StandingProcedure = z.object({
  Id,
  MajorStudyId: Id,
  Name: z.string(),
  IsMandatory: z.boolean(),
  LogsNeeded: z.number().int(),
  /** The levels at which a log counts, where they are not those of the major study. */
  CountedLevelIds: z.array(Id).nullable(),
  /** Verified logs at levels that count, and those that wait for verification. */
  Counted: z.number().int(),
  CountedWaiting: z.number().int(),
  /** All that is logged and not returned. */
  Logged: z.number().int(),
  /** Faculty has to check it in the lab before its exam and has not. */
  LacksLabCheck: z.boolean(),
  /** What was passed once stays passed; a failed exam is one until it is passed. */
  Exam: z.enum(['passed', 'simulated', 'failed']).nullable(),
  Returned: z.number().int(),
  LastDate: DateOnly.nullable(),
  /** The participation of the last time. */
  LastLevelId: Id.nullable(),
})
export type StandingProcedure = z.infer<typeof StandingProcedure>

/** What a student's list asks and what of it is logged, from kept sums. */
export const Standing = z.object({
  List: z
    .object({
      Id,
      Name: z.string(),
      ElectivesNeeded: z.number().int(),
      PediatricMaxAge: z.number().int(),
      GeriatricMinAge: z.number().int(),
      GeriatricNeedsImpairment: z.boolean(),
    })
    .nullable(),
  Studies: z.array(StandingStudy),
  Procedures: z.array(StandingProcedure),
  /** What was logged or passed of procedures that the present list does not have: it is kept, and counts for nothing in it. */
  Earlier: z.array(
    z.object({
      ProcedureId: Id,
      List: z.string(),
      MajorStudy: z.string(),
      Name: z.string(),
      Logged: z.number().int(),
      /** Null where it was not passed. */
      PassedOn: DateOnly.nullable(),
      IsSimulated: z.boolean(),
    }),
  ),
})
export type Standing = z.infer<typeof Standing>

export const getOwnStanding = endpoint({
  method: 'GET',
  path: '/procedure-log/standing',
  may: 'procedures.log',
  summary: "The caller's competency list with what is logged of each procedure",
  answer: Standing,
})

export const getStudentStanding = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/competencies',
  may: 'procedure-logs.read',
  summary: "A student's competency list with what is logged of each procedure",
  params: z.strictObject({ programId: Id, studentId: Id }),
  answer: Standing,
  views: 'studentId',
})

/** Where a day's procedures were done, and who is asked to verify them. */
const place = {
  /** The shift's unless given; needed on a day with shifts at several sites. */
  SiteId: Id.nullable().default(null),
  SupervisorId: Id.nullable().default(null),
}

export const saveProcedures = endpoint({
  method: 'POST',
  path: '/procedure-log',
  may: 'procedures.log',
  keptOffline: { version: 1 },
  summary: 'Log procedures of one day. A key that was saved before is answered again and never saved twice',
  body: z.strictObject({
    Date: DateOnly,
    ...place,
    Lines: z
      .array(z.strictObject({ Key: z.uuid(), ...line }))
      .min(1)
      .max(maxLines)
      .refine(
        (lines) => new Set(lines.map(({ Key }) => Key)).size === lines.length,
        'have a key of their own each',
      ),
  }),
  answer: z.object({ Saved: z.array(z.object({ Key: z.uuid(), Id })) }),
  errors: {
    404: 'the site or the supervisor does not exist for the student',
    422: 'the day, a procedure, its level or its pathology cannot be logged',
  },
})

export const listOwnLog = endpoint({
  method: 'GET',
  path: '/procedure-log',
  may: 'procedures.log',
  summary: 'The own log by day, the newest first',
  query: z.strictObject({
    Show: z.enum(['all', ...logStates]).default('all'),
    ProcedureId: Id.optional(),
    /** `NextDate` of the page before. */
    Before: DateOnly.optional(),
    days: z.number().int().min(1).max(60).default(14),
  }),
  answer: z.object({
    Days: z.array(z.object({ Date: DateOnly, Entries: z.array(OwnEntry) })),
    /** What the next page begins before; null at the end. */
    NextDate: DateOnly.nullable(),
    WaitingCount: z.number().int(),
    ReturnedCount: z.number().int(),
  }),
})

const oneEntry = z.strictObject({ logId: Id })
const changedMeanwhile = 'it was changed, verified or returned meanwhile'

export const changeProcedure = endpoint({
  method: 'POST',
  path: '/procedure-log/:logId',
  may: 'procedures.log',
  summary: 'Change an own entry until it is verified. One that was returned waits for verification again',
  params: oneEntry,
  body: z.strictObject({ Revision, SupervisorId: Id.nullable(), ...withoutDefaults(line) }),
  answer: OwnEntry,
  errors: { 409: changedMeanwhile, 422: 'the procedure, its level or its pathology cannot be logged' },
})

export const deleteProcedure = endpoint({
  method: 'DELETE',
  path: '/procedure-log/:logId',
  may: 'procedures.log',
  summary: 'Delete an own entry until it is verified',
  params: oneEntry,
  query: z.strictObject({ Revision }),
  errors: { 409: changedMeanwhile },
})

export const restoreProcedure = endpoint({
  method: 'POST',
  path: '/procedure-log/:logId/restoration',
  may: 'procedures.log',
  summary: 'Bring an own entry back that was deleted, as it was',
  params: oneEntry,
  answer: OwnEntry,
})
