import type pg from 'pg'
import { statement } from '#contract/competencies/exam-rules.ts'

/** What the statements of this file share: chances by student and procedure that are the same in every run. */
const chance = (parts: string) => `abs(hashtext(format('%s', concat_ws(' ', ${parts}))))`

/** Supervisors of the sites as registered examiners, and at each site one radiographer and one nurse without an account. */
const makeRoster = async (client: pg.ClientBase, today: string): Promise<void> => {
  await client.query(
    `insert into exam_examiner (program_id, site_id, account_id, first_name, last_name, email, credential, credential_number,
        expires_on, examines)
      select v.program_id, v.site_id, a.id, a.first_name, a.last_name, a.email, 'R.T.(R)', (300000 + a.id)::text,
        $1::date + 90 + (a.id % 500)::integer, 'all'
      from supervisor_site v join account a on a.program_id = v.program_id and a.id = v.account_id and a.email <> ''
      join site s on s.program_id = v.program_id and s.id = v.site_id and s.deleted_at is null
      order by v.program_id, v.site_id, a.id
      on conflict do nothing`,
    [today],
  )
  await client.query(
    `insert into exam_examiner (program_id, site_id, first_name, last_name, email, credential, credential_number, expires_on, examines)
      select s.program_id, s.id, p.first, p.last, format('%s.%s.%s@example.org', lower(p.first), lower(p.last), s.id), p.credential,
        (500000 + s.id * 10 + p.n)::text, $1::date + case when p.n = 3 then -12 else 200 + (s.id % 300)::integer end, p.examines
      from site s
      cross join lateral (values
        (1, (array['Andre', 'Bianca', 'Tomas', 'Renee', 'Priya', 'Louis', 'Maren'])[1 + s.id % 7],
          (array['Okonkwo', 'Delgado', 'Hartmann', 'Alvarez', 'Raman'])[1 + s.id % 5], 'R.T.(R)', 'all'),
        (2, (array['Helen', 'Grace', 'Samuel', 'Ines'])[1 + s.id % 4], (array['Marsh', 'Osei', 'Keller'])[1 + s.id % 3], 'RN',
          'patient-care'),
        (3, 'Victor', 'Lindqvist', 'R.T.(R)', 'all')) p (n, first, last, credential, examines)
      where s.deleted_at is null and (p.n < 3 or s.id % 4 = 0)
        and exists (select from supervisor_site v where v.program_id = s.program_id and v.site_id = s.id)
      order by s.program_id, s.id, p.n`,
    [today],
  )
  await client.query(`insert into exam_exclusion (program_id, email, student_id, reason)
    select distinct on (x.program_id) x.program_id, lower(x.email), a.id, 'relative' from exam_examiner x
    join lateral (select id from account where program_id = x.program_id and access_level = 39 and deleted_at is null
      order by id limit 1) a on true
    where x.account_id is null and x.examines = 'all' order by x.program_id, x.id`)
}

/** Procedures that need it are checked in the lab for nearly everybody who has logged them. */
const makeLabChecks = async (client: pg.ClientBase): Promise<void> => {
  await client.query(`insert into lab_check (program_id, student_id, skill_id, checked_on, faculty_id)
    select s.program_id, s.student_id, s.skill_id, s.last_date - 20, f.id
    from procedure_sum s join skill k on k.program_id = s.program_id and k.id = s.skill_id and k.needs_lab_check
    join lateral (select id from account where program_id = s.program_id and access_level = 59 order by id limit 1) f on true
    where ${chance('s.student_id, s.skill_id')} % 10 > 0
    order by s.program_id, s.student_id, s.skill_id`)
}

/**
 * Attempts at exams that the verified logs have opened: most passed, some after a failed one, some failed, some under way. They
 * follow from the sums of the logs, which are there by now.
 */
