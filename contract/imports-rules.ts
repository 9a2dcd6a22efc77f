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

export interface ImportField {
  /** The wire name: what `mapping` carries and errors name. */
  name: string
  value: ImportValue
  /** Most characters of a text; the largest figure of a number. */
  most: number
  isRequired?: boolean
  /** Column names that mean the field, besides its own; compared without case, blanks and signs. */
  aliases: readonly string[]
}

const text = (name: string, most: number, ...aliases: string[]): ImportField => ({
  name,
  value: 'text',
  most,
  aliases,
})

const place: readonly ImportField[] = [
  { name: 'Latitude', value: 'latitude', most: 90, aliases: ['LAT', 'Y'] },
  { name: 'Longitude', value: 'longitude', most: 180, aliases: ['LON', 'LNG', 'LONG', 'X'] },
]
const address: readonly ImportField[] = [
  text('Address', 255, 'STREET', 'STREET ADDRESS', 'ADDRESS 1'),
  text('City', 100, 'TOWN'),
  text('State', 50, 'ST', 'PROVINCE'),
  text('Zip', 20, 'ZIP CODE', 'POSTAL CODE', 'POSTCODE'),
  text('Phone', 50, 'TELEPHONE', 'PHONE NUMBER', 'TEL'),
]
const person: readonly ImportField[] = [
  { name: 'FirstName', value: 'name', most: 255, isRequired: true, aliases: ['GIVEN NAME', 'FIRST'] },
  {
    name: 'LastName',
    value: 'name',
    most: 255,
    isRequired: true,
    aliases: ['SURNAME', 'FAMILY NAME', 'LAST'],
  },
  text('MiddleName', 255, 'MIDDLE'),
  text('Suffix', 50),
  {
    name: 'EmailAddress',
    value: 'email',
    most: 255,
    isRequired: true,
    aliases: ['EMAIL', 'E-MAIL', 'MAIL', 'E-MAIL ADDRESS'],
  },
  { name: 'UserName', value: 'userName', most: 50, aliases: ['LOGIN', 'USER', 'USER ID'] },
  text('PhoneNumber', 50, 'PHONE', 'TELEPHONE', 'MOBILE', 'CELL'),
  text('ZipCode', 50, 'ZIP', 'POSTAL CODE'),
  text('Institution', 255, 'COLLEGE', 'SCHOOL'),
  { name: 'Area', value: 'area', most: 100, aliases: [] },
]

