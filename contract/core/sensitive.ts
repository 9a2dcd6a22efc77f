import { z } from 'zod'

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

type Json = { [name: string]: unknown; properties?: Record<string, Json>; items?: Json; anyOf?: Json[] }

const emptyOf = (json: Json): SensitivePlace['empty'] => {
  const kinds = (json.anyOf ?? [json]).map(({ type }) => type)
  return kinds.includes('null') ? null : kinds.includes('array') ? [] : ''
}

const placesIn = (json: Json, path: readonly string[]): SensitivePlace[] => {
  const of = json['x-class'] as SensitiveClass | undefined
  if (of) return [{ path, class: of, empty: emptyOf(json) }]
  return [
    ...Object.entries(json.properties ?? {}).flatMap(([name, inner]) => placesIn(inner, [...path, name])),
    ...(json.items ? placesIn(json.items, [...path, '*']) : []),
    ...(json.anyOf ?? []).flatMap((branch) => placesIn(branch, path)),
  ]
}

/** The fields of classes in an answer. */
export const sensitivePlaces = (answer: z.ZodType | undefined): SensitivePlace[] =>
  answer ? placesIn(z.toJSONSchema(answer, { io: 'output', unrepresentable: 'any' }) as Json, []) : []
