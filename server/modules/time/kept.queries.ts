import { type RawBuilder, sql } from 'kysely'

export const rightNow = sql`now()`

/** As of when the hours of rotations and the shifts around it are kept. */
export const keptAt = (programId: number) => sql`(select coalesce((select s.seen_at from event_seen s
  where s.program_id = ${programId} and s.reader = 'rotations'), '-infinity'))`

/** Days before and after this moment whose shifts are kept: its own is that of UTC, wherever the program is. */
export const keptAround = { before: 3, after: 2 }

/**
 * Whose hours come to something else because time has passed since they were kept: a shift has begun or ended, the moment of an absence or
 * of a makeup has come.
 */
export const studentsByTime = (programId: number, moment: RawBuilder<unknown>) => sql`
    select a.student_id from shift_assignment a
    where a.program_id = ${programId} and a.removed_at is null
      and a.date >= (select (${keptAt(programId)} - interval '38 hours')::date)
      and a.date <= (select (${moment} + interval '14 hours')::date)
      and a.ends_at > ${keptAt(programId)}
      and (a.ends_at <= ${moment} or a.starts_at <= ${moment}
        and a.starts_at > ${keptAt(programId)})
    union
    select r.student_id from time_record r
    where r.program_id = ${programId} and r.kind in ('absence', 'makeup') and r.deleted_at is null
      and r.occurred_at > ${keptAt(programId)}
      and r.occurred_at <= ${moment}`

/** Whose hours may come to something else since they were kept: whoever's shift, record or access has changed; all where nothing is kept. */
export const changedStudents = (programId: number) => sql`
    with seen as (select s.seen from event_seen s where s.program_id = ${programId} and s.reader = 'rotations'),
    recent as materialized (
      select e.kind, e.record_id, e.before, e.after from seen s cross join lateral events_since(${programId}, s.seen) e
      where e.kind in ('assignment', 'person')
        or e.kind = 'time-record' and (e.before ->> 'Kind' <> 'in' or e.after ->> 'Kind' <> 'in'))
    select r.record_id from recent r where r.kind = 'person'
    union select x.id from recent r cross join lateral (values ((r.before ->> 'StudentId')::bigint), ((r.after ->> 'StudentId')::bigint)) x (id)
      where r.kind <> 'person' and x.id is not null
    union select a.student_id from recent r
      cross join lateral (values ((r.before ->> 'AssignmentId')::bigint), ((r.after ->> 'AssignmentId')::bigint)) x (id)
      join shift_assignment a on a.program_id = ${programId} and a.id = x.id where r.kind = 'time-record'
    union select h.student_id from student_hours h where h.program_id = ${programId} and not exists (select from seen)`

/** The shifts around today that have changed since they were kept. */
export const changedShifts = (programId: number) => sql`
    with recent as materialized (
      select e.kind, e.record_id, e.before, e.after from event_seen s cross join lateral events_since(${programId}, s.seen) e
      where s.program_id = ${programId} and s.reader = 'rotations' and (e.kind = 'assignment' or e.kind = 'time-record'
        -- Approving says nothing new about a shift.
        and (e.before ->> 'StudentId', e.before ->> 'Kind', e.before ->> 'IsMatched', e.before ->> 'Status' = 'rejected', e.before ->> 'IsDeleted',
            e.before ->> 'OccurredAt', e.before ->> 'AssignmentId')
          is distinct from (e.after ->> 'StudentId', e.after ->> 'Kind', e.after ->> 'IsMatched', e.after ->> 'Status' = 'rejected',
            e.after ->> 'IsDeleted', e.after ->> 'OccurredAt', e.after ->> 'AssignmentId')))
    select r.record_id from recent r
      where r.kind = 'assignment' and ((r.before ->> 'Date')::date between current_date - 4 and current_date + 4
        or (r.after ->> 'Date')::date between current_date - 4 and current_date + 4)
    union select a.id from recent r
      cross join lateral (values ((r.before ->> 'AssignmentId')::bigint), ((r.after ->> 'AssignmentId')::bigint)) x (id)
      join shift_assignment a on a.program_id = ${programId} and a.id = x.id and a.date between current_date - 4 and current_date + 4
      where r.kind = 'time-record'`

/** The days that have changed since they were kept. Shifts of deleted people are missed by nobody. */
export const changedDays = (programId: number) => sql`
    with recent as materialized (
      select e.kind, e.record_id, e.before, e.after from event_seen s cross join lateral events_since(${programId}, s.seen) e
      where s.program_id = ${programId} and s.reader = 'attendance' and (e.kind in ('assignment', 'time-record')
        or e.kind = 'person' and e.before ->> 'IsDeleted' <> e.after ->> 'IsDeleted'))
    select x.date from recent r cross join lateral (values ((r.before ->> 'Date')::date), ((r.after ->> 'Date')::date)) x (date)
      where r.kind <> 'person' and x.date is not null
    union select a.date from recent r
      cross join lateral (values ((r.before ->> 'AssignmentId')::bigint), ((r.after ->> 'AssignmentId')::bigint)) x (id)
      join shift_assignment a on a.program_id = ${programId} and a.id = x.id where r.kind = 'time-record'
    union select a.date from recent r join shift_assignment a on a.program_id = ${programId} and a.student_id = r.record_id where r.kind = 'person'`
