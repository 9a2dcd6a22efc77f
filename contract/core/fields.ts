import { z } from 'zod'
import { isBlank, tidyLine } from './blank.ts'
import { problem, problems } from './problems.ts'
import './no-eval.ts'
import type { Writing } from './writing.ts'

/** The building blocks of every schema: one name for each kind of value that crosses the wire. */

/** Whole numbers of the database end here; no count or number of the product comes near. */
export const maxWhole = 2_147_483_647

/** Levels, versions and small counts of the database end here. */
const maxSmall = 32_767

/**
 * A small whole number that the database keeps, such as an access level. Its bounds are not in the description: other numbers were
 * never of any use, and what was written for them goes on working.
 */
export const Small = z
  .number()
  .int()
  .refine((number) => number >= -maxSmall && number <= maxSmall, problem(problems.smaller))

export const Id = z.number().int().positive().max(maxWhole).meta({ title: 'Id' })
/** The parameters of a call about one program as a whole. */
export const InProgram = z.strictObject({ programId: Id })
/** 0 stands for "new" where the specification sends it. */
export const IdOrNew = z.number().int().nonnegative().max(maxWhole)

const isRealDate = (text: string): boolean => {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number]
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** A calendar day 'YYYY-MM-DD' from 1900-01-01 to 2099-12-31: 02/31 is refused, never moved. */
export const DateOnly = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: problem(problems.dateForm), abort: true })
  .refine(isRealDate, { error: problem(problems.noDay), abort: true })
  .refine((text) => text >= '1900-01-01' && text <= '2099-12-31', problem(problems.dateRange))
  .meta({ format: 'date' })

/** A week in an answer: its first day, and its Monday, which named it before. */
export const weekFields = { Week: DateOnly, Monday: DateOnly }

/** Zones end 14 hours from UTC; years before 1 and offsets past that are no moment of the database. */
const isRealMoment = (text: string): boolean => {
  const [, hours = '00'] = /[+-](\d{2}):?\d{2}$/.exec(text) ?? []
  return text >= '1000' && Number(hours) <= 14 && !Number.isNaN(Date.parse(text))
}

/** A moment, ISO 8601 with a zone. */
export const Instant = z.iso
  .datetime({ offset: true, error: problem(problems.moment), abort: true })
  .refine(isRealMoment, problem(problems.moment))

/** A wall-clock time 'HH:MM', 24 hours. */
export const TimeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, problem(problems.time))
  .meta({ format: 'time-of-day' })

/** Minutes, a whole number. */
export const Minutes = z
  .number()
  .int()
  .min(0)
  .max(60 * 24 * 366 * 10)

// Control characters have no place in names and titles; they break files, mail headers and logs.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u2028\u2029]/

/** One line of text: trimmed, without control characters or line breaks, at most `max` characters. */
export const Line = (max: number) =>
  z
    .string()
    .max(max * 4, problem(problems.tooLong, { Most: max, Count: max }))
    // Blanks around the text do not count; the description tells the limit of what is kept.
    .meta({ maxLength: max })
    .transform(tidyLine)
    .pipe(
      z
        .string()
        .max(max, problem(problems.tooLong, { Most: max, Count: max }))
        .refine((text) => !control.test(text) && !/[\r\n\t]/.test(text), problem(problems.oneLine)),
    )

const Shown = z
  .string()
  .trim()
  .min(1, { error: problem(problems.required), abort: true })
  .refine((text) => !isBlank(text), problem(problems.required))

/** One line that must not be empty. */
export const RequiredLine = (max: number) => Line(max).pipe(Shown)

const written = new WeakMap<object, Writing>()

/** The form in which people write a field; the server refuses other texts unless they are what is there already. */
export const writingOf = (schema: object): Writing | undefined => written.get(schema)

/** A field that people write in a form of its own. */
export const Written = <T extends z.ZodType>(writing: Writing, field: T): T => {
  written.set(field, writing)
  return field
}

