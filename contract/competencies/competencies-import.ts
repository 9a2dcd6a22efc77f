import type { Importable } from '#contract/core/import-fields.ts'
import { longestName } from './competency-rules.ts'

const yesOrNo = ['Y', 'N'] as const

export const competencyImport = {
  key: 'competencies',
  name: 'competencies',
  about:
    'Each row is one procedure, known by its section and name within its list. Without a List, rows go to the newest competency list; a {program} that has none gets one. Sections that are new are added; new surgical, mobile and C-arm procedures always stay under direct supervision. Empty cells change nothing.',
  may: 'competencies.design',
  seen: { name: 'procedures', page: '/admin/competencies/procedures' },
  fields: [
    {
      name: 'List',
      label: 'Competency list',
      value: 'choice',
      max: 100,
      sample: ['', ''],
      aliases: ['LIST', 'VERSION'],
    },
    {
      name: 'Section',
      label: 'Section',
      note: 'The major study.',
      value: 'name',
      max: longestName,
      isRequired: true,
      sample: ['Chest and Thorax', 'Head'],
      aliases: ['MAJOR STUDY', 'CATEGORY', 'GROUP', 'AREA'],
    },
    {
      name: 'Procedure',
      label: 'Procedure',
      value: 'name',
      max: longestName,
      isRequired: true,
      sample: ['Chest Routine', 'Skull'],
      aliases: ['SKILL', 'COMPETENCY', 'NAME', 'STUDY', 'EXAM'],
    },
    {
      name: 'Mandatory',
      label: 'Mandatory',
      note: 'N is an elective.',
      value: 'choice',
      max: 20,
      sample: [...yesOrNo],
      aliases: ['REQUIRED', 'IS MANDATORY', 'MANDATORY OR ELECTIVE', 'TYPE'],
    },
    {
      name: 'LoggedBeforeExam',
      label: 'Logs before exam',
      value: 'whole',
      max: 10_000,
      sample: ['5', '2'],
      aliases: ['LOGS NEEDED', 'LOGS', 'LOGGED', 'REQUIRED LOGS', 'MINIMUM LOGS'],
    },
    {
      name: 'Simulation',
      label: 'Simulation',
      note: 'Whether the exam may be simulated.',
      value: 'choice',
      max: 20,
      sample: ['N', 'Y'],
      aliases: ['MAY BE SIMULATED', 'SIMULATED', 'ELIGIBLE FOR SIMULATION', 'SIM'],
    },
  ],
} as const satisfies Importable
