import {
  areaField,
  type Importable,
  type ImportField,
  nameFields,
  text,
} from '#contract/core/import-fields.ts'
import { personLimits } from './person-fields.ts'

const limits = personLimits

const person: readonly ImportField[] = [
  ...nameFields.map((field) =>
    field.name === 'LastName' ? { ...field, unless: 'FirstName' } : { ...field, isRequired: false },
  ),
  text('MiddleName', 'Middle name', limits.MiddleName, ['', 'Rose'], 'MIDDLE'),
  text('Suffix', 'Suffix', limits.Suffix, ['', '']),
  {
    name: 'EmailAddress',
    label: 'Email',
    sample: ['maya.okafor@example.edu', 'daniel.reyes@example.edu'],
    value: 'email',
    max: limits.EmailAddress,
    isRequired: true,
    aliases: ['EMAIL', 'E-MAIL', 'MAIL', 'E-MAIL ADDRESS'],
  },
  {
    name: 'UserName',
    label: 'User name',
    note: 'Made from the name when left empty; never changes later.',
    sample: ['', ''],
    value: 'userName',
    max: 50,
    aliases: ['LOGIN', 'USER', 'USER ID'],
  },
  {
    ...text(
      'PhoneNumber',
      'Phone',
      limits.PhoneNumber,
      ['(508) 555-0111', '(508) 555-0112'],
      'PHONE',
      'TELEPHONE',
      'MOBILE',
      'CELL',
    ),
    writing: 'phone',
  },
  {
    ...text('ZipCode', 'ZIP code', limits.ZipCode, ['02740', '02747'], 'ZIP', 'POSTAL CODE'),
    writing: 'postalCode',
  },
  text(
    'Institution',
    'Institution',
    limits.Institution,
    ['Harbor College', 'Harbor College'],
    'COLLEGE',
    'SCHOOL',
  ),
  areaField,
]

export const studentImport = {
  key: 'students',
  name: '{students}',
  about:
    'A known student ID or user name, or a known email with the same name, updates that {student}; others are added, with a user name made from the name if none is given. Empty cells change nothing.',
  may: 'people.write',
  seen: { name: '{students}', page: '/admin/manage-users' },
  addsPeople: true,
  tellsChanges: true,
  fields: [
    ...person,
    text(
      'StudentNumber',
      'Student ID',
      limits.StudentNumber,
      ['S1001', 'S1002'],
      'STUDENT ID',
      'STUDENT NO',
      'ID',
      'STUDENT',
    ),
    {
      name: 'StudentLevel',
      label: 'Student level',
      sample: ['', ''],
      value: 'choice',
      max: 100,
      aliases: ['LEVEL', 'YEAR'],
    },
    text('Cohort', 'Cohort', limits.Cohort, ['2028', '2028'], 'CLASS', 'GROUP'),
  ],
} as const satisfies Importable

export const staffImport = {
  key: 'staff',
  name: 'staff',
  about:
    'A known user name, or a known email with the same name, updates that person; others are added, with a user name made from the name if none is given. Empty cells change nothing.',
  may: 'people.write',
  proof: true,
  seen: { name: 'people', page: '/admin/manage-users' },
  addsPeople: true,
  tellsChanges: true,
  fields: [
    ...person,
    {
      name: 'Role',
      label: 'Role',
      sample: ['Faculty', 'Supervisor'],
      value: 'choice',
      max: 100,
      isRequired: true,
      aliases: ['ACCESS LEVEL', 'LEVEL', 'POSITION'],
    },
  ],
} as const satisfies Importable
