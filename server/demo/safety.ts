import type pg from 'pg'
import { clearanceText } from '#contract/clinical-records/record-rules.ts'
import { Level } from '#contract/core/levels.ts'

/** Chances by student that are the same in every run. */
const chance = (parts: string) => `abs(hashtext(format('%s', concat_ws(' ', ${parts}))))`

/** Readings of the three months before this one, of everybody in radiography; one is above the limit and not reviewed yet. */
const makeReadings = async (client: pg.ClientBase, today: string): Promise<void> => {
  await client.query(
    `insert into dose_reading (program_id, student_id, badge, from_date, through_date, deep, lens, shallow, is_over, acknowledged_at,
        created_at, updated_at)
      select a.program_id, a.id, lpad((400 + a.id)::text, 5, '0'), m.first::date, (m.first + interval '1 month - 1 day')::date,
        d.deep, d.deep, d.deep + d.deep / 8, d.deep >= 125,
        case when m.back > 1 or a.id % 3 = 0 then m.first + interval '1 month 10 days' end,
        m.first + interval '1 month 6 days', m.first + interval '1 month 6 days'
      from account a join program p on p.id = a.program_id and p.id <= 3
      join modality o on o.id = p.modality_id and o.name = 'Radiography'
      cross join lateral (select n as back, date_trunc('month', $1::date) - n * interval '1 month' as first from generate_series(1, 3) n) m
      cross join lateral (select case when a.id % 46 = 7 and m.back = 1 then 138
        when ${chance('a.id, m.back')} % 3 > 0 then 0 else ${chance("a.id, m.back, 'dose'")} % 24 end as deep) d
      where a.access_level = ${Level.Student} and a.deleted_at is null and a.deactivated_at is null
      order by a.id, m.first`,
    [today],
  )
}

/** Two reports in each program of the demo: one that waits for the coordinator, one that was closed. */
const makeIncidents = async (client: pg.ClientBase, today: string): Promise<void> => {
  await client.query(
    `insert into incident_report (program_id, student_id, kind, occurred_on, site_id, description, action_taken, told, state, follow_up,
        closed_at, closed_by, key, created_at)
      select s.program_id, s.id, r.kind, $1::date - r.days, s.site_id, r.description, r.action, r.told, r.state, r.follow_up,
        case when r.state = 'closed' then ($1::date - r.days + 2) + time '15:00' end,
        case when r.state = 'closed' then s.coordinator end, md5(format('incident %s %s', s.program_id, r.n))::uuid,
        ($1::date - r.days) + time '19:30'
      from (values
        (1, 2, 'open', 'sharps', 'A needle went through the glove while the tray was put away. No blood was visible.',
          'Washed the hand and went to occupational health.', 'The charge nurse', ''),
        (2, 24, 'closed', 'injury', 'Strained the back while moving a stretcher alone.', 'Stopped and asked for help.',
          'The clinical instructor', 'Seen by occupational health and back after two days. Transfers were practiced again in the lab.'))
        r (n, days, state, kind, description, action, told, follow_up)
      join lateral (select a.program_id, a.id, d.site_id, c.id as coordinator, row_number() over (partition by a.program_id order by a.id) as n
        from account a
        join lateral (select site_id from shift_assignment where program_id = a.program_id and student_id = a.id and date < $1::date
          and removed_at is null order by date desc, id limit 1) d on true
        join lateral (select id from account where program_id = a.program_id and access_level = ${Level.Coord} and deleted_at is null
          order by id limit 1) c on true
        where a.program_id <= 3 and a.access_level = ${Level.Student} and a.deleted_at is null and a.deactivated_at is null) s on s.n = 3 + 4 * r.n
      order by s.program_id, r.days desc`,
    [today],
  )
}

/** When the cohorts are planned to be done, and directors' signatures for those alumni who left last. */
const makeClearances = async (client: pg.ClientBase, today: string): Promise<void> => {
  await client.query(`insert into cohort_end (program_id, cohort, ends_on)
    select distinct program_id, cohort, make_date(cohort::integer, 5, 15) from account
    where program_id <= 3 and access_level = ${Level.Student} and cohort ~ '^20[0-9]{2}$'`)
  await client.query(
    `insert into clearance (program_id, student_id, text, version, name, checks, exception, signed_at, signed_by)
      select a.program_id, a.id, $2, $3, d.first_name || ' ' || d.last_name,
        jsonb_build_object('Hours', jsonb_build_object('Done', 0, 'Needed', 0, 'IsMet', true),
          'Mandatory', jsonb_build_object('Done', 0, 'Needed', 0, 'IsMet', true),
          'Electives', jsonb_build_object('Done', 0, 'Needed', 0, 'IsMet', true),
          'Requirements', jsonb_build_object('Done', 0, 'Needed', 0, 'IsMet', true)),
        'Hours and competencies are in the records on paper.', make_date(a.cohort::integer, 5, 14) + time '16:00', d.id
      from account a
      join lateral (select id, first_name, last_name from account where program_id = a.program_id and access_level = ${Level.Director}
        and deleted_at is null order by id limit 1) d on true
      where a.program_id <= 3 and a.access_level = ${Level.Alumnus} and a.cohort ~ '^20[0-9]{2}$' and a.deleted_at is null
        and make_date(a.cohort::integer, 5, 14) < $1::date
      order by a.id`,
    [today, clearanceText.text, clearanceText.version],
  )
}

/** Readings, incidents, planned ends and clearances of the programs of the demo. */
export const makeSafety = async (client: pg.ClientBase, today: string): Promise<void> => {
  await makeReadings(client, today)
  await makeIncidents(client, today)
  await makeClearances(client, today)
}
