import { addDays, daysBetween, weekOf } from '#contract/core/calendar.ts'
import { placementByCohort } from '#server/modules/people/employment.rules.ts'
import {
  type Call,
  dayIn,
  type Hours,
  hoursText,
  programText,
  projected,
  type Query,
  runningText,
} from './bare-hours.ts'

/** A period of the outcomes as the page opens: the rotation of yesterday up to yesterday, or 90 days. */
const periodOf = async (query: Query, program: number) => {
  const [{ time_zone }] = await query(programText, [program])
  const today = dayIn(time_zone)
  const through = addDays(today, -1)
  const [rotation] = await query(runningText, [program, through])
  const from: string = rotation?.start_date ?? addDays(through, -89)
  const before = { from: addDays(from, -(daysBetween(from, through) + 1)), through: addDays(from, -1) }
  const told = {
    FromDate: from,
    ThroughDate: through,
    BeforeFrom: before.from,
    BeforeThrough: before.through,
  }
  return { today, from, through, before, rotation, told }
}

const dayFigures = [
  'Shifts',
  'PlannedMinutes',
  'ApprovedMinutes',
  'PendingMinutes',
  'AbsenceMinutes',
  'Absences',
  'Late',
  'Missed',
] as const
type DayFigures = Record<(typeof dayFigures)[number], number>

