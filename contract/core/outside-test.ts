import { z } from 'zod'

/** What a test of something outside found: whether all is well, and how far it came, step by step. */
export const OutsideTest = z.object({
  IsOk: z.boolean(),
  Steps: z.array(z.object({ Name: z.string(), IsOk: z.boolean(), Detail: z.string() })),
})
export type OutsideTest = z.infer<typeof OutsideTest>
