import { z } from 'zod'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { writingOf } from '#contract/core/fields.ts'
import { isObject } from '#contract/core/is-object.ts'
import { problems } from '#contract/core/problems.ts'
import { fitsForm, type Writing } from '#contract/core/writing.ts'
import { sentence } from '#contract/language/texts.ts'
import { refusedInput, sentenceOf } from './input.ts'

/** A field of a body that people write in a form of its own; '*' is each row of a list. */
export interface WrittenField {
  path: readonly string[]
  writing: Writing
}

const fieldsIn = (schema: object | undefined, path: readonly string[]): WrittenField[] => {
  const writing = schema && writingOf(schema)
  if (writing) return [{ path, writing }]
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return fieldsIn(schema.unwrap() as z.ZodType, path)
  if (schema instanceof z.ZodArray) return fieldsIn(schema.element as z.ZodType, [...path, '*'])
  if (!(schema instanceof z.ZodObject)) return []
  // What a caller says to have seen is not written.
  const shape = Object.entries(schema.shape).filter(([name]) => name !== 'Seen')
  return shape.flatMap(([name, field]) => fieldsIn(field as z.ZodType, [...path, name]))
}

/** The fields of a call's body that people write in a form of its own. */
export const writtenFields = ({ body }: AnyEndpoint): WrittenField[] => fieldsIn(body, [])

type Path = readonly (string | number)[]
const valuesAt = (value: unknown, [name, ...rest]: readonly string[], at: Path = []): [Path, unknown][] => {
  if (name === undefined) return [[at, value]]
  if (name === '*')
    return Array.isArray(value) ? value.flatMap((row, index) => valuesAt(row, rest, [...at, index])) : []
  return isObject(value) ? valuesAt(value[name], rest, [...at, name]) : []
}

/** A text that is not in the form of its field. */
export interface Misfit extends WrittenField {
  at: Path
  value: string
}

/** The texts of a body that are not in the form of their field. */
export const misfitsIn = (fields: readonly WrittenField[], body: unknown): Misfit[] =>
  fields.flatMap((field) =>
    valuesAt(body, field.path).flatMap(([at, value]) =>
      typeof value === 'string' && !fitsForm(field.writing, value) ? [{ ...field, at, value }] : [],
    ),
  )

/**
 * Refuses texts that are not in the form of their field, but for those that were there before, in `current`.
 *
 * @throws Failure 400 with a sentence for each field
 */
export const refuseMisfits = (misfits: readonly Misfit[], { takes }: AnyEndpoint, current: unknown): void => {
  const told = misfits
    .filter(({ path, value }) => {
      // Of several parts the first name says which; the read has its fields themselves.
      const there = valuesAt(current, takes === 'multipart' ? path.slice(1) : path)
      return !there.some(([, known]) => known === value)
    })
    .map(({ at, writing }) => ({
      Field: at.join('.'),
      Message: sentenceOf(at, sentence(problems[writing])),
    }))
  if (told.length > 0) throw refusedInput(told, 'body', true)
}
