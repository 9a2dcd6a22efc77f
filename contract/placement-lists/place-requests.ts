import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Instant, Line, PageOf, paging } from '#contract/core/fields.ts'
import { byChoice, byView, queryOf } from '#contract/core/filters.ts'
import { byLink } from '#contract/links/links.ts'
import { maxSites } from './placement-lists.ts'

/**
 * A request for places asks the contact of a site, by a link without an account, how many students it takes at a time in a stretch of
 * days. waiting: not answered; offered: the site has said what it can do; accepted: plans and shifts count with that; declined: the
 * program does not take it; withdrawn: its link opens nothing.
 */
export const requestStates = ['waiting', 'offered', 'accepted', 'declined', 'withdrawn'] as const
export type RequestState = (typeof requestStates)[number]

export const siteAnswers = ['yes', 'fewer', 'otherDates', 'no'] as const
export type SiteAnswerKind = (typeof siteAnswers)[number]

export const mostPlaces = 1_000
/** The longest stretch that one request asks for, in days. */
export const longestRequestDays = 731
export const wordsLength = 500

const Places = z.number().int('must be a whole number').min(1, 'must be at least 1').max(mostPlaces)

const askedFields = {
  Site: z.string(),
  /** The code of the shift; null for the whole site. */
  Shift: z.string().nullable(),
  /** Null for students of any level. */
  StudentLevel: z.string().nullable(),
  StartDate: DateOnly,
  EndDate: DateOnly,
  /** Students at a time. */
  Places: z.number().int(),
  Note: z.string(),
  AnswerBy: DateOnly,
  Answer: z.enum(siteAnswers).nullable(),
  /** What the site offers; null until it answers. None when it says no. */
  OfferedPlaces: z.number().int().nullable(),
  OfferedFrom: DateOnly.nullable(),
  OfferedThrough: DateOnly.nullable(),
  /** What the site says besides. */
  Words: z.string(),
  AnsweredAt: Instant.nullable(),
  State: z.enum(requestStates),
}

const PlaceRequest = z.object({
  Id,
  SiteId: Id,
  SiteShiftId: Id.nullable(),
  ...askedFields,
  RecipientName: z.string(),
  RecipientEmail: z.string(),
  /** Whether it waits after its date. */
  IsLate: z.boolean(),
  SentAt: Instant,
  RemindedAt: Instant.nullable(),
  DecidedAt: Instant.nullable(),
})
export type PlaceRequest = z.infer<typeof PlaceRequest>

export const placeRequestFilters = {
  show: byView('show', 'Show', {
    open: 'Open',
    offered: 'Waiting for your decision',
    late: 'Overdue',
    accepted: 'Accepted',
    all: 'All',
  }),
  site: byChoice('SiteId', 'site', '{Site}'),
} as const
const filters = queryOf(placeRequestFilters)

export const listPlaceRequests = endpoint({
  method: 'GET',
  path: '/programs/:programId/place-requests',
  may: 'place-requests.read',
  summary: 'Requests for places, the newest first',
  params: InProgram,
  query: z.strictObject({ ...paging, ...filters }),
  answer: PageOf(PlaceRequest),
})

