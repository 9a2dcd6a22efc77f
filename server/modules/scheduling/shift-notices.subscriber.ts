import { ofBatch, type Subscriber } from '#server/core/runtime/events.ts'
import { shiftLine } from './shift-line.queries.ts'

/** Before a shift that begins so soon, a change is told inside the product as well. */
const soonHours = 48

const line = (values: string): string => `case when not (${values} ->> 'IsRemoved')::boolean then
  ${shiftLine({
    program: 'e.program_id',
    site: `(${values} ->> 'SiteId')::bigint`,
    starts: `(${values} ->> 'StartsAt')::timestamptz`,
    ends: `(${values} ->> 'EndsAt')::timestamptz`,
  })}
  end`

/**
 * Students are written to, within minutes, about shifts that came, went or moved, whatever placed them: a shift that moves to another student left the one
 * and came to the other. What begins within 48 hours is in their notifications at once, whichever emails they get. Shifts that are over, and rows that the owner writes, are nobody's news.
 */
export const shiftNotices: Subscriber = {
  name: 'shift notices',
  kinds: ['assignment'],
  hear: async (client, batch) => {
    await client.query(
      `insert into email_notice (program_id, account_id, label, subject_key, before, after, caused_by, is_held)
      select d.program_id, d.student_id, 'PLACEMENT', 'shift:' || d.record_id, max(d.before), max(d.after), d.actor_id, 
        exists (select from account a where a.id = d.actor_id and a.frozen_at is not null)
      from (
        select e.program_id, e.id, e.record_id, e.actor_id, (e.before ->> 'StudentId')::bigint as student_id,
          (e.before ->> 'EndsAt')::timestamptz as ends_at, ${line('e.before')} as before, null::text as after
        from domain_event e where ${ofBatch} and not e.is_quiet and e.before is not null
        union all
        select e.program_id, e.id, e.record_id, e.actor_id, (e.after ->> 'StudentId')::bigint, (e.after ->> 'EndsAt')::timestamptz, null,
          ${line('e.after')}
        from domain_event e where ${ofBatch} and not e.is_quiet and e.after is not null) d
      where coalesce(d.before, d.after) is not null
      group by d.program_id, d.id, d.record_id, d.student_id, d.actor_id
      having max(d.before) is distinct from max(d.after) and max(d.ends_at) > now()
      order by d.id`,
      [...batch],
    )
    await client.query(
      `insert into notification (program_id, account_id, kind, text, link)
      select d.program_id, d.student_id, 'schedule',
        case when max(d.before) is null then 'New shift: ' || max(d.after)
          when max(d.after) is null then 'Your shift was removed: ' || max(d.before)
          else 'Your shift was changed: ' || max(d.after) || '. Before: ' || max(d.before) end, '/new/schedule'
      from (
        select e.program_id, e.id, e.actor_id, (e.before ->> 'StudentId')::bigint as student_id,
          (e.before ->> 'StartsAt')::timestamptz as starts_at, ${line('e.before')} as before, null::text as after
        from domain_event e where ${ofBatch} and not e.is_quiet and e.before is not null
        union all
        select e.program_id, e.id, e.actor_id, (e.after ->> 'StudentId')::bigint, (e.after ->> 'StartsAt')::timestamptz, null,
          ${line('e.after')}
        from domain_event e where ${ofBatch} and not e.is_quiet and e.after is not null) d
      where coalesce(d.before, d.after) is not null and d.student_id is distinct from d.actor_id
        and not exists (select from account a where a.id = d.actor_id and a.frozen_at is not null)
      group by d.program_id, d.id, d.student_id
      having max(d.before) is distinct from max(d.after)
        and bool_or(d.starts_at between now() and now() + interval '${soonHours} hours')
      order by d.id`,
      [...batch],
    )
  },
}
