import { addDays } from '#contract/core/calendar.ts'
import { type Call, dayIn, type Query } from './bare-hours.ts'

/** The super admin's overview of the installation. */
export const overview =
  (query: Query): Call =>
  async () => {
    const timeZone = 'America/New_York'
    const today = dayIn(timeZone)
    const [facts] = await query(
      `select (select count(*) from college where deleted_at is null) as "Colleges",
        (select count(*) from program where deleted_at is null) as "Programs",
        (select count(*) from program p where deleted_at is null and coalesce((select s.last_seen_at from account_seen s
          where s.program_id = p.id order by s.last_seen_at desc limit 1), '-infinity') < now() - interval '30 days') as "Quiet",
        (select count(*) from account a join program p on p.id = a.program_id and p.deleted_at is null
          where a.access_level = 39 and a.deactivated_at is null and a.deleted_at is null) as "Students",
        (select count(distinct account_id) from session where ended_at is null and last_seen_at > now() - interval '15 minutes') as "Online",
        (select count(*) from account_seen where last_seen_at >= date_trunc('day', now(), $1)) as "SignedInToday",
        (select json_build_object('Waiting', count(*) filter (where attempts < max_attempts), 'Late', count(*) filter (where attempts < max_attempts
          and locked_at is null and run_at < now() - interval '5 minutes'), 'Failed', count(*) filter (where attempts >= max_attempts))
          from graphile_worker.jobs) as "Jobs",
        (select json_build_object('Files', count(*), 'FileBytes', coalesce(sum(byte_count), 0), 'DatabaseBytes', pg_database_size(current_database()))
          from stored_file) as "Storage",
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
