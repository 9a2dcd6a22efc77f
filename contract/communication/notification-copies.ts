import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, IdOrNew, InProgram } from '#contract/core/fields.ts'

/** Who gets a copy of the emails that the product writes to the people of an area. */
export const NotificationCopy = z.object({
  Id,
  UserId: Id,
  UserName: z.string(),
  /** Null means all areas. */
  AreaId: Id.nullable(),
  AreaName: z.string().nullable(),
})
export type NotificationCopy = z.infer<typeof NotificationCopy>

/** A row is sent whole, with Id 0 when it is new; the names change nothing. */
export const NotificationCopyInput = z.strictObject({
  Id: IdOrNew.optional(),
  UserId: Id,
  UserName: z.string().optional(),
  AreaId: Id.nullable().default(null),
  AreaName: z.string().nullable().optional(),
})

const oneCopy = z.strictObject({ programId: Id, notificationId: Id })
const errors = { 409: 'the person gets these copies already', 422: 'the person or the area does not exist' }

export const listNotificationCopies = endpoint({
  method: 'GET',
  path: '/programs/:programId/notifications',
  may: 'notifications.manage',
  summary: 'Who gets copies of emails, by name',
  params: InProgram,
  answer: z.array(NotificationCopy),
})

export const createNotificationCopy = endpoint({
  method: 'POST',
  path: '/programs/:programId/notifications',
  may: 'notifications.manage',
  summary: 'Copy emails to the people of an area, or of all areas, to somebody',
  params: InProgram,
  body: NotificationCopyInput,
  answer: NotificationCopy,
  errors,
})

export const updateNotificationCopy = endpoint({
  method: 'POST',
  path: '/programs/:programId/notifications/:notificationId',
  may: 'notifications.manage',
  summary: 'Change who gets copies, or of which area',
  params: oneCopy,
  body: NotificationCopyInput,
  answer: NotificationCopy,
  errors,
  basis: { read: listNotificationCopies, item: 'notificationId' },
})

export const deleteNotificationCopy = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/notifications/:notificationId',
  may: 'notifications.manage',
  summary: 'Copy emails to somebody no longer',
  params: oneCopy,
})
