import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id } from './fields.ts'

export const College = z.object({ Id, Name: z.string() })
export type College = z.infer<typeof College>

/** A program as lists and pickers show it: 'college name - program name' (D1-194). */
export const ProgramItem = z.object({
  Id,
  Name: z.string(),
  CollegeId: Id,
  CollegeName: z.string(),
  ProgramTypeId: Id.nullable(),
  DelFlag: z.boolean(),
})
export type ProgramItem = z.infer<typeof ProgramItem>

export const programLabel = ({ CollegeName, Name }: Pick<ProgramItem, 'CollegeName' | 'Name'>): string =>
  `${CollegeName} - ${Name}`

export const listColleges = endpoint({
  method: 'GET',
  path: '/colleges',
  may: 'programs.list',
  summary: 'The colleges by name; for people of a program, their own',
  query: z.strictObject({ search: z.string().max(100).optional() }),
  answer: z.array(College),
})

export const listProgramsOfCollege = endpoint({
  method: 'GET',
  path: '/colleges/:collegeId/programs',
  may: 'programs.list',
  summary: 'The programs of a college by name',
  params: z.strictObject({ collegeId: Id }),
  answer: z.array(ProgramItem),
})

export const listPrograms = endpoint({
  method: 'GET',
  path: '/programs',
  may: 'programs.list',
  summary: 'The programs by college and name; for people of a program, their own',
  answer: z.array(ProgramItem),
})