/** The fields of each kind, in the order of the mapping screen. The order decides who gets a column that fits twice. */
export const importFields: Record<ImportKind, readonly ImportField[]> = {
  sites: [
    {
      name: 'Name',
      value: 'name',
      most: 255,
      isRequired: true,
      aliases: ['SITE', 'SITE NAME', 'HOSPITAL', 'FACILITY', 'FACILITY NAME'],
    },
    text('ExternalLocationId', 100, 'ID', 'EXTERNAL ID', 'LOCATION ID', 'SITE ID'),
    text('Code', 20, 'SITE CODE', 'ABBREVIATION'),
    text('ContractName', 255, 'LEGAL NAME', 'CONTRACT'),
    { name: 'Area', value: 'area', most: 100, aliases: [] },
    text('Type', 100, 'SITE TYPE', 'CATEGORY'),
    ...address,
    text('County', 100),
    text('Website', 500, 'URL', 'WEB', 'WEB SITE'),
    { name: 'Beds', value: 'whole', most: 100_000, aliases: ['BED COUNT'] },
    { name: 'Capacity', value: 'whole', most: 100_000, aliases: ['PLACES', 'SLOTS'] },
    ...place,
    { name: 'Precision', value: 'whole', most: 100_000, aliases: ['RADIUS', 'GEOFENCE'] },
    { name: 'TimeZone', value: 'zone', most: 64, aliases: ['TZ'] },
    { name: 'Status', value: 'open', most: 20, aliases: ['ACTIVE', 'IS ACTIVE'] },
    text('Notes', 10_000, 'NOTE', 'COMMENT', 'COMMENTS', 'REMARKS'),
  ],
  students: [
    ...person,
    text('StudentNumber', 50, 'STUDENT ID', 'STUDENT NO', 'ID', 'STUDENT'),
    { name: 'StudentLevel', value: 'level', most: 50, aliases: ['LEVEL', 'YEAR'] },
    text('Cohort', 100, 'CLASS', 'GROUP'),
  ],
  staff: [
    ...person,
    {
      name: 'Role',
      value: 'role',
      most: 50,
      isRequired: true,
      aliases: ['ACCESS LEVEL', 'LEVEL', 'POSITION'],
    },
  ],
  employees: [
    {
      name: 'Site',
      value: 'site',
      most: 255,
      isRequired: true,
      aliases: ['SITE NAME', 'SITE CODE', 'HOSPITAL', 'FACILITY', 'LOCATION', 'EMPLOYER'],
    },
    ...person.filter(({ name }) => name === 'FirstName' || name === 'LastName'),
    {
      name: 'Email',
      value: 'email',
      most: 255,
      isRequired: true,
      aliases: ['EMAIL ADDRESS', 'E-MAIL', 'MAIL', 'E-MAIL ADDRESS'],
    },
    { name: 'Dob', value: 'date', most: 10, aliases: ['DATE OF BIRTH', 'BIRTH DATE', 'BIRTHDAY', 'BORN'] },
    text('RegistryNumber', 50, 'REGISTRY NO', 'REGISTRY', 'REGISTRATION NUMBER', 'LICENSE', 'LICENSE NUMBER'),
    text('NumSdms', 50, 'SDMS', 'SDMS NUMBER'),
    text('NumArdms', 50, 'ARDMS', 'ARDMS NUMBER'),
    text('NumArrt', mostCredential, 'ARRT', 'ARRT NUMBER'),
    text('NumCci', mostCredential, 'CCI', 'CCI NUMBER'),
    text('NumCardUp', mostCredential, 'CARDUP', 'CARDUP NUMBER'),
  ],
  assignments: [
    {
      name: 'Student',
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
      value: 'text',
      most: 100,
      isRequired: true,
      aliases: ['ROTATION NAME', 'TERM', 'COURSE'],
    },
    {
      name: 'Shift',
      value: 'text',
      most: 100,
      isRequired: true,
      aliases: ['SHIFT CODE', 'SITE SHIFT', 'SHIFTCODE', 'CODE'],
    },
    text('Site', 255, 'SITE CODE', 'SITE NAME', 'LOCATION', 'HOSPITAL', 'FACILITY'),
    {
      name: 'Date',
      value: 'date',
      most: 10,
      isRequired: true,
      aliases: ['DAY', 'ASSIGNMENT DATE', 'SHIFT DATE'],
    },
  ],
  verifications: [
    {
      name: 'Student',
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
      value: 'name',
      most: 100,
      isRequired: true,
      aliases: ['PROVIDER', 'COMPANY', 'SOURCE'],
    },
    { name: 'Type', value: 'verificationType', most: 40, aliases: ['RECORD TYPE', 'KIND', 'CATEGORY'] },
    {
      name: 'Requirement',
      value: 'name',
      most: 200,
      aliases: ['IMMUNIZATION', 'VACCINE', 'PACKAGE', 'SCREENING', 'CHECK', 'ITEM'],
    },
    text('Status', 100, 'COMPLIANCE', 'COMPLIANCE STATUS', 'STATE'),
    text('Result', 200, 'OUTCOME', 'DISPOSITION', 'FINDING'),
    { name: 'Ordered', value: 'date', most: 10, aliases: ['ORDERED DATE', 'ORDER DATE', 'ORDERED ON'] },
    {
      name: 'Completed',
      value: 'date',
      most: 10,
      aliases: ['COMPLETED DATE', 'COMPLETION DATE', 'COMPLETED ON', 'DATE', 'DATE GIVEN'],
    },
    {
      name: 'Expires',
      value: 'date',
      most: 10,
      aliases: ['EXPIRATION DATE', 'EXPIRATION', 'EXPIRY', 'EXPIRES ON', 'RENEWAL DATE'],
    },
  ],
  colleges: [
    {
      name: 'Name',
      value: 'name',
      most: 255,
      isRequired: true,
      aliases: ['COLLEGE', 'COLLEGE NAME', 'INSTITUTION', 'SCHOOL'],
    },
    text('IpedsId', 20, 'IPEDSID', 'IPEDS', 'UNITID', 'ID'),
    ...address,
    text('Website', 500, 'URL', 'WEB', 'WEB SITE'),
    ...place,
  ],
}

/** Our field → their column. A field without a column is not imported. */
export type ColumnMapping = Record<string, string>

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/** Finds for each field the column whose name means it; each column serves one field. */
export const matchColumns = (kind: ImportKind, columns: readonly string[]): ColumnMapping => {
  const free = new Map(columns.map((column) => [plain(column), column]))
  const mapping: ColumnMapping = {}
  const take = (field: ImportField, names: readonly string[]) => {
    if (mapping[field.name]) return
    const key = names.map(plain).find((name) => free.has(name))
    if (key === undefined) return
    mapping[field.name] = free.get(key)!
    free.delete(key)
  }
  // A column with the field's own name goes before one that merely means it.
  for (const field of importFields[kind]) take(field, [field.name])
  for (const field of importFields[kind]) take(field, field.aliases)
  return mapping
}
