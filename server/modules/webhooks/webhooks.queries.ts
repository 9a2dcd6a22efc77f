import { sql } from 'kysely'
import type { Webhook, WebhookDelivery } from '#contract/webhooks/webhooks.ts'
import type { Db } from '#server/core/database/pool.ts'
import { bodyOf } from './signing.rules.ts'

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
