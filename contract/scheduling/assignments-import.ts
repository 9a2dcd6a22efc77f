import { type Importable, studentField, text } from '#contract/core/import-fields.ts'

export const assignmentImport = {
  key: 'assignments',
  name: 'assignments',
  about:
    'Each row places one {student} on one shift and date, following the program’s rules. Give {students} by ID, user name, email or name, and shifts by code. Existing placements stay.',
  may: 'scheduling.assign',
  seen: { name: 'assignments', page: '/admin/shift-assignments' },
  fields: [
    {
      ...studentField,
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
      max: 100,
      isRequired: true,
      aliases: ['ROTATION NAME', 'TERM', 'COURSE'],
    },
    {
      name: 'Shift',
      label: 'Shift',
      note: 'The code of a shift.',
      sample: ['SHN-D', 'SHN-E'],
      value: 'text',
      max: 100,
      isRequired: true,
      aliases: ['SHIFT CODE', 'SITE SHIFT', 'SHIFTCODE', 'CODE'],
    },
    text('Site', 'Site', 255, ['', ''], 'SITE CODE', 'SITE NAME', 'LOCATION', 'HOSPITAL', 'FACILITY'),
    {
      name: 'Date',
      label: 'Date',
      sample: ['01/12/2027', '01/14/2027'],
      value: 'date',
      max: 100,
      isRequired: true,
      aliases: ['DAY', 'ASSIGNMENT DATE', 'SHIFT DATE'],
    },
  ],
} as const satisfies Importable
