import type pg from 'pg'
import { clearanceText } from '#contract/clinical-records/record-rules.ts'
import { Level } from '#contract/core/levels.ts'

/** Procedures that a list has from here on. */
const procedures = 80
/** Days that the history goes back. */
const daysBack = 730

/** Chances by student and procedure that are the same in every run. */
const chance = (parts: string) => `abs(hashtext(format('%s', concat_ws(' ', ${parts}))))`

/** The list gets as many procedures as radiography asks: those of other fields have two in the demo. */
const addProcedures = async (client: pg.ClientBase | pg.Pool, programId: number): Promise<void> => {
  await client.query(
    `insert into skill (program_id, major_study_id, name, position, is_mandatory, unlock_count)
    select $1, m.id, 'Procedure ' || n, 100 + n, n % 3 > 0, 1 + n % 5
    from (select id from major_study where program_id = $1 and deleted_at is null order by id limit 1) m
    cross join generate_series(1, $2 - (select count(*)::integer from skill where program_id = $1 and deleted_at is null)) n`,
    [programId, procedures],
  )
}

const addLogs = async (client: pg.ClientBase | pg.Pool, programId: number): Promise<void> => {
  await client.query(
    `insert into procedure_log (program_id, student_id, skill_id, site_id, level_id, date, count, key, state, decided_at)
    select $1, a.id, t.id, s.id, l.id, current_date - ((${chance('a.id, t.id')} + n * 181) % $2)::integer, 1 + a.id % 4,
      md5(format('log %s %s %s', a.id, t.id, n))::uuid, 'verified', now()
    from account a
    join skill t on t.program_id = $1 and t.deleted_at is null and (t.id + a.id) % 3 = 0
    cross join generate_series(1, 3) n
    join lateral (select id from site where program_id = $1 and deleted_at is null order by (id + a.id + t.id) % 17, id limit 1) s on true
    left join lateral (select id from participation_level where program_id = $1 and major_study_id = t.major_study_id and is_counted
      order by id limit 1) l on true
    where a.program_id = $1 and a.access_level = ${Level.Student} and a.deleted_at is null`,
    [programId, daysBack],
  )
}

/** Passed exams of half of what was logged, each after a failed one now and then. */
const addExams = async (client: pg.ClientBase | pg.Pool, programId: number): Promise<void> => {
  await client.query(
    `insert into exam_attempt (program_id, student_id, skill_id, number, state, result, graded_at, date, site_id, is_simulated,
        simulation_approved_at, remediation, remediation_at, way, short_code)
    select $1, a.id, t.id, n.number, n.state, n.state, d.day + time '15:00', d.day, g.site_id, t.id % 29 = 0,
      case when t.id % 29 = 0 then d.day + time '08:00' end, case when n.state = 'failed' then 'Practice in the lab.' else '' end,
      case when n.state = 'failed' then d.day + time '16:00' end, 'account',
      translate(lpad(to_hex($2 + row_number() over (order by a.id, t.id, n.number)), 8, '0'), '01abcdef', 'GHABCDEF')
    from account a
    join skill t on t.program_id = $1 and t.deleted_at is null and (t.id + a.id) % 6 = 0
    cross join lateral (values (1, 'failed'), (2, 'passed')) n (number, state)
    cross join lateral (select current_date - 10 - (${chance('a.id, t.id')} % $3)::integer - 7 * (2 - n.number) as day) d
    left join lateral (select site_id from procedure_log where program_id = $1 and student_id = a.id and skill_id = t.id limit 1) g on true
    where a.program_id = $1 and a.access_level = ${Level.Student} and a.deleted_at is null
      and (n.number = 2 or ${chance("a.id, t.id, 'first'")} % 8 = 0)
      and not exists (select from exam_attempt x where x.program_id = $1 and x.student_id = a.id and x.skill_id = t.id)`,
    [programId, 800_000_000 + programId * 1_000_000, daysBack - 30],
  )
}

/** Proofs of earlier years that were returned: they decide nothing about what is in order today. */
const addProofs = async (client: pg.ClientBase | pg.Pool, programId: number): Promise<void> => {
  await client.query(
    `insert into requirement_proof (program_id, student_id, requirement_id, site_id, version, events, state, return_reason, decided_at,
        decided_by, key, created_at, updated_at)
    select program_id, student_id, requirement_id, site_id, version, events, 'returned', 'The date cannot be read.',
      created_at - n * interval '11 months', decided_by, md5(format('proof %s %s', id, n))::uuid,
      created_at - n * interval '11 months 2 days', created_at - n * interval '11 months'
    from requirement_proof cross join generate_series(1, 2) n
    where program_id = $1 and state = 'accepted' and source = 'student' and deleted_at is null`,
    [programId],
  )
}

