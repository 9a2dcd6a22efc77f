import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '#server/core/database/pool.ts'

/** For how long a process has a delivery before another one may take it: more than the deadline of a call. */
const claimSeconds = 60
/** Of one endpoint under way at a time, so that a program's other endpoints have theirs however long it takes. */
const mostUnderWay = 5

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

/** Forgets events after 30 days, unless one waits to be delivered. */
export const forgetOldEvents = async (everywhere: pg.Pool): Promise<void> => {
  await everywhere.query(
    `delete from webhook_event v where v.at < now() - interval '30 days' and not exists (
      select from webhook_delivery d where d.program_id = v.program_id and d.event_id = v.id and d.state = 'waiting')`,
  )
}
