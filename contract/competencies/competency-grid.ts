import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Line, RequiredLine, SeenRows } from '#contract/core/fields.ts'
import { inList } from './competency-lists.ts'
import { attemptStates } from './exam-rules.ts'
import { gridStates } from './grid-states.ts'
import { LogChange, LogEntry } from './log-verification.ts'

/** Students that a page of the grid has unless asked otherwise. */
export const competencyPageSize = 60
/** Students whose competency record one file holds at most. */
export const maxRecords = 60

const filters = {
  Cohort: RequiredLine(100).optional(),
  StudentLevelId: z.number().int().min(1).max(20).optional(),
  AreaId: Id.optional(),
  /** Only students who have this state at a procedure: of MajorStudyId or ProcedureId where they are given, else of the list. */
  State: z.enum(gridStates).optional(),
  MajorStudyId: Id.optional(),
  ProcedureId: Id.optional(),
  /** Only students behind the pace of their term targets. */
  IsBehind: z.boolean().optional(),
  /** Part of the name or student number. */
  search: Line(100).optional(),
}
const GridFilters = z.strictObject(filters)
export type CompetencyGridFilters = z.infer<typeof GridFilters>

export const competencySorts = ['Name', 'Passed', 'Ready', 'Logged'] as const
const Sort = z.enum(competencySorts.flatMap((field) => [field, `-${field}`] as const)).default('Name')
export type CompetencySort = z.infer<typeof Sort>

/** Grows with every change of which procedures a list has: the columns that cells are read by. */
const Columns = z.string()
const figures = z.array(z.number().int())

export const getCompetencyGridHead = endpoint({
  method: 'GET',
  path: '/programs/:programId/competency-lists/:listId/grid/head',
  mayBeBehind: true,
  may: 'procedure-logs.read',
  summary:
    'The head of the competency grid: its columns, and how many of the filtered students have which state in each',
  params: inList,
  query: GridFilters,
  answer: z.object({
    Columns,
    Studies: z.array(
      z.object({ Id, Name: z.string(), IsPatientCare: z.boolean(), ElectivesNeeded: z.number().int() }),
    ),
    /** In the order of the list. */
    Procedures: z.array(
      z.object({
        Id,
        MajorStudyId: Id,
        Name: z.string(),
        IsMandatory: z.boolean(),
        LogsNeeded: z.number().int(),
        /** Where the procedure is in the cells of a row. */
        At: z.number().int(),
      }),
    ),
    /** What the list asks in all: mandatory procedures and needed electives. */
    Needed: z.number().int(),
    StudentCount: z.number().int(),
    /** Of the filtered students. */
    BehindCount: z.number().int(),
    /** Without term targets nobody is behind. */
    HasTargets: z.boolean(),
    /** By state, one figure for each place in the cells. */
    Counts: z.record(z.enum(gridStates), figures),
  }),
})

export const getCompetencyGrid = endpoint({
  method: 'GET',
  path: '/programs/:programId/competency-lists/:listId/grid',
  mayBeBehind: true,
  may: 'procedure-logs.read',
  summary: 'A page of students by procedures, packed in columns',
  params: inList,
  query: GridFilters.extend({
    sort: Sort,
    /** Students before this page. */
    Offset: z.number().int().min(0).max(1_000_000).default(0),
    Limit: z.number().int().min(1).max(200).default(competencyPageSize),
  }),
  answer: z.object({
    /** Of the same procedures as the head with the same value. */
    Columns,
    Students: z.object({
      Id: z.array(Id),
      LastName: z.array(z.string()),
      FirstName: z.array(z.string()),
      StudentLevelId: z.array(z.number().int().nullable()),
      Cohort: z.array(z.string().nullable()),
      /** One text a student, one character a procedure: see grid-states.ts. */
      Cells: z.array(z.string()),
      /** Exams passed. */
      Passed: figures,
      /** How much of what the list asks was passed. */
      Done: figures,
      Ready: figures,
      Logged: figures,
      /** Exams expected by today; null without a term target that has begun. */
      Expected: z.array(z.number().nullable()),
      IsBehind: z.array(z.boolean()),
    }),
  }),
})

