import { sql } from 'kysely'

/**
 * The shifts that a page of today looks at, once for all its parts: those of the day, and those that have begun and had not ended at
 * the moment up to which the sums of plans count shifts as past. With each stands what its own records say: `is_open`, somebody
 * is clocked in and has not left (null without a clock-in), `is_over`, it was left or excused, and `is_recorded`, a record
 * speaks for it as `isUnrecorded` asks, without the records that are of its day only. `today` is the program's day.
 */
export const shiftsOfToday = (programId: number, today: string) => {
  const until = sql`(select coalesce((select p.until from plan_until p where p.program_id = ${programId}), '-infinity'))`
  return sql`
    today as materialized (
      select a.program_id, a.id, a.student_id, a.rotation_id, a.site_shift_id, a.date, a.starts_at, a.ends_at,
        a.ends_at > ${until} as is_since, r.*
      from shift_assignment a
      cross join lateral (
        select bool_or(r.partner_id is null) filter (where r.kind = 'in') as is_open,
          coalesce(bool_or(r.kind in ('out', 'absence', 'exception') and r.status <> 'rejected'), false) as is_over,
          coalesce(bool_or(r.status <> 'rejected' and r.student_id = a.student_id
            and r.occurred_at between a.starts_at - interval '1 day' and a.ends_at + interval '12 hours'), false) as is_recorded
        from time_record r where r.program_id = a.program_id and r.assignment_id = a.id and r.deleted_at is null) r
      where a.program_id = ${programId} and a.removed_at is null
        -- The day of a shift is that of its begin where its site is, which is at most 14 hours from that here.
        and a.date >= (select least(${today}::date - 1, (${until} - interval '38 hours')::date))
        and a.date <= (select (now() + interval '14 hours')::date)
        and (a.date = ${today}::date or a.ends_at > ${until} and a.starts_at <= now()))`
}
