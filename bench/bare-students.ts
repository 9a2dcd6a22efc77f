import { addDays, daysBetween, weekOf } from '#contract/core/calendar.ts'
import {
  asHoursRow,
  type Call,
  dayIn,
  type Hours,
  hoursText,
  programText,
  projected,
  type Query,
  runningText,
} from './bare-hours.ts'

// Called for addresses of a student only.
const studentOf = (url: URL): number => Number(/\/students\/(\d+)/.exec(url.pathname)![1])

/** Hours in the running rotation and over all. */
const hoursOfStudent = async (query: Query, program: number, student: number) => {
  const [{ time_zone, made_up }] = await query(programText, [program])
  const today = dayIn(time_zone)
  const [rotation] = await query(runningText, [program, today])
  const [current]: Hours[] = rotation
    ? await query(hoursText(true, true), [program, rotation.id, student])
    : []
  const [all]: Hours[] = await query(hoursText(false, true), [program, null, student])
  // Without a rotation there is always one row.
  return { today, areMadeUp: made_up as boolean, rotation: current && rotation, current, all: all! }
}

/** Who the student is. */
export const studentHead =
  (query: Query): Call =>
  async (program, _account, url) => {
    const student = studentOf(url)
    const [row] = await query(
      `select u.id as "Id", first_name as "FirstName", last_name as "LastName", student_number as "StudentNumber", l.name as "StudentLevel",
        cohort as "Cohort", r.name as "Area", email as "EmailAddress", phone as "PhoneNumber", deactivated_at is null as "IsActive",
        access_level as "AccessLevel"
      from account u left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
      left join area r on r.program_id = u.program_id and r.id = u.area_id
      where u.program_id = $1 and u.id = $2 and u.deleted_at is null and u.access_level in (39, 29)`,
      [program, student],
    )
    const { current, all } = await hoursOfStudent(query, program, student)
    const hours = current ?? all
    return { ...row, IsOnTrack: hours.target > 0 ? projected(hours).minutes >= hours.target : null }
  }

/** The hours, their last weeks and the attendance. */
export const studentHours =
  (query: Query): Call =>
  async (program, _account, url) => {
    const student = studentOf(url)
    const { today, areMadeUp, rotation, current, all } = await hoursOfStudent(query, program, student)
    const since: string = rotation?.start_date ?? addDays(today, -120)
    const weekStart = weekOf(today)
    const [facts] = await query(
      `select json_build_object('Worked', count(*) filter (where r.worked), 'Late', count(*) filter (where r.worked and r.late > 5),
          'LateMinutes', coalesce(round(avg(r.late) filter (where r.worked and r.late > 5)), 0),
          'Absent', count(*) filter (where r.absent and r.worked is not true), 'Missed', count(*) filter (where r.worked is null and a.ends_at < now()),
          'CorrectionsOpen', (select count(*) from time_record where program_id = $1 and student_id = $2 and deleted_at is null and change_status = 'asked')) as attendance,
        (select json_agg(json_build_array(m, approved, pending) order by m) from (
          select m::date as m, coalesce(sum(minutes) filter (where status = 'approved'), 0) as approved, coalesce(sum(minutes) filter (where status = 'pending'), 0) as pending
          from generate_series($4::date - 49, $4::date, interval '7 days') m left join time_record t on t.program_id = $1 and t.student_id = $2
            and t.deleted_at is null and t.occurred_at >= $5::date - interval '65 days' and t.kind <> 'absence' and t.minutes > 0 and t.status <> 'rejected' and t.is_matched
            and t.date between m::date and m::date + 6 group by 1) w) as weeks
      from shift_assignment a cross join lateral (select bool_or(kind <> 'absence') as worked, bool_or(kind = 'absence') as absent,
          max(offset_minutes) filter (where kind = 'in') as late from time_record r
        where r.program_id = $1 and r.assignment_id = a.id and r.deleted_at is null and r.status <> 'rejected') r
      where a.program_id = $1 and a.student_id = $2 and a.removed_at is null and a.date >= $3 and a.starts_at <= now()`,
      [program, student, since, weekStart, today],
    )
    return {
      Rotation:
        rotation && current
          ? {
              Id: rotation.id,
              Name: rotation.name,
              EndDate: rotation.end_date,
              WeeklyTargetMinutes: Math.round(
                current.target /
                  Math.max(1, Math.round(daysBetween(rotation.start_date, rotation.end_date) / 7)),
              ),
              Hours: asHoursRow(current, areMadeUp),
            }
          : null,
      All: asHoursRow(all, areMadeUp),
      Weeks: facts.weeks.map(([Week, ApprovedMinutes, PendingMinutes]: [string, number, number]) => ({
        Week,
        Monday: addDays(Week, 1),
        ApprovedMinutes,
        PendingMinutes,
      })),
      Attendance: { Since: since, ...facts.attendance },
    }
  }

