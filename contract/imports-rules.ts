import { mostCredential } from './employees.ts'

/** What can be imported into a program; colleges go into the installation (interface 6). */
export const programImportKinds = [
  'sites',
  'students',
  'staff',
  'employees',
  'assignments',
  'verifications',
] as const
export const importKinds = [...programImportKinds, 'colleges'] as const
export type ImportKind = (typeof importKinds)[number]

/** What a column's text is read as. `level`, `area`, `site`, `role` and `zone` are names that must exist; `date` becomes YYYY-MM-DD. */
export type ImportValue =
  | 'text'
  | 'name'
  | 'email'
  | 'userName'
  | 'whole'
  | 'latitude'
  | 'longitude'
  | 'open'
  | 'level'
  | 'area'
  | 'site'
  | 'role'
  | 'zone'
  | 'date'
  | 'verificationType'
  | 'verificationStatus'

export interface ImportField {
  /** The wire name: what `mapping` carries. A column of this name is the field's. */
  name: string
  /** As people call it, on the screen, in errors and in the sample file. A column of this name is the field's too. */
  label: string
  value: ImportValue
  /** Most characters of a text; the largest figure of a number. */
  most: number
  isRequired?: boolean
  /** Column names that mean the field, besides its own and its label; compared without case, blanks and signs. */
  aliases: readonly string[]
  /** What the rows of the sample file hold; a column with a fixed set of values takes them from the program instead. */
  sample: readonly [string, string]
  /** Whatever the sample's notes say besides what follows from `value`. */
  note?: string
}

const text = (
  name: string,
  label: string,
  most: number,
  sample: readonly [string, string],
  ...aliases: string[]
): ImportField => ({ name, label, value: 'text', most, sample, aliases })

const areaField: ImportField = {
  name: 'Area',
  label: 'Area',
  sample: ['', ''],
  value: 'area',
  most: 100,
  aliases: [],
}

const place: readonly ImportField[] = [
  {
    name: 'Latitude',
    label: 'Latitude',
    sample: ['41.6362', '41.7098'],
    value: 'latitude',
    most: 90,
    aliases: ['LAT', 'Y'],
  },
  {
    name: 'Longitude',
    label: 'Longitude',
    sample: ['-70.9342', '-71.1452'],
    value: 'longitude',
    most: 180,
    aliases: ['LON', 'LNG', 'LONG', 'X'],
  },
]
const address: readonly ImportField[] = [
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
  text('Zip', 'ZIP code', 20, ['02740', '02720'], 'ZIP CODE', 'POSTAL CODE', 'POSTCODE'),
  text('Phone', 'Phone', 50, ['(508) 555-0142', '(508) 555-0168'], 'TELEPHONE', 'PHONE NUMBER', 'TEL'),
]
const person: readonly ImportField[] = [
  {
    name: 'FirstName',
    label: 'First name',
    sample: ['Maya', 'Daniel'],
    value: 'name',
    most: 255,
    isRequired: true,
    aliases: ['GIVEN NAME', 'FIRST'],
  },
  {
    name: 'LastName',
    label: 'Last name',
    sample: ['Okafor', 'Reyes'],
    value: 'name',
    most: 255,
    isRequired: true,
    aliases: ['SURNAME', 'FAMILY NAME', 'LAST'],
  },
  text('MiddleName', 'Middle name', 255, ['', 'Rose'], 'MIDDLE'),
  text('Suffix', 'Suffix', 50, ['', '']),
  {
    name: 'EmailAddress',
    label: 'Email',
    sample: ['maya.okafor@example.edu', 'daniel.reyes@example.edu'],
    value: 'email',
    most: 255,
    isRequired: true,
    aliases: ['EMAIL', 'E-MAIL', 'MAIL', 'E-MAIL ADDRESS'],
  },
  {
    name: 'UserName',
    label: 'User name',
    note: 'Made from the name when left empty; never changes later.',
    sample: ['', ''],
    value: 'userName',
    most: 50,
    aliases: ['LOGIN', 'USER', 'USER ID'],
  },
  text(
    'PhoneNumber',
    'Phone',
    50,
    ['(508) 555-0111', '(508) 555-0112'],
    'PHONE',
    'TELEPHONE',
    'MOBILE',
    'CELL',
  ),
  text('ZipCode', 'ZIP code', 50, ['02740', '02747'], 'ZIP', 'POSTAL CODE'),
  text('Institution', 'Institution', 255, ['Harbor College', 'Harbor College'], 'COLLEGE', 'SCHOOL'),
  areaField,
]