export const exportPlaceRequests = endpoint({
  method: 'GET',
  path: '/programs/:programId/place-requests/export',
  isHeavy: true,
  mayBePrepared: true,
  may: 'place-requests.read',
  summary: 'The filtered requests for places as a file',
  params: InProgram,
  query: z.strictObject({ ...filters, Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

export const listAskableSites = endpoint({
  method: 'GET',
  path: '/programs/:programId/place-requests/sites',
  may: 'place-requests.send',
  summary: 'Active sites with the contact that a request goes to',
  params: InProgram,
  answer: z.array(
    z.object({
      SiteId: Id,
      Site: z.string(),
      RecipientName: z.string(),
      /** Empty for a site without a contact that has an email: nothing can be sent to it. */
      RecipientEmail: z.string(),
      Shifts: z.array(z.object({ SiteShiftId: Id, Code: z.string(), Name: z.string() })),
    }),
  ),
})

export const listRequestPlans = endpoint({
  method: 'GET',
  path: '/programs/:programId/place-requests/plans',
  may: 'place-requests.send',
  summary:
    'Placement plans that are not over, with the blocks whose dates a request can take, the next one first',
  params: InProgram,
  answer: z.array(
    z.object({
      Id,
      Name: z.string(),
      StartDate: DateOnly,
      EndDate: DateOnly,
      Blocks: z.array(z.object({ StartDate: DateOnly, EndDate: DateOnly })),
    }),
  ),
})

export const sendPlaceRequests = endpoint({
  method: 'POST',
  path: '/programs/:programId/place-requests',
  proof: true,
  lasts: true,
  may: 'place-requests.send',
  summary:
    'Ask sites for places by mailed links: so many students at a time, for the whole site or for one shift',
  params: InProgram,
  body: z
    .strictObject({
      SiteIds: z.array(Id).min(1).max(maxSites),
      /** A shift of the only site that is asked. */
      SiteShiftId: Id.nullable().default(null),
      StudentLevelId: z.number().int().min(1).max(20).nullable().default(null),
      StartDate: DateOnly,
      EndDate: DateOnly,
      Places,
      AnswerBy: DateOnly,
      Note: Line(500).default(''),
    })
    .refine(({ StartDate, EndDate }) => StartDate <= EndDate, {
      path: ['EndDate'],
      message: 'must not be before the first day',
    })
    .refine(({ SiteIds, SiteShiftId }) => SiteShiftId === null || SiteIds.length === 1, {
      path: ['SiteShiftId'],
      message: 'can be given for one site only',
    }),
  answer: z.object({
    Sent: z.number().int(),
    /** Names of sites without a contact that has an email. */
    Skipped: z.array(z.string()),
  }),
  status: 201,
  errors: { 404: 'no such site, shift or level', 422: 'a date is over, or the stretch is too long' },
})

const oneRequest = z.strictObject({ programId: Id, requestId: Id })

export const getPlaceRequest = endpoint({
  method: 'GET',
  path: '/programs/:programId/place-requests/:requestId',
  may: 'place-requests.read',
  summary: 'A request for places with what happened to it, the newest first',
  params: oneRequest,
  answer: PlaceRequest.extend({
    Openings: z.number().int(),
    LastOpenedAt: Instant.nullable(),
    /** Days of a shift that hold more students than the site offers, with the most of them; null where the offer can be accepted. */
    Overfull: z.object({ Date: DateOnly, Placed: z.number().int() }).nullable(),
  }),
  errors: { 404: 'no such request' },
})

export const remindPlaceRequest = endpoint({
  method: 'POST',
  path: '/programs/:programId/place-requests/:requestId/reminders',
  proof: true,
  lasts: true,
  may: 'place-requests.send',
  summary: 'Mail the site a new link to the request; the one before opens nothing any more',
  params: oneRequest,
  answer: PlaceRequest,
  errors: { 404: 'no such request', 409: 'it is answered or withdrawn' },
})

export const withdrawPlaceRequest = endpoint({
  method: 'POST',
  path: '/programs/:programId/place-requests/:requestId/withdrawals',
  may: 'place-requests.send',
  summary: 'Withdraw a request that is not decided: its link opens nothing any more',
  params: oneRequest,
  answer: PlaceRequest,
  errors: { 404: 'no such request', 409: 'it was decided or withdrawn before' },
})

export const decidePlaceRequest = endpoint({
  method: 'POST',
  path: '/programs/:programId/place-requests/:requestId/decisions',
  may: 'place-requests.send',
  summary:
    'Accept or decline what a site offers. Accepted, the days of the shift have as many places, or plans count at most so many at the site',
  params: oneRequest,
  body: z.strictObject({
    IsAccepted: z.boolean(),
    /** The answer that the decision is about: a newer one is read first. */
    AnsweredAt: Instant,
  }),
  answer: PlaceRequest,
  errors: {
    404: 'no such request',
    409: 'the site has not answered, has answered anew, it is decided, or more students are placed already',
  },
})

// The site, by its link -----------------------------------------------------------------------------------------------

const linkErrors = {
  401: 'this device has to open the link first',
  404: 'the link is unknown, expired or was withdrawn',
}

export const openPlaceRequest = endpoint({
  method: 'GET',
  path: '/site-place-requests/:token',
  may: 'everyone',
  summary: 'The request for places behind its link',
  params: byLink,
  answer: z.object(askedFields),
  errors: linkErrors,
})

export const answerPlaceRequest = endpoint({
  method: 'POST',
  path: '/site-place-requests/:token/answers',
  may: 'everyone',
  summary: 'Answer a request for places as the site; the answer can be changed until the school has decided',
  params: byLink,
  body: z
    .strictObject({
      Answer: z.enum(siteAnswers),
      /** Read for fewer places and for other dates. */
      Places: Places.nullable().default(null),
      /** Read for other dates. */
      StartDate: DateOnly.nullable().default(null),
      EndDate: DateOnly.nullable().default(null),
      Words: Line(wordsLength).default(''),
    })
    .refine(({ Answer, Places: places }) => Answer !== 'fewer' || places !== null, {
      path: ['Places'],
      message: 'is required',
    })
    .refine(({ Answer, StartDate }) => Answer !== 'otherDates' || StartDate !== null, {
      path: ['StartDate'],
      message: 'is required',
    })
    .refine(({ Answer, EndDate }) => Answer !== 'otherDates' || EndDate !== null, {
      path: ['EndDate'],
      message: 'is required',
    })
    .refine(
      ({ Answer, StartDate, EndDate }) =>
        Answer !== 'otherDates' || StartDate === null || EndDate === null || StartDate <= EndDate,
      { path: ['EndDate'], message: 'must not be before the first day' },
    ),
  answer: z.object(askedFields),
  errors: {
    ...linkErrors,
    409: 'the school has decided',
    422: 'as many or more places than asked for as "fewer", or other dates that are over or too long',
  },
})
