import { addDays, weekOf } from '#contract/core/calendar.ts'
import { type Call, dayIn, type Query, runningText } from './bare-hours.ts'

const dayMs = 86_400_000
/**
 * Everything of the home page in one statement over the product's tables and sums: $1 program, $2 today, $3 rotation (or null),
 * $4 the first week, $5 account. Shifts since the moment of the sums are looked at singly.
 */
const homeText = `
  with moment as (select coalesce((select until from plan_until where program_id = $1), '-infinity') as until),
  live as (
    select a.student_id, sum((extract(epoch from a.ends_at - a.starts_at) / 60)::int) filter (where a.ends_at <= now() or k.n > 0) as minutes,
      count(*) filter (where a.ends_at <= now()) as past
    from moment m join shift_assignment a on a.program_id = $1 and a.rotation_id = $3 and a.removed_at is null
      and a.date between (m.until - interval '38 hours')::date and (now() + interval '14 hours')::date
      and a.ends_at > m.until and a.starts_at <= now()
    cross join lateral (select count(*) as n from time_record r where r.program_id = $1 and r.assignment_id = a.id
      and r.kind in ('out', 'absence', 'exception') and r.deleted_at is null and r.status <> 'rejected') k
    group by 1),
  plan as (
    select p.student_id, p.planned_minutes - p.past_minutes as ahead, p.past_shifts as past
    from student_hours p where p.program_id = $1 and p.rotation_id = $3 and p.shifts <> 0),
  away as (
    select r.student_id, count(*) filter (where r.kind = 'absence') as days,
      coalesce(sum(r.minutes) filter (where r.kind = 'makeup'), 0) as makeup
    from time_record r where r.program_id = $1 and r.rotation_id = $3 and r.deleted_at is null and r.status <> 'rejected'
      and ((r.kind = 'absence' and r.occurred_at <= now())
        or (r.kind = 'makeup' and r.status = 'pending' and r.occurred_at > now())) group by 1),
  one as (
    select coalesce(h.approved_minutes, 0) as approved,
      coalesce(h.approved_minutes, 0) + greatest(0, coalesce(h.pending_minutes, 0) - coalesce(w.makeup, 0)) + coalesce(w.makeup, 0) as earned,
      coalesce(p.ahead, 0) - coalesce(l.minutes, 0) as ahead, coalesce(p.past, 0) + coalesce(l.past, 0) as past, coalesce(w.days, 0) as days
    from account u
    left join student_hours h on h.program_id = $1 and h.rotation_id = $3 and h.student_id = u.id
    left join plan p on p.student_id = u.id left join live l on l.student_id = u.id left join away w on w.student_id = u.id
    where u.program_id = $1 and u.access_level = 39 and u.deleted_at is null and u.deactivated_at is null
      and (h.student_id is not null or p.student_id is not null)),
  hours as (
    select count(*) as students, coalesce(sum(approved), 0) as approved, count(*) * t.target_minutes as target,
      count(*) filter (where earned + ahead - case when days > 0 and past > 0
        then round(ahead * least(days, past)::numeric / past) else 0 end >= t.target_minutes) as finish
    from rotation t left join one on true where t.program_id = $1 and t.id = $3 group by t.target_minutes),
  today as (
    select a.id, a.date, a.starts_at, a.ends_at, a.site_shift_id, k.*
    from shift_assignment a cross join lateral (
      select bool_or(r.partner_id is null) filter (where r.kind = 'in') as is_open, bool_or(r.status <> 'rejected') as is_recorded
      from time_record r where r.program_id = $1 and r.assignment_id = a.id and r.deleted_at is null) k
    where a.program_id = $1 and a.removed_at is null and (a.date = $2 or (a.date = $2::date - 1 and a.ends_at > now()))),
  pending as (
    select greatest(r.insight, case when o.status = 'pending' then o.insight end,
        case when r.change_status = 'asked' or o.change_status = 'asked' then 3 end) as insight,
      r.is_matched, count(*) as n, coalesce(sum(r.minutes) filter (where r.kind <> 'absence'), 0) as minutes
    from time_record r left join time_record o on o.program_id = $1 and o.id = r.partner_id and o.deleted_at is null
    where r.program_id = $1 and r.status = 'pending' and r.deleted_at is null group by 1, 2),
  running as (
    select case when r.change_status = 'asked' then 3 else r.insight end as insight, count(*) as n from time_record r
    left join shift_assignment a on a.program_id = $1 and a.id = r.assignment_id
    where r.program_id = $1 and r.deleted_at is null and r.status = 'pending' and r.kind = 'in' and r.partner_id is null
      and r.occurred_at > now() - interval '24 hours' and coalesce(a.ends_at, r.occurred_at + interval '16 hours') > now()
    group by 1),
  urgent as (
    select count(*) as n, min(a.termination_date) as first from affiliate_agreement a
    join site s on s.program_id = $1 and s.id = a.site_id and s.deleted_at is null
    where a.program_id = $1 and a.deleted_at is null and a.is_active and a.is_approved
      and a.termination_date between $2::date and $2::date + 30),
  late as (
    select count(*) as n, coalesce($2::date - min(end_date), 0) as oldest from evaluation
    where program_id = $1 and not is_completed and stopped_at is null and deleted_at is null and end_date < $2),
  expired as (
    select count(*) as n, min(s.expires_on) as soonest from (select * from student_requirement s
      where s.program_id = $1 and s.status <> 'waived' and s.expires_on < $2 offset 0) s
    join requirement q on q.program_id = $1 and q.id = s.requirement_id and q.blocks_placement and q.deleted_at is null
    join account a on a.id = s.student_id and a.access_level = 39 and a.deactivated_at is null and a.deleted_at is null),
  logs as (
    select count(*) as n, min(date) as since from procedure_log
    where program_id = $1 and state = 'submitted' and deleted_at is null and date < $2::date - 7)
  select json_build_object(
    'Unmatched', json_build_object('Count',
        coalesce((select sum(n) from pending where not is_matched), 0) - coalesce((select sum(n) from running), 0),
      'Detail', (select coalesce(string_agg(last_name, ', '), '') from (select distinct a.last_name from time_record r
        join account a on a.id = r.student_id where r.program_id = $1 and r.partner_id is null and r.kind in ('in', 'out')
          and r.deleted_at is null and r.status = 'pending' and r.date < $2 limit 4) f)),
    'Careful', json_build_object('Detail', '', 'Count', coalesce((select sum(n) from pending where insight = 3 and is_matched), 0)
      + coalesce((select sum(n) from running where insight = 3), 0)),
    'Clean', json_build_object('Count', coalesce((select sum(n) from pending where insight = 1 and is_matched), 0),
      'Minutes', coalesce((select sum(minutes) from pending where insight = 1), 0),
      'Running', coalesce((select sum(n) from running where insight = 1), 0),
      'ToleranceMinutes', (select coalesce((options ->> 'PunchToleranceMinutes')::integer, 15) from program where id = $1)),
    'InWithoutShift', (select count(*) from time_record r where r.program_id = $1 and r.deleted_at is null and r.status = 'pending'
      and r.kind = 'in' and r.partner_id is null and r.assignment_id is null and r.occurred_at > now() - interval '16 hours'),
    'NotClockedIn', json_build_object('Detail', '', 'Count', (select count(*) from today
      where date = $2 and starts_at < now() - interval '15 minutes' and is_recorded is not true)),
    'LateEvaluations', (select json_build_object('Count', n, 'Detail', oldest::text) from late),
    'ExpiredRequirements', (select json_build_object('Count', n, 'Detail', coalesce(soonest::text, '')) from expired),
    'WaitingLogs', (select json_build_object('Count', n, 'Detail', coalesce(since::text, '')) from logs),
    'AtRisk', (select json_build_object('Count', count(*), 'Detail', '') from student_progress
      where program_id = $1 and risks <> '{}'),
    'SuspendedExams', (select json_build_object('Count', count(*), 'Detail', '') from exam_attempt
      where program_id = $1 and state = 'suspended'),
    'SimulationsToApprove', (select json_build_object('Count', count(*), 'Detail', coalesce(min(date)::text, '')) from exam_attempt
      where program_id = $1 and state = 'open' and is_simulated and simulation_approved_at is null),
    'OfferedPlaces', (select json_build_object('Count', count(*),
        'Detail', coalesce((array_agg(s.name order by r.answered_at, r.id))[1], ''))
      from place_request r join site s on s.program_id = $1 and s.id = r.site_id
      where r.program_id = $1 and r.answer is not null and r.is_accepted is null and r.withdrawn_at is null),
    'EndingAgreements', (select json_build_object('Count', n, 'Detail', coalesce(first::text, '')) from urgent),
    'AtSitesNow', coalesce((select json_agg(t) from (
      select s.type as "ShiftType", to_char(min(s.start_time), 'HH24:MI') as "StartTime", to_char(max(s.end_time), 'HH24:MI') as "EndTime",
        count(*) as "Expected", min(d.starts_at) <= now() as "HasBegun", max(d.ends_at) <= now() as "HasEnded",
        count(*) filter (where d.is_open) as "In", count(*) filter (where not d.is_open) as "Left"
      from today d join site_shift s on s.program_id = $1 and s.id = d.site_shift_id
      group by s.type order by min(s.start_time), s.type) t), '[]'),
    'CapacityToday', coalesce((select json_agg(t) from (
      select t.id as "SiteId", t.name as "Site", sum(d.placed)::int as "Placed", sum(s.capacity)::int as "Places"
      from shift_day d join site_shift s on s.program_id = $1 and s.id = d.site_shift_id
      join site t on t.program_id = $1 and t.id = s.site_id
      where d.program_id = $1 and d.date = $2 and d.placed > 0 group by t.id, t.name order by sum(d.placed) desc, t.name limit 6) t), '[]'),
    'Agreements', coalesce((select json_agg(t) from (
      select a.id as "AgreementId", t.id as "SiteId", t.name as "Site", a.termination_date as "TerminationDate",
        a.termination_date - $2::date as "Days"
      from affiliate_agreement a join site t on t.program_id = $1 and t.id = a.site_id and t.deleted_at is null
      where a.program_id = $1 and a.is_active and a.deleted_at is null and (a.termination_date between $2::date and $2::date + 90
        or a.termination_date < $2 and a.site_id in (
            select site_id from shift_assignment where program_id = $1 and removed_at is null and date >= $2)
          and a.id = (select id from affiliate_agreement where program_id = $1 and site_id = a.site_id and is_active and deleted_at is null
            order by termination_date desc nulls first, id desc limit 1))
      order by a.termination_date limit 3) t), '[]'),
    'Weeks', (select json_agg(t order by t."Week") from (
      select w::date as "Week", w::date + 1 as "Monday", coalesce(sum(s.approved_minutes), 0) as "ApprovedMinutes",
        coalesce(sum(s.pending_minutes), 0) as "PendingMinutes"
      from generate_series($4::date, $4::date + 49, interval '7 days') w
      left join (select date, approved_minutes, pending_minutes from attendance_day where program_id = $1
        union all select date, case when status = 'approved' then minutes else 0 end, case when status = 'pending' then minutes else 0 end
        from time_record where program_id = $1 and date >= $2 and is_matched and minutes > 0 and kind not in ('in', 'absence')
          and deleted_at is null and date not in (select date from attendance_day where program_id = $1)) s on s.date between w::date and w::date + 6 group by 1) t),
    'Hours', (select row_to_json(hours) from hours),
    'Announcements', coalesce((select json_agg(json_build_object('Id', id, 'Html', html, 'Date', date,
        'AcknowledgedAt', acknowledged_at, 'AsksAcknowledgement', true) order by id desc)
      from (select n.id, n.html, x.acknowledged_at, (n.created_at at time zone p.time_zone)::date as date,
          first_value(n.shows_all) over (order by n.id desc) as shows_all, row_number() over (order by n.id desc) as place
        from announcement n join program p on p.id = n.program_id
        left join announcement_reader x on x.program_id = $1 and x.announcement_id = n.id and x.account_id = $5
        where n.program_id = $1 and n.is_active and n.deleted_at is null and n.category in ('All', 'Staff')
        order by n.id desc limit 20) f where shows_all or place = 1), '[]'),
    'News', coalesce((select json_agg(json_build_object('Id', n.id, 'Html', n.html, 'Date', n.date, 'Modality', m.name)
        order by n.date desc, n.id desc)
      from (select * from admin_news n where n.deleted_at is null and n.is_active and n.date <= $2
          and (n.modality_id is null or n.modality_id = (select modality_id from program where id = $1))
        order by n.date desc, n.id desc limit 3) n left join modality m on m.id = n.modality_id), '[]')) as home`

/** The coordinator's home page. */
export const homeCall =
  (query: Query): Call =>
  async (program, account) => {
    const [{ time_zone }] = await query('select time_zone from program where id = $1', [program])
    const today = dayIn(time_zone)
    const [rotation] = await query(runningText, [program, today])
    const [{ home }] = await query(homeText, [
      program,
      today,
      rotation?.id ?? null,
      addDays(weekOf(today), -49),
      account,
    ])
    const { Hours: hours, ...rest } = home
    const weeks = rotation
      ? Math.max(
          1,
          Math.round((Date.parse(rotation.end_date) - Date.parse(rotation.start_date)) / (7 * dayMs)),
        )
      : 1
    return {
      Today: today,
      ...rest,
      Rotation: rotation && {
        Id: rotation.id,
        Name: rotation.name,
        EndDate: rotation.end_date,
        ApprovedMinutes: hours.approved,
        TargetMinutes: hours.target,
        WeeklyTargetMinutes: Math.round(hours.target / weeks),
        Students: hours.students,
        OnTime: hours.finish,
      },
    }
  }
