import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, Ids, InProgram, Line, paging } from '#contract/core/fields.ts'

/** An editor is whoever has edited a time record. */
export const OptionKind = z.enum(['rotation', 'student', 'level', 'area', 'site', 'shift', 'editor'])
export type OptionKind = z.infer<typeof OptionKind>

export const listSchedulingOptions = endpoint({
  method: 'GET',
  path: '/programs/:programId/scheduling-options',
  may: 'scheduling.read',
  summary: 'What the filters of scheduling offer: found by text, or named by their ids',
  params: InProgram,
  query: z.strictObject({
    Kind: OptionKind,
    search: Line(100).optional(),
    Ids: Ids.optional(),
    ...paging,
  }),
  answer: z.object({
    Items: z.array(z.object({ Id, Name: z.string(), Detail: z.string() })),
    HasMore: z.boolean(),
  }),
})
