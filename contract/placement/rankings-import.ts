import { type Importable, type ImportField, studentField, text } from '#contract/core/import-fields.ts'
import { maxBlocks } from './plan-rules.ts'

const ordinals = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'] as const

const samples: readonly (readonly [string, string])[] = [
  ['SHN', 'HLM'],
  ['HLM', 'SHN'],
]

const choice = (index: number): ImportField => ({
  ...text(
    `Choice${index + 1}`,
    `${ordinals[index]} choice`,
    255,
    samples[index] ?? ['', ''],
    `CHOICE ${index + 1}`,
    `RANK ${index + 1}`,
    `PREFERENCE ${index + 1}`,
    `SITE ${index + 1}`,
  ),
  note: index === 0 ? 'The code or the name of a site.' : 'As above.',
})

/** The fields that hold the sites of a row, the best first. */
export const choiceFields = ordinals.map((_, index) => `Choice${index + 1}`)

export const rankingImport = {
  key: 'rankings',
  name: 'rankings',
  about:
    'Each row ranks the {sites} of one {student} for a placement plan, whether {students} can rank now or not; where the plan ranks each block, for one block or, without one, for all. Give {students} by ID, user name, email or name, and {sites} by code or name. A ranking that is there is replaced.',
  may: 'placement.plan',
  seen: { name: 'placement plans', page: '/admin/placement' },
  fields: [
    {
      ...studentField,
      aliases: ['STUDENT NUMBER', 'STUDENT ID', 'USER NAME', 'STUDENT NAME', 'NAME', 'EMAIL', 'E-MAIL'],
    },
    {
      name: 'Plan',
      label: 'Plan',
      note: 'The name of a placement plan.',
      sample: ['Clinical II, spring 2027', 'Clinical II, spring 2027'],
      value: 'text',
      max: 100,
      isRequired: true,
      aliases: ['PLACEMENT PLAN', 'PLAN NAME', 'TERM'],
    },
    {
      name: 'Block',
      label: 'Block',
      note: 'Where the plan ranks each block: its number. Empty: all blocks that have no row of their own.',
      sample: ['', ''],
      value: 'whole',
      min: 1,
      max: maxBlocks,
      aliases: ['BLOCK NUMBER', 'BLOCK NO', 'PERIOD'],
    },
    ...ordinals.map((_, index) => choice(index)),
  ],
} as const satisfies Importable