/** The director's home page. */
export const outcomes =
  (query: Query): Call =>
  async (program) => {
    const period = await periodOf(query, program)
    const { today, from, through, before, rotation, told } = period
    const kept = await query(
      `select k.date::text as "Date", shifts as "Shifts", planned_minutes as "PlannedMinutes", approved_minutes as "ApprovedMinutes",
        pending_minutes as "PendingMinutes", absence_minutes as "AbsenceMinutes", absences as "Absences", late as "Late", missed as "Missed"
      from attendance_day k where program_id = $1 and date between $2 and $3
        and k.date not in (
          select d.date from event_seen s cross join lateral events_since($1, s.seen) e
          left join shift_assignment a on a.program_id = $1 and (e.kind = 'person' and a.student_id = e.record_id
            or a.id in ((e.before ->> 'AssignmentId')::bigint, (e.after ->> 'AssignmentId')::bigint))
          cross join lateral (values ((e.before ->> 'Date')::date), ((e.after ->> 'Date')::date), (a.date)) d (date)
          where s.program_id = $1 and s.reader = 'attendance' and d.date is not null)`,
      [program, before.from, through],
    )
    const known = new Set(kept.map(({ Date: date }) => date))
    const others: string[] = []
    for (let day = before.from; day <= through; day = addDays(day, 1)) if (!known.has(day)) others.push(day)
    const counted = await query(
      `select d::text as "Date", coalesce(a.shifts, 0) as "Shifts", coalesce(a.planned, 0) as "PlannedMinutes",
        coalesce(a.missed, 0) as "Missed", coalesce(r.approved, 0) as "ApprovedMinutes", coalesce(r.pending, 0) as "PendingMinutes",
        coalesce(r.absence, 0) as "AbsenceMinutes", coalesce(r.absences, 0) as "Absences", coalesce(r.late, 0) as "Late"
      from unnest($2::date[]) d
      left join (select a.date, count(*) as shifts, sum((extract(epoch from a.ends_at - a.starts_at) / 60)::int) as planned,
          count(*) filter (where a.ends_at < now() and u.deleted_at is null and not exists (select from time_record r
            where r.program_id = $1 and r.student_id = a.student_id and r.deleted_at is null and r.status <> 'rejected'
              and r.occurred_at between a.starts_at - interval '1 day' and a.ends_at + interval '12 hours'
              and (r.assignment_id = a.id or r.date = a.date))) as missed
        from shift_assignment a join account u on u.program_id = $1 and u.id = a.student_id
        where a.program_id = $1 and a.date = any ($2) and a.removed_at is null group by 1) a on a.date = d
      left join (select r.date, sum(r.minutes) filter (where r.kind in ('out', 'exception', 'makeup') and r.is_matched and r.status = 'approved') as approved,
          sum(r.minutes) filter (where r.kind in ('out', 'exception', 'makeup') and r.is_matched and r.status = 'pending') as pending,
          sum(r.minutes) filter (where r.kind = 'absence') as absence, count(*) filter (where r.kind = 'absence') as absences,
          count(*) filter (where r.kind = 'in' and r.offset_minutes > 5) as late
        from time_record r where r.program_id = $1 and r.date = any ($2) and r.deleted_at is null and r.status <> 'rejected'
          and r.occurred_at >= $3::date - interval '1 day' and r.occurred_at < $4::date + interval '2 days'
        group by 1) r on r.date = d`,
      [program, others, others[0] ?? today, others.at(-1) ?? today],
    )
    const days: (DayFigures & { Date: string })[] = [...kept, ...counted].sort((a, b) =>
      a.Date < b.Date ? -1 : 1,
    )
    const sum = (rows: readonly DayFigures[]) =>
      Object.fromEntries(dayFigures.map((name) => [name, rows.reduce((all, row) => all + row[name], 0)]))
    const own = days.filter((day) => day.Date >= from)
    const weeks = new Map<
      string,
      { Week: string; Monday: string; PlannedMinutes: number; WorkedMinutes: number }
    >()
    for (const day of own) {
      const Week = weekOf(day.Date)
      const week = weeks.get(Week) ?? { Week, Monday: addDays(Week, 1), PlannedMinutes: 0, WorkedMinutes: 0 }
      week.PlannedMinutes += day.PlannedMinutes
      week.WorkedMinutes += day.ApprovedMinutes + day.PendingMinutes
      weeks.set(Week, week)
    }
    const rotations = await query(
      `select id as "Id", name as "Name", start_date as "StartDate", end_date as "EndDate" from rotation
      where program_id = $1 and deleted_at is null and start_date <= $2 order by start_date desc, id desc limit 12`,
      [program, today],
    )
    const chosen =
      rotation ??
      (
        await query(
          `select id, name, start_date, end_date from rotation where program_id = $1 and deleted_at is null
          and end_date between $2 and $3 order by end_date desc, id desc limit 1`,
          [program, from, through],
        )
      )[0]
    const complete = async (of: { id: number; name: string; start_date: string; end_date: string }) => {
      const rows: Hours[] = await query(hoursText(true, false), [program, of.id])
      const reaching = rows.filter((row) => projected(row).minutes >= row.target)
      return {
        rows,
        reaching: new Set(reaching),
        told: {
          RotationId: of.id,
          Name: of.name,
          StartDate: of.start_date,
          EndDate: of.end_date,
          Students: rows.length,
          Reach: reaching.length,
        },
      }
    }
    let Completion = null
    if (chosen) {
      const now = await complete(chosen)
      const [earlier] = await query(
        `select id, name, start_date, end_date from rotation where program_id = $1 and deleted_at is null and end_date < $2
        order by end_date desc, id desc limit 1`,
        [program, chosen.start_date],
      )
      const levels = Map.groupBy(now.rows, ({ level }) => level)
      Completion = {
        ...now.told,
        TargetMinutes: now.rows.reduce((all, row) => all + row.target, 0),
        ApprovedMinutes: now.rows.reduce((all, row) => all + row.approved, 0),
        Levels: [...levels]
          .map(([LevelId, rows]) => ({
            LevelId,
            Level: rows[0]!.levelName ?? '',
            Students: rows.length,
            Reach: rows.filter((row) => now.reaching.has(row)).length,
          }))
          .sort((a, b) => (a.LevelId ?? 99) - (b.LevelId ?? 99)),
        Before: earlier ? (await complete(earlier)).told : null,
      }
    }
    const [agreements] = await query(
      `with a as materialized (select a.id, a.site_id, s.name, a.termination_date as ends, a.termination_date - $2::date as days, a.is_approved
        from affiliate_agreement a join site s on s.program_id = a.program_id and s.id = a.site_id and s.deleted_at is null
        where a.program_id = $1 and a.deleted_at is null and a.is_active and a.termination_date <= $2::date + 90)
      select count(*) filter (where days between 0 and 30 and is_approved) as "Urgent",
        count(*) filter (where days >= 0 and is_approved) as "Ending", count(*) filter (where days < 0) as "Expired",
        coalesce((select json_agg(n) from (select id as "Id", site_id as "SiteId", name as "Site", ends as "TerminationDate", days as "Days"
          from a where days >= 0 and is_approved order by ends, lower(name), id limit 4) n), '[]') as "Next" from a`,
      [program, today],
    )
    const [measure] = await query(
      `select kind as "Kind", success as "Success", population as "Population", within_months as "WithinMonths", years as "Years",
        target as "Target", threshold::double precision as "Threshold" from outcome_measure
      where program_id = $1 and kind = 'placement' order by position, id limit 1`,
      [program],
    )
    // What counts is the rule's, which the tests compare with the accreditors' definitions; the people are read here.
    const placement = placementByCohort(
      await query(
        `with g as (
          select g.account_id, coalesce(nullif(g.cohort, ''), a.cohort, '') as cohort, g.graduated_on, g.placement, g.started_work_on
          from graduate g left join account a on a.program_id = $1 and a.id = g.account_id
          where g.program_id = $1 and g.deleted_at is null and g.graduated_on is not null and a.deleted_at is null)
        select '' as "Name", cohort as "Cohort", graduated_on as "GraduatedOn", placement as "Placement", started_work_on as "StartedWorkOn",
          case placement when 'otherField' then 'other' else placement end as "Status" from g
        union all
        select '', coalesce(a.cohort, ''), null, case e.status when 'other' then 'otherField' when 'notSeeking' then null else e.status end,
          e.start_date, e.status
        from account a left join employment e on e.program_id = $1 and e.account_id = a.id
        where a.program_id = $1 and a.access_level = 29 and a.deleted_at is null and a.id not in (select account_id from g where account_id is not null)
        order by 2 desc`,
        [program],
      ),
      measure,
      today,
    )
    const [plan] = await query(
      `select count(*) as "Outcomes", count(*) filter (where o.result <> '') as "WithResult" from plan_goal g
      join plan_outcome o on o.program_id = g.program_id and o.goal_id = g.id and o.deleted_at is null
      where g.program_id = $1 and g.year = $2 and g.deleted_at is null`,
      [program, Number(today.slice(0, 4))],
    )
    return {
      ...told,
      Rotations: rotations,
      Completion,
      Attendance: {
        Now: sum(own),
        Before: sum(days.filter((day) => day.Date < from)),
        Weeks: [...weeks.values()].slice(-16),
      },
      Agreements: agreements,
      Placement: {
        Graduates: placement.Totals.Graduates,
        Rate: placement.Totals.Rate,
        Cohorts: placement.Rows.slice(0, 4).map(({ Cohort, Graduates, Field, Rate }) => ({
          Cohort,
          Graduates,
          Field,
          Rate,
        })),
      },
      Plan: { Year: Number(today.slice(0, 4)), ...plan },
    }
  }

