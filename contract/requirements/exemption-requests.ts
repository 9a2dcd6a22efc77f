import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  InProgram,
  Instant,
  Line,
  PageOf,
  paging,
  RequiredText,
} from '#contract/core/fields.ts'
import { sensitive } from '#contract/core/sensitive.ts'
import { ExemptionKindField } from './requirement-fields.ts'

export const requestStates = ['open', 'granted', 'declined', 'withdrawn'] as const

/** An exemption that a student has asked for, as they see it. */
export const OwnRequest = z.object({
  Id,
  Kind: ExemptionKindField,
  State: z.enum(requestStates),
  Reason: sensitive(z.string(), 'health'),
  Until: DateOnly.nullable(),
  /** What they were told with the decision. */
  Answer: sensitive(z.string(), 'health'),
  AskedAt: Instant,
})
export type OwnRequest = z.infer<typeof OwnRequest>

const Reason = RequiredText(500)
const ofRequirement = z.strictObject({ requirementId: Id })

export const askExemption = endpoint({
  method: 'POST',
  path: '/requirements/mine/:requirementId/exemption-request',
  class: 'health',
  may: 'requirements.own',
  summary: 'Ask to be exempt from a requirement; compliance staff alone read the reason',
  params: ofRequirement,
  body: z.strictObject({ Kind: ExemptionKindField, Reason, Until: DateOnly.nullable().default(null) }),
  answer: z.object({ Id }),
  errors: {
    404: 'the requirement is none of the student’s',
    409: 'one waits already, or the student is exempt',
    422: 'the last day has passed',
  },
})

export const withdrawExemptionRequest = endpoint({
  method: 'DELETE',
  path: '/requirements/mine/:requirementId/exemption-request',
  class: 'health',
  may: 'requirements.own',
  summary: 'Take back the exemption that was asked for',
  params: ofRequirement,
  errors: { 404: 'none waits' },
})

/** An exemption that a student asks for, as compliance staff see it. */
export const ExemptionRequest = OwnRequest.extend({
  StudentId: Id,
  Student: z.string(),
  StudentLevel: z.string(),
  RequirementId: Id,
  Requirement: z.string(),
  DecidedAt: Instant.nullable(),
  DecidedBy: z.string().nullable(),
})
export type ExemptionRequest = z.infer<typeof ExemptionRequest>

export const listExemptionRequests = endpoint({
  method: 'GET',
  path: '/programs/:programId/exemption-requests',
  class: 'health',
  may: 'requirements.review',
  summary:
    'Exemptions that students ask for: those that wait by age, or those that were decided, the newest first',
  params: InProgram,
  query: z.strictObject({ Show: z.enum(['open', 'decided']).default('open'), ...paging }),
  answer: PageOf(ExemptionRequest),
})

export const decideExemptionRequest = endpoint({
  method: 'POST',
  path: '/programs/:programId/exemption-requests/:requestId/decision',
  class: 'health',
  may: 'requirements.review',
  changesGoals: true,
  summary: 'Grant an exemption as staff see it, or decline it with a reason; the student is told',
  params: z.strictObject({ programId: Id, requestId: Id }),
  body: z
    .strictObject({
      Decision: z.enum(['grant', 'decline']),
      Kind: ExemptionKindField.optional(),
      Until: DateOnly.nullable().optional(),
      /** For the student. */
      Answer: Line(300).default(''),
    })
    .refine(({ Decision, Answer }) => Decision === 'grant' || Answer !== '', {
      path: ['Answer'],
      error: 'Say why it is declined.',
    }),
  answer: ExemptionRequest,
  errors: { 409: 'it was decided or withdrawn meanwhile', 422: 'the last day has passed' },
})
