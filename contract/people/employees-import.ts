import { type Importable, nameFields, text } from '#contract/core/import-fields.ts'
import { maxCredential } from './employees.ts'

export const employeeImport = {
  key: 'employees',
  tellsChanges: true,
  name: 'employees',
  about:
    'A known registry number updates that employee; without one, email and name are used. Others are added. Give the {site} by name, code or External ID. Empty cells change nothing.',
  may: 'employees.manage',
  seen: { name: 'employees', page: '/admin/employees' },
  fields: [
    {
      name: 'Site',
      label: 'Site',
      note: 'Name, code or External ID of a site.',
      sample: ['', ''],
      value: 'choice',
      max: 255,
      isRequired: true,
      isLongChoice: true,
      aliases: ['SITE NAME', 'SITE CODE', 'HOSPITAL', 'FACILITY', 'LOCATION', 'EMPLOYER'],
    },
    ...nameFields,
    {
      name: 'Email',
      label: 'Email',
      sample: ['maya.okafor@example.org', 'daniel.reyes@example.org'],
      value: 'email',
      max: 255,
      isRequired: true,
      aliases: ['EMAIL ADDRESS', 'E-MAIL', 'MAIL', 'E-MAIL ADDRESS'],
    },
    {
      name: 'Dob',
      label: 'Date of birth',
      sample: ['04/17/1988', '11/02/1991'],
      value: 'date',
      max: 100,
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
    text('NumArrt', 'ARRT number', maxCredential, ['482131', '501772'], 'ARRT', 'ARRT NUMBER'),
    text('NumCci', 'CCI number', maxCredential, ['', ''], 'CCI', 'CCI NUMBER'),
    text('NumCardUp', 'CARDUP number', maxCredential, ['', ''], 'CARDUP', 'CARDUP NUMBER'),
  ],
} as const satisfies Importable
