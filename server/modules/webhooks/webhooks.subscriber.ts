import { ofBatch, type Subscriber } from '#server/core/runtime/events.ts'
import { type Told, toldKinds, webhookOf } from './told.rules.ts'

/** Writes what endpoints want to be told, and for each of them the row by which it is sent. */
export const webhooks: Subscriber = {
  name: 'webhooks',
  kinds: toldKinds,
  hear: async (client, batch) => {
    const { rows } = await client.query<Told & { at: string }>(
      `select e.program_id, e.kind, e.record_id, e.student_id, e.before, e.after, e.at from domain_event e
       where ${ofBatch} and e.program_id in (
         select program_id from webhook_endpoint where is_enabled and deleted_at is null)
       order by e.id`,
      [...batch],
    )
    const told = rows.flatMap((event) => {
      const webhook = webhookOf(event)
      return webhook ? [{ program_id: event.program_id, at: event.at, ...webhook }] : []
    })
    if (told.length === 0) return
    await client.query(
      `select emit_webhook(w.program_id, w.type, w.subject, w.data, told_at => w.at)
       from jsonb_to_recordset($1::jsonb) as w (program_id bigint, type text, subject text, data jsonb, at timestamptz, place integer)
       -- An endpoint is told what happens after it was made.
       where exists (select from webhook_endpoint e where e.program_id = w.program_id and e.is_enabled and e.deleted_at is null
         and w.type = any (e.events) and e.created_at <= w.at)
       order by w.place`,
      [JSON.stringify(told.map((each, place) => ({ ...each, place })))],
    )
  },
}
