import type { PageRoute } from './pages.ts'
import type { Permission } from './permissions.ts'
import type { Writing } from './writing.ts'

/**
 * What a column's text is read as. A `choice` is one of a fixed set of values, which the server's side of the definition
 * names; a `date` becomes YYYY-MM-DD.
 */
export type ImportValue =
  | 'text'
  | 'name'
  | 'email'
  | 'userName'
  | 'whole'
  | 'latitude'
  | 'longitude'
  | 'zone'
  | 'date'
  | 'choice'

export interface ImportField {
  /** The wire name: what `mapping` carries. A column of this name is the field's. */
  name: string
  /** As people call it, on the screen, in errors and in the sample file. A column of this name is the field's too. */
  label: string
  value: ImportValue
  /** A form in which people write it; another text is an error unless it is what is there already. */
  writing?: Writing
  /** Most characters of a text; the largest figure of a number. */
  max: number
  /** The smallest figure of a number; 0 unless given. */
  min?: number
  isRequired?: boolean
  /** An earlier field that is enough in its place. */
  unless?: string
  /** Takes text of several lines. */
  hasLines?: boolean
  /** A choice among so many values that they are not always listed. */
  isLongChoice?: boolean
  /** Column names that mean the field, besides its own and its label; compared without case, blanks and signs. */
  aliases: readonly string[]
  /** What the rows of the sample file hold; a choice takes them from the program instead. */
  sample: readonly [string, string]
  /** Whatever the sample's notes say besides what follows from `value`. */
  note?: string
}

/** What can be imported, as screens and server know it. Words in braces are the program's own. */
export interface Importable {
  key: string
  /** What is imported: 'Import {sites}' is the title. */
  name: string
  /** By what rows are known, and what becomes of them. */
  about: string
  /** What an import asks for, besides the right to import. */
  may: Permission
  /** Where what was imported is seen: 'View {sites}' leads there. */
  seen: { name: string; page: PageRoute; search?: Record<string, string> }
  /** Gives or moves accounts that open the program to staff: whoever runs or undoes one proves in the act itself who it is. */
  proof?: true
  /** Adds people, who can be mailed a link to set a password, and changes addresses: both need a proof of the last five minutes. */
  addsPeople?: true
  /** Says before it is run what each value was and becomes; nothing about health is told so. */
  tellsChanges?: true
  /** In the order of the mapping screen, which decides who gets a column that fits twice. */
  fields: readonly ImportField[]
}

/** A field of plain text. */
export const text = <const Name extends string>(
  name: Name,
  label: string,
  max: number,
  sample: readonly [string, string],
  ...aliases: string[]
) => ({ name, label, value: 'text', max, sample, aliases }) as const satisfies ImportField

/** A field of a whole number. */
export const whole = <const Name extends string>(
  name: Name,
  label: string,
  max: number,
  sample: readonly [string, string],
  ...aliases: string[]
) => ({ name, label, value: 'whole', max, sample, aliases }) as const satisfies ImportField

/** The area of a site or a person, by its name. */
export const areaField: ImportField = {
  name: 'Area',
  label: 'Area',
  sample: ['', ''],
  value: 'choice',
  max: 100,
  aliases: [],
}

/** Where something is on the map. */
export const placeFields: readonly ImportField[] = [
  {
    name: 'Latitude',
    label: 'Latitude',
    sample: ['41.6362', '41.7098'],
    value: 'latitude',
    max: 90,
    aliases: ['LAT', 'Y'],
  },
  {
    name: 'Longitude',
    label: 'Longitude',
    sample: ['-70.9342', '-71.1452'],
    value: 'longitude',
    max: 180,
    aliases: ['LON', 'LNG', 'LONG', 'X'],
  },
]

/** A postal address with its phone. */
export const addressFields = [
  text(
    'Address',
    'Address',
    255,
    ['1200 Rockdale Ave', '363 Highland Ave'],
    'STREET',
    'STREET ADDRESS',
    'ADDRESS 1',
  ),
  text('City', 'City', 100, ['New Bedford', 'Fall River'], 'TOWN'),
  text('State', 'State', 50, ['MA', 'MA'], 'ST', 'PROVINCE'),
  {
    ...text('Zip', 'ZIP code', 20, ['02740', '02720'], 'ZIP CODE', 'POSTAL CODE', 'POSTCODE'),
    writing: 'postalCode',
  },
  {
    ...text('Phone', 'Phone', 50, ['(508) 555-0142', '(508) 555-0168'], 'TELEPHONE', 'PHONE NUMBER', 'TEL'),
    writing: 'phone',
  },
] as const satisfies readonly ImportField[]

export const websiteField = {
  ...text(
    'Website',
    'Website',
    500,
    ['https://www.example.org', 'https://www.example.com'],
    'URL',
    'WEB',
    'WEB SITE',
  ),
  writing: 'website',
} as const satisfies ImportField

/** The names of a person. */
export const nameFields: readonly ImportField[] = [
  {
    name: 'FirstName',
    label: 'First name',
    sample: ['Maya', 'Daniel'],
    value: 'name',
    writing: 'name',
    max: 255,
    isRequired: true,
    aliases: ['GIVEN NAME', 'FIRST'],
  },
  {
    name: 'LastName',
    label: 'Last name',
    sample: ['Okafor', 'Reyes'],
    value: 'name',
    writing: 'name',
    max: 255,
    isRequired: true,
    aliases: ['SURNAME', 'FAMILY NAME', 'LAST'],
  },
]

/** The student that a row is about, in whatever way a file names them. */
export const studentField = {
  name: 'Student',
  label: 'Student',
  note: 'Student ID, user name, email or name.',
  sample: ['S1001', 'S1002'],
  value: 'text',
  max: 255,
  isRequired: true,
} as const
