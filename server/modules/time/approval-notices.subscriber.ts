import { ofBatch, type Subscriber } from '#server/core/runtime/events.ts'

/** Students are written to about hours that were approved, or are no longer. */
export const approvalNotices: Subscriber = {
  name: 'approval notices',
  kinds: ['time-record'],
  hear: async (client, batch) => {
    await client.query(
      `insert into email_notice (program_id, account_id, label, subject_key, before, after, caused_by, is_held)
      select c.program_id, c.student_id, 'TIME_approved', 'record:' || c.record_id,
        case when c.was_approved then t.line end, case when c.is_approved then t.line end, c.actor_id, is_frozen(c.actor_id)
      from (
        select e.id, e.program_id, e.record_id, e.student_id, e.actor_id, e.before ->> 'Status' = 'approved' as was_approved,
          e.after ->> 'Status' = 'approved' as is_approved, (e.after ->> 'SiteId')::bigint as site_id,
          (e.after ->> 'Date')::date as date, (e.after ->> 'Minutes')::integer as minutes
        from domain_event e
        where ${ofBatch} and not e.is_quiet and e.before is not null and e.after is not null and e.after ->> 'Kind' <> 'in'
          and not (e.after ->> 'IsDeleted')::boolean) c
      left join site s on s.program_id = c.program_id and s.id = c.site_id
      cross join lateral (select to_char(c.date, 'MM/DD/YYYY') || coalesce(', ' || s.name, '')
        || case when c.minutes > 0 then ': ' || (c.minutes / 60) || ' h ' || lpad((c.minutes % 60)::text, 2, '0') || ' min'
          else '' end as line) t
      where c.was_approved <> c.is_approved
      order by c.id`,
      [...batch],
    )
  },
}
