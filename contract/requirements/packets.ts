import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Email,
  Id,
  InProgram,
  Instant,
  Line,
  PageOf,
  paging,
  RequiredLine,
} from '#contract/core/fields.ts'
import { byLink } from '#contract/links/links.ts'
import { ExemptionKindField, Kind, ScopeField } from './requirement-fields.ts'

// What sites ask, and on which legal basis they are told ---------------------------------------------------------

export const bases = ['schoolOfficial', 'consent'] as const
export type Basis = (typeof bases)[number]

/** How a site sees a requirement of the program, and what it asks besides. */
export const SiteRequirement = z.object({
  RequirementId: Id,
  Name: z.string(),
  Kind,
  Scope: ScopeField,
  IsAsked: z.boolean(),
  MaxAgeDays: z.number().int().nullable(),
  Accepts: z.array(ExemptionKindField),
  Condition: z.string(),
  IsInPacket: z.boolean(),
})
export type SiteRequirement = z.infer<typeof SiteRequirement>

export const SiteRules = z.object({
  SiteId: Id,
  Site: z.string(),
  Basis: z.enum(bases).nullable(),
  NoticeOn: DateOnly.nullable(),
  AgreementOn: DateOnly.nullable(),
  Purpose: z.string(),
  Requirements: z.array(SiteRequirement),
})
export type SiteRules = z.infer<typeof SiteRules>

const oneSite = z.strictObject({ programId: Id, siteId: Id })

export const listSiteRules = endpoint({
  method: 'GET',
  path: '/programs/:programId/site-requirements',
  may: 'packets.manage',
  summary: 'Sites with what they ask besides, and on which legal basis they are told',
  params: InProgram,
  query: z.strictObject({ search: z.string().max(100).default(''), ...paging }),
  answer: PageOf(
    z.object({
      SiteId: Id,
      Site: z.string(),
      Basis: z.enum(bases).nullable(),
      RuleCount: z.number().int(),
      PacketCount: z.number().int(),
    }),
  ),
})

export const getSiteRules = endpoint({
  method: 'GET',
  path: '/programs/:programId/site-requirements/:siteId',
  may: 'packets.manage',
  summary: 'What a site asks besides, and on which legal basis it is told',
  params: oneSite,
  answer: SiteRules,
})

export const saveSiteRules = endpoint({
  method: 'POST',
  path: '/programs/:programId/site-requirements/:siteId',
  may: 'packets.manage',
  changesGoals: true,
  summary: 'Change what a site asks besides, and on which legal basis it is told',
  params: oneSite,
  body: z.strictObject({
    Basis: z.enum(bases).nullable(),
    /** Of school officials: the annual notice, and the agreement. */
    NoticeOn: DateOnly.nullable().default(null),
    AgreementOn: DateOnly.nullable().default(null),
    /** Of a consent. */
    Purpose: Line(300).default(''),
    Requirements: z
      .array(
        z.strictObject({
          RequirementId: Id,
          IsAsked: z.boolean(),
          MaxAgeDays: z.number().int().min(1).max(3_660).nullable(),
          Accepts: z.array(ExemptionKindField).max(4),
          Condition: Line(200).default(''),
          IsInPacket: z.boolean(),
        }),
      )
      .max(200),
  }),
  answer: SiteRules,
  basis: { read: getSiteRules },
  errors: {
    404: 'the site or a requirement does not exist',
    422: 'the legal basis lacks its dates or purpose',
  },
})

// Packets --------------------------------------------------------------------------------------------------------

export const PacketLine = z.object({
  Name: z.string(),
  IsMet: z.boolean(),
  /** Of an exemption: exempt, never why. */
  IsExempt: z.boolean(),
  CompletedOn: DateOnly.nullable(),
  ValidTo: DateOnly.nullable(),
})
export type PacketLine = z.infer<typeof PacketLine>

export const PacketStudent = z.object({ Name: z.string(), Lines: z.array(PacketLine) })
export type PacketStudent = z.infer<typeof PacketStudent>

export const Packet = z.object({
  Id,
  SiteId: Id,
  Site: z.string(),
  Basis: z.enum(bases),
  OnDay: DateOnly,
  RecipientName: z.string(),
  RecipientEmail: z.string(),
  CreatedAt: Instant,
  CreatedBy: z.string(),
  ExpiresAt: Instant,
  WithdrawnAt: Instant.nullable(),
  IsOpenable: z.boolean(),
  Openings: z.number().int(),
  LastOpenedAt: Instant.nullable(),
  Students: z.number().int(),
})
export type Packet = z.infer<typeof Packet>

const onePacket = z.strictObject({ programId: Id, packetId: Id })

export const listPackets = endpoint({
  method: 'GET',
  path: '/programs/:programId/packets',
  may: 'packets.manage',
  summary: 'What was disclosed to sites, to whom, and when it was opened; the newest first',
  params: InProgram,
  query: z.strictObject({ SiteId: Id.optional(), ...paging }),
  answer: PageOf(Packet),
})

/** Days that a packet's link works. */
export const packetDays = { least: 1, most: 90, initial: 14 } as const

