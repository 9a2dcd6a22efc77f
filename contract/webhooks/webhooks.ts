import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, InProgram, Instant, Line, PageOf, paging, WebAddress } from '#contract/core/fields.ts'

/** What a program can tell, by the type that is in the event. */
export const webhookEvents = [
  'assignment.created',
  'assignment.changed',
  'assignment.removed',
  'time.punched',
  'time.approved',
  'time.rejected',
  'time.changed',
  'time.deleted',
  'time.restored',
  'evaluation.completed',
  'procedure.verified',
  'competency.passed',
  'requirement.accepted',
  'requirement.expired',
  'person.created',
  'person.changed',
  'person.deactivated',
  'agreement.expiring',
  'placement.accepted',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** Most endpoints of a program. */
export const maxWebhooks = 20

export const Webhook = z.object({
  Id,
  Url: z.string(),
  Description: z.string(),
  Events: z.array(z.string()),
  IsEnabled: z.boolean(),
  /** Why the product has switched it off; empty when it has not. */
  DisabledReason: z.string(),
  /** Until when the secret before the last rotation signs too. */
  PreviousUntil: Instant.nullable(),
  LastSuccessDate: Instant.nullable(),
  LastErrorDate: Instant.nullable(),
  LastError: z.string(),
  /** Events that are not delivered yet. */
  WaitingCount: z.number().int(),
})
export type Webhook = z.infer<typeof Webhook>

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/programs/:programId/webhooks',
  may: 'webhooks.manage',
  byKey: 'never',
  summary: "The program's webhook endpoints, with how they are doing",
  params: InProgram,
  answer: z.array(Webhook),
})

const WebhookInput = z.strictObject({
  /** Begins with https://. */
  Url: WebAddress,
  Description: Line(200).default(''),
  Events: z
    .array(z.enum(webhookEvents))
    .min(1, 'must name at least one event')
    .transform((events) => [...new Set(events)]),
  IsEnabled: z.boolean().default(true),
})

const refusals = { 422: 'the address may not be called, or there are 20 endpoints' } as const
const WithSecret = Webhook.extend({ Secret: z.string() })

export const createWebhook = endpoint({
  method: 'POST',
  path: '/programs/:programId/webhooks',
  proof: 'webhook',
  lasts: true,
  answersSecret: true,
  may: 'webhooks.manage',
  byKey: 'never',
  summary: 'Add an endpoint. Its secret is told this once',
  params: InProgram,
  body: WebhookInput,
  answer: WithSecret,
  errors: refusals,
})

const oneWebhook = z.strictObject({ programId: Id, webhookId: Id })

export const updateWebhook = endpoint({
  method: 'POST',
  path: '/programs/:programId/webhooks/:webhookId',
  proof: 'webhook',
  lasts: true,
  may: 'webhooks.manage',
  byKey: 'never',
  summary: 'Change an endpoint; switched on again, it gets what waits for it at once',
  params: oneWebhook,
  body: WebhookInput,
  answer: Webhook,
  errors: refusals,
  basis: {
    read: listWebhooks,
    item: 'webhookId',
  },
})

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/webhooks/:webhookId',
  may: 'webhooks.manage',
  byKey: 'never',
  summary: 'Delete an endpoint; what waits for it is not sent',
  params: oneWebhook,
})

export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/programs/:programId/webhooks/:webhookId/rotations',
  proof: 'webhook',
  lasts: true,
  answersSecret: true,
  may: 'webhooks.manage',
  byKey: 'never',
  summary: 'Make a new secret. For 24 hours the one before signs too',
  params: oneWebhook,
  answer: WithSecret,
})

export const testWebhook = endpoint({
  method: 'POST',
  path: '/programs/:programId/webhooks/:webhookId/tests',
  may: 'webhooks.manage',
  byKey: 'never',
  summary: 'Send a test event to an endpoint; the deliveries tell what came of it',
  params: oneWebhook,
  errors: { 422: 'the endpoint is switched off' },
})

export const WebhookDelivery = z.object({
  EventId: Id,
  Type: z.string(),
  /** What it is about, such as assignment/12; its events come in the order of their numbers. */
  Subject: z.string(),
  Number: z.number().int(),
  Date: Instant,
  State: z.enum(['waiting', 'delivered', 'failed']),
  Attempts: z.number().int(),
  /** When a waiting one is tried next. */
  NextDate: Instant.nullable(),
  TryDate: Instant.nullable(),
  /** The status of the last answer; null without one. */
  Status: z.number().int().nullable(),
  Milliseconds: z.number().int().nullable(),
  Error: z.string(),
  /** What was sent. */
  Body: z.string(),
  /** The beginning of the last answer. */
  Answer: z.string(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const listWebhookDeliveries = endpoint({
  method: 'GET',
  path: '/programs/:programId/webhooks/:webhookId/deliveries',
  may: 'webhooks.manage',
  byKey: 'never',
  summary: 'What was sent to an endpoint in the last 30 days, newest first',
  params: oneWebhook,
  query: z.strictObject({
    ...paging,
    State: z.enum(['waiting', 'delivered', 'failed']).optional(),
  }),
  answer: PageOf(WebhookDelivery),
})

export const resendWebhook = endpoint({
  method: 'POST',
  path: '/programs/:programId/webhooks/:webhookId/deliveries/:eventId/resends',
  may: 'webhooks.manage',
  byKey: 'never',
  summary: 'Send an event to the endpoint once more, with the same webhook-id',
  params: z.strictObject({ programId: Id, webhookId: Id, eventId: Id }),
  errors: { 422: 'the endpoint is switched off' },
})
