import { z } from 'zod'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { isObject } from '#contract/core/is-object.ts'

type Shape = Readonly<Record<string, z.ZodType>>

/** Names that have a value of their own where a caller leaves them out; by the part of the body, '' for the body itself. */
export type LeftOut = ReadonlyMap<string, readonly string[]>

const shapeOf = (schema: z.ZodType | undefined): Shape | undefined =>
  schema instanceof z.ZodObject ? (schema.shape as Shape) : undefined

const rowShapeOf = (answer: z.ZodType | undefined): Shape | undefined =>
  answer instanceof z.ZodArray ? shapeOf(answer.element as z.ZodType) : shapeOf(answer)

/** What a change of one thing takes from what is there, where a caller leaves it out: its default is for new things alone. */
export const leftOutNames = ({ basis, body, takes }: AnyEndpoint): LeftOut => {
  const known = rowShapeOf(basis?.read.answer)
  const whole = shapeOf(body)
  if (!known || !whole) return new Map()
  const namesOf = (shape: Shape): string[] =>
    Object.keys(shape).filter((name) => name in known && shape[name]!.safeParse(undefined).data !== undefined)
  const parts: [string, string[]][] =
    takes === 'multipart'
      ? Object.entries(whole).map(([part, schema]) => [part, namesOf(shapeOf(schema) ?? {})])
      : [['', namesOf(whole)]]
  return new Map(parts.filter(([, names]) => names.length > 0))
}

/** Whether a body leaves something out that it would otherwise set back. */
export const leavesOut = (raw: unknown, leftOut: LeftOut): boolean => {
  if (!isObject(raw)) return false
  return [...leftOut].some(([part, names]) => {
    const given = part === '' ? raw : raw[part]
    return isObject(given) && names.some((name) => !(name in given))
  })
}

/**
 * A body with what it leaves out as it is now. Where that does not go together with what it says, the body is taken as it is: `parsed`.
 */
export const completed = (
  schema: z.ZodType | undefined,
  { raw, parsed }: { raw: unknown; parsed: unknown },
  current: unknown,
  leftOut: LeftOut,
): unknown => {
  if (!isObject(raw) || !isObject(current)) return parsed
  const whole: Record<string, unknown> = { ...raw }
  for (const [part, names] of leftOut) {
    const given = part === '' ? raw : raw[part]
    const shape = part === '' ? shapeOf(schema) : shapeOf(shapeOf(schema)?.[part])
    if (!isObject(given) || !shape) continue
    const kept = names.filter((name) => !(name in given) && shape[name]!.safeParse(current[name]).success)
    const filled = { ...Object.fromEntries(kept.map((name) => [name, current[name]])), ...given }
    if (part === '') Object.assign(whole, filled)
    else whole[part] = filled
  }
  return schema?.safeParse(whole).data ?? parsed
}
