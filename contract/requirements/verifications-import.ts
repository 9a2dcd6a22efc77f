import { type Importable, studentField, text } from '#contract/core/import-fields.ts'

/** When a vendor was asked, has answered, and until when its answer is good. */
export const vendorDates = [
  {
    name: 'Ordered',
    label: 'Ordered',
    sample: ['08/03/2026', ''],
    value: 'date',
    max: 100,
    aliases: ['ORDERED DATE', 'ORDER DATE', 'ORDERED ON'],
  },
  {
    name: 'Completed',
    label: 'Completed',
    sample: ['08/10/2026', '07/22/2026'],
    value: 'date',
    max: 100,
    aliases: ['COMPLETED DATE', 'COMPLETION DATE', 'COMPLETED ON', 'DATE', 'DATE GIVEN'],
  },
  {
    name: 'Expires',
    label: 'Expires',
    sample: ['', ''],
    value: 'date',
    max: 100,
    aliases: ['EXPIRATION DATE', 'EXPIRATION', 'EXPIRY', 'EXPIRES ON', 'RENEWAL DATE'],
  },
] as const

export const verificationImport = {
  key: 'verifications',
  name: 'background checks and immunizations',
  about:
    'Each row is one vendor result for one {student}, given by ID, user name, email or name. The same {student}, vendor and requirement updates that record; others are added. Without a Type, rows with an order date or no requirement are background checks. Empty cells change nothing.',
  may: 'verifications.write',
  seen: { name: 'summary', page: '/admin/verification', search: { type: '1' } },
  fields: [
    {
      ...studentField,
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
      max: 100,
      isRequired: true,
      aliases: ['PROVIDER', 'COMPANY', 'SOURCE'],
    },
    {
      name: 'Type',
      label: 'Type',
      sample: ['Background check', 'Immunization'],
      value: 'choice',
      max: 100,
      aliases: ['RECORD TYPE', 'KIND', 'CATEGORY'],
    },
    {
      name: 'Requirement',
      label: 'Requirement',
      sample: ['County criminal search', 'Hepatitis B'],
      value: 'name',
      max: 200,
      aliases: ['IMMUNIZATION', 'VACCINE', 'PACKAGE', 'SCREENING', 'CHECK', 'ITEM'],
    },
    {
      name: 'Status',
      label: 'Status',
      value: 'choice',
      max: 100,
      sample: ['Complete', 'Pending'],
      aliases: ['COMPLIANCE', 'COMPLIANCE STATUS', 'STATE'],
    },
    text('Result', 'Result', 200, ['No record found', 'Immune'], 'OUTCOME', 'DISPOSITION', 'FINDING'),
    ...vendorDates,
  ],
} as const satisfies Importable
