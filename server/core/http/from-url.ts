import type { z } from 'zod'

interface Def {
  type: string
  innerType?: z.ZodType
  in?: z.ZodType
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
}
// Zod keeps what a schema is made of here; the types give it per class only.
const def = (schema: z.ZodType): Def => schema.def as unknown as Def

/** The schema behind optional, default, nullable and pipes: what the text of an address stands for. */
const core = (schema: z.ZodType): z.ZodType => {
  const { innerType, in: input } = def(schema)
  if (innerType) return core(innerType)
  return input ? core(input) : schema
}

/** The names that an object's schema declares. */
export const namesOf = (schema: z.ZodType): string[] => Object.keys(def(core(schema)).shape ?? {})

const read = (schema: z.ZodType, text: string): unknown => {
  const base = core(schema)
  switch (def(base).type) {
    case 'number':
      return /^-?\d{1,300}(\.\d{1,300})?$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text
    case 'array':
      // This is a list, and a list has an element.
      return text === '' ? [] : text.split(',').map((part) => read(def(base).element!, part))
    default:
      return text
  }
}

/** The declared name that is the same but for letter case; the name itself where there is none, or where both are sent. */
const declared = (shape: Record<string, z.ZodType>, raw: Record<string, unknown>, name: string): string => {
  if (Object.hasOwn(shape, name)) return name
  const meant = Object.keys(shape).find((each) => each.toLowerCase() === name.toLowerCase())
  return meant === undefined || Object.hasOwn(raw, meant) ? name : meant
}

/**
 * Turns the text of path and query into what the schema declares: numbers, booleans and comma lists. What does not fit is
 * left as text, so that the schema refuses it by name. An empty query value counts as absent. Letter case of names does not matter: nobody
 * has to know which of `search` and `Search` a list takes.
 */
export const fromUrl = (schema: z.ZodType, raw: Record<string, unknown>): Record<string, unknown> => {
  const { shape = {} } = def(core(schema))
  const result: Record<string, unknown> = {}
  for (const [sent, value] of Object.entries(raw)) {
    const name = declared(shape, raw, sent)
    const field = shape[name]
    const text = Array.isArray(value) ? value.join(',') : value
    if (text === '' && field && def(core(field)).type !== 'string') continue
    result[name] = field && typeof text === 'string' ? read(field, text) : text
  }
  return result
}
