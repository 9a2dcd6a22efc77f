import { type Importable, text } from '#contract/core/import-fields.ts'
import { vendorDates, verificationImport } from './verifications-import.ts'

const [student, vendor] = verificationImport.fields

export const resultImport = {
  key: 'requirement-results',
  name: 'vendor results for requirements',
  about:
    'Each row is one vendor result for one {student} and one requirement. A complete result is recorded as accepted; what the vendor has not finished changes nothing. A background check or drug screen with a finding is put under review: the decision is made here. Results of background checks ask for the right to see them.',
  may: 'requirements.review',
  seen: { name: 'requirements', page: '/admin/requirements' },
  fields: [
    student,
    {
      name: 'Requirement',
      label: 'Requirement',
      note: 'The name of a requirement.',
      sample: ['', ''],
      value: 'choice',
      max: 100,
      isRequired: true,
      aliases: ['IMMUNIZATION', 'VACCINE', 'PACKAGE', 'SCREENING', 'CHECK', 'ITEM'],
    },
    { ...vendor, isRequired: false, sample: ['VerifyOne', 'Vaxline'] },
    text('Test', 'Dose or test', 100, ['', 'Titer'], 'TEST', 'DOSE', 'PRODUCT', 'DETAIL', 'TYPE OF TEST'),
    {
      name: 'Status',
      label: 'Status',
      value: 'choice',
      max: 100,
      sample: ['Complete', 'Complete'],
      aliases: ['COMPLIANCE', 'COMPLIANCE STATUS', 'STATE'],
    },
    text('Result', 'Result', 200, ['Clear', 'Positive'], 'OUTCOME', 'DISPOSITION', 'FINDING'),
    ...vendorDates,
  ],
} as const satisfies Importable
