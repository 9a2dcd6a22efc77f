import { sql } from 'kysely'
import type { RotationFacts } from '#contract/scheduling/scheduling-rules.ts'
import type { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { countsNow, hasCounted } from '#server/core/database/counts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { sitePhone } from '../sites/site-phone.queries.ts'

export interface PlanStudent {
  Id: number
  LastName: string
  FirstName: string
  StudentLevelId: number | null
  StudentLevel: string | null
  Days: number
}

/** The students whom the rotation takes and those who are in it already, by name, with their days in it. */
export const listPlanStudents = async (
  db: Db,
  programId: number,
  { Id: rotationId, StudentLevelIds, Cohorts }: RotationFacts,
  { areAllShown }: { areAllShown: boolean },
): Promise<PlanStudent[]> => {
  const { rows } = await sql<PlanStudent>`
    select u.id as "Id", u.last_name as "LastName", u.first_name as "FirstName",
      u.student_level_id::int as "StudentLevelId", l.name as "StudentLevel", coalesce(p.days, 0) as "Days"
    from account u
    left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
    left join (select student_id, count(*) as days from shift_assignment
      where program_id = ${programId} and rotation_id = ${rotationId} and removed_at is null
      group by student_id) p on p.student_id = u.id
    where u.program_id = ${programId} and ${hasCounted('u')}
      and (p.days > 0 or (${countsNow('u')} and (${areAllShown}::boolean or (
        (cardinality(${[...StudentLevelIds]}::int[]) = 0 or u.student_level_id = any (${[...StudentLevelIds]}::int[]))
        and (cardinality(${[...Cohorts]}::text[]) = 0 or u.cohort = any (${[...Cohorts]}::text[]))))))
    order by lower(u.last_name), lower(u.first_name), u.id`.execute(db)
  return rows
}

export interface AssignedRow {
  Id: number
  StudentId: number
  SiteShiftId: number
  Date: string
}

/** The assignments of a rotation in a stretch of days. */
export const listAssigned = (
  db: Db,
  programId: number,
  rotationId: number,
  fromDate: string,
  throughDate: string,
): Promise<AssignedRow[]> =>
  db
    .selectFrom('shift_assignment')
    .select(['id as Id', 'student_id as StudentId', 'site_shift_id as SiteShiftId', 'date as Date'])
    .where('program_id', '=', programId)
    .where('rotation_id', '=', rotationId)
    .where('date', '>=', fromDate)
    .where('date', '<=', throughDate)
    .where('removed_at', 'is', null)
    .orderBy('date')
    .orderBy('id')
    .execute()

/** The address of the site `s` in one line. */
export const siteAddress = sql<string>`concat_ws(', ', nullif(s.address, ''), nullif(s.city, ''), nullif(trim(s.state || ' ' || s.zip), ''))`

/** A student's own shifts within these days. */
export const listOwnShifts = async (
  db: Db,
  programId: number,
  studentId: number,
  fromDate: string,
  throughDate: string,
) =>
  db
    .selectFrom('shift_assignment as a')
    .innerJoin('rotation as r', (join) =>
      join.onRef('r.program_id', '=', 'a.program_id').onRef('r.id', '=', 'a.rotation_id'),
    )
    .innerJoin('site_shift as h', (join) =>
      join.onRef('h.program_id', '=', 'a.program_id').onRef('h.id', '=', 'a.site_shift_id'),
    )
    .innerJoin('site as s', (join) =>
      join.onRef('s.program_id', '=', 'a.program_id').onRef('s.id', '=', 'a.site_id'),
    )
    .select([
      'a.id as Id',
      'a.date as Date',
      sql<string>`to_char(h.start_time, 'HH24:MI')`.as('StartTime'),
      sql<string>`to_char(h.end_time, 'HH24:MI')`.as('EndTime'),
      'a.starts_at as StartsAt',
      'a.ends_at as EndsAt',
      's.time_zone as TimeZone',
      'r.name as Rotation',
      'h.code as ShiftCode',
      'h.name as ShiftName',
      sql<ShiftType>`h.type`.as('ShiftType'),
      's.name as Site',
      siteAddress.as('Address'),
      's.latitude as Latitude',
      's.longitude as Longitude',
      's.phone as Phone',
      sitePhone.as('Contact'),
      sql<'open' | 'pending' | null>`(select c.state from shift_request c where c.program_id = a.program_id
        and (c.assignment_id = a.id and c.state in ('open', 'pending') or c.returned_id = a.id and c.state = 'pending') limit 1)`.as(
        'Offered',
      ),
    ])
    .where('a.program_id', '=', programId)
    .where('a.student_id', '=', studentId)
    .where('a.removed_at', 'is', null)
    .where('a.date', '>=', fromDate)
    .where('a.date', '<=', throughDate)
    .orderBy('a.starts_at')
    .execute()
