import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, InProgram, Line, RequiredLine } from '#contract/core/fields.ts'

/** A class of programs. The default one keeps its name and is never deleted. */
export const ProgramClass = z.object({
  Id,
  Name: z.string(),
  Value: z.string(),
  IsDefault: z.boolean(),
  DelFlag: z.boolean(),
})
export type ProgramClass = z.infer<typeof ProgramClass>
const ProgramClassInput = z.strictObject({ Name: RequiredLine(100), Value: Line(255) })
const oneClass = z.strictObject({ classId: Id })

export const listProgramClasses = endpoint({
  method: 'GET',
  path: '/program-classes',
  may: 'programs.manage',
  summary: 'The classes of programs',
  answer: z.array(ProgramClass),
})

export const createProgramClass = endpoint({
  method: 'POST',
  path: '/program-classes',
  may: 'programs.manage',
  summary: 'Add a class of programs',
  body: ProgramClassInput,
  answer: ProgramClass,
  errors: { 409: 'another active class has the name' },
})

export const updateProgramClass = endpoint({
  method: 'POST',
  path: '/program-classes/:classId',
  may: 'programs.manage',
  summary: 'Change a class of programs; the default one keeps its name',
  params: oneClass,
  body: ProgramClassInput,
  answer: ProgramClass,
  errors: { 409: 'another active class has the name', 422: 'the default class is not renamed' },
  basis: { read: listProgramClasses, item: 'classId' },
})

export const deleteProgramClass = endpoint({
  method: 'DELETE',
  path: '/program-classes/:classId',
  may: 'programs.manage',
  summary: 'Delete a class of programs; its programs then have none',
  params: oneClass,
  errors: { 422: 'the default class stays' },
})

/** A type (category) of programs. */
export const ProgramType = z.object({ Id, Name: z.string() })
export type ProgramType = z.infer<typeof ProgramType>
const ProgramTypeInput = z.strictObject({ Name: RequiredLine(100) })
const oneType = z.strictObject({ typeId: Id })

export const listProgramTypes = endpoint({
  method: 'GET',
  path: '/program-types',
  may: 'programs.list',
  summary: 'The types (categories) of programs',
  answer: z.array(ProgramType),
})

export const createProgramType = endpoint({
  method: 'POST',
  path: '/program-types',
  may: 'programs.manage',
  summary: 'Add a type of programs',
  body: ProgramTypeInput,
  answer: ProgramType,
  errors: { 409: 'the name is taken' },
})

export const updateProgramType = endpoint({
  method: 'POST',
  path: '/program-types/:typeId',
  may: 'programs.manage',
  summary: 'Rename a type of programs',
  params: oneType,
  body: ProgramTypeInput,
  answer: ProgramType,
  errors: { 409: 'the name is taken' },
  basis: { read: listProgramTypes, item: 'typeId' },
})

export const deleteProgramType = endpoint({
  method: 'DELETE',
  path: '/program-types/:typeId',
  may: 'programs.manage',
  summary: 'Delete a type of programs; its programs are then not categorized',
  params: oneType,
})

/** Categorize Programs saves each changed row by this call. */
export const categorizeProgram = endpoint({
  method: 'POST',
  path: '/programs/:programId/program-type',
  may: 'programs.manage',
  summary: 'Set the type of a program; without an id it has none',
  params: InProgram,
  query: z.strictObject({ id: Id.optional() }),
  errors: { 422: 'the type no longer exists' },
})