/** The fields of each kind, in the order of the mapping screen. The order decides who gets a column that fits twice. */
export const importFields: Record<ImportKind, readonly ImportField[]> = {
  sites: [
    {
      name: 'Name',
      label: 'Name',
      sample: ['Southcoast Hospital', 'Highland Medical Center'],
      value: 'name',
      most: 255,
      isRequired: true,
      aliases: ['SITE', 'SITE NAME', 'HOSPITAL', 'FACILITY', 'FACILITY NAME'],
    },
    text(
      'ExternalLocationId',
      'External ID',
      100,
      ['SITE-101', 'SITE-102'],
      'ID',
      'EXTERNAL ID',
      'LOCATION ID',
      'SITE ID',
    ),
    text('Code', 'Code', 20, ['SHN', 'HLM'], 'SITE CODE', 'ABBREVIATION'),
    text(
      'ContractName',
      'Contract name',
      255,
      ['Southcoast Health Inc.', 'Highland Medical Center LLC'],
      'LEGAL NAME',
      'CONTRACT',
    ),
    areaField,
    text('Type', 'Type', 100, ['General hospital', 'Outpatient center'], 'SITE TYPE', 'CATEGORY'),
    ...address,
    text('County', 'County', 100, ['Bristol', 'Bristol']),
    text(
      'Website',
      'Website',
      500,
      ['https://www.example.org', 'https://www.example.com'],
      'URL',
      'WEB',
      'WEB SITE',
    ),
    {
      name: 'Beds',
      label: 'Beds',
      sample: ['412', ''],
      value: 'whole',
      most: 100_000,
      aliases: ['BED COUNT'],
    },
    {
      name: 'Capacity',
      label: 'Capacity',
      sample: ['12', '6'],
      value: 'whole',
      most: 100_000,
      aliases: ['PLACES', 'SLOTS'],
    },
    ...place,
    {
      name: 'Precision',
      label: 'Geofence radius',
      note: 'Meters around the site in which a clock-in counts as there; 10 or more.',
      sample: ['150', '150'],
      value: 'whole',
      most: 100_000,
      aliases: ['RADIUS', 'GEOFENCE'],
    },
    {
      name: 'TimeZone',
      label: 'Time zone',
      sample: ['America/New_York', 'America/New_York'],
      value: 'zone',
      most: 64,
      aliases: ['TZ'],
    },
    {
      name: 'Status',
      label: 'Status',
      sample: ['Open', 'Open'],
      value: 'open',
      most: 20,
      aliases: ['ACTIVE', 'IS ACTIVE'],
    },
    text('Notes', 'Notes', 10_000, ['Park in garage B', ''], 'NOTE', 'COMMENT', 'COMMENTS', 'REMARKS'),
  ],
  students: [
    ...person,
    text('StudentNumber', 'Student ID', 50, ['S1001', 'S1002'], 'STUDENT ID', 'STUDENT NO', 'ID', 'STUDENT'),
    {
      name: 'StudentLevel',
      label: 'Student level',
      sample: ['', ''],
      value: 'level',
      most: 50,
      aliases: ['LEVEL', 'YEAR'],
    },
    text('Cohort', 'Cohort', 100, ['2028', '2028'], 'CLASS', 'GROUP'),
  ],
  staff: [
    ...person,
    {
      name: 'Role',
      label: 'Role',
      sample: ['Faculty', 'Supervisor'],
      value: 'role',
      most: 50,
      isRequired: true,
      aliases: ['ACCESS LEVEL', 'LEVEL', 'POSITION'],
    },
  ],
  employees: [
    {
      name: 'Site',
      label: 'Site',
      sample: ['', ''],
      value: 'site',
      most: 255,
      isRequired: true,
      aliases: ['SITE NAME', 'SITE CODE', 'HOSPITAL', 'FACILITY', 'LOCATION', 'EMPLOYER'],
    },
    ...person.filter(({ name }) => name === 'FirstName' || name === 'LastName'),
    {
      name: 'Email',
      label: 'Email',
      sample: ['maya.okafor@example.org', 'daniel.reyes@example.org'],
      value: 'email',
      most: 255,
      isRequired: true,
      aliases: ['EMAIL ADDRESS', 'E-MAIL', 'MAIL', 'E-MAIL ADDRESS'],
    },
    {
      name: 'Dob',
      label: 'Date of birth',
      sample: ['04/17/1988', '11/02/1991'],
      value: 'date',
      most: 10,
      aliases: ['DATE OF BIRTH', 'BIRTH DATE', 'BIRTHDAY', 'BORN'],
    },
    text(
      'RegistryNumber',
      'Registry number',
      50,
      ['R-48213', 'R-50177'],
      'REGISTRY NO',
      'REGISTRY',
      'REGISTRATION NUMBER',
      'LICENSE',
      'LICENSE NUMBER',
    ),
    text('NumSdms', 'SDMS number', 50, ['', ''], 'SDMS', 'SDMS NUMBER'),
    text('NumArdms', 'ARDMS number', 50, ['', ''], 'ARDMS', 'ARDMS NUMBER'),
    text('NumArrt', 'ARRT number', mostCredential, ['482131', '501772'], 'ARRT', 'ARRT NUMBER'),
    text('NumCci', 'CCI number', mostCredential, ['', ''], 'CCI', 'CCI NUMBER'),
    text('NumCardUp', 'CARDUP number', mostCredential, ['', ''], 'CARDUP', 'CARDUP NUMBER'),
  ],
  assignments: [
    {
      name: 'Student',
      label: 'Student',
      note: 'Student ID, user name, email or name.',
      sample: ['S1001', 'S1002'],
      value: 'text',
      most: 255,
      isRequired: true,
      aliases: [
        'STUDENT NUMBER',
        'STUDENT ID',
        'STUDENT NO',
        'USER NAME',
        'STUDENT NAME',
        'NAME',
        'EMAIL',
        'E-MAIL',
      ],
    },
    {
      name: 'Rotation',
      label: 'Rotation',
      note: 'The name of a rotation.',
      sample: ['Clinical I', 'Clinical I'],
      value: 'text',
      most: 100,
      isRequired: true,
      aliases: ['ROTATION NAME', 'TERM', 'COURSE'],
    },
    {
      name: 'Shift',
      label: 'Shift',
      note: 'The code of a shift.',
      sample: ['SHN-D', 'SHN-E'],
      value: 'text',
      most: 100,
      isRequired: true,
      aliases: ['SHIFT CODE', 'SITE SHIFT', 'SHIFTCODE', 'CODE'],
    },
    text('Site', 'Site', 255, ['', ''], 'SITE CODE', 'SITE NAME', 'LOCATION', 'HOSPITAL', 'FACILITY'),
    {
      name: 'Date',
      label: 'Date',
      sample: ['01/12/2027', '01/14/2027'],
      value: 'date',
      most: 10,
      isRequired: true,
      aliases: ['DAY', 'ASSIGNMENT DATE', 'SHIFT DATE'],
    },
  ],
  verifications: [
    {
      name: 'Student',
      label: 'Student',
      note: 'Student ID, user name, email or name.',
      sample: ['S1001', 'S1002'],
      value: 'text',
      most: 255,
      isRequired: true,
      aliases: [
        'STUDENT NUMBER',
        'STUDENT ID',
        'STUDENT NO',
        'USER NAME',
        'EMAIL',
        'E-MAIL',
        'STUDENT NAME',
        'APPLICANT',
        'NAME',
      ],
    },
    {
      name: 'Vendor',
      label: 'Vendor',
      sample: ['VerifyOne', 'VerifyOne'],
      value: 'name',
      most: 100,
      isRequired: true,
      aliases: ['PROVIDER', 'COMPANY', 'SOURCE'],
    },
    {
      name: 'Type',
      label: 'Type',
      sample: ['Background check', 'Immunization'],
      value: 'verificationType',
      most: 40,
      aliases: ['RECORD TYPE', 'KIND', 'CATEGORY'],
    },
    {
      name: 'Requirement',
      label: 'Requirement',
      sample: ['County criminal search', 'Hepatitis B'],
      value: 'name',
      most: 200,
      aliases: ['IMMUNIZATION', 'VACCINE', 'PACKAGE', 'SCREENING', 'CHECK', 'ITEM'],
    },
    {
      name: 'Status',
      label: 'Status',
      value: 'verificationStatus',
      most: 100,
      sample: ['Complete', 'Pending'],
      aliases: ['COMPLIANCE', 'COMPLIANCE STATUS', 'STATE'],
    },
    text('Result', 'Result', 200, ['No record found', 'Immune'], 'OUTCOME', 'DISPOSITION', 'FINDING'),
    {
      name: 'Ordered',
      label: 'Ordered',
      sample: ['08/03/2026', ''],
      value: 'date',
      most: 10,
      aliases: ['ORDERED DATE', 'ORDER DATE', 'ORDERED ON'],
    },
    {
      name: 'Completed',
      label: 'Completed',
      sample: ['08/10/2026', '07/22/2026'],
      value: 'date',
      most: 10,
      aliases: ['COMPLETED DATE', 'COMPLETION DATE', 'COMPLETED ON', 'DATE', 'DATE GIVEN'],
    },
    {
      name: 'Expires',
      label: 'Expires',
      sample: ['', ''],
      value: 'date',
      most: 10,
      aliases: ['EXPIRATION DATE', 'EXPIRATION', 'EXPIRY', 'EXPIRES ON', 'RENEWAL DATE'],
    },
  ],
  colleges: [
    {
      name: 'Name',
      label: 'Name',
      sample: ['Harbor College', 'Lakeside University'],
      value: 'name',
      most: 255,
      isRequired: true,
      aliases: ['COLLEGE', 'COLLEGE NAME', 'INSTITUTION', 'SCHOOL'],
    },
    text('IpedsId', 'IPEDS ID', 20, ['990101', '990102'], 'IPEDSID', 'IPEDS', 'UNITID', 'ID'),
    ...address,
    text(
      'Website',
      'Website',
      500,
      ['https://www.example.org', 'https://www.example.com'],
      'URL',
      'WEB',
      'WEB SITE',
    ),
    ...place,
  ],
}

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
  kind: ImportKind,
  columns: readonly string[],
  memory?: ImportMemory,
): ColumnMapping => {
  const known = new Set(memory?.columns.map(plain))
  const present = new Map(columns.map((column) => [plain(column), column]))
  const mapping: ColumnMapping = {}
  for (const { name } of importFields[kind]) {
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
  for (const field of importFields[kind]) take(field, [field.name, field.label])
  for (const field of importFields[kind]) take(field, field.aliases)
  return mapping
}

/** What verifications may say of a requirement. Vendors' own words for these are understood too. */
export const verificationStatuses = ['Complete', 'Pending', 'Needs review', 'Missing', 'Waived'] as const

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

const choiceValues: readonly ImportValue[] = [
  'open',
  'level',
  'area',
  'site',
  'role',
  'verificationType',
  'verificationStatus',
]

/** Whether a field takes values of a fixed set only, so that a file's own words can be matched to them. */
export const hasChoices = ({ value }: ImportField): boolean => choiceValues.includes(value)

/** The header of the notes in a sample workbook, by which imports know that sheet again. */
export const sampleNotes = ['Column', 'What it takes'] as const

const mostListed = 60

/** What a field takes, in a sentence or two for the notes of the sample file. `choices` are the values of a fixed set. */
export const describeField = (field: ImportField, choices: readonly string[] = []): string => {
  const { value, most, isRequired, note } = field
  const listed = choices.slice(0, mostListed)
  const rule = {
    text: '',
    name: '',
    email: 'An email address.',
    userName: 'Letters and digits.',
    whole: `A whole number up to ${most.toLocaleString('en-US')}.`,
    latitude: 'Degrees from -90 to 90.',
    longitude: 'Degrees from -180 to 180.',
    date: 'mm/dd/yyyy.',
    zone: 'A time zone such as America/New_York.',
    open: '',
    level: '',
    area: '',
    site: 'Name, code or External ID of a site.',
    role: '',
    verificationType: '',
    verificationStatus: '',
  }[value]
  const allowed =
    listed.length > 0
      ? `One of: ${listed.join(', ')}${choices.length > mostListed ? ' and others' : ''}.`
      : hasChoices(field) && value !== 'site'
        ? 'The program has none yet.'
        : ''
  return [isRequired ? 'Required.' : 'Optional.', note, rule, allowed].filter(Boolean).join(' ')
}
