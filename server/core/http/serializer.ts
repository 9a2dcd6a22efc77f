import { isDeepStrictEqual } from 'node:util'
import type FastJson from 'fast-json-stringify'
import type { Schema } from 'fast-json-stringify'
import { z } from 'zod'
import { packageOnDemand } from '#server/core/runtime/on-demand.ts'
import { ReadyJson } from './ready-json.ts'

type Json = Record<string, unknown>

/** The compiler of writers, which the first answer needs. */
export const loadCompiler = packageOnDemand<typeof FastJson>('fast-json-stringify')

/** The pieces as they go to the wire, put together outside of the heap. */
const inOne = (pieces: readonly string[]): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
  let end = 0
  for (const piece of pieces) end += bytes.write(piece, end)
  return bytes
}

const scalars: readonly unknown[] = ['string', 'integer', 'number', 'boolean']

/**
 * A choice that is told by the kind of its values alone: something or null, or texts, numbers and null. Undefined for every other
 * choice.
 */
const asSingleType = ({ anyOf }: { anyOf?: unknown }): Json | undefined => {
  if (!Array.isArray(anyOf)) return undefined
  const present = (anyOf as Json[]).filter(({ type }) => type !== 'null')
  const nullable = present.length < anyOf.length
  const [only] = present
  if (only && present.length === 1 && typeof only.type === 'string') return { ...only, nullable }
  if (!present.every(({ type }) => scalars.includes(type))) return undefined
  return { type: [...new Set(present.map(({ type }) => type))], nullable }
}

/**
 * Makes JSON Schema that fast-json-stringify takes: no formats (moments are strings already), no $schema, and nothing but
 * declared names in objects. A choice is written as one type where that is enough: of others each value is checked against each schema
 * to find out which it is, which costs more than writing it.
 */
const simplify = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(simplify)
  if (typeof schema !== 'object' || schema === null) return schema
  const plain = asSingleType(schema)
  if (plain) return simplify(plain)
  const result: Json = {}
  for (const [name, value] of Object.entries(schema)) {
    if (
      [
        '$schema',
        'format',
        'pattern',
        'minimum',
        'maximum',
        'exclusiveMinimum',
        'minLength',
        'maxLength',
        'title',
        'required',
      ].includes(name) &&
      typeof value !== 'object'
    )
      continue
    if (name === 'required' || name === 'x-class') continue
    result[name] = simplify(value)
  }
  return result
}

/** Moments are written in one way, which clients may compare as text. */
const otherMoment = /"\d{4,6}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:?\d\d)?"/

/** Each schema is compiled once in a process, with its first answer. */
const writers = new WeakMap<z.ZodType, (answer: unknown) => string>()
const writerOf = (schema: z.ZodType): ((answer: unknown) => string) => {
  const known = writers.get(schema)
  if (known) return known
  const made: (answer: unknown) => string = loadCompiler()(
    simplify(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })) as Schema,
  )
  writers.set(schema, made)
  return made
}

/**
 * The compiled writer of an answer: fields that the schema does not declare never leave. It is compiled with the first answer:
 * all of them at once would take half the time of a start, and most of a day's calls are few. In strict mode every answer is
 * also checked against the schema in full, and a wrong one throws. What the database wrote goes out as it is.
 */
export const answerSerializer = (
  schema: z.ZodType,
  isStrict: boolean,
): ((answer: unknown) => string | Buffer) => {
  const write = (answer: unknown): string => writerOf(schema)(answer)
  if (!isStrict)
    return (answer) =>
      answer instanceof ReadyJson ? inOne(answer.take()) : answer === null ? 'null' : write(answer)
  return (answer) => {
    const pieces = answer instanceof ReadyJson ? answer.take() : undefined
    const ready = pieces?.join('')
    const value = ready === undefined ? answer : JSON.parse(ready)
    const checked = schema.safeParse(value)
    if (!checked.success)
      throw new Error(`The answer does not fit its schema: ${z.prettifyError(checked.error)}`)
    if (pieces && !isDeepStrictEqual(checked.data, value))
      throw new Error('The answer names what is not declared.')
    const text = ready ?? (answer === null ? 'null' : write(answer))
    if (otherMoment.test(text)) throw new Error('The answer writes a moment in another way than with Z.')
    return pieces ? inOne(pieces) : text
  }
}
