import { z } from 'zod'
import { DateOnly, Id, Instant } from '#contract/core/fields.ts'
import { sensitive } from '#contract/core/sensitive.ts'
import {
  eventKinds,
  exemptionKinds,
  isYearDay,
  requirementKinds,
  scopes,
  standingStatuses,
  states,
  titerResults,
  vendorResults,
} from './requirement-rules.ts'

/** The fields that the calls about requirements share. */

export const Kind = z.enum(requirementKinds)
export const ScopeField = z.enum(scopes)
export const StateField = z.enum(states)
export const ExemptionKindField = z.enum(exemptionKinds)
export const Status = z.enum(standingStatuses)

const YearDay = z.string().refine(isYearDay, 'must be a day of the year such as 11-01')
const Days = z.number().int().min(0).max(3_660)

export const ScheduleField = z.strictObject({
  Name: z.string().trim().min(1).max(60),
  MinDays: z.array(Days).max(5),
  TotalDays: Days.default(0),
})

export const RuleField = z.discriminatedUnion('Kind', [
  z.strictObject({ Kind: z.literal('until') }),
  z.strictObject({ Kind: z.literal('months'), Months: z.number().int().min(1).max(600) }),
  z.strictObject({ Kind: z.literal('once') }),
  z.strictObject({ Kind: z.literal('season'), DoseFrom: YearDay, AskedFrom: YearDay, AskedThrough: YearDay }),
  z.strictObject({
    Kind: z.literal('series'),
    Schedules: z.array(ScheduleField).min(1).max(5),
    Titer: z.enum(['none', 'instead', 'after']),
    Parts: z.array(z.string().trim().min(1).max(60)).max(6).default([]),
    TiterFromDays: Days.default(30),
    TiterThroughDays: Days.default(60),
    GraceDays: Days.default(30),
    NonResponder: z.boolean().default(false),
  }),
  z.strictObject({ Kind: z.literal('signed'), Text: z.string().trim().min(1).max(20_000) }),
  z.strictObject({ Kind: z.literal('result') }),
])
export type RuleField = z.infer<typeof RuleField>

/** What a proof says happened on a day. */
export const EventField = z.strictObject({
  Kind: z.enum(eventKinds),
  On: DateOnly,
  Until: DateOnly.nullable().default(null),
  Result: sensitive(z.enum(['', ...titerResults, ...vendorResults]).default(''), 'health'),
  Of: z.string().trim().max(60).default(''),
})
export type EventField = z.infer<typeof EventField>
export const maxEvents = 12

export const NextField = z.object({
  Kind: z.enum(['dose', 'titer', 'nonResponder']),
  Number: z.number().int(),
  Of: z.number().int(),
  From: DateOnly,
  By: DateOnly,
})

/** What is asked of everybody who has to show it. */
export const Asked = z.object({
  Id,
  Name: z.string(),
  Kind,
  Scope: ScopeField,
  Rule: RuleField,
  Version: z.number().int(),
  NeedsFile: z.boolean(),
  BlocksPlacement: z.boolean(),
  Instructions: z.string(),
  Link: z.string(),
})
export type Asked = z.infer<typeof Asked>

export const ProofFile = z.object({
  Position: z.number().int(),
  Name: z.string(),
  MediaType: z.string(),
  ByteCount: z.number().int(),
})

/** A proof as its student and compliance staff see it. */
export const Proof = z.object({
  Id,
  Revision: z.number().int(),
  RequirementId: Id,
  SiteId: Id.nullable(),
  State: z.enum(['submitted', 'accepted', 'returned']),
  Source: z.enum(['student', 'staff', 'vendor', 'signature']),
  Events: z.array(EventField),
  /** What is written about somebody's record, which the emails about it are closed for too. */
  Note: sensitive(z.string(), 'health'),
  ReturnReason: sensitive(z.string(), 'health'),
  SentAt: Instant,
  DecidedAt: Instant.nullable(),
  DecidedBy: z.string().nullable(),
  Vendor: z.string(),
  SignedName: z.string(),
  /** The version of the requirement that it was sent for. */
  Version: z.number().int(),
  Files: z.array(ProofFile),
})
export type Proof = z.infer<typeof Proof>

/** What is kept of a student and a requirement, with how it is on a day. */
export const StandingField = z.object({
  State: StateField,
  Status,
  CompletedOn: DateOnly.nullable(),
  ExpiresOn: DateOnly.nullable(),
  IsWaiting: z.boolean(),
  IsReturned: z.boolean(),
  Exemption: ExemptionKindField.nullable(),
  Next: NextField.nullable(),
})
export type StandingField = z.infer<typeof StandingField>

/** Why a site does not take what is in order elsewhere: older than so many days on the first day there, else an exemption that it does not accept. */
export const SiteRefusal = z.object({ MaxAgeDays: z.number().int().nullable(), FirstDay: DateOnly })

export const Key = z.uuid()
export const Revision = z.number().int().min(1)

/** The largest file of a proof. */
export const maxProofBytes = 20 * 1024 * 1024
/** Most files of a proof, such as the pages of a record. */
export const maxProofFiles = 5
