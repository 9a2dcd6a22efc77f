import type { Installation } from './installation.ts'

/** Procedures that the list of the measured program has. */
const procedures = 80

/**
 * Gives the list of a program as many procedures as radiography asks, and every student logs and passed exams of a share of them:
 * programs of other fields have two in the demo. Answers the list.
 */
export const fillCompetencies = async (at: Installation, programId: number): Promise<number> => {
  const { rows } = await at.owner.query<{ list: number; study: number; level: number }>(
    `select m.list_id::integer as list, m.id::integer as study, (select id::integer from participation_level
        where program_id = m.program_id and major_study_id = m.id and is_counted order by id limit 1) as level
    from major_study m where m.program_id = $1 and m.deleted_at is null order by m.id limit 1`,
    [programId],
  )
  // The demo gives every program a list.
  const { list, study, level } = rows[0]!
  await at.owner.query(
    `insert into skill (program_id, major_study_id, name, position, is_mandatory, unlock_count)
    select $1, $2, 'Procedure ' || n, 100 + n, n % 3 > 0, 1 + n % 5
    from generate_series(1, $3 - (select count(*)::integer from skill where program_id = $1 and deleted_at is null)) n`,
    [programId, study, procedures],
  )
  await at.owner.query('alter table procedure_log disable trigger user')
  await at.owner.query('alter table exam_attempt disable trigger user')
  await at.owner.query(
    `insert into procedure_log (program_id, student_id, skill_id, site_id, level_id, date, count, key, state, decided_at)
    select $1, a.id, t.id, s.id, $2, current_date - (abs(hashtext(format('%s %s', a.id, t.id))) % 100), 1 + a.id % 4, gen_random_uuid(),
      'verified', now()
    from account a
    join skill t on t.program_id = $1 and t.deleted_at is null and (t.id + a.id) % 3 = 0
    join lateral (select id from site where program_id = $1 and deleted_at is null order by (id + a.id + t.id) % 17, id limit 1) s on true
    where a.program_id = $1 and a.access_level = 39 and a.deleted_at is null`,
    [programId, level],
  )
  await at.owner.query(
    `insert into exam_attempt (program_id, student_id, skill_id, number, state, result, graded_at, date, way, short_code)
    select $1, a.id, t.id, 1, 'passed', 'passed', now(), current_date - 10, 'account',
      translate(lpad(to_hex(900000000 + row_number() over ()), 8, '0'), '01abcdef', 'GHABCDEF')
    from account a join skill t on t.program_id = $1 and t.deleted_at is null and (t.id + a.id) % 6 = 0
    where a.program_id = $1 and a.access_level = 39 and a.deleted_at is null
      and not exists (select from exam_attempt x where x.program_id = $1 and x.student_id = a.id and x.skill_id = t.id)`,
    [programId],
  )
  await at.owner.query('alter table procedure_log enable trigger user')
  await at.owner.query('alter table exam_attempt enable trigger user')
  await at.owner.query('select recount_procedure_sums($1)', [programId])
  await at.owner.query('select recount_competency_sums($1)', [programId])
  await at.owner.query(
    `insert into competency_term_target (program_id, list_id, name, from_date, through_date, exams)
    values ($1, $2, 'Clinical I', current_date - 200, current_date - 90, 8),
      ($1, $2, 'Clinical II', current_date - 80, current_date + 30, 12)`,
    [programId, list],
  )
  await at.owner.query(
    'vacuum analyze procedure_log, procedure_sum, procedure_site_week, competency_standing, skill',
  )
  return list
}
