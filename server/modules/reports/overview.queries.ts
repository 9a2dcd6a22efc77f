import { sql } from 'kysely'
import type { ActiveProgram, ActiveProgramSort, Overview } from '#contract/reports/overview.ts'
import { quietAfterDays } from '#contract/reports/overview.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

const activity = sql`program_activity(now() - interval '7 days', now() - ${sql.lit(quietAfterDays)} * interval '1 day')`

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

/** The installation in one statement, from what is kept with every change. */
export const readInstallation = async (db: Db, timeZone: string): Promise<Facts> => {
  const { rows } = await sql<Facts>`
    select (select count(*) from college where deleted_at is null) as "Colleges",
      (select count(*) from program where deleted_at is null) as "Programs",
      count_quiet_programs(now() - ${sql.lit(quietAfterDays)} * interval '1 day') as "Quiet",
      n.total_students as "Students", n.online as "Online", n.daily_users as "SignedInToday",
      json_build_object('Waiting', j.waiting, 'Late', j.late, 'Failed', j.failed) as "Jobs",
      json_build_object('Files', s.files, 'FileBytes', s.file_bytes, 'DatabaseBytes', s.database_bytes) as "Storage",
      json_build_object('PostgreSql', split_part(current_setting('server_version'), ' ', 1), 'Migration', m.name,
        'Migrations', m.number) as "Versions",
      (select count(*) from mail where bounced_at > now() - interval '30 days') as "Returned"
    from installation_counts(date_trunc('day', now(), ${timeZone})) n
    cross join installation_jobs() j
    cross join installation_storage() s
    cross join (select (array_agg(name order by id desc))[1] as name, count(*) as number from migration) m`.execute(
    db,
  )
  return rows[0]!
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
  const { rows } = await sql<{
    kind: keyof typeof kinds
    day: number
    week: number
    causes: Failures['Server']['Causes']
  }>`select kind, day, week, causes from installation_failures(${dayBegan}, ${weekBegan})`.execute(db)
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
    select d::date as "Date", coalesce(s.people, 0) as "People", coalesce(s.sign_ins, 0) as "SignIns"
    from generate_series(${from}::date, ${through}::date, interval '1 day') d
    left join sign_ins_by_day(${from}::date, ${timeZone}) s on s.date = d::date
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
  const { rows } = await sql<ActiveProgram & { total: number }>`
    with shown as materialized (
      select p.id, p.name, c.name as college, coalesce(n.students, 0) as students, coalesce(a.people_week, 0) as people_week,
        coalesce(a.people_month, 0) as people_month, a.last_seen_at, ${isQuiet} as is_quiet, count(*) over () as total,
        row_number() over (order by ${orders[field]!} ${direction}, lower(p.name), p.id) as place
      from ${programs}
      left join students_by_program() n on n.program_id = p.id
      where p.deleted_at is null
        and ${isFound(sql`c.name || ' - ' || p.name`, search)}
        and ${Quiet ? isQuiet : sql`true`}
      order by place limit ${pageSize} offset ${(page - 1) * pageSize})
    select s.id as "Id", s.name as "Name", s.college as "CollegeName", s.students as "Students",
      s.people_week as "PeopleWeek", s.people_month as "PeopleMonth", coalesce(h.minutes, 0) as "RecordedMinutes",
      s.last_seen_at as "LastSeenAt", s.is_quiet as "IsQuiet", s.total
    from shown s
    left join program_hours((select array_agg(id) from shown), ${sql.lit(quietAfterDays)}) h on h.program_id = s.id
    order by s.place`.execute(db)
  return {
    Items: rows.map(({ total: _total, ...row }) => row),
    Total: rows[0]?.total ?? 0,
    Page: page,
    PageSize: pageSize,
  }
}
