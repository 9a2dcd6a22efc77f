import { type Importable, text } from '#contract/core/import-fields.ts'

export const requirementImport = {
  key: 'requirements',
  name: 'requirements',
  about:
    'Each row is one requirement, known by its name. The rule says how long a proof is good; its figures are read from the detail: “12 months”, or “dose from 07/01; required from 11/01 until 04/30”. The detail is also what {students} read. Empty cells change nothing.',
  may: 'requirements.design',
  seen: { name: 'requirements', page: '/admin/requirements/design' },
  fields: [
    {
      name: 'Name',
      label: 'Requirement',
      value: 'name',
      max: 100,
      isRequired: true,
      sample: ['CPR/BLS for Healthcare Providers', 'Influenza'],
      aliases: ['REQUIREMENT', 'TITLE', 'ITEM'],
    },
    {
      name: 'Kind',
      label: 'Kind',
      value: 'choice',
      max: 40,
      sample: ['Certification', 'Immunization'],
      aliases: ['TYPE', 'CATEGORY'],
    },
    {
      name: 'Rule',
      label: 'Rule',
      note: 'Expires is the date on the card; vendor is a result that students do not upload.',
      value: 'choice',
      max: 40,
      sample: ['expires', 'season'],
      aliases: ['VALIDITY', 'EXPIRATION RULE'],
    },
    text(
      'Detail',
      'Detail',
      2_000,
      ['date on the card (usually 24 months)', 'dose from 07/01; required from 11/01 until 04/30'],
      'INSTRUCTIONS',
      'DESCRIPTION',
    ),
    {
      name: 'BlocksPlacement',
      label: 'Blocks placement',
      value: 'choice',
      max: 20,
      sample: ['Y', 'Y'],
      aliases: ['BLOCKS', 'BLOCKS SCHEDULING', 'REQUIRED FOR PLACEMENT'],
    },
    {
      name: 'Evidence',
      label: 'File needed',
      value: 'choice',
      max: 20,
      sample: ['Y', 'Y'],
      aliases: ['FILE', 'PROOF', 'NEEDS FILE'],
    },
  ],
} as const satisfies Importable