/** Places are worked out here and not in SQL: shifts are few, and their days are a matter of a loop. */
export const siteUse =
  (query: Query): Call =>
  async (program) => {
    const { from, through, before, told } = await periodOf(query, program)
    const shifts: {
      site_id: number
      capacity: number
      start_date: string
      end_date: string
      weekdays: number[]
    }[] = await query(
      `select site_id, capacity, start_date, end_date, weekdays from site_shift
        where program_id = $1 and deleted_at is null and start_date <= $3 and end_date >= $2`,
      [program, before.from, through],
    )
    const sites: { id: number; name: string; capacity: number | null; is_active: boolean }[] = await query(
      'select id, name, capacity, is_active from site where program_id = $1 and deleted_at is null',
      [program],
    )
    const daysOff = await query(
      'select start_date, end_date from day_off where program_id = $1 and start_date <= $3 and end_date >= $2',
      [program, before.from, through],
    )
    const placed: { is_now: boolean; site_id: number; placed: number }[] = await query(
      `select d.date >= $3 as is_now, s.site_id, sum(d.placed) as placed from shift_day d
      join site_shift s on s.program_id = d.program_id and s.id = d.site_shift_id
      where d.program_id = $1 and d.date between $2 and $4 and d.placed > 0 group by 1, 2`,
      [program, before.from, from, through],
    )
    const capacityOf = new Map(sites.map((site) => [site.id, site.capacity ?? Number.POSITIVE_INFINITY]))
    const places = { now: new Map<number, number>(), before: new Map<number, number>() }
    for (let day = before.from; day <= through; day = addDays(day, 1)) {
      if (daysOff.some(({ start_date, end_date }) => day >= start_date && day <= end_date)) continue
      const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
      const offered = new Map<number, number>()
      for (const shift of shifts)
        if (day >= shift.start_date && day <= shift.end_date && shift.weekdays.includes(weekday))
          offered.set(shift.site_id, (offered.get(shift.site_id) ?? 0) + shift.capacity)
      const sums = day >= from ? places.now : places.before
      for (const [site, number] of offered) {
        const capacity = capacityOf.get(site)
        if (capacity !== undefined) sums.set(site, (sums.get(site) ?? 0) + Math.min(number, capacity))
      }
    }
    const active = sites.filter((site) => site.is_active)
    const told2 = (isNow: boolean) => {
      const own = placed.filter(({ is_now }) => is_now === isNow)
      const used = new Set(own.map(({ site_id }) => site_id))
      return {
        Placed: own.reduce((sum, row) => sum + row.placed, 0),
        Places: [...(isNow ? places.now : places.before).values()].reduce((sum, number) => sum + number, 0),
        Idle: active.filter(({ id }) => !used.has(id)).length,
      }
    }
    const names = new Map(sites.map((site) => [site.id, site.name]))
    return {
      ...told,
      Active: active.length,
      Now: told2(true),
      Before: told2(false),
      Sites: placed
        .filter(({ is_now }) => is_now)
        .sort((a, b) => b.placed - a.placed || a.site_id - b.site_id)
        .slice(0, 8)
        .map((row) => ({
          SiteId: row.site_id,
          Site: names.get(row.site_id) ?? '',
          Placed: row.placed,
          Places: places.now.get(row.site_id) ?? 0,
        }))
        .sort(
          (a, b) =>
            b.Placed - a.Placed ||
            (a.Site.toLowerCase() < b.Site.toLowerCase() ? -1 : 1) ||
            a.SiteId - b.SiteId,
        ),
    }
  }

