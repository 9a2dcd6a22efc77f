import { sql } from 'kysely'
import type { Webhook, WebhookDelivery } from '#contract/webhooks/webhooks.ts'
import type { Db } from '#server/core/database/pool.ts'
import { bodyOf } from './signing.rules.ts'

/** For how long a process has a delivery before another one may take it: more than the deadline of a call. */
const claimSeconds = 60
/** Of one endpoint under way at a time, so that a program's other endpoints have theirs however long it takes. */
const mostUnderWay = 5

const endpoints = (db: Db, programId: number) =>
  db
    .selectFrom('webhook_endpoint as w')
    .where('w.program_id', '=', programId)
    .where('w.deleted_at', 'is', null)
    .select(['w.id as Id', 'w.url as Url', 'w.description as Description', 'w.events as Events'])
    .select(['w.is_enabled as IsEnabled', 'w.disabled_reason as DisabledReason'])
    .select([
      'w.last_success_at as LastSuccessDate',
      'w.last_error_at as LastErrorDate',
      'w.last_error as LastError',
    ])
    .select(
      sql<string | null>`case when w.previous_until > now() then w.previous_until end`.as('PreviousUntil'),
    )
    .select(
      sql<number>`(select count(*) from webhook_delivery d where d.program_id = w.program_id and d.endpoint_id = w.id
        and d.state = 'waiting')`.as('WaitingCount'),
    )

export const listWebhooks = (db: Db, programId: number): Promise<Webhook[]> =>
  endpoints(db, programId).orderBy('w.id').execute()

export const findWebhook = (db: Db, programId: number, webhookId: number): Promise<Webhook | undefined> =>
  endpoints(db, programId).where('w.id', '=', webhookId).executeTakeFirst()

interface Kept {
  Url: string
  Description: string
  Events: string[]
  IsEnabled: boolean
}

const columnsOf = ({ Url, Description, Events, IsEnabled }: Kept) => ({
  url: Url,
  description: Description,
  events: Events,
  is_enabled: IsEnabled,
})

export const insertWebhook = async (
  db: Db,
  programId: number,
  input: Kept & { accountId: number; secretOf: (id: number) => string },
): Promise<number> => {
  const { id } = await db
    .insertInto('webhook_endpoint')
    .values({ program_id: programId, ...columnsOf(input), secret: '', created_by: input.accountId })
    .returning('id')
    .executeTakeFirstOrThrow()
  // Sealed for its own row.
  await one(db, programId, id)
    .set({ secret: input.secretOf(id) })
    .execute()
  return id
}

const one = (db: Db, programId: number, webhookId: number) =>
  db.updateTable('webhook_endpoint').where('program_id', '=', programId).where('id', '=', webhookId)

export const updateWebhook = async (
  db: Db,
  programId: number,
  webhookId: number,
  input: Kept,
): Promise<void> => {
  await one(db, programId, webhookId)
    .set({ ...columnsOf(input), disabled_reason: '' })
    .execute()
}

/** What waits for an endpoint is tried at once, with all attempts before it. */
export const hurryDeliveries = async (db: Db, programId: number, webhookId: number): Promise<void> => {
  await db
    .updateTable('webhook_delivery')
    .set({ state: 'waiting', next_at: sql`now()`, attempts: 0 })
    .where('program_id', '=', programId)
    .where('endpoint_id', '=', webhookId)
    // What made it fail for good goes first again.
    .where('state', 'in', ['waiting', 'failed'])
    .execute()
}

export const deleteWebhook = async (db: Db, programId: number, webhookId: number): Promise<void> => {
  await one(db, programId, webhookId).set({ deleted_at: sql`now()`, is_enabled: false }).execute()
}

export const replaceSecret = async (
  db: Db,
  programId: number,
  webhookId: number,
  secret: string,
): Promise<void> => {
  await one(db, programId, webhookId)
    .set({
      secret,
      previous_secret: sql<string>`secret`,
      previous_until: sql<string>`now() + interval '24 hours'`,
    })
    .execute()
}

/** An event of nothing, for one endpoint. */
export const emitTest = async (db: Db, programId: number, webhookId: number): Promise<void> => {
  await sql`select emit_webhook(${programId}, 'practicum.test', ${`test/${webhookId}`}, '{"Message": "It works."}',
    to_endpoint => ${webhookId})`.execute(db)
}

const deliveries = (db: Db, programId: number, webhookId: number, state: string | undefined) =>
  db
    .selectFrom('webhook_delivery as d')
    .where('d.program_id', '=', programId)
    .where('d.endpoint_id', '=', webhookId)
    .$if(state !== undefined, (query) => query.where('d.state', '=', state!))

