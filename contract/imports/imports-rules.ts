import type { ImportField } from '#contract/core/import-fields.ts'

/** Our field → their column. A field without a column is not imported. */
export type ColumnMapping = Record<string, string>

/** Our field → their value → ours; '' leaves the cell empty. */
export type ValueMapping = Record<string, Record<string, string>>

/** What an import remembers of the last file of its kind. */
export interface ImportMemory {
  mapping: ColumnMapping
  /** All columns that the file had, also those that nobody wanted. */
  columns: readonly string[]
  values: ValueMapping
}

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/**
 * Finds for each field the column whose name means it; each column serves one field. Columns that were matched or left out
 * before are so again.
 */
export const matchColumns = (
  fields: readonly ImportField[],
  columns: readonly string[],
  memory?: ImportMemory,
): ColumnMapping => {
  const known = new Set(memory?.columns.map(plain))
  const present = new Map(columns.map((column) => [plain(column), column]))
  const mapping: ColumnMapping = {}
  for (const { name } of fields) {
    const before = memory?.mapping[name]
    const column = before === undefined ? undefined : present.get(plain(before))
    if (column !== undefined) mapping[name] = column
  }
  const free = new Map([...present].filter(([key]) => !known.has(key)))
  const take = (field: ImportField, names: readonly string[]) => {
    if (mapping[field.name]) return
    const key = names.map(plain).find((name) => free.has(name))
    if (key === undefined) return
    mapping[field.name] = free.get(key)!
    free.delete(key)
  }
  // A column with the field's own name goes before one that merely means it.
  for (const field of fields) take(field, [field.name, field.label])
  for (const field of fields) take(field, field.aliases)
  return mapping
}

const figures = (text: string): string => text.replace(/\D+/g, ' ').trim()

/**
 * Which of our values a file's value most likely means: one that reads the same, holds it or is held by it, or has the same
 * figure, as 'Level 1' and '1st year' have. Undefined where none or several do.
 */
export const suggestValue = (text: string, choices: readonly string[]): string | undefined => {
  const wanted = plain(text)
  const only = (fits: (choice: string) => boolean): string | undefined => {
    const found = choices.filter(fits)
    return found.length === 1 ? found[0] : undefined
  }
  return (
    only((choice) => plain(choice) === wanted) ??
    (wanted.length > 2
      ? only((choice) => plain(choice).includes(wanted) || wanted.includes(plain(choice)))
      : undefined) ??
    (figures(text) === '' ? undefined : only((choice) => figures(choice) === figures(text)))
  )
}

/** Whether a field takes values of a fixed set only, so that a file's own words can be matched to them. */
export const hasChoices = ({ value }: ImportField): boolean => value === 'choice'

/** The header of the notes in a sample workbook, by which imports know that sheet again. */
export const sampleNotes = ['Column', 'What it takes'] as const

const maxListed = 60

/** What a field takes, in a sentence or two for the notes of the sample file. `choices` are the values of a fixed set. */
export const describeField = (field: ImportField, choices: readonly string[] = []): string => {
  const { value, max, isRequired, note } = field
  const listed = choices.slice(0, maxListed)
  const rule = {
    text: '',
    name: '',
    email: 'An email address.',
    userName: 'Letters and digits.',
    whole: `A whole number up to ${max.toLocaleString('en-US')}.`,
    latitude: 'Degrees from -90 to 90.',
    longitude: 'Degrees from -180 to 180.',
    date: 'mm/dd/yyyy.',
    zone: 'A time zone such as America/New_York.',
    choice: '',
  }[value]
  const allowed =
    listed.length > 0
      ? `One of: ${listed.join(', ')}${choices.length > maxListed ? ' and others' : ''}.`
      : hasChoices(field) && !field.isLongChoice
        ? 'The program has none yet.'
        : ''
  return [isRequired ? 'Required.' : 'Optional.', note, rule, allowed].filter(Boolean).join(' ')
}
