import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Instant, Line, PageOf, paging } from '#contract/core/fields.ts'
import { byChoice, byView, queryOf } from '#contract/core/filters.ts'
import { byLink } from '#contract/links/links.ts'

/**
 * A placement list tells the contact of a site who comes in a rotation, by a link without an account; the contact confirms or
 * declines each student. waiting: not everybody is answered; answered: everybody is; withdrawn: its link opens nothing.
 */
export const listStates = ['waiting', 'answered', 'withdrawn'] as const
export type ListState = (typeof listStates)[number]

/** The most sites that one call sends lists to. */
export const maxSites = 200
/** How long after its date a list can be answered, in days. */
export const openAfterDays = 14
export const reasonLength = 300

const PlacementList = z.object({
  Id,
  SiteId: Id,
  Site: z.string(),
  RotationId: Id,
  Rotation: z.string(),
  RecipientName: z.string(),
  RecipientEmail: z.string(),
  AnswerBy: DateOnly,
  /** Whether somebody is unanswered after that date. */
  IsLate: z.boolean(),
  State: z.enum(listStates),
  Students: z.number().int(),
  Confirmed: z.number().int(),
  Declined: z.number().int(),
  SentAt: Instant,
  RemindedAt: Instant.nullable(),
})
export type PlacementList = z.infer<typeof PlacementList>

const ListedStudent = z.object({
  StudentId: Id,
  Student: z.string(),
  StudentLevel: z.string().nullable(),
  FirstDate: DateOnly,
  LastDate: DateOnly,
  Shifts: z.number().int(),
  IsConfirmed: z.boolean().nullable(),
  /** Why the site declined; empty otherwise. */
  Reason: z.string(),
  AnsweredAt: Instant.nullable(),
})
export type ListedStudent = z.infer<typeof ListedStudent>

export const placementListFilters = {
  /** Late are those that are open after their date, declined those with a student whom the site declined. */
  show: byView('show', 'Show', {
    open: 'Waiting for the {site}',
    late: 'Overdue',
    declined: 'With {students} declined',
    all: 'All',
  }),
  rotation: byChoice('RotationId', 'rotation', 'Rotation'),
  site: byChoice('SiteId', 'site', '{Site}'),
} as const
const filters = queryOf(placementListFilters)

export const listPlacementLists = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-lists',
  may: 'placement-lists.read',
  summary: 'Placement lists that were sent to sites, the newest first',
  params: InProgram,
  query: z.strictObject({ ...paging, ...filters }),
  answer: PageOf(PlacementList),
})

export const exportPlacementLists = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-lists/export',
  isHeavy: true,
  mayBePrepared: true,
  may: 'placement-lists.read',
  summary: 'The filtered placement lists as a file, one row for each student',
  params: InProgram,
  query: z.strictObject({ ...filters, Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

/** What keeps a list from being sent: the site has no contact with an email, or no basis to tell it who comes. */
export const sendProblems = ['contact', 'basis'] as const

export const listSendableSites = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-lists/sites',
  may: 'placement-lists.send',
  summary: 'Sites that students go to in a rotation from today, and whether a list can be sent to each',
  params: InProgram,
  query: z.strictObject({ RotationId: Id }),
  answer: z.array(
    z.object({
      SiteId: Id,
      Site: z.string(),
      Students: z.number().int(),
      /** Students whom the site may not be told about: they have not consented. */
      Untold: z.number().int(),
      RecipientName: z.string(),
      RecipientEmail: z.string(),
      Problem: z.enum(sendProblems).nullable(),
      /** When the list of this site and rotation was sent that is open now. */
      SentAt: Instant.nullable(),
    }),
  ),
})

export const sendPlacementLists = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-lists',
  proof: true,
  lasts: true,
  may: 'placement-lists.send',
  summary:
    'Send sites their placement lists by mailed links. A new list replaces the open one of its site and rotation; answers about students whose dates are the same are kept',
  params: InProgram,
  body: z.strictObject({
    RotationId: Id,
    SiteIds: z.array(Id).min(1).max(maxSites),
    AnswerBy: DateOnly,
    Note: Line(500).default(''),
  }),
  answer: z.object({
    Sent: z.number().int(),
    Skipped: z.array(z.object({ Site: z.string(), Problem: z.enum(sendProblems) })),
  }),
  status: 201,
  errors: { 404: 'no such rotation or site', 422: 'the date is over' },
})

const oneList = z.strictObject({ programId: Id, listId: Id })

export const getPlacementList = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-lists/:listId',
  may: 'placement-lists.read',
  summary: 'A placement list with its students and their answers',
  params: oneList,
  answer: PlacementList.extend({
    Note: z.string(),
    Openings: z.number().int(),
    LastOpenedAt: Instant.nullable(),
    Items: z.array(ListedStudent),
  }),
  errors: { 404: 'no such list' },
})

export const remindSite = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-lists/:listId/reminders',
  proof: true,
  lasts: true,
  may: 'placement-lists.send',
  summary: 'Mail the site a new link to its list; the one before opens nothing any more',
  params: oneList,
  answer: PlacementList,
  errors: { 404: 'no such list', 409: 'it is answered or withdrawn' },
})

export const withdrawPlacementList = endpoint({
  method: 'POST',
  path: '/programs/:programId/placement-lists/:listId/withdrawals',
  may: 'placement-lists.send',
  summary: 'Withdraw a list: its link opens nothing any more, and the answers stay',
  params: oneList,
  answer: PlacementList,
  errors: { 404: 'no such list', 409: 'it was withdrawn before' },
})

// The site, by its link -----------------------------------------------------------------------------------------------

const linkErrors = {
  401: 'this device has to open the link first',
  404: 'the link is unknown, expired or was withdrawn',
}

export const openPlacementList = endpoint({
  method: 'GET',
  path: '/site-placement-lists/:token',
  may: 'everyone',
  summary: 'The placement list behind its link',
  params: byLink,
  answer: z.object({
    Site: z.string(),
    Rotation: z.string(),
    Note: z.string(),
    AnswerBy: DateOnly,
    Items: z.array(ListedStudent),
  }),
  errors: linkErrors,
})

export const answerPlacementList = endpoint({
  method: 'POST',
  path: '/site-placement-lists/:token/answers',
  bodyLimit: 256 * 1024,
  may: 'everyone',
  summary: 'Confirm or decline students as the site; an answer can be changed while the link works',
  params: byLink,
  body: z.strictObject({
    Answers: z
      .array(
        z.strictObject({ StudentId: Id, IsConfirmed: z.boolean(), Reason: Line(reasonLength).default('') }),
      )
      .min(1)
      .max(2000),
  }),
  answer: z.object({ Confirmed: z.number().int(), Declined: z.number().int(), Waiting: z.number().int() }),
  errors: {
    ...linkErrors,
    409: 'a newer list was sent',
    422: 'a student who is not on the list, or a decline without a reason',
  },
})
