import { config, type z } from 'zod'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { maxWhole } from '#contract/core/fields.ts'
import { problem, problemIn, problems } from '#contract/core/problems.ts'
import { inLanguage, type Sentence, sentence, type Text, text } from '#contract/language/texts.ts'
import { spanishLabels } from '#server/core/language/spanish-labels.ts'
import { type Failure, fail } from '#server/core/runtime/failure.ts'
import type { TaskInput } from '#server/core/runtime/tasks.ts'
import { fromUrl } from './from-url.ts'

/**
 * Checks what a call brings: one place decides what is refused, and says so in a sentence with the field's label. Nothing
 * of what was sent comes back in it.
 */

const deepest = 20

const moreFields = text(
  ' {Number} more {Count|field needs|fields need} attention.',
  ' Falta corregir {Number} {Count|campo|campos} más.',
)
const knownNames = {
  unknown: text('{Name} is not a known name here.'),
  unsayable: text('One of the names is not known here.'),
}
const noBody = text('This call takes no body.', 'Esta llamada no lleva contenido.')

type Path = readonly PropertyKey[]

/** What no text, name or number may contain, whatever its field allows; the database would refuse the statement. */
const findUnusable = (
  value: unknown,
  anyNumbers: boolean,
  path: PropertyKey[] = [],
): { path: Path; problem: Sentence } | undefined => {
  if (typeof value === 'string') {
    return value.includes('\0') || !value.isWellFormed()
      ? { path, problem: sentence(problems.characters) }
      : undefined
  }
  if (typeof value === 'number') {
    return !anyNumbers && Math.abs(value) > maxWhole
      ? { path, problem: sentence(problems.smaller) }
      : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (path.length >= deepest) return { path, problem: problemIn(`is nested deeper than ${deepest} levels`) }
  const isList = Array.isArray(value)
  for (const [name, inner] of Object.entries(value)) {
    if (!isList && (name.includes('\0') || !name.isWellFormed()))
      return { path, problem: problemIn('has a name with characters that cannot be used') }
    const found = findUnusable(inner, anyNumbers, [...path, isList ? Number(name) : name])
    if (found) return found
  }
  return undefined
}

const labels: Readonly<Record<string, string>> = {
  Dob: 'Date of birth',
  Filename: 'File name',
  Guid: 'Id',
  Hash: 'Id',
  IsActive: 'Status',
  ModBy: 'Changed by',
  ModDate: 'Changed on',
  EntityId: 'Entity ID',
  ExternalLocationId: 'External location ID',
  KeyId: 'Key ID',
  SamlNameId: 'SAML Name ID',
  SsoUrl: 'SSO URL',
  Url: 'URL',
  Zip: 'ZIP code',
  ZipCode: 'ZIP code',
  zipCode: 'ZIP code',
  ip: 'IP address',
  usertype_more_than: 'Lowest level',
}

const plural = (word: string): string =>
  /(s|x|ch|sh)$/.test(word) ? `${word}es` : word.replace(/y$/, 'ie').concat('s')

/** What a person calls a field of the wire: `StudentLevelIds` is Student levels. */
export const labelOf = (path: Path): string => {
  const name = String(path.findLast((part) => typeof part === 'string') ?? '')
  if (labels[name]) return labels[name]
  const isId = /(?<=.)Id$/.test(name)
  const isIds = /(?<=.)Ids$/.test(name)
  const words = name
    .replace(/(?<=.)Ids?$/, '')
    .replace(/^(Is|Are)(?=[A-Z])/, '')
    .replace(/[-_.]+/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
  const text = isIds && !isId ? plural(words) : words
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const isPlural = (label: string): boolean => /[^su]s$/i.test(label) && !/(address|access|hours)$/i.test(label)

type Issue = z.core.$ZodRawIssue

const list = text('must be a list', 'Debe ser una lista.')
const kinds: Readonly<Record<string, Text>> = {
  string: problems.text,
  number: problems.number,
  int: problems.whole,
  boolean: text('must be on or off', 'Debe ser sí o no.'),
  array: list,
  tuple: list,
}
const formats: Readonly<Record<string, Text>> = {
  email: problems.email,
  url: problems.webAddress,
  base64: text('must be base64 text', 'Debe ser texto en base64.'),
  datetime: text('must be a date and time', 'Debe ser una fecha con hora.'),
  date: problems.date,
  time: text('must be a time', 'Debe ser una hora.'),
  uuid: text('is not a valid id', 'No es un identificador válido.'),
}
const isAbsent = ({ input }: Issue): boolean => input === undefined || input === null
const counted = (count: unknown): string => Number(count).toLocaleString('en-US')

/** What is wrong, behind the field's label; for everything whose schema says nothing of its own. */
const problemOf = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return problem(
        isAbsent(issue) ? problems.required : (kinds[issue.expected as string] ?? problems.invalid),
      )
    case 'too_small': {
      const [Least, Count] = [counted(issue.minimum), Number(issue.minimum)]
      if (issue.origin === 'string')
        return Count <= 1 ? problem(problems.required) : problem(problems.tooShort, { Least, Count })
      if (issue.origin === 'array' || issue.origin === 'set')
        return problem(problems.tooFew, { Least, Count })
      return problem(issue.inclusive ? problems.least : problems.above, { Least })
    }
    case 'too_big': {
      const [Most, Count] = [counted(issue.maximum), Number(issue.maximum)]
      if (issue.origin === 'string') return problem(problems.tooLong, { Most, Count })
      if (issue.origin === 'array' || issue.origin === 'set')
        return problem(problems.tooMany, { Most, Count })
      return problem(issue.inclusive ? problems.most : problems.below, { Most })
    }
    case 'invalid_format':
      return problem(formats[issue.format] ?? problems.format)
    case 'invalid_value':
      return problem(isAbsent(issue) ? problems.required : problems.choice)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    default:
      return problem(isAbsent(issue) ? problems.required : problems.invalid)
  }
}
config({ localeError: problemOf })

const isEnded = (text: string): boolean => /[.?!]$/.test(text)

const ended = (problem: Sentence): Sentence => {
  const { en, es } = problem.text
  return isEnded(inLanguage(problem, 'en'))
    ? problem
    : { text: { en: `${en}.`, es: es && `${es}.` }, values: problem.values }
}

/** 1990 is a year, and 1,990 are a number of them. */
const asYear = <V>(value: V): V | string =>
  typeof value === 'string' ? value.replace(/\b(\d),(\d{3})\b/, '$1$2') : value

/** A problem as a sentence. One that begins like a sentence is shown as its schema says it. */
export const sentenceOf = (path: Path, problem: Sentence): Sentence => {
  if (/^[^a-z]/.test(inLanguage(problem, 'en'))) return problem
  const label = labelOf(path)
  const row = path.findLast((part) => typeof part === 'number')
  const subject = label === '' ? 'This' : label
  const values = /\byear\b/i.test(subject)
    ? Object.fromEntries(Object.entries(problem.values).map(([name, value]) => [name, asYear(value)]))
    : problem.values
  const said = inLanguage({ ...problem, values }, 'en')
  const isMany = label !== '' && isPlural(label) && typeof path.at(-1) !== 'number'
  const verb = isMany ? said.replace(/^is /, 'are ').replace(/^has /, 'have ') : said
  const English = `${subject}${row === undefined ? '' : ` (row ${row + 1})`} ${verb}${isEnded(verb) ? '' : '.'}`
  const { es } = problem.text
  const named = spanishLabels[label]
  if (!es || !named) return { text: { en: '{English}', es }, values: { ...values, English } }
  const field = row === undefined ? named : `${named} (fila ${row + 1})`
  return {
    text: { en: '{English}', es: `{Field}: ${es.charAt(0).toLowerCase()}${es.slice(1)}` },
    values: { ...values, English, Field: field },
  }
}

type Part = 'address' | 'query' | 'body'
interface FieldError {
  Field: string
  Message: Sentence
}

/** Most fields of which one answer tells what is wrong: whoever sends more wants no answer. */
const maxTold = 20

/** The failure for fields that cannot be used: the first one's sentence, and how many more there are. */
export const refusedInput = (
  told: readonly FieldError[],
  part: Part,
  changes: boolean,
  count = told.length,
): Failure => {
  const fields = told.slice(0, maxTold)
  if (part === 'address') return fail(coreFailures.bad_address, { Changes: changes }, { fields })
  const others = part === 'body' ? count - 1 : 0
  return fail(
    coreFailures.invalid,
    {
      Problem: ended(fields[0]!.Message), // A refusal has a field.
      Others: others > 0 ? sentence(moreFields, { Count: others, Number: counted(others) }) : '',
      Changes: changes,
    },
    { fields },
  )
}

const unknownName = (Name: string): Sentence =>
  // A name is the sender's own text.
  /^[\w-]{1,60}$/.test(Name) ? sentence(knownNames.unknown, { Name }) : sentence(knownNames.unsayable)

/** Those of a union's branches that come nearest to what was meant: the first that takes this kind of value. */
const flatten = (issue: z.core.$ZodIssue): z.core.$ZodIssue[] => {
  if (issue.code !== 'invalid_union') return [issue]
  const near = issue.errors.find((branch) =>
    branch.every(({ code, path }) => path.length > 0 || !['invalid_type', 'invalid_value'].includes(code)),
  )
  if (!near || near.length === 0) return [issue]
  return near.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }) as z.core.$ZodIssue)
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((inner, part) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[part], value)