/** A page of what was sent, newest first. */
export const pageDeliveries = async (
  db: Db,
  { programId, webhookId, state }: { programId: number; webhookId: number; state: string | undefined },
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ Items: WebhookDelivery[]; Total: number; Page: number; PageSize: number }> => {
  const { Total } = await deliveries(db, programId, webhookId, state)
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const rows = await deliveries(db, programId, webhookId, state)
    .innerJoin('webhook_event as v', (join) =>
      join.onRef('v.program_id', '=', 'd.program_id').onRef('v.id', '=', 'd.event_id'),
    )
    .select(['v.id', 'v.type', 'v.subject', 'v.number', 'v.at', 'v.data'])
    .select([
      'd.state',
      'd.attempts',
      'd.next_at',
      'd.tried_at',
      'd.status',
      'd.milliseconds',
      'd.error',
      'd.answer',
    ])
    .orderBy('d.event_id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return {
    Items: rows.map((row) => ({
      EventId: row.id,
      Type: row.type,
      Subject: row.subject,
      Number: row.number,
      Date: row.at,
      // The table knows these states only.
      State: row.state as WebhookDelivery['State'],
      Attempts: row.attempts,
      NextDate: row.state === 'waiting' ? row.next_at : null,
      TryDate: row.tried_at,
      Status: row.status,
      Milliseconds: row.milliseconds,
      Error: row.error,
      Body: bodyOf(row),
      Answer: row.answer,
    })),
    Total,
    Page: page,
    PageSize: pageSize,
  }
}

/** Has an event sent once more; false when it was never sent to the endpoint, or is forgotten. */
export const resendDelivery = async (
  db: Db,
  { programId, webhookId, eventId }: { programId: number; webhookId: number; eventId: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('webhook_delivery')
    .set({ state: 'waiting', next_at: sql`now()`, attempts: 0, claimed_until: null })
    .where('program_id', '=', programId)
    .where('endpoint_id', '=', webhookId)
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A delivery that this process has claimed, with what it needs to be sent. */
export interface Claimed {
  endpoint_id: number
  event_id: number
  claim: string
  attempts: number
  url: string
  secret: string
  previous_secret: string | null
  type: string
  subject: string
  number: number
  data: unknown
  at: string
}

/**
 * Claims what is due: of each subject and endpoint the oldest that waits, so that no later event overtakes it. Whoever claims it and dies
 * leaves it to the next one.
 */
export const claimDeliveries = async (db: Db, programId: number): Promise<Claimed[]> => {
  const { rows } = await sql<Claimed>`
    with due as (
      select n.endpoint_id, n.event_id from webhook_endpoint w cross join lateral (
        select d.endpoint_id, d.event_id from webhook_delivery d
        where d.program_id = w.program_id and d.endpoint_id = w.id and d.state = 'waiting' and d.next_at <= now()
          and coalesce(d.claimed_until, '-infinity') < now()
          and not exists (select from webhook_delivery e where e.program_id = d.program_id and e.endpoint_id = d.endpoint_id
            and e.subject = d.subject and e.state = 'waiting' and e.event_id < d.event_id)
        order by d.event_id
        limit (select greatest(0, ${mostUnderWay} - count(*)) from webhook_delivery u where u.program_id = w.program_id
          and u.endpoint_id = w.id and u.state = 'waiting' and u.claimed_until >= now())
        for update skip locked) n
      where w.program_id = ${programId} and w.is_enabled and w.deleted_at is null)
    update webhook_delivery d set claimed_until = now() + make_interval(secs => ${claimSeconds}), claim = gen_random_uuid(),
      attempts = d.attempts + 1
    from due, webhook_endpoint w, webhook_event v
    where d.program_id = ${programId} and d.endpoint_id = due.endpoint_id and d.event_id = due.event_id
      and w.program_id = d.program_id and w.id = d.endpoint_id and v.program_id = d.program_id and v.id = d.event_id
    returning d.endpoint_id, d.event_id, d.claim, d.attempts, w.url, w.secret,
      case when w.previous_until > now() then w.previous_secret end as previous_secret, v.type, v.subject, v.number, v.data, v.at`.execute(
    db,
  )
  return rows
}

/** What came of an attempt. */
export interface Outcome {
  state: 'waiting' | 'delivered' | 'failed'
  status: number | null
  answer: string
  error: string
  milliseconds: number
  waitSeconds: number
}

/** Keeps what came of an attempt; false when another process has claimed the delivery by now, and its own outcome counts. */
export const recordOutcome = async (
  db: Db,
  programId: number,
  { endpoint_id, event_id, claim }: Claimed,
  outcome: Outcome,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('webhook_delivery')
    .set({
      state: outcome.state,
      status: outcome.status,
      answer: outcome.answer,
      error: outcome.error,
      milliseconds: outcome.milliseconds,
      tried_at: sql`now()`,
      next_at: sql<string>`now() + make_interval(secs => ${outcome.waitSeconds})`,
      claimed_until: null,
      claim: null,
    })
    .where('program_id', '=', programId)
    .where('endpoint_id', '=', endpoint_id)
    .where('event_id', '=', event_id)
    .where('claim', '=', claim)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await one(db, programId, endpoint_id)
    .set(
      outcome.state === 'delivered'
        ? { last_success_at: sql<string>`now()` }
        : { last_error_at: sql<string>`now()`, last_error: outcome.error },
    )
    .execute()
  return true
}

/** Switches an endpoint off for a reason; whom to tell, when it was on: the administrators of the program. */
export const disableWebhook = async (
  db: Db,
  programId: number,
  webhookId: number,
  reason: string,
): Promise<{ id: number; first_name: string; email: string }[]> => {
  const { numUpdatedRows } = await one(db, programId, webhookId)
    .set({ is_enabled: false, disabled_reason: reason })
    .where('is_enabled', '=', true)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return []
  const { rows } = await sql<{ id: number; first_name: string; email: string }>`
    select id, first_name, email from account where program_id = ${programId} and access_level = 89 and email <> ''
      and deactivated_at is null and deleted_at is null order by id`.execute(db)
  return rows
}