/** The next four shifts. */
export const studentShifts =
  (query: Query): Call =>
  async (program, _account, url) => {
    const rows = await query(
      `select a.id as "AssignmentId", a.site_id as "SiteId", t.name as "Site", s.code as "ShiftCode", s.name as "ShiftName", s.type as "ShiftType",
        o.name as "Rotation", a.date as "Date", to_char(a.starts_at at time zone z.zone, 'HH24:MI') as "StartTime",
        to_char(a.ends_at at time zone z.zone, 'HH24:MI') as "EndTime",
        case when a.starts_at > now() then 'ahead' when exists (select from time_record r where r.program_id = $1 and r.assignment_id = a.id
            and r.deleted_at is null and r.status <> 'rejected' and r.kind = 'absence') and not exists (select from time_record r
            where r.program_id = $1 and r.assignment_id = a.id and r.deleted_at is null and r.status <> 'rejected' and r.kind <> 'absence')
          then 'absent' else 'running' end as "State", a.total
      from (select *, count(*) over () as total from shift_assignment where program_id = $1 and student_id = $2 and removed_at is null
        and ends_at > now() order by starts_at, id limit 4) a
      join site t on t.program_id = $1 and t.id = a.site_id join program p on p.id = $1
      join site_shift s on s.program_id = $1 and s.id = a.site_shift_id join rotation o on o.program_id = $1 and o.id = a.rotation_id
      cross join lateral (select coalesce(t.time_zone, p.time_zone) as zone) z order by a.starts_at, a.id`,
      [program, studentOf(url)],
    )
    return {
      Items: rows.map(({ total: _total, ...row }) => row),
      Total: rows[0]?.total ?? 0,
      Page: 1,
      PageSize: 4,
    }
  }

/** The last evaluation, and the percents of those before. */
export const studentEvaluations =
  (query: Query): Call =>
  async (program, _account, url) => {
    const student = studentOf(url)
    const [{ time_zone }] = await query(programText, [program])
    const today = dayIn(time_zone)
    const rows = await query(
      `with own as materialized (select e.id, e.date, e.end_date, e.is_completed, e.stopped_at, e.site_id, e.evaluator_id, t.title, t.is_anonymous
        from evaluation e join evaluation_template t on t.program_id = $1 and t.id = e.template_id
        where e.program_id = $1 and e.subject_id = $2 and e.deleted_at is null order by e.date desc, e.id desc),
      scored as (select o.id, o.date, round(100 * avg(a.scale_share), 1) as percent from own o
        join evaluation_answer a on a.program_id = $1 and a.evaluation_id = o.id and a.scale_share is not null
        where o.is_completed and not o.is_anonymous and o.id in (select id from own where is_completed and not is_anonymous limit 13) group by 1, 2
        order by o.date desc, o.id desc limit 12),
      first as (select o.id as "Id", o.date as "Date", o.end_date as "EndDate", o.title as "Template",
          case when o.evaluator_id is null then 'Anonymous' else v.last_name || ', ' || v.first_name end as "Evaluator", coalesce(s.name, '') as "Site",
          o.is_completed as "IsCompleted", coalesce(not o.is_completed and o.stopped_at is null and o.end_date < $3, false) as "IsLate",
          o.stopped_at is not null as "IsStopped", (select percent from scored where id = o.id) as "Percent"
        from (select * from own limit 1) o left join account v on v.program_id = $1 and v.id = o.evaluator_id
        left join site s on s.program_id = $1 and s.id = o.site_id)
      select coalesce((select json_agg(first) from first), '[]') as "Items", (select count(*) from own) as "Total", 1 as "Page", 1 as "PageSize",
        (select count(*) from own where is_completed) as "Completed", (select count(*) from own where not is_completed and stopped_at is null) as "Open",
        (select min(end_date) from own where not is_completed and stopped_at is null and end_date >= $3) as "NextDue",
        coalesce((select json_agg(json_build_object('EvaluationId', id, 'Date', date, 'Percent', percent) order by date, id) from scored), '[]') as "Trend"`,
      [program, student, today],
    )
    return rows[0]
  }
