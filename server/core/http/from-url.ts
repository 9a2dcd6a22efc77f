import type { z } from 'zod'
import { partsOf } from '#contract/core/schema-parts.ts'

/** The schema behind optional, default, nullable and pipes: what the text of an address stands for. */
const core = (schema: z.ZodType): z.ZodType => {
  const { innerType, in: input } = partsOf(schema)
  if (innerType) return core(innerType)
  return input ? core(input) : schema
}

/** The names that an object's schema declares. */
export const namesOf = (schema: z.ZodType): string[] => Object.keys(partsOf(core(schema)).shape ?? {})

const read = (schema: z.ZodType, text: string): unknown => {
  const base = core(schema)
  switch (partsOf(base).type) {
    case 'number':
      return /^-?\d{1,300}(\.\d{1,300})?$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text
    case 'array':
      // This is a list, and a list has an element.
      return text === '' ? [] : text.split(',').map((part) => read(partsOf(base).element!, part))
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
  const { shape = {} } = partsOf(core(schema))
  const result: Record<string, unknown> = {}
  for (const [sent, value] of Object.entries(raw)) {
    const name = declared(shape, raw, sent)
    const field = shape[name]
    const text = Array.isArray(value) ? value.join(',') : value
    if (text === '' && field && partsOf(core(field)).type !== 'string') continue
    result[name] = field && typeof text === 'string' ? read(field, text) : text
  }
  return result
}
