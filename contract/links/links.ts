import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Instant } from '#contract/core/fields.ts'

/** What a scoped link can open, with the page that it leads to (`{root}/new/<page>/<token>`). */
export const linkPages = {
  packet: 'packet',
  exam: 'exam',
  swap: 'shift-change',
  list: 'placement-list',
  inbox: 'inbox',
  places: 'place-request',
} as const
export type LinkKind = keyof typeof linkPages
const kinds = Object.keys(linkPages) as [LinkKind, ...LinkKind[]]

/** Minutes that a mailed code works. */
export const linkCodeMinutes = 10
/** Minutes that an opening lasts; the page opens again by itself, and each opening is in the audit. */
export const linkOpeningMinutes = 60

export const LinkToken = z.string().min(20).max(100)
export const byLink = z.strictObject({ token: LinkToken })

/** What a link says of itself before it is opened. Nothing of what is behind it. */
export const LinkState = z.object({
  Kind: z.enum(kinds),
  Program: z.string(),
  College: z.string(),
  RecipientName: z.string(),
  /** Enough of the address for the recipient to know the mailbox: `a…@hospital.example`. */
  RecipientEmail: z.string(),
  ExpiresAt: Instant,
  /** Whether this device has typed a code before, so that none is asked. */
  IsKnownDevice: z.boolean(),
})
export type LinkState = z.infer<typeof LinkState>

const over = 'the link is unknown, expired or was withdrawn'

export const getLink = endpoint({
  method: 'GET',
  path: '/links/:token',
  may: 'everyone',
  summary: 'What a scoped link is; uses nothing up, so that a scanner of mail may open it',
  params: byLink,
  answer: LinkState,
  errors: { 404: over, 429: 'too many attempts' },
})

export const mailLinkCode = endpoint({
  method: 'POST',
  path: '/links/:token/codes',
  may: 'everyone',
  summary: 'Mail a code to the recipient of a scoped link; it replaces the one before',
  params: byLink,
  /** Goes back with the code: a code is of no use in another browser than the one that asked. */
  answer: z.object({ Key: z.string() }),
  errors: { 404: over, 429: 'too many codes' },
})

export const openLink = endpoint({
  method: 'POST',
  path: '/links/:token/openings',
  may: 'everyone',
  summary:
    'Open a scoped link: by the mailed code, or on a device that has typed one before. Each opening is in the audit',
  params: byLink,
  body: z.strictObject({
    Key: z.string().max(100).optional(),
    Code: z.string().max(50).optional(),
  }),
  answer: LinkState,
  errors: {
    401: 'this device has to type a code first',
    404: over,
    422: 'the code is wrong, was used or has expired',
    429: 'too many wrong codes',
  },
})
