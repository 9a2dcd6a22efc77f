import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, RequiredLine } from '#contract/core/fields.ts'

/** Procedures that faculty has seen students do in the lab, before their exams. */

export const LabStudent = z.object({
  StudentId: Id,
  /** "Last, First". */
  Student: z.string(),
  Cohort: z.string(),
  /** Null where they are not checked. */
  CheckId: Id.nullable(),
  CheckedOn: DateOnly.nullable(),
  Faculty: z.string().nullable(),
})
export type LabStudent = z.infer<typeof LabStudent>

export const listLabChecks = endpoint({
  method: 'GET',
  path: '/programs/:programId/procedures/:procedureId/lab-checks',
  may: 'exams.read',
  summary: 'A class with who is checked in a procedure; checks of its earlier versions count',
  params: z.strictObject({ programId: Id, procedureId: Id }),
  query: z.strictObject({ Cohort: RequiredLine(100).optional() }),
  answer: z.object({
    Procedure: z.string(),
    /** Whether its exam waits for it. */
    IsNeeded: z.boolean(),
    Cohorts: z.array(z.string()),
    Students: z.array(LabStudent),
  }),
})

export const checkInLab = endpoint({
  method: 'POST',
  path: '/programs/:programId/procedures/:procedureId/lab-checks',
  may: 'lab-checks.write',
  summary: 'Keep that students passed a procedure in the lab; who is checked already stays so',
  params: z.strictObject({ programId: Id, procedureId: Id }),
  body: z.strictObject({ Date: DateOnly, StudentIds: z.array(Id).min(1, 'choose at least one').max(3_000) }),
  answer: z.object({ Ids: z.array(Id) }),
  errors: { 404: 'a student does not exist', 422: 'the day is still to come' },
})

export const removeLabChecks = endpoint({
  method: 'POST',
  path: '/programs/:programId/lab-checks/removals',
  may: 'lab-checks.write',
  summary: 'Take lab checks back; exams that are passed stay',
  params: InProgram,
  body: z.strictObject({ Ids: z.array(Id).min(1).max(3_000) }),
  answer: z.object({ Removed: z.number().int() }),
})

export const restoreLabChecks = endpoint({
  method: 'POST',
  path: '/programs/:programId/lab-checks/restorations',
  may: 'lab-checks.write',
  summary: 'Bring lab checks back that were taken back',
  params: InProgram,
  body: z.strictObject({ Ids: z.array(Id).min(1).max(3_000) }),
  answer: z.object({ Restored: z.number().int() }),
  errors: { 409: 'a student was checked again by now' },
})