/** An address on the web that is kept as it was sent: one line, also at its ends. */
export const WebAddress = z
  .string()
  .refine((text) => !/[\r\n]/.test(text), problem(problems.oneLine))
  .pipe(RequiredLine(2_000))

/** Text of several lines, at most `max` characters. */
export const Text = (max: number) =>
  z
    .string()
    .max(max, problem(problems.tooLong, { Most: max, Count: max }))
    .refine((text) => !control.test(text.replaceAll('\r', '')), problem(problems.control))

/** Text of several lines that must not be empty. */
export const RequiredText = (max: number) => Text(max).pipe(Shown)

/** HTML of an editor; the server cleans it by one allow-list before it is kept. At most 200,000 characters. */
export const Html = z.string().max(200_000, 'can have at most 200,000 characters').meta({ format: 'html' })

/** HTML as UTF-8 text in base64, as the specification sends HTML bodies; cleaned like `Html`. */
export const Base64Html = z.base64().max(400_000).meta({ format: 'html', contentEncoding: 'base64' })

/** Text as `Base64Html` takes it. */
export const toBase64 = (text: string): string => {
  let signs = ''
  for (const byte of new TextEncoder().encode(text)) signs += String.fromCharCode(byte)
  return btoa(signs)
}

// The pattern of zod itself, written out because screens come without zod.
const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/
const maxEmail = 255

/** Whether a text, trimmed, is an email address as `Email` takes it. */
export const isEmail = (text: string): boolean =>
  text.trim().length <= maxEmail && emailPattern.test(text.trim())

export const Email = z
  .string()
  .transform((text) => text.trim())
  .pipe(z.email({ pattern: emailPattern, error: problem(problems.emailForm) }).max(maxEmail))

export const Latitude = z
  .number()
  .min(-90, problem(problems.range, { Least: -90, Most: 90 }))
  .max(90, problem(problems.range, { Least: -90, Most: 90 }))
export const Longitude = z
  .number()
  .min(-180, problem(problems.range, { Least: -180, Most: 180 }))
  .max(180, problem(problems.range, { Least: -180, Most: 180 }))

/** The paging of every list that can grow. */
export const paging = {
  page: z.number().int().min(1).max(1_000_000).default(1),
  pageSize: z.number().int().min(1).max(500).default(25),
}

/** `sort=Field` or `sort=-Field`, only for the fields named. */
export const Sort = <const F extends readonly [string, ...string[]]>(fields: F) =>
  // Zod wants a tuple; the list is built, so its type is given here.
  z.enum([...fields, ...fields.map((field) => `-${field}`)] as unknown as [F[number] | `-${F[number]}`])

type WithoutDefaults<S extends z.ZodRawShape> = {
  [K in keyof S]: S[K] extends z.ZodDefault<infer T> ? z.ZodOptional<T> : S[K]
}

/** Fields of a new thing as a change takes them whose handler keeps what is left out. */
export const withoutDefaults = <S extends z.ZodRawShape>(shape: S): WithoutDefaults<S> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [
      name,
      field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType).optional() : field,
    ]),
  ) as WithoutDefaults<S>

/** A page of rows. `Total` is null where a cursor is used. */
export const PageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    Items: z.array(item),
    Total: z.number().int().nullable(),
    Page: z.number().int(),
    PageSize: z.number().int(),
  })

/** A list of ids in an address: `Ids=1,2,3`. */
export const Ids = z.array(Id).max(5000)

const withoutDefault = (field: z.ZodType): z.ZodType =>
  field instanceof z.ZodDefault ? withoutDefault(field.unwrap() as z.ZodType) : field

/** Rows as the caller read them, for `Seen`: all of a row, whatever it has besides what a body takes, or only what tells which it is. */
export const SeenRows = (row: Readonly<Record<string, z.ZodType>>) =>
  z
    .array(
      z.object(
        Object.fromEntries(
          Object.entries(row).map(([name, field]) => [name, withoutDefault(field).optional()]),
        ),
      ),
    )
    .max(1_000)
    .optional()
