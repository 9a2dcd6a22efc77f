import type pg from 'pg'

/** Keeps the days of the last two weeks that are over and not kept yet, in the time zones in which super admins look. */
export const keepSignIns = async (client: Pick<pg.Pool | pg.ClientBase, 'query'>): Promise<void> => {
  await client.query(`
    insert into sign_in_day (time_zone, date, people, sign_ins)
      select z.zone, d::date, s.people, s.sign_ins
      from (select 'America/New_York' as zone union select time_zone from program where deleted_at is null) z
      cross join lateral generate_series(((now() at time zone z.zone)::date - 14)::timestamp,
        ((now() at time zone z.zone)::date - 1)::timestamp, interval '1 day') d
      cross join lateral (select count(distinct s.account_id) as people, count(*) as sign_ins from session s
        where s.created_at >= d at time zone z.zone and s.created_at < (d + interval '1 day') at time zone z.zone) s
      -- A sign-in that began before midnight may be committed a moment later.
      where (d + interval '1 day') at time zone z.zone < now() - interval '5 minutes'
        and not exists (select from sign_in_day k where k.time_zone = z.zone and k.date = d::date)
      on conflict do nothing`)
  await client.query('delete from sign_in_day where date < current_date - 60')
}