/** A copy in which these places, all of them there, hold an empty text. */
const emptiedAt = (value: unknown, paths: readonly Path[]): unknown => {
  const copy = structuredClone(value)
  for (const path of paths) {
    // The schema has found a problem at each place, so that what is around it is an object or a list.
    const around = valueAt(copy, path.slice(0, -1)) as Record<PropertyKey, unknown>
    around[path.at(-1)!] = '' // No path is empty.
  }
  return copy
}

/** Null is an empty text wherever a text may be empty and nothing else is meant by null. */
const parseTexts = (schema: z.ZodType, raw: unknown) => {
  const result = schema.safeParse(raw)
  if (result.success) return result
  const isNull = ({ path }: { path: Path }) => path.length > 0 && valueAt(raw, path) === null
  const nulls = result.error.issues.flatMap(flatten).filter(isNull)
  if (nulls.length === 0) return result
  const paths = nulls.map(({ path }) => path)
  const wrong = schema.safeParse(emptiedAt(raw, paths)).error?.issues.flatMap(flatten) ?? []
  const stillWrong = new Set(wrong.map(({ path }) => path.join('.')))
  return schema.safeParse(
    emptiedAt(
      raw,
      paths.filter((path) => !stillWrong.has(path.join('.'))),
    ),
  )
}

