import { type Importable, type ImportField, text } from '#contract/core/import-fields.ts'
import { verificationImport } from '#contract/requirements/verifications-import.ts'

const day = (
  name: string,
  label: string,
  sample: readonly [string, string],
  ...aliases: string[]
): ImportField => ({
  name,
  label,
  sample,
  value: 'date',
  max: 100,
  isRequired: true,
  aliases,
})

export const doseImport = {
  key: 'dose-readings',
  name: 'dosimeter readings',
  about:
    'Each row is one reading of one {student} for one wear period. Doses are in mrem; M, ND or <1 is below what the badge measures. The same {student}, period and badge updates that reading. {Students} are asked to read what is new; readings at or above the {program}’s limit are marked for review.',
  may: 'doses.read',
  seen: { name: 'readings', page: '/admin/safety/doses' },
  fields: [
    {
      ...verificationImport.fields[0],
      aliases: [...verificationImport.fields[0].aliases, 'PARTICIPANT', 'WEARER'],
    },
    text('Badge', 'Badge', 60, ['00417', '00418'], 'BADGE NUMBER', 'DOSIMETER', 'SERIAL NUMBER', 'BODY PART'),
    day('From', 'From', ['08/01/2026', '08/01/2026'], 'BEGIN DATE', 'WEAR FROM', 'START', 'PERIOD START'),
    day(
      'Through',
      'Through',
      ['08/31/2026', '08/31/2026'],
      'END DATE',
      'WEAR TO',
      'END',
      'PERIOD END',
      'WEAR THROUGH',
    ),
    text('Deep', 'Deep dose', 20, ['M', '12'], 'DDE', 'DEEP', 'WHOLE BODY', 'DEEP DOSE EQUIVALENT'),
    text('Lens', 'Lens dose', 20, ['M', '12'], 'LDE', 'EYE', 'EYE DOSE'),
    text('Shallow', 'Shallow dose', 20, ['M', '13'], 'SDE', 'SKIN', 'SKIN DOSE'),
  ],
} as const satisfies Importable
