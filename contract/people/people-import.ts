import {
  areaField,
  type Importable,
  type ImportField,
  nameFields,
  text,
} from '#contract/core/import-fields.ts'

const person: readonly ImportField[] = [
  ...nameFields,
  text('MiddleName', 'Middle name', 255, ['', 'Rose'], 'MIDDLE'),
  text('Suffix', 'Suffix', 50, ['', '']),
  {
    name: 'EmailAddress',
    label: 'Email',
    sample: ['maya.okafor@example.edu', 'daniel.reyes@example.edu'],
    value: 'email',
    max: 255,
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

export const studentImport = {
  key: 'students',
  name: '{students}',
  about:
    'A known student ID, user name or email updates that {student}; others are added, with a user name made from the name if none is given. Empty cells change nothing.',
  may: 'people.write',
  seen: { name: '{students}', page: '/admin/manage-users' },
  addsPeople: true,
  fields: [
    ...person,
    text('StudentNumber', 'Student ID', 50, ['S1001', 'S1002'], 'STUDENT ID', 'STUDENT NO', 'ID', 'STUDENT'),
    {
      name: 'StudentLevel',
      label: 'Student level',
      sample: ['', ''],
      value: 'choice',
      max: 100,
      aliases: ['LEVEL', 'YEAR'],
    },
    text('Cohort', 'Cohort', 100, ['2028', '2028'], 'CLASS', 'GROUP'),
  ],
} as const satisfies Importable

export const staffImport = {
  key: 'staff',
  name: 'staff',
  about:
    'A known user name or email updates that person; others are added, with a user name made from the name if none is given. Empty cells change nothing.',
  may: 'people.write',
  seen: { name: 'people', page: '/admin/manage-users' },
  addsPeople: true,
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
