import type { z } from 'zod'
import { partsOf } from './schema-parts.ts'

/** Records that are not for everybody who may see the rest: of health, declarations, conduct, and of one’s own security. */
export const sensitiveClasses = ['health', 'declaration', 'conduct', 'security'] as const
export type SensitiveClass = (typeof sensitiveClasses)[number]

/** Marks a field of an answer that holds more than the fields beside it; whoever it is closed to gets it empty. */
export const sensitive = <T extends z.ZodType>(field: T, of: SensitiveClass): T =>
  field.meta({ 'x-class': of })

/** Where the fields of a class are in an answer, as the steps to them: names, and `*` for each item of a list. */
export interface SensitivePlace {
  path: readonly string[]
  class: SensitiveClass
  empty: '' | null | readonly []
}

const classOf = (schema: z.ZodType): SensitiveClass | undefined =>
  schema.meta()?.['x-class'] as SensitiveClass | undefined

const emptyOf = (schema: z.ZodType): SensitivePlace['empty'] => {
  if (schema.safeParse(null).success) return null
  const { innerType, element } = partsOf(schema)
  return element ? [] : innerType ? emptyOf(innerType) : ''
}

/** `within`: the schemas around it. One that holds itself is looked at once. */
const placesIn = (
  schema: z.ZodType,
  path: readonly string[],
  within: readonly z.ZodType[] = [],
): SensitivePlace[] => {
  if (within.includes(schema)) return []
  const of = classOf(schema)
  if (of) return [{ path, class: of, empty: emptyOf(schema) }]
  const { innerType, out, element, shape, options } = partsOf(schema)
  const inner = (each: z.ZodType, step: readonly string[] = []) =>
    placesIn(each, [...path, ...step], [...within, schema])
  return [
    ...[innerType, out].flatMap((each) => (each ? inner(each) : [])),
    ...(element ? inner(element, ['*']) : []),
    ...Object.entries(shape ?? {}).flatMap(([name, field]) => inner(field, [name])),
    ...(options ?? []).flatMap((each) => inner(each)),
  ]
}

/** The fields of classes in an answer. */
export const sensitivePlaces = (answer: z.ZodType | undefined): SensitivePlace[] =>
  answer ? placesIn(answer, []) : []