export const exportCompetencyGrid = endpoint({
  method: 'GET',
  path: '/programs/:programId/competency-lists/:listId/grid/export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'procedure-logs.read',
  summary: 'The filtered grid as a file: a row a student, a column a procedure',
  params: inList,
  query: GridFilters.extend({ sort: Sort, Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

/** A site at which a procedure was logged. */
const LoggedSite = z.object({ SiteId: Id, Name: z.string(), Count: z.number().int() })

export const listProcedureSites = endpoint({
  method: 'GET',
  path: '/programs/:programId/competency-lists/:listId/grid/sites',
  mayBeBehind: true,
  may: 'procedure-logs.read',
  summary: 'Where each procedure was logged in the last 13 weeks, and how many students still have to log it',
  params: inList,
  query: z.strictObject({ Cohort: RequiredLine(100).optional() }),
  answer: z.object({
    /** The first day that counts. */
    FromDate: DateOnly,
    Procedures: z.array(
      z.object({
        Id,
        Name: z.string(),
        MajorStudy: z.string(),
        IsMandatory: z.boolean(),
        /** Students, of the cohort where one is given, who still have to log it. */
        Students: z.number().int(),
        /** Logged at the sites of the program that are active. */
        Count: z.number().int(),
        SiteCount: z.number().int(),
        /** Where it was logged most: at most three. */
        Sites: z.array(LoggedSite),
      }),
    ),
  }),
})

/** Where a procedure that a student still has to log can be had. */
export const ProcedurePlaces = z.object({
  ProcedureId: Id,
  /** Those of the student's own coming shifts first, then where it was logged most: at most three. */
  Sites: z.array(
    LoggedSite.extend({
      /** The day of the student's next shift there. */
      NextDate: DateOnly.nullable(),
    }),
  ),
})
export type ProcedurePlaces = z.infer<typeof ProcedurePlaces>
const Places = z.object({ Procedures: z.array(ProcedurePlaces) })

export const listOwnPlaces = endpoint({
  method: 'GET',
  path: '/procedure-log/places',
  may: 'procedures.log',
  summary: 'Where what the caller still has to log was logged in the last 13 weeks, own coming shifts first',
  answer: Places,
})

const oneStudent = z.strictObject({ programId: Id, studentId: Id })

export const listStudentPlaces = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/competencies/places',
  may: 'procedure-logs.read',
  summary: 'Where what the student still has to log was logged in the last 13 weeks, own coming shifts first',
  params: oneStudent,
  answer: Places,
})

export const getCompetencyHistory = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/competencies/:procedureId/history',
  may: 'procedure-logs.read',
  summary: 'All that a student did of one procedure, the newest first, with what was changed by others',
  params: oneStudent.extend({ procedureId: Id }),
  answer: z.object({
    StudentId: Id,
    /** "First Last". */
    Student: z.string(),
    Procedure: z.string(),
    MajorStudy: z.string(),
    IsMandatory: z.boolean(),
    LogsNeeded: z.number().int(),
    Counted: z.number().int(),
    CountedWaiting: z.number().int(),
    Logged: z.number().int(),
    /** At most 200, the newest first. */
    Entries: z.array(LogEntry),
    EntryCount: z.number().int(),
    /** What entries said before others changed them, the newest first. */
    Changes: z.array(LogChange.extend({ LogId: Id })),
    /** Exams in their order; withdrawn and voided ones stay on record. */
    Attempts: z.array(
      z.object({
        Id,
        Number: z.number().int(),
        Date: DateOnly,
        State: z.enum(attemptStates),
        IsSimulated: z.boolean(),
        IsRecheck: z.boolean(),
        Site: z.string().nullable(),
        Examiner: z.string().nullable(),
        Comment: z.string(),
      }),
    ),
    NeedsLabCheck: z.boolean(),
    LabCheck: z.object({ Date: DateOnly, Faculty: z.string() }).nullable(),
  }),
  views: 'studentId',
})

export const exportCompetencyRecords = endpoint({
  method: 'GET',
  path: '/programs/:programId/competency-records',
  proof: true,
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'procedure-logs.read',
  summary:
    'The competency record of students as a PDF: each procedure of the list, when it was passed, on whom, and who examined it',
  params: InProgram,
  query: z.strictObject({ StudentIds: z.array(Id).min(1).max(maxRecords) }),
  answers: 'file',
  fileTypes: ['pdf'],
  errors: { 404: 'a student does not exist or has no list' },
})

const TermTarget = z.strictObject({
  Name: RequiredLine(100),
  Cohort: RequiredLine(100).nullable(),
  FromDate: DateOnly,
  ThroughDate: DateOnly,
  Exams: z.number().int().min(1).max(1_000),
})
export const TermTargetInput = TermTarget.refine(({ FromDate, ThroughDate }) => FromDate <= ThroughDate, {
  path: ['ThroughDate'],
  message: 'must not be before the first day',
})

export const listTermTargets = endpoint({
  method: 'GET',
  path: '/programs/:programId/competency-lists/:listId/term-targets',
  may: 'procedure-logs.read',
  summary: 'How many exams the list asks in each term, by which it is known who is behind',
  params: inList,
  answer: z.object({ Targets: z.array(TermTargetInput) }),
})

export const saveTermTargets = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists/:listId/term-targets',
  may: 'competencies.design',
  summary: 'Set the term targets of a list; a term goes that was seen and is not sent',
  params: inList,
  body: z.strictObject({
    Targets: z.array(TermTargetInput).max(100),
    Seen: z.strictObject({ Targets: SeenRows(TermTarget.shape) }).optional(),
  }),
  answer: z.object({ Targets: z.array(TermTargetInput) }),
  basis: { read: listTermTargets, rows: { Targets: ['Name', 'Cohort', 'FromDate'] } },
})
