import { sql } from 'kysely'

/**
 * The shifts that a page of today looks at, once for all its parts: those of the day, and those that have begun and had not ended at
 * the moment as of which the hours of rotations are kept. With each stands what its own records say: `is_open`, somebody
 * is clocked in and has not left (null without a clock-in), `is_over`, it was left or excused, and `is_recorded`, a record
 * speaks for it as `isUnrecorded` asks, without the records that are of its day only. `today` is the program's day.
 */
export const shiftsOfToday = (programId: number, today: string) => {
  const keptAt = sql`(select coalesce((select k.kept_at from rotation_kept k where k.program_id = ${programId}), '-infinity'))`
  return sql`
    today_only as materialized (
      select a.program_id, a.id, a.student_id, a.rotation_id, a.site_shift_id, a.date, a.starts_at, a.ends_at
      from shift_assignment a
      where a.program_id = ${programId} and a.removed_at is null
        -- The day of a shift is that of its begin where its site is, which is at most 14 hours from that here.
        and a.date >= (select least(${today}::date - 1, (${keptAt} - interval '38 hours')::date))
        and a.date <= (select (now() + interval '14 hours')::date)
        and (a.date = ${today}::date or a.ends_at > ${keptAt} and a.starts_at <= now())),
    today as materialized (
      select a.*, r.is_open, coalesce(r.is_over, false) as is_over, coalesce(r.is_recorded, false) as is_recorded
      from today_only a left join (
        select t.id, bool_or(r.partner_id is null) filter (where r.kind = 'in') as is_open,
          bool_or(r.kind in ('out', 'absence', 'exception') and r.status <> 'rejected') as is_over,
          bool_or(r.status <> 'rejected' and r.student_id = t.student_id
            and r.occurred_at between t.starts_at - interval '1 day' and t.ends_at + interval '12 hours') as is_recorded
        from time_record r join today_only t on t.id = r.assignment_id
        where r.program_id = ${programId} and r.assignment_id = any (array(select o.id from today_only o)) and r.deleted_at is null
        group by t.id) r on r.id = a.id)`
}
