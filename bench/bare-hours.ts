import { project } from '#server/modules/time/projection.rules.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows go to the wire as they come
export type Query = (text: string, values: unknown[]) => Promise<any[]>
/** Answers a call of a program by an account: what goes to the wire as JSON. */
export type Call = (program: number, account: number, url: URL) => Promise<unknown>

/** Today in a zone, 'YYYY-MM-DD'. */
export const dayIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())

/** A student's sums in minutes, as the statement below reads them. */
export interface Hours {
  id: number
  level: number | null
  levelName: string | null
  cohort: string | null
  name: string
  target: number
  approved: number
  pending: number
  absence: number
  makeup: number
  makeupPlanned: number
  makeupDate: string | null
  assigned: number
  assignedShifts: number
  pastDays: number
  absentDays: number
}

/** Hours of students, in one statement: of a rotation or over all, of everybody with a part in it or of one student. */
export const hoursText = (ofRotation: boolean, ofStudent: boolean): string => {
  const narrowed = (alias: string): string =>
    `${alias}.program_id = $1${ofRotation ? ` and ${alias}.rotation_id = $2` : ''}${ofStudent ? ` and ${alias}.student_id = $3` : ''}`
  return `select u.id, u.student_level_id as level, l.name as "levelName", u.cohort, u.last_name || ', ' || u.first_name as name,
    ${ofRotation ? '(select target_minutes from rotation where program_id = $1 and id = $2)' : `coalesce((select sum(t.target_minutes) from rotation t where t.program_id = $1 and t.id = any (w.rotations) and t.deleted_at is null), 0)`} as target,
    coalesce(h.approved, 0) as approved, coalesce(h.pending, 0) as pending, coalesce(h.absence, 0) as absence,
    coalesce(h.makeup, 0) as makeup, coalesce(m.minutes, 0) as "makeupPlanned", m.date as "makeupDate",
    coalesce(w.assigned, 0) as assigned, coalesce(w.shifts, 0) as "assignedShifts", coalesce(w.past, 0) as "pastDays",
    coalesce(m.absent, 0) as "absentDays"
  from account u
  left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
  left join (select student_id, sum(approved_minutes) as approved, sum(pending_minutes) as pending,
      sum(absence_minutes) as absence, sum(makeup_minutes) as makeup
    from student_hours h where ${narrowed('h')} group by 1) h on h.student_id = u.id
  left join (select a.student_id, array_agg(distinct a.rotation_id) as rotations,
      count(*) filter (where a.ends_at <= now()) as past, count(*) filter (where k.ahead) as shifts,
      coalesce(sum(extract(epoch from a.ends_at - a.starts_at) / 60) filter (where k.ahead), 0)::int as assigned
    from shift_assignment a
    cross join lateral (select a.ends_at > now() and (a.starts_at > now() or 0 = (select count(*) from time_record r
      where r.program_id = $1 and r.assignment_id = a.id and r.kind in ('out', 'absence', 'exception')
        and r.deleted_at is null and r.status <> 'rejected')) as ahead) k
    where a.removed_at is null and ${narrowed('a')} group by 1) w on w.student_id = u.id
  left join (select r.student_id, count(*) filter (where r.kind = 'absence' and r.occurred_at <= now()) as absent,
      sum(r.minutes) filter (where r.kind = 'makeup') as minutes, min(r.date) filter (where r.kind = 'makeup') as date
    from time_record r where ${narrowed('r')} and r.deleted_at is null and r.status <> 'rejected' and (r.kind = 'absence'
      or (r.kind = 'makeup' and r.status = 'pending' and r.occurred_at > now())) group by 1) m on m.student_id = u.id
  where u.program_id = $1 and u.deleted_at is null and ${
    ofStudent ? 'u.id = $3' : 'u.access_level = 39 and u.deactivated_at is null'
  }${ofRotation ? ' and (h.student_id is not null or w.student_id is not null)' : ' and $2::bigint is null'}`
}

/** The projected hours, in minutes, by the product's own rule: it is no part of what is compared. */
export const projected = (row: Hours) =>
  project({
    approved: row.approved,
    pending: row.pending,
    makeupPlanned: row.makeupPlanned,
    makeupDate: row.makeupDate,
    assigned: row.assigned,
    assignedShifts: row.assignedShifts,
    absentDays: row.absentDays,
    pastDays: row.pastDays,
  })

/** A row of hours as the wire has it. Makeup is owed only where the program has absences made up. */
export const asHoursRow = (row: Hours, areMadeUp: boolean) => {
  const { minutes, parts } = projected(row)
  return {
    StudentId: row.id,
    Student: row.name,
    StudentLevelId: row.level,
    StudentLevel: row.levelName,
    Cohort: row.cohort,
    Approved: row.approved,
    Pending: row.pending,
    Makeup: areMadeUp ? Math.max(0, row.absence - row.makeup) : 0,
    Target: row.target,
    Projection: minutes,
    Difference: minutes - row.target,
    Parts: parts,
  }
}

/** The zone of a program ($1), and whether its absences are made up. */
export const programText = `select time_zone, coalesce((options ->> 'AbsencesAreMadeUp')::boolean, true) as made_up from program where id = $1`
/** The rotation of a program ($1) that runs on a day ($2). */
export const runningText = `select id, name, start_date, end_date from rotation where program_id = $1 and deleted_at is null
  and $2::date between start_date and end_date order by start_date desc, id desc limit 1`
