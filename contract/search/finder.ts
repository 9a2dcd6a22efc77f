import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, RequiredLine } from '#contract/core/fields.ts'

/** Most people, and most sites, that one search answers. */
export const maxFinds = 6

const Find = z.object({ Id, Name: z.string(), /** What tells two of a name apart. */ Detail: z.string() })

export const find = endpoint({
  method: 'GET',
  path: '/finds',
  may: 'signed-in',
  summary:
    'People and sites of the chosen program whose name contains the words, as far as the caller may see them',
  query: z.strictObject({ search: RequiredLine(100) }),
  answer: z.object({
    People: z.array(Find.extend({ AccessLevel: z.number().int() })).max(maxFinds),
    Sites: z.array(Find).max(maxFinds),
  }),
})
