import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, Line, RequiredLine } from '#contract/core/fields.ts'
import { personLimits } from '#contract/people/person-fields.ts'
import { CompetencyList, inList, ProcedureMapping } from './competency-lists.ts'

/** Giving a competency list to students who had another one: what they passed, and what of it counts. */

const Count = z.number().int()

export const ListMovePreview = z.object({
  /** Whose list changes. */
  Students: Count,
  /** Exams that they passed, one for each student and procedure, and those of them that count by the new list. */
  Passed: Count,
  Counting: Count,
  Procedures: z.array(
    z.object({
      ProcedureId: Id,
      List: z.string(),
      MajorStudy: z.string(),
      Name: z.string(),
      /** The procedure of the new list for which it counts. */
      ToProcedureId: Id.nullable(),
      /** Why: another version of the same procedure, its name, or somebody's choice. The first cannot be chosen otherwise. */
      By: z.enum(['same', 'name', 'chosen']).nullable(),
      /** Students who passed it, and logs of it that were not returned. */
      Passed: Count,
      Logs: Count,
    }),
  ),
  /** The procedures of the new list. */
  Offered: z.array(z.object({ Id, MajorStudy: z.string(), Name: z.string() })),
  People: z.array(z.object({ StudentId: Id, Student: z.string(), Passed: Count, Counting: Count })),
})
export type ListMovePreview = z.infer<typeof ListMovePreview>

export const previewListMove = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists/:listId/moves/preview',
  may: 'competencies.design',
  summary: 'What giving a list to these cohorts would do to what students passed; nothing is saved',
  params: inList,
  body: z.strictObject({
    Cohorts: z.array(RequiredLine(100)).max(200),
    IsForOthers: z.boolean(),
    /** Procedures that are not named are found by their names. */
    Mapping: ProcedureMapping.default([]),
  }),
  answer: ListMovePreview,
  errors: { 422: 'the mapping names a procedure of another list' },
})

/** What another cohort or level asks of a student, and what of that which they have shown counts. */
export const StudentMovePreview = z.object({
  /** The competency lists before and after; null for none. */
  FromList: z.string().nullable(),
  ToList: z.string().nullable(),
  /** Passed exams, and those that count by the list after. */
  Passed: Count,
  Counting: Count,
  /** Passed procedures that do not count. */
  NotCounting: z.array(z.object({ List: z.string(), MajorStudy: z.string(), Name: z.string() })),
  /** Requirements that are asked from then on, and whether they are met. */
  Asked: z.array(z.object({ Name: z.string(), IsMet: z.boolean() })),
  NoLongerAsked: z.array(z.string()),
})
export type StudentMovePreview = z.infer<typeof StudentMovePreview>

export const previewStudentMove = endpoint({
  method: 'POST',
  path: '/programs/:programId/users/:userId/moves/preview',
  may: 'people.write',
  summary: 'What another cohort or level would do to what a student has passed and shown; nothing is saved',
  params: z.strictObject({ programId: Id, userId: Id }),
  body: z.strictObject({
    Cohort: Line(personLimits.Cohort).nullable(),
    StudentLevelId: z.number().int().min(1).max(20).nullable(),
  }),
  answer: StudentMovePreview,
})

export const undoListMove = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists/:listId/moves/undo',
  may: 'competencies.design',
  changesGoals: true,
  summary: 'Give the students whom this list was given last their former lists again',
  params: inList,
  answer: CompetencyList,
  errors: { 409: 'nothing is left to undo, or lists were given to these cohorts since' },
})
