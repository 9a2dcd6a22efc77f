import { ofBatch, type Subscriber } from '#server/core/runtime/events.ts'

/** What an email says of a record as it was before or after: null while it is not approved, or is not there. */
const line = (values: string): string => `(
  select to_char((${values} ->> 'Date')::date, 'MM/DD/YYYY') || coalesce(', ' || s.name, '')
    || case when m.minutes > 0 then ': ' || (m.minutes / 60) || ' h ' || lpad((m.minutes % 60)::text, 2, '0') || ' min' else '' end
  from (select (${values} ->> 'Minutes')::integer as minutes) m
  left join site s on s.program_id = e.program_id and s.id = (${values} ->> 'SiteId')::bigint
  where ${values} ->> 'Status' = 'approved' and ${values} ->> 'Kind' <> 'in' and not (${values} ->> 'IsDeleted')::boolean)`

/**
 * Students are written to about hours that were approved. What becomes of them before the email is written is told too: it names them as
 * they are then, and not those that were taken back or deleted.
 */
export const approvalNotices: Subscriber = {
  name: 'approval notices',
  kinds: ['time-record'],
  hear: async (client, batch) => {
    await client.query(
      `insert into email_notice (program_id, account_id, label, subject_key, before, after, caused_by, is_held)
      select c.program_id, c.student_id, 'TIME_approved', 'record:' || c.record_id, c.before, c.after, c.actor_id, 
        exists (select from account a where a.id = c.actor_id and a.frozen_at is not null)
      from (
        select e.id, e.program_id, e.record_id, e.student_id, e.actor_id, ${line('e.before')} as before, ${line('e.after')} as after
        from domain_event e where ${ofBatch} and not e.is_quiet and e.before is not null and e.after is not null) c
      where c.before is distinct from c.after
      order by c.id`,
      [...batch],
    )
  },
}