export const getPacketDraft = endpoint({
  method: 'GET',
  path: '/programs/:programId/packets/draft',
  may: 'packets.manage',
  summary: 'The students with shifts ahead at a site, with what a packet could say of each',
  params: InProgram,
  query: z.strictObject({ SiteId: Id }),
  answer: z.object({
    Basis: z.enum(bases).nullable(),
    OnDay: DateOnly,
    Contacts: z.array(z.object({ Name: z.string(), EmailAddress: z.string() })),
    Students: z.array(
      z.object({
        Id,
        Student: z.string(),
        FirstDate: DateOnly,
        OpenCount: z.number().int(),
        /** Whether the legal basis covers them: with a consent, that they have signed it. */
        IsCovered: z.boolean(),
      }),
    ),
  }),
})

export const createPacket = endpoint({
  method: 'POST',
  path: '/programs/:programId/packets',
  proof: true,
  lasts: true,
  may: 'packets.manage',
  summary: 'Attest to a site which requirements students meet; the recipient is mailed a link',
  params: InProgram,
  body: z.strictObject({
    SiteId: Id,
    StudentIds: z.array(Id).min(1).max(5_000),
    RecipientName: RequiredLine(100),
    RecipientEmail: Email,
    Days: z.number().int().min(packetDays.least).max(packetDays.most).default(packetDays.initial),
  }),
  answer: Packet,
  errors: {
    404: 'the site or a student does not exist',
    422: 'the site has no legal basis, or a student has not consented',
  },
})

export const withdrawPacket = endpoint({
  method: 'POST',
  path: '/programs/:programId/packets/:packetId/withdrawal',
  may: 'packets.manage',
  summary: 'Withdraw a packet: its link opens nothing from now on',
  params: onePacket,
  answer: Packet,
  errors: { 409: 'it was withdrawn before' },
})

export const downloadPacket = endpoint({
  method: 'GET',
  path: '/programs/:programId/packets/:packetId/pdf',
  may: 'packets.manage',
  summary: 'A packet as PDF, as its recipient gets it',
  params: onePacket,
  answers: 'file',
  fileTypes: ['pdf'],
})

export const downloadPacketZip = endpoint({
  method: 'GET',
  path: '/programs/:programId/packets/:packetId/zip',
  may: 'packets.manage',
  isHeavy: true,
  summary: 'A packet as ZIP with a PDF for each student',
  params: onePacket,
  answers: 'file',
  fileTypes: ['zip'],
})

// By link --------------------------------------------------------------------------------------------------------

export const openPacket = endpoint({
  method: 'GET',
  path: '/links/:token/packet',
  may: 'everyone',
  summary: 'The packet behind a link that this device has opened',
  params: byLink,
  answer: z.object({
    Program: z.string(),
    College: z.string(),
    Site: z.string(),
    OnDay: DateOnly,
    By: z.string(),
    ExpiresAt: Instant,
    Students: z.array(PacketStudent),
  }),
  errors: { 401: 'the link has to be opened first', 404: 'the link is unknown, expired or was withdrawn' },
})

export const downloadPacketByLink = endpoint({
  method: 'GET',
  path: '/links/:token/packet/pdf',
  may: 'everyone',
  summary: 'The packet behind a link as PDF; each download is in the audit',
  params: byLink,
  answers: 'file',
  fileTypes: ['pdf'],
  errors: { 401: 'the link has to be opened first', 404: 'the link is unknown, expired or was withdrawn' },
})

export const downloadPacketZipByLink = endpoint({
  method: 'GET',
  path: '/links/:token/packet/zip',
  may: 'everyone',
  isHeavy: true,
  summary: 'The packet behind a link as ZIP with a PDF for each student; each download is in the audit',
  params: byLink,
  answers: 'file',
  fileTypes: ['zip'],
  errors: { 401: 'the link has to be opened first', 404: 'the link is unknown, expired or was withdrawn' },
})

// A student's own ------------------------------------------------------------------------------------------------

export const OwnDisclosures = z.object({
  /** Sites that may be told only with the student's consent. */
  Consents: z.array(
    z.object({
      SiteId: Id,
      Site: z.string(),
      /** What is signed: records, purpose and recipient. */
      Text: z.string(),
      SignedAt: Instant.nullable(),
    }),
  ),
  /** What was told of them, the newest first. */
  Disclosures: z.array(
    z.object({
      Site: z.string(),
      Recipient: z.string(),
      Basis: z.enum(bases),
      At: Instant,
      By: z.string(),
      LastOpenedAt: Instant.nullable(),
      IsWithdrawn: z.boolean(),
      Lines: z.array(PacketLine),
    }),
  ),
})
export type OwnDisclosures = z.infer<typeof OwnDisclosures>

export const getOwnDisclosures = endpoint({
  method: 'GET',
  path: '/disclosures/mine',
  may: 'requirements.own',
  summary: 'What was disclosed of the caller to sites, and the consents that are asked',
  answer: OwnDisclosures,
})

const ofSite = z.strictObject({ siteId: Id })

export const giveConsent = endpoint({
  method: 'POST',
  path: '/disclosures/mine/:siteId/consent',
  may: 'requirements.own',
  summary: 'Consent to what a site is told, by typing one’s name',
  params: ofSite,
  body: z.strictObject({ Name: RequiredLine(100) }),
  answer: z.object({ Id }),
  errors: { 409: 'it was given before', 422: 'the name is another one' },
})

export const revokeConsent = endpoint({
  method: 'DELETE',
  path: '/disclosures/mine/:siteId/consent',
  may: 'requirements.own',
  summary: 'Revoke a consent: nothing more is told, and the packets that rest on it are withdrawn',
  params: ofSite,
})
