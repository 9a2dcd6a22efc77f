import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, InProgram, Instant } from '#contract/core/fields.ts'
import type { Permission } from '#contract/core/permissions.ts'

/** What a program tells changes of, with the right that each needs beside that to the call. */
export const rightsOfChanges = {
  'time-record': 'time.read',
  assignment: 'scheduling.read',
  person: 'people.read',
  evaluation: 'evaluations.read',
  requirement: 'requirements.status',
  competency: 'competencies.read',
  procedure: 'competencies.read',
} as const satisfies Record<string, Permission>

export const changeKinds = Object.keys(rightsOfChanges) as (keyof typeof rightsOfChanges)[]

const ChangeKind = z.enum(changeKinds)

export const DataChange = z.object({
  Kind: ChangeKind,
  /** Of a requirement: the requirement, which changed for the student. */
  Id,
  /** Whose it is; null of people and evaluations. */
  StudentId: Id.nullable(),
  IsDeleted: z.boolean(),
  Date: Instant,
})
export type DataChange = z.infer<typeof DataChange>

export const listChanges = endpoint({
  method: 'GET',
  path: '/programs/:programId/changes',
  may: 'changes.read',
  summary:
    'What was added, changed and deleted since a cursor, of the kinds that the caller may read; without a cursor the one of now. Anonymous evaluations are left out',
  params: InProgram,
  query: z.strictObject({
    /** `NextCursor` of the answer before. */
    after: z.string().max(100).optional(),
    Kinds: z.array(ChangeKind).max(changeKinds.length).optional(),
    pageSize: z.number().int().min(1).max(1_000).default(500),
  }),
  answer: z.object({
    Items: z.array(DataChange),
    /** Where the next call begins. It leaves out nothing that was still being saved, and may repeat a record that changed again. */
    NextCursor: z.string(),
    /** More is there already. */
    HasMore: z.boolean(),
  }),
  errors: { 400: 'the cursor is none (`invalid`), or older than the 60 days that are kept (`expired`)' },
})
