import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id } from '#contract/core/fields.ts'
import { LinkToken } from '#contract/links/links.ts'

/** What students may do under indirect supervision: a page by a link, which a site prints as a QR code. */

/** One student's procedures under indirect supervision, by major study. */
export const Supervised = z.object({
  /** As on a badge: first name, and the first letter of the last name. */
  Name: z.string(),
  Studies: z.array(z.object({ Name: z.string(), Procedures: z.array(z.string()) })),
})
export type Supervised = z.infer<typeof Supervised>

export const getSupervision = endpoint({
  method: 'GET',
  path: '/supervision/:token',
  may: 'everyone',
  summary:
    'What the students who are at a site today, or one student, may do under indirect supervision. Nothing else of them',
  params: z.strictObject({ token: LinkToken }),
  answer: z.object({
    Program: z.string(),
    /** Null for the link of one student. */
    Site: z.string().nullable(),
    /** The day it is about, mm/dd/yyyy, at the site or in the program. */
    Day: z.string(),
    Students: z.array(Supervised),
  }),
  errors: { 404: 'the link is unknown or was replaced', 429: 'too many were tried' },
})

/** The address of a page; null before the first one is made. */
const Address = z.object({ Url: z.string().nullable() })

export const getOwnSupervisionLink = endpoint({
  method: 'GET',
  path: '/supervision-link',
  may: 'exams.take',
  summary: "The link of the caller's page, and what it shows",
  answer: Address.extend({ Supervised }),
})

export const renewOwnSupervisionLink = endpoint({
  method: 'POST',
  path: '/supervision-link',
  proof: true,
  lasts: true,
  may: 'exams.take',
  summary: 'Make a link to the own page; the one before no longer opens',
  answer: Address,
})

const ofSite = z.strictObject({ programId: Id, siteId: Id })

export const getSiteSupervisionLink = endpoint({
  method: 'GET',
  path: '/programs/:programId/sites/:siteId/supervision-link',
  may: 'exams.read',
  summary: 'The link of the page of a site',
  params: ofSite,
  answer: Address.extend({ Site: z.string() }),
})

export const renewSiteSupervisionLink = endpoint({
  method: 'POST',
  path: '/programs/:programId/sites/:siteId/supervision-link',
  proof: true,
  lasts: true,
  may: 'examiners.manage',
  summary: 'Make a link to the page of a site; the printed code before no longer opens',
  params: ofSite,
  answer: Address,
})

export const endSiteSupervisionLink = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/sites/:siteId/supervision-link',
  may: 'examiners.manage',
  summary: 'End the page of a site',
  params: ofSite,
})