/** Means of the evaluations, from the kept sums. */
export const evaluationMeans =
  (query: Query): Call =>
  async (program) => {
    const { from, through, before, told } = await periodOf(query, program)
    const rows: {
      is_now: boolean
      month: string
      template_id: number
      site_id: number
      answers: number
      shares: number
      low: number
    }[] = await query(
      `select date >= $3 as is_now, to_char(date, 'YYYY-MM') as month, template_id, site_id, sum(answers) as answers,
        sum(shares) / 10000 as shares, sum(low) as low
      from (select date, template_id, site_id, answers, shares, low from evaluation_sum where program_id = $1 and date between $2 and $4
        union all select date, template_id, site_id, answers, shares, low from evaluation_three
        where program_id = $1 and waiting = 0 and date between $2 and $4) d group by 1, 2, 3, 4`,
      [program, before.from, from, through],
    )
    const [{ waits, templates, sites }] = await query(
      `select exists (select from evaluation_three where program_id = $1 and waiting > 0) as waits,
        (select json_object_agg(id, title) from evaluation_template where program_id = $1) as templates,
        (select json_object_agg(id, name) from site where program_id = $1) as sites`,
      [program],
    )
    const sum = (own: typeof rows) => {
      const answers = own.reduce((all, row) => all + row.answers, 0)
      return {
        Answers: answers,
        Percent:
          answers === 0
            ? null
            : Math.round((own.reduce((all, row) => all + row.shares, 0) / answers) * 1000) / 10,
        Low: own.reduce((all, row) => all + row.low, 0),
      }
    }
    const now = rows.filter(({ is_now }) => is_now)
    const earlier = rows.filter(({ is_now }) => !is_now)
    const means = (key: 'template_id' | 'site_id', names: Record<number, string> | null) =>
      [...Map.groupBy(now, (row) => row[key])]
        .flatMap(([Id, own]) => {
          const Name = names?.[Id]
          const { Answers, Percent } = sum(own)
          return Name === undefined || Answers === 0
            ? []
            : [
                {
                  Id,
                  Name,
                  Answers,
                  // Answers were counted, so there is a percentage.
                  Percent: Percent!,
                  BeforePercent: sum(earlier.filter((row) => row[key] === Id)).Percent,
                },
              ]
        })
        .sort((a, b) => a.Percent - b.Percent || a.Name.localeCompare(b.Name))
        .slice(0, 8)
    return {
      ...told,
      Now: sum(now),
      Before: sum(earlier),
      Trend: [...Map.groupBy(rows, ({ month }) => month)]
        .map(([Month, own]) => ({ Month, Percent: sum(own).Percent }))
        .sort((a, b) => (a.Month < b.Month ? -1 : 1)),
      Templates: means('template_id', templates),
      Sites: means('site_id', sites),
      IsHeldBack: waits,
    }
  }
