import { z } from 'zod'
import type { AnyEndpoint, Basis } from '#contract/core/endpoint.ts'
import { isObject } from '#contract/core/is-object.ts'
import { parsePart } from './input.ts'
import { findRow, rowsOf, shapeAt } from './kept-rows.ts'

type Shape = Readonly<Record<string, z.ZodType>>

interface LeftOutRows {
  /** The part of the body that has the list, '' for the body itself. */
  part: string
  list: string
  /** The fields that tell which row is which. */
  key: readonly string[]
  names: readonly string[]
}

/** Names that have a value of their own where a caller leaves them out. */
export interface LeftOut {
  /** By the part of the body, '' for the body itself. */
  parts: ReadonlyMap<string, readonly string[]>
  /** Of the rows of its lists. */
  rows: readonly LeftOutRows[]
  elsewhere: NonNullable<Basis['elsewhere']>
}

const shapeOf = (schema: z.ZodType | undefined): Shape | undefined =>
  schema instanceof z.ZodObject ? (schema.shape as Shape) : undefined

const rowShapeOf = (answer: z.ZodType | undefined): Shape | undefined =>
  answer instanceof z.ZodArray ? shapeOf(answer.element as z.ZodType) : shapeOf(answer)

const namesWithDefaults = (shape: Shape): string[] =>
  Object.keys(shape).filter((name) => shape[name]!.safeParse(undefined).data !== undefined)

/** What a change of one thing takes from what is there, where a caller leaves it out: its default is for new things alone. */
export const leftOutNames = ({ basis, body, takes }: AnyEndpoint): LeftOut => {
  const answer = basis?.read.answer
  const known = basis?.within ? (shapeAt(answer, basis.within) as Shape) : rowShapeOf(answer)
  const whole = shapeOf(body)
  const elsewhere = basis?.elsewhere ?? {}
  if (!known || !whole) return { parts: new Map(), rows: [], elsewhere }
  const namesOf = (shape: Shape): string[] =>
    namesWithDefaults(shape).filter((name) => name in known || name in elsewhere)
  const parts: [string, string[]][] =
    takes === 'multipart'
      ? Object.entries(whole).map(([part, schema]) => [part, namesOf(shapeOf(schema) ?? {})])
      : [['', namesOf(whole)]]
  const rows = Object.entries(basis?.rows ?? {}).map(([path, key]) => {
    const [list = '', part = ''] = path.split('.').toReversed()
    const names = namesWithDefaults(shapeAt(body, path) as Shape).filter((name) => !key.includes(name))
    return { part, list, key, names }
  })
  return {
    parts: new Map(parts.filter(([, names]) => names.length > 0)),
    rows: rows.filter(({ names }) => names.length > 0),
    elsewhere,
  }
}

/** The schemas of these names. */
export const leftOutSchemas = (endpoint: AnyEndpoint): z.ZodType[] => {
  const { parts, rows } = leftOutNames(endpoint)
  const of = (path: string, names: readonly string[]) => {
    const shape = path === '' ? shapeOf(endpoint.body) : (shapeAt(endpoint.body, path) as Shape)
    return names.flatMap((name) => shape?.[name] ?? [])
  }
  return [
    ...[...parts].flatMap(([part, names]) => of(part, names)),
    ...rows.flatMap(({ part, list, names }) => of(part === '' ? list : `${part}.${list}`, names)),
  ]
}

const partOf = (body: unknown, part: string): unknown =>
  part === '' ? body : isObject(body) ? body[part] : undefined

const objectIn = (schema: unknown): z.ZodObject | undefined => {
  if (schema instanceof z.ZodObject) return schema
  if (schema instanceof z.ZodArray) return objectIn(schema.element)
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return objectIn(schema.unwrap())
  return undefined
}

const withoutRulesOf = <S extends z.ZodType>(schema: S, free: ReadonlySet<unknown>): S => {
  const changed = (def: object) => z.core.clone(schema, { ...schema.def, ...def })
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape as Shape).map(([name, field]) => [
      name,
      withoutRulesOf(field, free),
    ])
    return changed({ shape: Object.fromEntries(shape), ...(free.has(schema) && { checks: [] }) })
  }
  if (schema instanceof z.ZodArray)
    return changed({ element: withoutRulesOf(schema.element as z.ZodType, free) })
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    return changed({ innerType: withoutRulesOf(schema.unwrap() as z.ZodType, free) })
  return schema
}

/**
 * The schema of a body that leaves something out: each field is checked, and those are not compared of which some are there and not
 * sent. `completed` compares all of them.
 */
export const incompleteBody = ({ body }: AnyEndpoint, { parts, rows }: LeftOut): z.ZodType | undefined => {
  if (!body) return undefined
  const partIn = (part: string) => objectIn(part === '' ? body : shapeOf(body)?.[part])
  const free = [
    ...[...parts.keys()].map(partIn),
    ...rows.flatMap(({ part, list }) => [partIn(part), objectIn(partIn(part)?.shape[list])]),
  ]
  return withoutRulesOf(body, new Set(free))
}

/** Whether a body leaves something out that it would otherwise set back. */
export const leavesOut = (raw: unknown, { parts, rows }: LeftOut): boolean => {
  const lacks = (given: unknown, names: readonly string[]): boolean =>
    isObject(given) && names.some((name) => !(name in given))
  return (
    [...parts].some(([part, names]) => lacks(partOf(raw, part), names)) ||
    rows.some(({ part, list, names }) => rowsOf(partOf(raw, part), list)?.some((row) => lacks(row, names)))
  )
}

const filled = (
  given: Record<string, unknown>,
  names: readonly string[],
  current: Record<string, unknown>,
): Record<string, unknown> => {
  const kept = names.filter((name) => !(name in given) && current[name] !== undefined)
  return { ...Object.fromEntries(kept.map((name) => [name, current[name]])), ...given }
}

/**
 * A body with what it leaves out as it is now.
 *
 * @throws Failure 400 where that does not go together with what it says: nothing that was left out is set back
 */
export const completed = (
  schema: z.ZodType | undefined,
  { raw, parsed }: { raw: unknown; parsed: unknown },
  current: unknown,
  { parts, rows, elsewhere }: LeftOut,
): unknown => {
  if (!schema) return parsed
  if (!isObject(raw) || !isObject(current)) return parsePart(schema, raw, 'body', true)
  const now = { ...current }
  for (const [name, find] of Object.entries(elsewhere)) now[name] = find(current as never) // The answer of the read that it was declared for.
  let whole: Record<string, unknown> = { ...raw }
  const write = (part: string, given: Record<string, unknown>) => {
    whole = part === '' ? given : { ...whole, [part]: given }
  }
  for (const [part, names] of parts) {
    const given = partOf(whole, part)
    if (isObject(given)) write(part, filled(given, names, now))
  }
  for (const { part, list, key, names } of rows) {
    const given = partOf(whole, part)
    const [sent, there] = [rowsOf(given, list), rowsOf(current, list)]
    if (!isObject(given) || !sent || !there) continue
    write(part, { ...given, [list]: sent.map((row) => filled(row, names, findRow(there, row, key) ?? {})) })
  }
  return parsePart(schema, whole, 'body', true)
}