/** A reading each month, and a report of an incident of every thirtieth student. */
const addSafety = async (client: pg.ClientBase | pg.Pool, programId: number): Promise<void> => {
  await client.query(
    `insert into dose_reading (program_id, student_id, badge, from_date, through_date, deep, lens, shallow, acknowledged_at)
    select $1, a.id, lpad(a.id::text, 6, '0'), m.first::date, (m.first + interval '1 month - 1 day')::date, d.deep, d.deep, d.deep,
      case when m.back > 1 then m.first + interval '40 days' end
    from account a
    cross join lateral (select n as back, date_trunc('month', current_date) - n * interval '1 month' as first
      from generate_series(1, 24) n) m
    cross join lateral (select ${chance('a.id, m.back')} % 25 as deep) d
    where a.program_id = $1 and a.access_level = ${Level.Student} and a.deleted_at is null`,
    [programId],
  )
  await client.query(
    `insert into incident_report (program_id, student_id, kind, occurred_on, description, state, follow_up, closed_at, key)
    select $1, a.id, 'equipment', current_date - (a.id % $2)::integer, 'The table did not stop at its end.',
      case when a.id % 3 > 0 then 'closed' else 'open' end, case when a.id % 3 > 0 then 'Repaired' else '' end,
      case when a.id % 3 > 0 then now() end, md5(format('report %s', a.id))::uuid
    from account a where a.program_id = $1 and a.access_level = ${Level.Student} and a.deleted_at is null and a.id % 30 = 0`,
    [programId, daysBack],
  )
}

/** Clearance of a third of the students, and a record of every second one with its predecessor; their files are not there. */
const addRecords = async (client: pg.ClientBase | pg.Pool, programId: number): Promise<void> => {
  await client.query(
    `insert into cohort_end (program_id, cohort, ends_on)
    select distinct program_id, cohort, make_date(cohort::integer, 5, 15) from account
    where program_id = $1 and cohort ~ '^20[0-9]{2}$' on conflict do nothing`,
    [programId],
  )
  await client.query(
    `insert into clearance (program_id, student_id, text, version, name, checks, signed_by)
    select $1, a.id, $2, $3, s.first_name || ' ' || s.last_name, '{}', s.id
    from account a
    cross join lateral (select id, first_name, last_name from account where program_id = $1 and access_level >= ${Level.Faculty}
      and deleted_at is null order by access_level desc, id limit 1) s
    where a.program_id = $1 and a.access_level = ${Level.Student} and a.deleted_at is null and a.id % 3 = 0`,
    [programId, clearanceText.text, clearanceText.version],
  )
  await client.query(
    `with file as (
      insert into stored_file (program_id, store_key, name, media_type, byte_count, sha256)
      values ($1, format('history-%s', $1::bigint), 'clinical-record.pdf', 'application/pdf', 0, sha256(''::bytea)) returning id)
    insert into clinical_record (program_id, number, student_id, clearance_id, content, file_id, sha256, issued_at, issued_by, revoked_at,
      revoke_reason)
    select $1, format('CR-%s-%s-%s', substr(k.code, 1, 4), substr(k.code, 5, 4), substr(k.code, 9, 4)), a.id, c.id,
      jsonb_build_object('FirstName', a.first_name, 'LastName', a.last_name, 'StudentNumber', coalesce(a.student_number, ''),
        'Program', '', 'College', '', 'Cohort', coalesce(a.cohort, ''), 'GraduatedOn', null, 'ApprovedMinutes', 0, 'TargetMinutes', 0,
        'Rotations', '[]'::jsonb, 'Competencies', '[]'::jsonb, 'Evaluations', null, 'Requirements', null, 'Clearance', null),
      file.id, sha256(convert_to(k.code, 'UTF8')), now() - n * interval '200 days', s.id,
      case when n = 2 then now() - interval '300 days' end, case when n = 2 then 'The hours were not complete.' else '' end
    from file, account a
    cross join generate_series(1, 2) n
    cross join lateral (select upper(translate(md5(format('record %s %s', a.id, n)), '01', 'gh')) as code) k
    cross join lateral (select id from account where program_id = $1 and access_level >= ${Level.Faculty} and deleted_at is null
      order by access_level desc, id limit 1) s
    left join clearance c on c.program_id = a.program_id and c.student_id = a.id and n = 1
    where a.program_id = $1 and a.access_level = ${Level.Student} and a.deleted_at is null and a.id % 2 = 0`,
    [programId],
  )
}

/** What the job of each night would count, in figures that are near enough for a list. */
const addProgress = async (client: pg.ClientBase | pg.Pool, programId: number): Promise<void> => {
  await client.query(
    `insert into student_progress (program_id, student_id, hours_done, hours_needed, hours_per_week, exams_done, exams_needed,
        exams_per_week, requirements_missing, absences, late, made_up, evaluation_percent, completes_on, decided_by, risks)
    select $1, a.id, a.id % 60000, 60000, 16, a.id % 50, 51, 0.6, a.id % 3, a.id % 4, a.id % 5, a.id % 2, 70 + a.id % 30,
      current_date + (a.id % 400)::integer, 'hours', case when a.id % 11 = 0 then '{absences}'::text[] else '{}' end
    from account a where a.program_id = $1 and a.access_level = ${Level.Student} and a.deleted_at is null and a.deactivated_at is null
    on conflict do nothing`,
    [programId],
  )
}

/**
 * Two years of a program: its list of eighty procedures, logs, exams, proofs, readings, reports, clearances and records. Sums are
 * not kept meanwhile; the caller counts them anew.
 */
export const makeTwoYears = async (client: pg.ClientBase | pg.Pool, programId: number): Promise<void> => {
  await addProcedures(client, programId)
  await addLogs(client, programId)
  await addExams(client, programId)
  await addProofs(client, programId)
  await addSafety(client, programId)
  await addRecords(client, programId)
  await addProgress(client, programId)
}
