import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Instant } from '#contract/core/fields.ts'

/**
 * A site that several programs share, also of several colleges: one counter of students a day, which holds all of them. Each program
 * knows it as a site of its own, joins by a code that another has given it, and can leave at any time.
 */
const SharedSite = z.object({
  Id,
  SiteId: Id,
  /** The program's own site. */
  Site: z.string(),
  /** Students a day, of all programs together. */
  Capacity: z.number().int(),
  JoinedAt: Instant,
  Programs: z.array(z.object({ Program: z.string(), College: z.string(), IsOwn: z.boolean() })),
})
export type SharedSite = z.infer<typeof SharedSite>

/** The most days that one call tells the places of. */
export const mostSharedDays = 62

const oneShared = z.strictObject({ programId: Id, sharedSiteId: Id })

export const listSharedSites = endpoint({
  method: 'GET',
  path: '/programs/:programId/shared-sites',
  may: 'shared-sites.read',
  summary: 'Sites that the program shares with others, and with whom',
  params: InProgram,
  answer: z.array(SharedSite),
})

export const listSharedDays = endpoint({
  method: 'GET',
  path: '/programs/:programId/shared-sites/:sharedSiteId/days',
  may: 'shared-sites.read',
  summary:
    'Places left at a shared site by day; a range where the figure would tell of fewer than five students of others',
  params: oneShared,
  query: z.strictObject({ FromDate: DateOnly, ThroughDate: DateOnly }),
  answer: z.array(
    z.object({
      Date: DateOnly,
      /** Students of this program. */
      Own: z.number().int(),
      /** There are at least so many places left, */
      LeftFrom: z.number().int(),
      /** and at most so many. */
      LeftThrough: z.number().int(),
    }),
  ),
  errors: { 404: 'the program does not share this', 422: 'too many days' },
})

const Code = z.string().min(1).max(60)

export const shareSite = endpoint({
  method: 'POST',
  path: '/programs/:programId/shared-sites',
  proof: true,
  lasts: true,
  may: 'shared-sites.manage',
  summary: 'Share a site: answers a code by which one other program may join',
  params: InProgram,
  body: z.strictObject({
    SiteId: Id,
    Capacity: z.number().int('must be a whole number').min(1, 'must be at least 1').max(10_000),
  }),
  answer: z.object({ Id, Code: z.string() }),
  status: 201,
  errors: { 404: 'no such site', 409: 'it is shared already' },
})

export const addSharedCode = endpoint({
  method: 'POST',
  path: '/programs/:programId/shared-sites/:sharedSiteId/codes',
  proof: true,
  lasts: true,
  may: 'shared-sites.manage',
  summary: 'One more code, by which one more program may join within two weeks',
  params: oneShared,
  answer: z.object({ Code: z.string() }),
  status: 201,
  errors: { 404: 'the program does not share this' },
})

const SharedOffer = z.object({
  Site: z.string(),
  Capacity: z.number().int(),
  Program: z.string(),
  College: z.string(),
})
const codeErrors = {
  404: 'the code is unknown, used or over',
  429: 'too many codes were tried',
}

export const readSharedOffer = endpoint({
  method: 'POST',
  path: '/programs/:programId/shared-site-offers',
  may: 'shared-sites.manage',
  summary: 'What a code offers to share, before joining; uses nothing up',
  params: InProgram,
  body: z.strictObject({ Code }),
  answer: SharedOffer,
  errors: codeErrors,
})

export const joinSharedSite = endpoint({
  method: 'POST',
  path: '/programs/:programId/shared-site-offers/joins',
  may: 'shared-sites.manage',
  summary: 'Join a shared site by its code: from then on all programs count together',
  params: InProgram,
  body: z.strictObject({ Code, SiteId: Id }),
  answer: SharedSite,
  status: 201,
  errors: { ...codeErrors, 409: 'the program shares this site, or has joined, already' },
})

export const leaveSharedSite = endpoint({
  method: 'POST',
  path: '/programs/:programId/shared-sites/:sharedSiteId/leavings',
  may: 'shared-sites.manage',
  summary: 'Stop sharing a site: the program’s students are no longer counted with those of the others',
  params: oneShared,
  errors: { 404: 'the program does not share this' },
})
