import { sql } from 'kysely'
import { countsNow } from '#server/core/database/counts.ts'
import type { Db } from '#server/core/database/pool.ts'

/** How long after a shift nothing is said yet: people clock out late. */
const grace = sql`interval '1 hour'`
/** What is older than this is a matter for staff. */
const oldest = sql`interval '3 days'`

interface Reminded {
  StudentId: number
  FirstName: string
  Email: string
}

/** Shifts that ended without any record at sites that remind, by student; each is reported once. */
export const takeMissedToRemind = async (db: Db, programId: number) => {
  const { rows } = await sql<Reminded & { Shifts: { Date: string; StartTime: string; Site: string }[] }>`
    with missed as (
      select a.id, a.student_id, a.date, a.starts_at, s.name as site, s.time_zone from shift_assignment a
      join site s on s.program_id = a.program_id and s.id = a.site_id and s.reminders
      join account u on u.program_id = a.program_id and u.id = a.student_id and ${countsNow('u')}
      where a.program_id = ${programId} and a.removed_at is null
        and a.ends_at between now() - ${oldest} and now() - ${grace}
        and not exists (select from time_record r
          where r.program_id = a.program_id and r.student_id = a.student_id and r.deleted_at is null
            and r.status <> 'rejected'
            and r.occurred_at between a.starts_at - interval '1 day' and a.ends_at + interval '12 hours'
            and (r.assignment_id = a.id or r.date = a.date))),
    told as (
      insert into punch_reminder (program_id, assignment_id) select ${programId}, id from missed
      on conflict do nothing returning assignment_id)
    select u.id as "StudentId", u.first_name as "FirstName", u.email as "Email",
      jsonb_agg(jsonb_build_object('Date', m.date, 'StartTime', to_char(m.starts_at at time zone m.time_zone, 'HH24:MI'),
        'Site', m.site) order by m.starts_at) as "Shifts"
    from told t join missed m on m.id = t.assignment_id
    join account u on u.program_id = ${programId} and u.id = m.student_id
    group by u.id, u.first_name, u.email order by u.id`.execute(db)
  return rows
}

/** Punches whose other half is missing an hour after the shift, at sites that remind; each is reported once. */
export const takeUnmatchedToRemind = async (db: Db, programId: number) => {
  const { rows } = await sql<
    Reminded & { Records: { Kind: 'in' | 'out'; Date: string; Time: string; Site: string | null }[] }
  >`
    with lone as (
      select r.id from time_record r
      join site s on s.program_id = r.program_id and s.id = r.site_id and s.reminders
      left join shift_assignment a on a.program_id = r.program_id and a.id = r.assignment_id and a.removed_at is null
      where r.program_id = ${programId} and r.kind in ('in', 'out') and r.partner_id is null and r.status = 'pending'
        and r.deleted_at is null and r.mailed_at is null and r.occurred_at > now() - ${oldest} - interval '1 day'
        and coalesce(a.ends_at, r.occurred_at + interval '12 hours') between now() - ${oldest} and now() - ${grace}),
    told as (
      update time_record r set mailed_at = now() from lone
      where r.program_id = ${programId} and r.id = lone.id and r.mailed_at is null
      returning r.id, r.student_id, r.site_id, r.kind, r.date, r.occurred_at)
    select u.id as "StudentId", u.first_name as "FirstName", u.email as "Email",
      jsonb_agg(jsonb_build_object('Kind', t.kind, 'Date', t.date,
        'Time', to_char(t.occurred_at at time zone s.time_zone, 'HH24:MI'), 'Site', s.name)
        order by t.occurred_at) as "Records"
    from told t join site s on s.program_id = ${programId} and s.id = t.site_id
    join account u on u.program_id = ${programId} and u.id = t.student_id and ${countsNow('u')}
    group by u.id, u.first_name, u.email order by u.id`.execute(db)
  return rows
}
