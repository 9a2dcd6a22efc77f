import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, InProgram } from '#contract/core/fields.ts'
import { Level } from '#contract/core/levels.ts'

/**
 * Test users: a program has at most one with the rights of a coordinator and one with those of an
 * administrator. They can sign in only while a super admin has their access switched on.
 */
export const TestAccessRow = z.object({
  ProgramId: Id,
  CollegeName: z.string(),
  ProgramName: z.string(),
  HasCoordAccess: z.boolean(),
  HasAdminAccess: z.boolean(),
})
export type TestAccessRow = z.infer<typeof TestAccessRow>

export const testModes = ['coord', 'admin'] as const
export const TestMode = z.enum(testModes)
export type TestMode = z.infer<typeof TestMode>

/** The level that a test user has in their program. */
export const testLevel: Record<TestMode, Level> = { coord: Level.Coord, admin: Level.Admin }

export const listTestAccess = endpoint({
  method: 'GET',
  path: '/test-user-access',
  may: 'test-access.manage',
  byKey: 'never',
  summary: 'Which programs admit their test users, by college and program; the first 10,000 that fit',
  /** `search` takes 'college - program' or a program's id. */
  query: z.strictObject({ search: z.string().max(255).default('') }),
  answer: z.array(TestAccessRow),
})

export const toggleTestAccess = endpoint({
  method: 'POST',
  path: '/programs/:programId/test-user-access',
  endsPeople: true,
  proof: true,
  lasts: true,
  may: 'test-access.manage',
  byKey: 'never',
  summary: 'Admit the test user of a program, or shut them out and end their sessions',
  params: InProgram,
  query: z.strictObject({ mode: TestMode }),
  answer: TestAccessRow,
  errors: {
    404: 'the program does not exist',
    422: 'the own email address, which the test user gets, is not confirmed',
  },
})
