import { z } from 'zod'
import { Line, Written } from './fields.ts'
import type { ImportField } from './import-fields.ts'

/**
 * A field that is kept as it is written. What is written and read, the column of an import and of an export, the column in the
 * database (its name in snake case) and its place in the form follow from it.
 */
export interface PlainField extends ImportField {
  value: 'text' | 'whole'
  /** The part of the form that it is in. */
  section: string
  /** What a phone's keyboard is for. */
  input?: 'tel' | 'url'
  /** Behind the label in the form. */
  hint?: string
  /** Takes a whole line of the form. */
  isWide?: boolean
  /** Characters of the column in an export; numbers are as wide as they are. */
  width?: number
}
type Fields = readonly PlainField[]

/** Something for each field by its name: one thing for texts, another for whole numbers. */
export type ByName<Of extends Fields, OfText, OfWhole> = {
  [Field in Of[number] as Field['name']]: Field['value'] extends 'whole' ? OfWhole : OfText
}

const byName = (fields: Fields, make: (field: PlainField) => unknown) =>
  Object.fromEntries(fields.map((field) => [field.name, make(field)]))

const textOf = ({ max, writing }: PlainField) => (writing ? Written(writing, Line(max)) : Line(max))

/** The fields as they are written; what is left out stays as it is. */
export const inputOf = <const Of extends Fields>(fields: Of) =>
  byName(fields, (field) =>
    field.value === 'whole'
      ? z
          .number()
          .int()
          .min(field.min ?? 0)
          .max(field.max)
          .nullish()
      : textOf(field).optional(),
  ) as ByName<Of, z.ZodOptional<z.ZodType<string>>, z.ZodOptional<z.ZodNullable<z.ZodNumber>>>

/** The fields as they are read. */
export const detailOf = <const Of extends Fields>(fields: Of) =>
  byName(fields, ({ value }) => (value === 'whole' ? z.number().int().nullable() : z.string())) as ByName<
    Of,
    z.ZodString,
    z.ZodNullable<z.ZodNumber>
  >
