import { type Importable, type ImportField, text } from '#contract/core/import-fields.ts'

const day = (name: string, label: string, sample: [string, string], ...aliases: string[]): ImportField => ({
  name,
  label,
  value: 'date',
  max: 30,
  sample,
  aliases,
})
const choice = (
  name: string,
  label: string,
  sample: [string, string],
  ...aliases: string[]
): ImportField => ({
  name,
  label,
  value: 'choice',
  max: 50,
  sample,
  aliases,
})

export const graduateImport = {
  key: 'graduates',
  name: 'graduates',
  about:
    'A row is known by the student ID, and without one by name and day of entry. Known rows are updated, others are added. Empty cells change nothing. The day of passing follows from a first attempt that was passed.',
  may: 'graduates.write',
  seen: { name: 'graduates', page: '/admin/graduates' },
  fields: [
    {
      name: 'LastName',
      label: 'Last name',
      value: 'name',
      writing: 'name',
      max: 100,
      isRequired: true,
      sample: ['Okafor', 'Reyes'],
      aliases: ['LAST', 'SURNAME'],
    },
    {
      name: 'FirstName',
      label: 'First name',
      value: 'name',
      writing: 'name',
      max: 100,
      isRequired: true,
      sample: ['Maya', 'Daniel'],
      aliases: ['FIRST', 'GIVEN NAME'],
    },
    text('StudentNumber', 'Student ID', 50, ['S1001', 'S1002'], 'STUDENT NO', 'STUDENT NUMBER', 'ID'),
    text('Cohort', 'Cohort', 100, ['2024', '2024'], 'CLASS', 'GROUP'),
    day('EnteredOn', 'Entered', ['08/22/2022', '08/22/2022'], 'ENTRY', 'ENTRY DATE', 'START', 'ENROLLED'),
    day('GraduatedOn', 'Graduated', ['05/17/2024', ''], 'GRADUATION', 'GRADUATION DATE', 'COMPLETED'),
    day('WithdrewOn', 'Withdrew', ['', '02/12/2023'], 'WITHDRAWAL', 'WITHDRAWAL DATE', 'LEFT'),
    choice('WithdrawalReason', 'Reason', ['', 'Academic'], 'WITHDRAWAL REASON', 'REASON FOR WITHDRAWAL'),
    text('Exam', 'Exam', 100, ['ARRT (R)', ''], 'CREDENTIAL', 'REGISTRY'),
    day('FirstAttemptOn', 'First attempt', ['06/20/2024', ''], 'EXAM DATE', 'FIRST ATTEMPT DATE'),
    choice(
      'FirstAttemptResult',
      'First result',
      ['Passed', ''],
      'EXAM RESULT',
      'FIRST ATTEMPT RESULT',
      'RESULT',
    ),
    day('PassedOn', 'Passed', ['', ''], 'PASS DATE', 'PASSED ON'),
    day('HighCutOn', 'High cut', ['', ''], 'HIGH CUT DATE'),
    choice(
      'Placement',
      'Placement',
      ['Employed in the field', ''],
      'EMPLOYMENT',
      'EMPLOYMENT STATUS',
      'JOB PLACEMENT',
    ),
    day('StartedWorkOn', 'Started work', ['07/08/2024', ''], 'HIRE DATE', 'START DATE', 'JOB START'),
    { ...text('Notes', 'Notes', 2000, ['', ''], 'NOTE', 'COMMENT'), hasLines: true },
  ],
} as const satisfies Importable
