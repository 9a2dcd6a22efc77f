import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  InProgram,
  Line,
  Minutes,
  PageOf,
  paging,
  RequiredLine,
  Sort,
  Text,
} from '#contract/core/fields.ts'

/** A stretch of the program in which students are placed. */
export const Rotation = z.object({
  Id,
  Name: z.string(),
  StartDate: DateOnly,
  EndDate: DateOnly,
  /** Levels and cohorts that may be placed; none means all. */
  StudentLevelIds: z.array(z.number().int()),
  Cohorts: z.array(z.string()),
  AreaIds: z.array(Id),
  /** Hours a student owes in it. */
  TargetMinutes: Minutes,
  Notes: z.string(),
  /** Assignments that are in it; above 0 it cannot be deleted. */
  AssignmentCount: z.number().int(),
})
export type Rotation = z.infer<typeof Rotation>

export const RotationInput = z
  .strictObject({
    Name: RequiredLine(100),
    StartDate: DateOnly,
    EndDate: DateOnly,
    StudentLevelIds: z.array(z.number().int().min(1).max(20)).max(20).default([]),
    Cohorts: z.array(RequiredLine(100)).max(50).default([]),
    AreaIds: z.array(Id).max(500).default([]),
    TargetMinutes: Minutes.default(0),
    Notes: Text(2000).default(''),
  })
  .refine(({ StartDate, EndDate }) => StartDate <= EndDate, {
    path: ['EndDate'],
    message: 'must not be before the start date',
  })
export type RotationInput = z.input<typeof RotationInput>

const oneRotation = z.strictObject({ programId: Id, rotationId: Id })
const rotationSorts = ['Name', 'StartDate', 'EndDate', 'TargetMinutes', 'AssignmentCount'] as const

export const listRotations = endpoint({
  method: 'GET',
  path: '/programs/:programId/rotations',
  may: 'scheduling.read',
  summary: 'Rotations, newest first unless sorted otherwise',
  params: InProgram,
  query: z.strictObject({
    ...paging,
    search: Line(100).optional(),
    sort: Sort(rotationSorts).default('-StartDate'),
    /** Only rotations that touch these days. */
    FromDate: DateOnly.optional(),
    ThroughDate: DateOnly.optional(),
    AreaId: Id.optional(),
    StudentLevelId: z.number().int().min(1).max(20).optional(),
  }),
  answer: PageOf(Rotation),
})

export const createRotation = endpoint({
  method: 'POST',
  path: '/programs/:programId/rotations',
  may: 'scheduling.plan',
  summary: 'Add a rotation',
  params: InProgram,
  body: RotationInput,
  answer: Rotation,
  errors: { 404: 'an area or level does not exist', 409: 'the name is taken' },
})

export const getRotation = endpoint({
  method: 'GET',
  path: '/programs/:programId/rotations/:rotationId',
  may: 'scheduling.read',
  summary: 'One rotation',
  params: oneRotation,
  answer: Rotation,
})

export const updateRotation = endpoint({
  method: 'POST',
  path: '/programs/:programId/rotations/:rotationId',
  may: 'scheduling.plan',
  changesGoals: true,
  summary: 'Change a rotation',
  params: oneRotation,
  body: RotationInput,
  answer: Rotation,
  errors: { 404: 'an area or level does not exist', 409: 'the name is taken' },
  basis: { read: getRotation },
})

export const deleteRotation = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/rotations/:rotationId',
  may: 'scheduling.plan',
  changesGoals: true,
  summary: 'Delete a rotation without assignments; it can be restored',
  params: oneRotation,
  errors: { 409: 'it has assignments; the message tells how many' },
})

export const restoreRotation = endpoint({
  method: 'POST',
  path: '/programs/:programId/rotations/:rotationId/restoration',
  may: 'scheduling.plan',
  changesGoals: true,
  summary: 'Bring a deleted rotation back',
  params: oneRotation,
  answer: Rotation,
  errors: { 409: 'the name has been taken in the meantime' },
})