const makeAttempts = async (client: pg.ClientBase, today: string): Promise<void> => {
  await client.query(
    `create temporary table demo_attempt on commit drop as
      with counted as (
        select s.program_id, s.student_id, s.skill_id, least(s.last_date, $1::date - 1) as last_date,
          sum((e.value ->> 0)::integer) as counted
        from procedure_sum s cross join lateral jsonb_each(s.levels) e
        join participation_level p on p.program_id = s.program_id and p.id = nullif(e.key, '0')::bigint and p.is_counted
        group by s.program_id, s.student_id, s.skill_id, s.last_date),
      open as (
        select c.*, ${chance("c.student_id, c.skill_id, 'exam'")} % 100 as chance, k.may_be_simulated and not m.is_patient_care as may,
          m.is_patient_care, l.passing_percent, l.comment_below
        from counted c join skill k on k.program_id = c.program_id and k.id = c.skill_id
        join major_study m on m.program_id = k.program_id and m.id = k.major_study_id
        join competency_list l on l.program_id = m.program_id and l.id = m.list_id
        where c.counted >= k.unlock_count and (not k.needs_lab_check or exists (select from lab_check b
          where b.program_id = c.program_id and b.student_id = c.student_id and b.skill_id = c.skill_id))),
      made as (
        select *, 'passed' as state, case when chance < 9 then 2 else 1 end as number, last_date as date from open where chance < 60
        union all select *, 'failed', 1, last_date - 6 from open where chance < 9 or chance between 60 and 64
        union all select *, 'open', 1, $1::date from open where chance between 65 and 69
        union all select *, 'suspended', 1, last_date from open where chance = 70)
      select row_number() over (order by o.date, o.program_id, o.student_id, o.skill_id, o.number) as n, o.*, d.site_id, x.id as roster_id,
        x.account_id, x.is_known and o.state = 'open' as is_for_known, trim(x.first_name || ' ' || x.last_name) as examiner, x.email, x.credential, x.credential_number
      from made o
      join lateral (select g.site_id from procedure_log g where g.program_id = o.program_id and g.student_id = o.student_id
        and g.skill_id = o.skill_id and g.site_id is not null
        order by (o.state = 'open' and exists (select from exam_examiner x join account u on u.id = x.account_id and u.user_name in ('supervisor', 'supervisor2')
          where x.program_id = g.program_id and x.site_id = g.site_id)) desc, g.date desc, g.id desc limit 1) d on true
      -- Whoever tries the account of a supervisor finds exams to grade there, whatever the day.
      join lateral (select x.*, coalesce(u.user_name in ('supervisor', 'supervisor2'), false) as is_known from exam_examiner x left join account u on u.id = x.account_id
        where x.program_id = o.program_id and x.site_id = d.site_id and x.examines = 'all' and x.expires_on >= $1::date
        order by (o.state = 'open' and coalesce(u.user_name in ('supervisor', 'supervisor2'), false)) desc, ${chance('x.id, o.student_id, o.skill_id')}, x.id limit 1) x on true`,
    [today],
  )
  await client.query(
    `insert into exam_attempt (program_id, student_id, skill_id, number, state, result, date, declared_at, site_id, is_simulated,
        simulation_approved_at, way, examiner_id, roster_id, passing_percent, comment_below, comment, started_at, graded_at,
        retry_from, remediation, remediation_at, ended_reason, ended_at, short_code, created_by, updated_by)
      select program_id, student_id, skill_id, number, state, result, date, at - interval '20 minutes', site_id, sim,
        case when sim and state <> 'open' then at - interval '1 day' end,
        case when is_for_known or account_id is not null and n % 3 > 0 then 'account' when n % 2 = 0 then 'handover' else 'link' end,
        null, roster_id, passing_percent, comment_below,
        case when result = 'failed' then 'Wrong side marked; the patient was asked too late.' else '' end,
        case when result is not null then at - interval '10 minutes' end, case when result is not null then at end,
        case when result = 'failed' then date + 1 end,
        case when result = 'failed' and n % 3 > 0 then 'Practice markers in the lab with faculty, then two more logs.' else '' end,
        case when result = 'failed' and n % 3 > 0 then at + interval '1 hour' end,
        case when state = 'suspended' then format('%s says that someone else signed.', examiner) else '' end,
        case when state = 'suspended' then at + interval '2 hours' end,
        translate(lpad(to_hex(n), 8, '0'), '01abcdef', 'GHABCDEF'), student_id, student_id
      from (select *, (date + time '15:00') at time zone 'UTC' as at, may and n % 23 = 0 as sim,
          case when state = 'suspended' then 'passed' when state <> 'open' then state end as result
        from demo_attempt) d
      order by n`,
  )
  await client.query('analyze exam_attempt, comp_exam_item, competency_score_value')
  await client.query(`insert into exam_attempt_item (program_id, attempt_id, position, text, is_critical, scale, value_id, comment)
    select a.program_id, a.id, row_number() over (partition by a.program_id, a.id order by i.position, i.id), i.text, i.is_critical, v.scale,
      case when a.state = 'open' then i.default_value_id when a.result = 'failed' and i.is_critical then v.worst
        when a.id % 4 = i.position % 4 and not i.is_critical then v.middle else v.best end,
      case when a.result = 'failed' and i.is_critical then 'The order was not read to the end.' else '' end
    from exam_attempt a join comp_exam_item i on i.program_id = a.program_id and i.skill_id = a.skill_id and i.deleted_at is null
    join lateral (select jsonb_agg(jsonb_build_object('Id', id, 'Label', label, 'Value', value, 'IsPassing', is_passing) order by position)
        as scale, (array_agg(id order by position))[1] as worst, (array_agg(id order by position))[2] as middle,
        (array_agg(id order by position desc))[1] as best
      from competency_score_value where program_id = i.program_id and score_id = i.score_id and deleted_at is null) v on true`)
  await client.query(`update exam_attempt a set score = s.score, highest = s.highest
    from (select i.program_id, i.attempt_id, sum((g.value ->> 'Value')::numeric) as score, sum(h.highest) as highest
      from exam_attempt_item i
      join lateral (select value from jsonb_array_elements(i.scale) where (value ->> 'Id')::bigint = i.value_id) g on true
      join lateral (select max((value ->> 'Value')::numeric) as highest from jsonb_array_elements(i.scale)) h on true
      group by 1, 2) s
    where a.program_id = s.program_id and a.id = s.attempt_id and a.result is not null`)
  await client.query(
    `insert into exam_signature (program_id, attempt_id, text, version, name, credential, credential_number, how, examiner_id, roster_id,
        email, disputed_at, signed_at)
      select a.program_id, a.id, format($2, u.first_name || ' ' || u.last_name, k.name,
          case when a.is_simulated then 'in simulation' else 'on a patient' end,
          case when a.result = 'passed' then 'approved' else 'not approved' end),
        $1, trim(x.first_name || ' ' || x.last_name), x.credential, x.credential_number,
        case a.way when 'handover' then 'code' else a.way end, x.account_id, x.id, x.email, a.ended_at, a.graded_at
      from exam_attempt a join exam_examiner x on x.program_id = a.program_id and x.id = a.roster_id
      join account u on u.program_id = a.program_id and u.id = a.student_id
      join skill k on k.program_id = a.program_id and k.id = a.skill_id
      where a.result is not null`,
    [
      statement.Version,
      statement
        .text('%1$s', '%2$s', 'passed', false)
        .replace(' on a patient', ' %3$s')
        .replace(/approved\.$/, '%4$s.'),
    ],
  )
}

/** Some passed procedures are examined once more this term. */
const makeRechecks = async (client: pg.ClientBase, today: string): Promise<void> => {
  await client.query(
    `insert into exam_recheck (program_id, student_id, skill_id, kind, due_on, state)
      select a.program_id, a.student_id, a.skill_id, case when a.id % 5 = 0 then 'terminal' else 'continued' end, $1::date + 30, 'open'
      from exam_attempt a where a.state = 'passed' and ${chance("a.student_id, a.skill_id, 'recheck'")} % 12 = 0
      order by a.program_id, a.id`,
    [today],
  )
}

/** Examiners, lab checks, exams in every state and rechecks, from the logs that are there. */
export const makeExams = async (client: pg.ClientBase, today: string): Promise<void> => {
  // All is one transaction: without this, the statements below would be planned for empty tables.
  await client.query('analyze account, site, skill, procedure_log, procedure_sum')
  await makeRoster(client, today)
  await makeLabChecks(client)
  await client.query('analyze exam_examiner, lab_check')
  await makeAttempts(client, today)
  await makeRechecks(client, today)
}
