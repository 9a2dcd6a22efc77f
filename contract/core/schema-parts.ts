import type { z } from 'zod'

interface Parts {
  type: string
  /** Of optional, default and nullable. */
  innerType?: z.ZodType
  /** Of pipes. */
  in?: z.ZodType
  out?: z.ZodType
  /** Of lists. */
  element?: z.ZodType
  /** Of objects. */
  shape?: Record<string, z.ZodType>
  /** Of choices. */
  options?: readonly z.ZodType[]
}

/** What a schema is made of. Zod keeps it here; the types give it per class only. */
export const partsOf = (schema: z.ZodType): Parts => schema.def as unknown as Parts
