import { sql } from 'kysely'
import { hasCounted } from '#server/core/database/counts.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { HoursTotals } from './hours.queries.ts'
import { changedStudents } from './kept.queries.ts'
import { keptMoment, shiftsOfToday } from './today.queries.ts'

export type RotationHours = Pick<HoursTotals, 'Students' | 'Approved' | 'Target' | 'Finish'>

/** Whose hours what is kept of rotations does not tell yet. Part of a statement that begins with `shiftsOfToday`. */
const othersOf = (programId: number) => sql`
    others as materialized (
      select c.id as student_id from (${changedStudents(programId)}) c (id)
      union
      select a.student_id from today a where a.ends_at > ${keptMoment} and a.ends_at <= now()
        or a.is_over and a.starts_at > ${keptMoment} and a.starts_at <= now()
      union
      select r.student_id from time_record r where r.program_id = ${programId} and r.occurred_at > ${keptMoment} and r.occurred_at <= now()
        and r.kind in ('absence', 'makeup') and r.deleted_at is null)`

/** The hours of everybody in these rotations, of `others` counted anew. */
const hoursIn = (programId: number, rotationIds: readonly number[]) => {
  const isMeant = sql`s.rotation_id = any (${[...rotationIds]}::bigint[])`
  return sql`
    hours as (
      select s.student_id, s.rotation_id, s.approved_minutes as approved, s.projected_minutes as projected
      from rotation_student s
      where s.program_id = ${programId} and ${isMeant} and s.student_id not in (select o.student_id from others o)
      union all
      select s.student_id, s.rotation_id, s.approved_minutes, s.projected_minutes
      from (select array_agg(o.student_id) as ids from others o) o
      -- By student ("offset 0"): the few of them are not looked for among everybody of the rotation.
      cross join lateral (select * from student_rotations(${programId}, o.ids, now()) offset 0) s
      where ${isMeant})`
}

/**
 * What the hours of a whole rotation come to, in minutes: the totals of the hours summary for that rotation without any other
 * filter, for the home page. They are kept as of a moment (`docs/decisions/stored-sums.md`); the few students whom something has
 * happened to since are counted anew. Part of a statement that begins with `shiftsOfToday`; one row, also where no student is.
 */
export const rotationHours = (programId: number, rotationId: number) => sql`
    with ${othersOf(programId)}, ${hoursIn(programId, [rotationId])},
    target as (
      select coalesce((select t.target_minutes from rotation t where t.program_id = ${programId} and t.id = ${rotationId}), 0) as minutes)
    select count(*) as "Students", coalesce(sum(h.approved), 0) as "Approved", count(*) * (select minutes from target) as "Target",
      count(*) filter (where h.projected >= (select minutes from target)) as "Finish"
    from hours h`

/** Hours of a student in a rotation, in minutes. */
export interface HoursInRotation {
  StudentId: number
  Rotation: string
  /** Approved. */
  Done: number
  Projection: number
  Needed: number
}

/** The hours of these students in the rotations that run on a day and have a target, as the home page and the hours summary count them. */
export const readRunningHours = async (
  db: Db,
  programId: number,
  today: string,
  studentIds: readonly number[],
): Promise<HoursInRotation[]> => {
  const { rows } = await sql<HoursInRotation>`
    with ${shiftsOfToday(programId, today)}, ${othersOf(programId)},
    running as materialized (select t.id, t.name, t.target_minutes from rotation t where t.program_id = ${programId} and t.deleted_at is null
      and ${today}::date between t.start_date and t.end_date and t.target_minutes > 0)
    select h.student_id as "StudentId", t.name as "Rotation", h.approved_minutes as "Done", h.projected_minutes as "Projection", t.target_minutes as "Needed"
    from running t join (
      select s.student_id, s.rotation_id, s.approved_minutes, s.projected_minutes from rotation_student s
      where s.program_id = ${programId} and s.student_id not in (select o.student_id from others o)
      union all
      select s.student_id, s.rotation_id, s.approved_minutes, s.projected_minutes
      from (select array_agg(o.student_id) as ids from others o where o.student_id = any (${[...studentIds]}::bigint[])) o
      cross join lateral (select * from student_rotations(${programId}, o.ids, now()) offset 0) s) h on h.rotation_id = t.id
    where h.student_id = any (${[...studentIds]}::bigint[])`.execute(db)
  return rows
}

/**
 * What the hours of rotations come to for each level, without one last: the totals of the hours summary as `rotationHours` has them,
 * level by level. A level without students is left out.
 */
export const readRotationLevels = async (
  db: Db,
  programId: number,
  today: string,
  rotationIds: readonly number[],
): Promise<(RotationHours & { RotationId: number; LevelId: number | null; Level: string | null })[]> => {
  const column = (name: string, place: number) => sql.ref(`${name}_${place}`)
  const { rows } = await sql<
    RotationHours & { RotationId: number; LevelId: number | null; Level: string | null }
  >`
    with ${shiftsOfToday(programId, today)}, ${othersOf(programId)}, ${hoursIn(programId, rotationIds)},
    -- Grouped and not joined: whatever the planner expects, nobody's level is looked up by itself.
    students as materialized (
      select h.student_id, max(h.level_id) as level_id, ${sql.join(
        rotationIds.map(
          (
            id,
            place,
          ) => sql`max(h.approved) filter (where h.rotation_id = ${id}) as ${column('approved', place)},
            max(h.projected) filter (where h.rotation_id = ${id}) as ${column('projected', place)}`,
        ),
      )}
      from (
        select h.student_id, h.rotation_id, h.approved, h.projected, null::smallint as level_id from hours h
        union all
        select u.id, null, null, null, u.student_level_id from account u where u.program_id = ${programId}
          and ${hasCounted('u')}) h
      group by h.student_id),
    levels as (${sql.join(
      rotationIds.map(
        (id, place) => sql`
        select ${id}::bigint as rotation_id, s.level_id, count(*) as students, sum(s.${column('approved', place)}) as approved,
          count(*) * t.target_minutes as target,
          count(*) filter (where s.${column('projected', place)} >= t.target_minutes) as finish
        from students s join rotation t on t.program_id = ${programId} and t.id = ${id}
        where s.${column('approved', place)} is not null group by s.level_id, t.target_minutes`,
      ),
      sql` union all `,
    )})
    select v.rotation_id as "RotationId", v.level_id as "LevelId", l.name as "Level", v.students as "Students",
      v.approved as "Approved", v.target as "Target", v.finish as "Finish"
    from levels v left join student_level l on l.program_id = ${programId} and l.id = v.level_id
    order by 2 nulls last`.execute(db)
  return rows
}
