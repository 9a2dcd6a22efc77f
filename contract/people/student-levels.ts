import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, InProgram, Line } from '#contract/core/fields.ts'
import { listStudentLevels } from './people.ts'

/** There are 20 places for levels, each with a label of at most 50 characters. */
export const maxLevels = 20
const LevelId = z.number().int().min(1).max(maxLevels)

export const commaText =
  'Data not saved. Level {Level} contains an illegal character (,). Please correct it and try again.'

/** The first of the levels whose label holds a comma, as none may: labels are in lists that are separated by commas. */
export const levelWithComma = (levels: readonly { Id: number; Name: string }[]): number | undefined =>
  levels.find(({ Name }) => Name.includes(','))?.Id

export const StudentLevelInput = z.strictObject({
  Id: LevelId,
  ProgId: Id.optional(),
  /** Empty: the level is cleared. */
  Name: Line(50),
})

export const saveStudentLevels = endpoint({
  method: 'POST',
  path: '/programs/:programId/student-levels',
  may: 'levels.manage',
  summary: 'Set labels of student levels; an empty one clears a level that nobody has',
  params: InProgram,
  body: z.array(StudentLevelInput).max(maxLevels),
  errors: {
    409: 'students have a level that would be cleared, or evaluation templates name it',
    422: 'a label holds a comma',
  },
  basis: { read: listStudentLevels, key: 'Id' },
})

export const findLevelTemplates = endpoint({
  method: 'POST',
  path: '/programs/:programId/student-levels/evaluation-templates',
  may: 'levels.manage',
  changes: false,
  summary: 'The evaluation templates that name one of the levels',
  params: InProgram,
  body: z.array(LevelId).max(maxLevels),
  answer: z.array(z.object({ Id, Title: z.string() })),
})

/** Which level a student has. */
export const LevelAssignment = z.object({
  UserId: Id,
  UserFullName: z.string(),
  StudentLevelId: LevelId.nullable(),
})
export type LevelAssignment = z.infer<typeof LevelAssignment>

export const listLevelAssignments = endpoint({
  method: 'GET',
  path: '/programs/:programId/student-levels/assignments',
  may: 'levels.manage',
  summary: 'The active students by name, with their levels',
  params: InProgram,
  answer: z.array(LevelAssignment),
})

export const saveLevelAssignments = endpoint({
  method: 'POST',
  path: '/programs/:programId/student-levels/assignments',
  may: 'levels.manage',
  summary: 'Give students a level, or none',
  params: InProgram,
  body: z.array(z.strictObject({ UserId: Id, StudentLevelId: LevelId.nullable() })).max(5_000),
  errors: { 404: 'one of the students does not exist', 422: 'a level has no label' },
})
