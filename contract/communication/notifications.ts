import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, Ids, Instant } from '#contract/core/fields.ts'

export const Notification = z.object({
  Id,
  Kind: z.string(),
  Text: z.string(),
  /** An address of the product, or empty. */
  Link: z.string(),
  IsRead: z.boolean(),
  CreatedAt: Instant,
})
export type Notification = z.infer<typeof Notification>

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications',
  may: 'signed-in',
  summary: 'The own notifications, newest first, at most 100',
  answer: z.array(Notification),
})

export const readNotifications = endpoint({
  method: 'POST',
  path: '/notifications/reads',
  may: 'signed-in',
  summary: 'Mark own notifications as read; without ids all of them',
  body: z.strictObject({ Ids: Ids.optional() }),
})
