import { sql } from 'kysely'
import type { ActiveProgram, ActiveProgramSort, Overview } from '#contract/reports/overview.ts'
import { quietAfterDays } from '#contract/reports/overview.ts'
import { acrossPrograms, oneAcrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import { countPeople } from '#server/core/runtime/installation.across.ts'

const activity = sql`(
  select s.program_id, count(*) filter (where s.last_seen_at >= now() - interval '7 days') as people_week,
    count(*) filter (where s.last_seen_at >= now() - ${sql.lit(quietAfterDays)} * interval '1 day') as people_month,
    max(s.last_seen_at) as last_seen_at
  from account_seen s where s.program_id is not null group by s.program_id)`

/** Programs that are there, with when somebody of them was seen last. */
const programs = sql`program p join college c on c.id = p.college_id
  left join ${activity} a on a.program_id = p.id`
const isQuiet = sql<boolean>`coalesce(a.people_month, 0) = 0`

type Facts = Pick<
  Overview,
  'Colleges' | 'Programs' | 'Students' | 'Online' | 'SignedInToday' | 'Quiet' | 'Jobs' | 'Storage'
> & {
  Versions: Pick<Overview['Versions'], 'PostgreSql' | 'Migration' | 'Migrations'>
  Returned: number
}

const countJobs = async (db: Db): Promise<Facts['Jobs']> => {
  const { rows } = await sql<Facts['Jobs']>`
    select count(*) filter (where attempts < max_attempts) as "Waiting",
      count(*) filter (where attempts < max_attempts and locked_at is null and run_at < now() - interval '5 minutes') as "Late",
      count(*) filter (where attempts >= max_attempts) as "Failed"
    from graphile_worker.jobs`.execute(db)
  return rows[0]!
}

/** The installation, from what is kept with every change. */
export const readInstallation = async (db: Db, timeZone: string): Promise<Facts> => {
  const facts = await oneAcrossPrograms(
    db,
    sql<Omit<Facts, 'Jobs' | 'Students' | 'Online' | 'SignedInToday'>>`
    select (select count(*) from college where deleted_at is null) as "Colleges",
      (select count(*) from program where deleted_at is null) as "Programs",
      -- One look at the index for each.
      (select count(*) from program p where p.deleted_at is null and not exists (select from account_seen s
        where s.program_id = p.id and s.last_seen_at >= now() - ${sql.lit(quietAfterDays)} * interval '1 day')) as "Quiet",
      json_build_object('Files', s.files, 'FileBytes', s.file_bytes, 'DatabaseBytes', s.database_bytes) as "Storage",
      json_build_object('PostgreSql', split_part(current_setting('server_version'), ' ', 1), 'Migration', m.name,
        'Migrations', m.number) as "Versions",
      (select count(*) from mail where bounced_at > now() - interval '30 days') as "Returned"
    from (select count(*) as files, coalesce(sum(byte_count), 0)::bigint as file_bytes,
        pg_database_size(current_database()) as database_bytes from stored_file) s
    cross join (select (array_agg(name order by id desc))[1] as name, count(*) as number from migration) m`,
  )
  return { ...facts, ...(await countPeople(db, timeZone)), Jobs: await countJobs(db) }
}

type Failures = Overview['Failures']
const kinds = {
  server: 'Server',
  job: 'Jobs',
  browser: 'Browsers',
  email: 'Emails',
  returned: 'ReturnedEmails',
  college: 'CollegeSignIns',
  sync: 'DataSync',
} as const satisfies Record<string, keyof Failures>

/** What failed since two moments. */
export const readFailures = async (
  db: Db,
  { dayBegan, weekBegan }: { dayBegan: string; weekBegan: string },
): Promise<Failures> => {
  const rows = await acrossPrograms(
    db,
    sql<{
      kind: keyof typeof kinds
      day: number
      week: number
      causes: Failures['Server']['Causes']
    }>`
    with hours as materialized (
      select f.kind, f.name, sum(f.number) filter (where f.hour > ${dayBegan}::timestamptz) as day, sum(f.number) as week
      from failure_hour f where f.hour > ${weekBegan}::timestamptz group by 1, 2),
    moments as (
      (select 'email' as kind, m.created_at as at from mail m where m.status = 4 and m.blocked_at is null
        and m.cancelled_at is null and m.created_at > ${weekBegan}::timestamptz limit 10001)
      union all
      (select 'returned', m.bounced_at from mail m where m.bounced_at > ${weekBegan}::timestamptz limit 10001)
      union all
      (select 'college', a.at from audit a where a.at > ${weekBegan}::timestamptz and a.action = 'sign-in refused'
        and a.detail ->> 'How' = 'college' limit 10001)
      union all
      (select 'sync', l.created_at from sync_log l where not (l.event ->> 'Success')::boolean
        and l.created_at > ${weekBegan}::timestamptz limit 10001))
    select k.kind, coalesce(s.day, 0)::bigint as day, coalesce(s.week, 0)::bigint as week, coalesce(s.causes, '[]') as causes
    from unnest(${Object.keys(kinds)}::text[]) as k (kind)
    left join (
      select h.kind, sum(h.day) as day, sum(h.week) as week, (select json_agg(json_build_object('Name', b.name, 'Week', b.week)
          order by b.week desc, b.name)
        from (select * from hours o where o.kind = h.kind order by o.week desc, o.name limit 5) b) as causes
      from hours h group by h.kind
      union all
      select m.kind, count(*) filter (where m.at > ${dayBegan}::timestamptz), count(*), null from moments m group by m.kind) s
      on s.kind = k.kind`,
  )
  return Object.fromEntries(
    rows.map(({ kind, day, week, causes }) => [
      kinds[kind],
      {
        Day: day,
        Week: week,
        ...((kind === 'server' || kind === 'job' || kind === 'browser') && { Causes: causes }),
      },
    ]),
  ) as Failures
}

/** Sign-ins of the days up to today in a time zone, also of days without any. Days that are over are kept. */
export const signInsByDay = async (
  db: Db,
  { timeZone, from, through }: { timeZone: string; from: string; through: string },
): Promise<Overview['Days']> => {
  const { rows } = await sql<Overview['Days'][number]>`
    with wanted as (select d::date as date from generate_series(${from}::date, ${through}::date, interval '1 day') d),
    kept as materialized (
      select k.date, k.people, k.sign_ins from sign_in_day k where k.time_zone = ${timeZone} and k.date >= ${from}::date),
    -- Days are kept without gaps up to the last one.
    since as materialized (select min(w.date) as date from wanted w where w.date not in (select k.date from kept k)),
    counted as (
      select k.date, k.people::bigint, k.sign_ins::bigint from kept k, since where k.date < since.date or since.date is null
      union all
      select (s.created_at at time zone ${timeZone})::date, count(distinct s.account_id), count(*)
      from session s where s.created_at >= (select since.date::timestamp at time zone ${timeZone} from since) group by 1)
    select w.date as "Date", coalesce(s.people, 0) as "People", coalesce(s.sign_ins, 0) as "SignIns"
    from wanted w left join counted s on s.date = w.date
    order by 1`.execute(db)
  return rows
}

const orders: Record<string, ReturnType<typeof sql>> = {
  LastSeenAt: sql`a.last_seen_at`,
  Name: sql`lower(p.name)`,
  CollegeName: sql`lower(c.name)`,
  Students: sql`n.students`,
  PeopleWeek: sql`coalesce(a.people_week, 0)`,
  PeopleMonth: sql`coalesce(a.people_month, 0)`,
}

/** Programs by their use; hours are added up for those of the page alone. */
export const pageActivePrograms = async (
  db: Db,
  {
    search,
    Quiet,
    sort,
    page,
    pageSize,
  }: { search: string; Quiet: boolean; sort: ActiveProgramSort; page: number; pageSize: number },
) => {
  const field = sort.replace('-', '')
  const direction = sort.startsWith('-') ? sql`desc nulls last` : sql`asc nulls first`
  const rows = await acrossPrograms(
    db,
    sql<ActiveProgram & { total: number }>`
    with shown as materialized (
      select p.id, p.name, c.name as college, coalesce(n.students, 0) as students, coalesce(a.people_week, 0) as people_week,
        coalesce(a.people_month, 0) as people_month, a.last_seen_at, ${isQuiet} as is_quiet, count(*) over () as total,
        row_number() over (order by ${orders[field]!} ${direction}, lower(p.name), p.id) as place
      from ${programs}
      left join (select program_id, count(*) as students from account
        where access_level = 39 and deactivated_at is null and deleted_at is null group by program_id) n on n.program_id = p.id
      where p.deleted_at is null
        and ${isFound(sql`c.name || ' - ' || p.name`, search)}
        and ${Quiet ? isQuiet : sql`true`}
      order by place limit ${pageSize} offset ${(page - 1) * pageSize})
    select s.id as "Id", s.name as "Name", s.college as "CollegeName", s.students as "Students",
      s.people_week as "PeopleWeek", s.people_month as "PeopleMonth", coalesce(h.minutes, 0) as "RecordedMinutes",
      s.last_seen_at as "LastSeenAt", s.is_quiet as "IsQuiet", s.total
    from shown s
    cross join lateral (select
      coalesce((select sum(d.approved_minutes + d.pending_minutes) from attendance_day d
        where d.program_id = s.id and d.date >= current_date - ${sql.lit(quietAfterDays)}), 0)::bigint
      + coalesce((select sum(r.minutes) from time_record r
        where r.program_id = s.id and r.deleted_at is null and r.is_matched and r.minutes > 0 and r.kind <> 'absence'
          and r.status <> 'rejected' and r.date >= current_date - ${sql.lit(quietAfterDays)}
          and r.date > coalesce((select max(d.date) from attendance_day d where d.program_id = s.id), '-infinity')), 0)::bigint as minutes) h
    order by s.place`,
  )
  return {
    Items: rows.map(({ total: _total, ...row }) => row),
    Total: rows[0]?.total ?? 0,
    Page: page,
    PageSize: pageSize,
  }
}
