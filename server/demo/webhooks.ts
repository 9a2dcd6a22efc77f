import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { seal, webhookContext } from '#server/core/auth/seal.ts'

const programId = 1
const hour = 3_600_000

/** One event of the demo and how its delivery went; `ago` and `tried` are hours before now. */
interface Told {
  type: string
  subject: string
  data: Record<string, unknown>
  ago: number
  state: 'delivered' | 'failed' | 'waiting'
  attempts: number
  tried?: number
  status?: number
  answer?: string
  error?: string
  milliseconds?: number
}

const delivered = (ago: number, tried = ago): Omit<Told, 'type' | 'subject' | 'data'> => ({
  ago,
  state: 'delivered',
  attempts: 1,
  tried,
  status: 200,
  answer: '{"received":true}',
  milliseconds: 140 + (Math.round(ago) % 7) * 23,
})

const addEndpoint = async (
  client: pg.ClientBase,
  secretKey: string,
  endpoint: {
    url: string
    description: string
    events: string[]
    isEnabled: boolean
    disabledReason: string
    lastSuccess: number
    lastError: number | null
    error: string
    createdAgo: number
  },
  stamp: (ago: number) => string,
): Promise<number> => {
  const { rows } = await client.query<{ id: number }>(
    `insert into webhook_endpoint (program_id, url, description, events, secret, is_enabled, disabled_reason, last_success_at,
        last_error_at, last_error, created_at, created_by)
      select $1, $2, $3, $4, '', $5, $6, $7, $8, $9, $10, min(id) from account where program_id = $1 and user_name = 'admin'
      returning id`,
    [
      programId,
      endpoint.url,
      endpoint.description,
      endpoint.events,
      endpoint.isEnabled,
      endpoint.disabledReason,
      stamp(endpoint.lastSuccess),
      endpoint.lastError === null ? null : stamp(endpoint.lastError),
      endpoint.error,
      stamp(endpoint.createdAgo),
    ],
  )
  const id = rows[0]!.id
  // Known to nobody: whoever wants to receive from it rotates it.
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  await client.query('update webhook_endpoint set secret = $3 where program_id = $1 and id = $2', [
    programId,
    id,
    seal(secretKey, webhookContext(programId, id), secret),
  ])
  return id
}

const addEvents = async (
  client: pg.ClientBase,
  endpointId: number,
  told: readonly Told[],
  stamp: (ago: number) => string,
): Promise<void> => {
  for (const each of told) {
    const { rows } = await client.query<{ id: number }>(
      `with subject as (
          insert into webhook_subject as s (program_id, subject, last_number) values ($1, $2, 1)
          on conflict (program_id, subject) do update set last_number = s.last_number + 1 returning last_number)
        insert into webhook_event (program_id, type, subject, number, data, at)
        select $1, $3, $2, last_number, $4, $5 from subject returning id`,
      [programId, each.subject, each.type, JSON.stringify(each.data), stamp(each.ago)],
    )
    await client.query(
      `insert into webhook_delivery (program_id, endpoint_id, event_id, subject, state, attempts, next_at, tried_at, status, answer,
          error, milliseconds)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        programId,
        endpointId,
        rows[0]!.id,
        each.subject,
        each.state,
        each.attempts,
        stamp(each.ago),
        each.tried === undefined ? null : stamp(each.tried),
        each.status ?? null,
        each.answer ?? '',
        each.error ?? '',
        each.milliseconds ?? null,
      ],
    )
  }
}

/**
 * Two webhooks of the first program: one that works, with an event that was sent again, and one that the product has switched off after
 * three days of failures, with what it did not take and what is queued behind it. Both go to reserved names, and nothing is due.
 */
export const makeWebhooks = async (client: pg.ClientBase, secretKey: string, now: number): Promise<void> => {
  const stamp = (ago: number): string => new Date(now - ago * hour).toISOString()
  const { rows: accepted } = await client.query<{ PlanId: number; DraftId: number }>(
    `select plan_id as "PlanId", draft_id as "DraftId" from placement_acceptance where program_id = $1 order by plan_id limit 1`,
    [programId],
  )
  const { rows: agreements } = await client.query<{ AgreementId: number; EndDate: string }>(
    `select id as "AgreementId", termination_date::text as "EndDate" from affiliate_agreement
      where program_id = $1 and termination_date is not null order by termination_date, id limit 3`,
    [programId],
  )
  const { rows: punches } = await client.query<{
    RecordId: number
    StudentId: number
    SiteId: number
    Kind: string
  }>(
    `select id as "RecordId", student_id as "StudentId", site_id as "SiteId", kind as "Kind" from time_record
      where program_id = $1 and kind in ('in', 'out') and occurred_at < now() - interval '5 days'
      order by occurred_at desc, id limit 7`,
    [programId],
  )
  const working = await addEndpoint(
    client,
    secretKey,
    {
      url: 'https://events.harborcollege.example/practicum',
      description: 'Data warehouse of the college',
      events: ['placement.accepted', 'agreement.expiring'],
      isEnabled: true,
      disabledReason: '',
      lastSuccess: 21,
      lastError: 195,
      error: 'The endpoint answered 502.',
      createdAgo: 24 * 60,
    },
    stamp,
  )
  await addEvents(
    client,
    working,
    [
      ...accepted.map((data) => ({
        type: 'placement.accepted',
        subject: `placement-plan/${data.PlanId}`,
        data: { ...data },
        ...delivered(24 * 24),
      })),
      ...agreements.map((data, index) => ({
        type: 'agreement.expiring',
        subject: `agreement/${data.AgreementId}`,
        data: { ...data },
        // The second was taken at the third attempt, and the last sent again by hand the day after.
        ...[delivered(24 * 12), { ...delivered(196, 195), attempts: 3 }, delivered(45, 21)][index]!,
      })),
    ],
    stamp,
  )
  const failing = await addEndpoint(
    client,
    secretKey,
    {
      url: 'https://time.lakesidehealth.example/hooks/students',
      description: 'Time system of Lakeside Health',
      events: ['time.punched', 'time.approved', 'time.rejected'],
      isEnabled: false,
      disabledReason: 'it did not take an event for three days. The endpoint answered 503.',
      lastSuccess: 100,
      lastError: 20,
      error: 'The endpoint answered 503.',
      createdAgo: 24 * 40,
    },
    stamp,
  )
  const outcomes = [
    delivered(104),
    delivered(102),
    delivered(100),
    {
      ago: 97,
      state: 'failed' as const,
      attempts: 10,
      tried: 20,
      status: 503,
      answer: '<h1>Service unavailable</h1>',
      error: 'The endpoint answered 503.',
      milliseconds: 2_140,
    },
    { ago: 95, state: 'waiting' as const, attempts: 0 },
    { ago: 73, state: 'waiting' as const, attempts: 0 },
    { ago: 71, state: 'waiting' as const, attempts: 0 },
  ]
  await addEvents(
    client,
    failing,
    outcomes.flatMap((outcome, index) => {
      const data = punches[index]
      if (!data) return []
      return {
        type: 'time.punched',
        subject: `student/${punches[index < 3 ? index : 3]?.StudentId}/time`,
        data: {
          ...data,
          StudentId: punches[index < 3 ? index : 3]?.StudentId,
          OccurredAt: stamp(outcome.ago),
        },
        ...outcome,
      }
    }),
    stamp,
  )
}
