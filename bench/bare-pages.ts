import { addDays, daysBetween, mondayOf } from '#contract/core/calendar.ts'
import { project } from '#server/modules/time/projection.rules.ts'

/**
 * The newer pages of the reference, each with SQL written by hand for this one job: few statements, no permissions, no
 * row-level security. Sums that are kept with every change are read, as anybody would who keeps them.
 */
// biome-ignore lint/suspicious/noExplicitAny: rows go to the wire as they come
export type Query = (text: string, values: unknown[]) => Promise<any[]>
type Call = (program: number, account: number, url: URL) => Promise<unknown>

const dayIn = (timeZone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())

interface Hours {
  id: number
  level: number | null
  levelName: string | null
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
const hoursText = (ofRotation: boolean, ofStudent: boolean): string => {
  const narrowed = (alias: string): string =>
    `${alias}.program_id = $1${ofRotation ? ` and ${alias}.rotation_id = $2` : ''}${ofStudent ? ` and ${alias}.student_id = $3` : ''}`
  return `select u.id, u.student_level_id as level, l.name as "levelName", u.last_name || ', ' || u.first_name as name,
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

const projected = (row: Hours) =>
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

const asHoursRow = (row: Hours, areMadeUp: boolean) => {
  const { minutes, parts } = projected(row)
  return {
    StudentId: row.id,
    Student: row.name,
    StudentLevelId: row.level,
    StudentLevel: row.levelName,
    Approved: row.approved,
    Pending: row.pending,
    Makeup: areMadeUp ? Math.max(0, row.absence - row.makeup) : 0,
    Target: row.target,
    Projection: minutes,
    Difference: minutes - row.target,
    Parts: parts,
  }
}

const programText = `select time_zone, coalesce((options ->> 'AbsencesAreMadeUp')::boolean, true) as made_up from program where id = $1`
const runningText = `select id, name, start_date, end_date from rotation where program_id = $1 and deleted_at is null
  and $2::date between start_date and end_date order by start_date desc, id desc limit 1`

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

const outcomes =
  (query: Query): Call =>
  async (program) => {
    const period = await periodOf(query, program)
    const { today, from, through, before, rotation, told } = period
    const kept = await query(
      `select k.date::text as "Date", shifts as "Shifts", planned_minutes as "PlannedMinutes", approved_minutes as "ApprovedMinutes",
        pending_minutes as "PendingMinutes", absence_minutes as "AbsenceMinutes", absences as "Absences", late as "Late", missed as "Missed"
      from attendance_day k where program_id = $1 and date between $2 and $3
        and not exists (select from attendance_change c where c.program_id = $1 and c.date = k.date)`,
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
    const weeks = new Map<string, { Monday: string; PlannedMinutes: number; WorkedMinutes: number }>()
    for (const day of own) {
      const Monday = mondayOf(day.Date)
      const week = weeks.get(Monday) ?? { Monday, PlannedMinutes: 0, WorkedMinutes: 0 }
      week.PlannedMinutes += day.PlannedMinutes
      week.WorkedMinutes += day.ApprovedMinutes + day.PendingMinutes
      weeks.set(Monday, week)
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
    const cohorts = await query(
      `select coalesce(a.cohort, '') as "Cohort", count(*) as "Graduates", count(*) filter (where e.status = 'field') as "Field",
        count(*) filter (where e.status = 'other') as other, count(*) filter (where e.status = 'seeking') as seeking
      from account a left join employment e on e.program_id = a.program_id and e.account_id = a.id
      where a.program_id = $1 and a.access_level = 29 and a.deleted_at is null group by 1 order by 1 desc`,
      [program],
    )
    const rate = (field: number, available: number) =>
      available === 0 ? null : Math.round((field / available) * 1000) / 10
    const all = (name: string) => cohorts.reduce((total, row) => total + row[name], 0)
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
        Graduates: all('Graduates'),
        Rate: rate(all('Field'), all('Field') + all('other') + all('seeking')),
        Cohorts: cohorts.slice(0, 4).map(({ Cohort, Graduates, Field, other, seeking }) => ({
          Cohort,
          Graduates,
          Field,
          Rate: rate(Field, Field + other + seeking),
        })),
      },
      Plan: { Year: Number(today.slice(0, 4)), ...plan },
    }
  }

/** Places are worked out here and not in SQL: shifts are few, and their days are a matter of a loop. */
const siteUse =
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

const evaluationMeans =
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
        sum(shares) as shares, sum(low) as low
      from (select date, template_id, site_id, answers, shares, low from evaluation_sum where program_id = $1 and date between $2 and $4
        union all select date, template_id, site_id, answers, shares, low from evaluation_three
        where program_id = $1 and date between $2 and $4) d group by 1, 2, 3, 4`,
      [program, before.from, from, through],
    )
    const [{ waits, templates, sites }] = await query(
      `select exists (select from evaluation_three where program_id = $1 and date is null) as waits,
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

const overview =
  (query: Query): Call =>
  async () => {
    const timeZone = 'America/New_York'
    const today = dayIn(timeZone)
    const [facts] = await query(
      `select (select count(*) from college where deleted_at is null) as "Colleges",
        (select count(*) from program where deleted_at is null) as "Programs",
        (select count(*) from program p where deleted_at is null and coalesce((select s.last_seen_at from account_seen s
          where s.program_id = p.id order by s.last_seen_at desc limit 1), '-infinity') < now() - interval '30 days') as "Quiet",
        (select sum(number) from tally t join program p on p.id = t.program_id and p.deleted_at is null where what = 'students') as "Students",
        (select count(distinct account_id) from session where ended_at is null and last_seen_at > now() - interval '15 minutes') as "Online",
        (select count(*) from account_seen where last_seen_at >= date_trunc('day', now(), $1)) as "SignedInToday",
        (select json_build_object('Waiting', count(*) filter (where attempts < max_attempts), 'Late', count(*) filter (where attempts < max_attempts
          and locked_at is null and run_at < now() - interval '5 minutes'), 'Failed', count(*) filter (where attempts >= max_attempts))
          from graphile_worker.jobs) as "Jobs",
        (select json_build_object('Files', coalesce(sum(number), 0), 'FileBytes', coalesce(sum(amount), 0), 'DatabaseBytes', pg_database_size(current_database()))
          from tally where what = 'files') as "Storage",
        (select count(*) from (select from mail where status = 1 and created_at >= $2::date::timestamp at time zone $1 limit 10001) m) as queued,
        (select count(*) from (select from mail where status = 4 and blocked_at is null and cancelled_at is null
          and created_at >= $2::date::timestamp at time zone $1 limit 10001) m) as failed,
        (select count(*) from mail where bounced_at > now() - interval '30 days') as returned,
        split_part(current_setting('server_version'), ' ', 1) as version,
        (select name from migration order by id desc limit 1) as migration, (select count(*) from migration) as migrations`,
      [timeZone, addDays(today, -30)],
    )
    const kept = await query(
      'select date, people, sign_ins from sign_in_day where time_zone = $1 and date >= $2 order by date',
      [timeZone, addDays(today, -13)],
    )
    const since: string = kept.length > 0 ? addDays(kept.at(-1).date, 1) : addDays(today, -13)
    const counted = await query(
      `select (created_at at time zone $1)::date as date, count(distinct account_id) as people, count(*) as sign_ins
      from session where created_at >= $2::date::timestamp at time zone $1 group by 1`,
      [timeZone, since],
    )
    const byDay = new Map([...kept, ...counted].map((row) => [row.date, row]))
    const minute = Math.floor(Date.now() / 60_000)
    const hoursAgo = (hours: number) => new Date((minute - hours * 60) * 60_000).toISOString()
    const hours = await query(
      `select kind, name, coalesce(sum(number) filter (where hour > $1::timestamptz), 0) as day, sum(number) as week
      from failure_hour where hour > $2::timestamptz group by 1, 2 order by week desc, name`,
      [hoursAgo(24), hoursAgo(7 * 24)],
    )
    const [moments] = await query(
      `select array(select created_at > $1::timestamptz from mail where status = 4 and blocked_at is null and cancelled_at is null
          and created_at > $2::timestamptz limit 10001) as emails,
        array(select bounced_at > $1::timestamptz from mail where bounced_at > $2::timestamptz limit 10001) as returned,
        array(select at > $1::timestamptz from audit where at > $2::timestamptz and action = 'sign-in refused'
          and detail ->> 'How' = 'college' limit 10001) as college,
        array(select created_at > $1::timestamptz from sync_log where not (event ->> 'Success')::boolean
          and created_at > $2::timestamptz limit 10001) as sync`,
      [hoursAgo(24), hoursAgo(7 * 24)],
    )
    const news = await query(
      `select n.id as "Id", n.html as "Html", n.date as "Date", m.name as "Modality" from admin_news n left join modality m on m.id = n.modality_id
      where n.deleted_at is null and n.is_active and n.date <= $1 order by n.date desc, n.id desc limit 3`,
      [today],
    )
    const caused = (kind: string) => {
      const own = hours.filter((row) => row.kind === kind)
      return {
        Day: own.reduce((sum, row) => sum + row.day, 0),
        Week: own.reduce((sum, row) => sum + row.week, 0),
        Causes: own.slice(0, 5).map(({ name, week }) => ({ Name: name, Week: week })),
      }
    }
    const counts = (list: boolean[]) => ({ Day: list.filter(Boolean).length, Week: list.length })
    const { queued, failed, returned, version, migration, migrations, ...rest } = facts
    return {
      ...rest,
      Days: Array.from({ length: 14 }, (_, index) => {
        const date = addDays(today, index - 13)
        const row = byDay.get(date)
        return { Date: date, People: row?.people ?? 0, SignIns: row?.sign_ins ?? 0 }
      }),
      Mail: { IsServerSet: false, Queued: queued, Failed: failed, Returned: returned },
      Failures: {
        Server: caused('server'),
        Jobs: caused('job'),
        Emails: counts(moments.emails),
        ReturnedEmails: counts(moments.returned),
        CollegeSignIns: counts(moments.college),
        DataSync: counts(moments.sync),
      },
      Versions: {
        Product: '0.1.0',
        Node: process.versions.node,
        PostgreSql: version,
        Migration: migration,
        Migrations: migrations,
      },
      WeekBegan: hoursAgo(7 * 24),
      Today: today,
      News: news,
    }
  }

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
  return { today, areMadeUp: made_up as boolean, rotation: current && rotation, current, all: all! }
}

const studentHead =
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

const studentHours =
  (query: Query): Call =>
  async (program, _account, url) => {
    const student = studentOf(url)
    const { today, areMadeUp, rotation, current, all } = await hoursOfStudent(query, program, student)
    const since: string = rotation?.start_date ?? addDays(today, -120)
    const monday = mondayOf(today)
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
      [program, student, since, monday, today],
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
      Weeks: facts.weeks.map(([Monday, ApprovedMinutes, PendingMinutes]: [string, number, number]) => ({
        Monday,
        ApprovedMinutes,
        PendingMinutes,
      })),
      Attendance: { Since: since, ...facts.attendance },
    }
  }

const studentShifts =
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

const studentEvaluations =
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

/** The calls of the newer pages. */
export const pageCalls = (query: Query): [RegExp, Call][] => [
  [/\/outcomes\/site-use$/, siteUse(query)],
  [/\/outcomes\/evaluations$/, evaluationMeans(query)],
  [/\/outcomes$/, outcomes(query)],
  [/\/api\/overview$/, overview(query)],
  [/\/students\/\d+\/hours$/, studentHours(query)],
  [/\/students\/\d+\/shifts\?/, studentShifts(query)],
  [/\/students\/\d+\/evaluations\?/, studentEvaluations(query)],
  [/\/students\/\d+$/, studentHead(query)],
]
