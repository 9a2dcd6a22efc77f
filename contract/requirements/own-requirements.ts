import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, RequiredLine, Text } from '#contract/core/fields.ts'
import { OwnRequest } from './exemption-requests.ts'
import {
  Asked,
  EventField,
  Key,
  maxEvents,
  maxProofBytes,
  maxProofFiles,
  Proof,
  SiteRefusal,
  StandingField,
} from './requirement-fields.ts'

/** A requirement as its student sees it: once for each site where each site asks by itself. */
export const OwnRequirement = Asked.extend({
  /** The site that asks, where it does not hold everywhere. */
  SiteId: Id.nullable(),
  Site: z.string(),
  Standing: StandingField,
  SiteRefuses: SiteRefusal.nullable(),
  /** The first shift that it keeps the student from. */
  Blocks: z.object({ Date: DateOnly, Site: z.string() }).nullable(),
  /** The newest first. */
  Proofs: z.array(Proof),
  /** The newest exemption that they have asked for. */
  Request: OwnRequest.nullable(),
  /** A finding that is not final: when its notice was sent, and the last day to answer it. */
  Notice: z.object({ SentOn: DateOnly, AnswerBy: DateOnly }).nullable(),
})
export type OwnRequirement = z.infer<typeof OwnRequirement>

export const OwnRequirements = z.object({
  Today: DateOnly,
  /** By urgency. */
  Items: z.array(OwnRequirement),
})
export type OwnRequirements = z.infer<typeof OwnRequirements>

export const getOwnRequirements = endpoint({
  method: 'GET',
  path: '/requirements/mine',
  may: 'requirements.own',
  summary: "The caller's requirements by urgency, with what was shown and what is blocked",
  answer: OwnRequirements,
})

export const ProofInput = z.strictObject({
  RequirementId: Id,
  SiteId: Id.nullable().default(null),
  Events: z.array(EventField).min(1).max(maxEvents),
  Note: Text(500).default(''),
  Key,
})
export type ProofInput = z.input<typeof ProofInput>

const refused = {
  404: 'the requirement is none of the student’s',
  413: 'a file is larger than 20 MiB',
  415: 'a file is no PDF, JPEG or PNG by its content',
  422: 'a date or a file does not fit the requirement',
} as const

/** Files of a proof and the parts that come with them. */
export const proofLimit = maxProofBytes * maxProofFiles + 256 * 1024

export const sendProof = endpoint({
  method: 'POST',
  path: '/requirements/mine/proofs',
  may: 'requirements.own',
  keptOffline: { version: 1 },
  summary:
    'Show something for a requirement. A key that was kept before is answered again and never kept twice',
  takes: 'multipart',
  bodyLimit: proofLimit,
  body: z.strictObject({ proof: ProofInput }),
  answer: z.object({ Id }),
  errors: refused,
})

const oneProof = z.strictObject({ proofId: Id })

export const withdrawProof = endpoint({
  method: 'DELETE',
  path: '/own-requirement-proofs/:proofId',
  formerly: '/requirements/mine/proofs/:proofId',
  may: 'requirements.own',
  summary: 'Take back a proof that nobody has decided about',
  params: oneProof,
  errors: { 409: 'it was decided meanwhile' },
})

export const getOwnProofFile = endpoint({
  method: 'GET',
  path: '/requirements/mine/proofs/:proofId/files/:position',
  class: 'health',
  may: 'requirements.own',
  summary: 'A file of an own proof',
  params: z.strictObject({ proofId: Id, position: z.number().int().min(0).max(20) }),
  answers: 'file',
  fileTypes: ['pdf', 'jpeg', 'png'],
})

export const signRequirement = endpoint({
  method: 'POST',
  path: '/requirements/mine/:requirementId/signature',
  may: 'requirements.own',
  summary: 'Sign the text of a requirement by typing one’s name',
  params: z.strictObject({ requirementId: Id }),
  body: z.strictObject({
    Name: RequiredLine(100),
    SiteId: Id.nullable().default(null),
    /** The version that was read. */
    Version: z.number().int().min(1),
  }),
  answer: z.object({ Id }),
  errors: { 409: 'the text has changed meanwhile', 422: 'the name is another one' },
})
