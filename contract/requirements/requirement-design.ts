import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, InProgram, Line, RequiredLine, Text, Written } from '#contract/core/fields.ts'
import { Asked, Kind, RuleField, ScopeField } from './requirement-fields.ts'

/** A requirement as it is designed. */
export const Requirement = Asked.extend({
  LevelIds: z.array(z.number().int()),
  Cohorts: z.array(z.string()),
  /** Proofs that wait to be looked at. */
  WaitingCount: z.number().int(),
})
export type Requirement = z.infer<typeof Requirement>

export const RequirementInput = z.strictObject({
  Name: RequiredLine(100),
  Kind,
  Scope: ScopeField.default('program'),
  Rule: RuleField,
  NeedsFile: z.boolean().default(true),
  BlocksPlacement: z.boolean().default(false),
  Instructions: Text(2_000).default(''),
  Link: Written('website', Line(500)).default(''),
  LevelIds: z.array(z.number().int().min(1).max(20)).max(20).default([]),
  Cohorts: z.array(z.string().max(100)).max(100).default([]),
})
export type RequirementInput = z.input<typeof RequirementInput>

const one = z.strictObject({ programId: Id, requirementId: Id })
const taken = { 409: 'another requirement has the name' } as const

export const listRequirements = endpoint({
  method: 'GET',
  path: '/programs/:programId/requirements',
  may: 'requirements.status',
  summary: 'What the program asks of students before they go to sites',
  params: InProgram,
  query: z.strictObject({ deleted: z.boolean().default(false) }),
  answer: z.array(Requirement),
})

export const createRequirement = endpoint({
  method: 'POST',
  path: '/programs/:programId/requirements',
  may: 'requirements.design',
  changesGoals: true,
  summary: 'Add a requirement',
  params: InProgram,
  body: RequirementInput,
  answer: Requirement,
  errors: taken,
})

export const updateRequirement = endpoint({
  method: 'POST',
  path: '/programs/:programId/requirements/:requirementId',
  may: 'requirements.design',
  changesGoals: true,
  summary:
    'Change a requirement. Another rule is a new version: everything that was shown is judged by it at once',
  params: one,
  body: RequirementInput,
  answer: Requirement,
  errors: taken,
  basis: { read: listRequirements, item: 'requirementId' },
})

export const deleteRequirement = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/requirements/:requirementId',
  may: 'requirements.design',
  changesGoals: true,
  summary: 'Delete a requirement; it can be restored with all that was shown for it',
  params: one,
})

export const restoreRequirement = endpoint({
  method: 'POST',
  path: '/programs/:programId/requirements/:requirementId/restoration',
  may: 'requirements.design',
  changesGoals: true,
  summary: 'Bring a deleted requirement back',
  params: one,
  answer: Requirement,
  errors: taken,
})

export const exportRequirements = endpoint({
  method: 'GET',
  path: '/programs/:programId/requirements/export',
  may: 'requirements.design',
  summary: 'The requirements as a file that can be imported again',
  params: InProgram,
  query: z.strictObject({ Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})