/**
 * Reads one part of a call by its schema.
 *
 * @throws Failure 400 with a sentence for each field at fault
 */
export const parsePart = (
  schema: z.ZodType,
  raw: unknown,
  part: Part,
  changes: boolean,
  anyNumbers = false,
): unknown => {
  refuseUnusable(raw, part, changes, anyNumbers)
  const result = parseTexts(schema, raw)
  if (result.success) return result.data
  const fields = new Map<string, FieldError>()
  let untold = 0
  for (const issue of result.error.issues.slice(0, 50).flatMap(flatten)) {
    const path = issue.path.join('.')
    if (issue.code === 'unrecognized_keys') {
      untold += Math.max(0, issue.keys.length - maxTold)
      for (const key of issue.keys.slice(0, maxTold))
        fields.set(path ? `${path}.${key}` : key, {
          Field: path ? `${path}.${key}` : key,
          Message: unknownName(key),
        })
    } else if (!fields.has(path || part)) {
      // One problem a field: the first is the cause of those behind it.
      fields.set(path || part, {
        Field: path || part,
        Message: sentenceOf(issue.path, problemIn(issue.message)),
      })
    }
  }
  throw refusedInput([...fields.values()], part, changes, fields.size + untold)
}

/** @throws Failure 400 for text, names and numbers that no field takes */
export const refuseUnusable = (raw: unknown, part: Part, changes: boolean, anyNumbers = false): void => {
  const unusable = findUnusable(raw, anyNumbers)
  if (!unusable) return
  const { path, problem } = unusable
  const Message = sentenceOf(path, problem)
  throw refusedInput([{ Field: path.join('.') || part, Message }], part, changes)
}

/** @throws Failure 400 when a call that takes no query gets one */
export const refuseQuery = (raw: Record<string, unknown>, changes: boolean): undefined => {
  const names = Object.keys(raw)
  if (names.length === 0) return undefined
  const fields = names.slice(0, maxTold).map((name) => ({ Field: name, Message: unknownName(name) }))
  throw refusedInput(fields, 'query', changes)
}

/** @throws Failure 400 when a call that takes no body gets one */
export const refuseBody = (raw: unknown, changes: boolean): undefined => {
  if (raw === undefined || raw === null || (typeof raw === 'object' && Object.keys(raw).length === 0))
    return undefined
  throw refusedInput([{ Field: 'body', Message: sentence(noBody) }], 'body', changes)
}

/**
 * Reads address, query and body through their schemas; `bodySchema` is the body's own unless given.
 *
 * @throws Failure 400 with the fields; names that are not declared are refused
 */
export const parse = (
  { endpoint, changes }: { endpoint: AnyEndpoint; changes: boolean },
  { params, query, body }: TaskInput,
  bodySchema = endpoint.body,
) => ({
  params: endpoint.params
    ? parsePart(endpoint.params, fromUrl(endpoint.params, params), 'address', changes)
    : undefined,
  query: endpoint.query
    ? parsePart(endpoint.query, fromUrl(endpoint.query, query), 'query', changes)
    : refuseQuery(query, changes),
  body: bodySchema
    ? parsePart(bodySchema, body, 'body', changes, endpoint.anyNumbers)
    : refuseBody(body, changes),
})
