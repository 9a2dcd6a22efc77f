import { sql } from 'kysely'
import type { ProgressRules } from '#contract/progress/progress.ts'
import type { Db } from '#server/core/database/pool.ts'
import { asRows, columns, columnTypes, countUncounted, isStudying } from './progress.queries.ts'

export const saveRules = async (db: Db, programId: number, rules: ProgressRules): Promise<void> => {
  const { Cohorts: _cohorts, Levels, ...own } = rules
  const columns = sql`days_late, behind_by, absences_above, late_above, evaluation_below, has_requirements, requirements_above, has_remediation`
  const excluded = sql`excluded.days_late, excluded.behind_by, excluded.absences_above, excluded.late_above, excluded.evaluation_below,
    excluded.has_requirements, excluded.requirements_above, excluded.has_remediation`
  const given = (rows: readonly object[]) => sql`
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n ("StudentLevelId" smallint, "DaysLate" smallint, "BehindBy" smallint,
      "AbsencesAbove" smallint, "LateAbove" smallint, "EvaluationBelow" smallint, "HasRequirements" boolean, "RequirementsAbove" smallint,
      "HasRemediation" boolean)`
  const values = sql`"DaysLate", "BehindBy", "AbsencesAbove", "LateAbove", "EvaluationBelow", "HasRequirements", "RequirementsAbove",
    "HasRemediation"`
  // Its row makes other saves wait, the first one too.
  await sql`insert into risk_rule (program_id, ${columns}) select ${programId}, ${values} ${given([own])}
    on conflict (program_id) do update set (${columns}) = (${excluded})`.execute(db)
  await sql`delete from risk_rule_level where program_id = ${programId}`.execute(db)
  await sql`insert into risk_rule_level (program_id, level_id, ${columns})
    select ${programId}, n."StudentLevelId", ${values} ${given(Levels)}
    join student_level l on l.program_id = ${programId} and l.id = n."StudentLevelId"`.execute(db)
  // Cohorts that are not named keep their ends.
  await sql`delete from cohort_end where program_id = ${programId}
    and cohort = any (${rules.Cohorts.map(({ Cohort }) => Cohort)}::text[])`.execute(db)
  await sql`insert into cohort_end (program_id, cohort, ends_on)
    select ${programId}, c."Cohort", c."EndsOn"
    from jsonb_to_recordset(${JSON.stringify(rules.Cohorts)}::jsonb) as c ("Cohort" text, "EndsOn" date)
    where c."EndsOn" is not null`.execute(db)
}

/** Has a student counted anew by whoever looks next. */
export const forgetProgress = async (db: Db, programId: number, studentId: number): Promise<void> => {
  await sql`update student_progress set counted_at = '-infinity'
    where program_id = ${programId} and student_id = ${studentId}`.execute(db)
}

/** Counts whoever of a program was not counted yet, and forgets those who have left. */
export const countProgress = async (db: Db, programId: number, today: string): Promise<void> => {
  // Before anything is read: what is saved meanwhile is counted the next time.
  const { rows } = await sql<{ seen: string }>`select pg_current_snapshot()::text as seen`.execute(db)
  const counted = await countUncounted(db, programId, today)
  await sql`delete from student_progress p where p.program_id = ${programId}
    and not exists (select from account u where u.program_id = p.program_id and u.id = p.student_id and ${isStudying})`.execute(
    db,
  )
  await sql`insert into student_progress as p (program_id, ${columns}) select ${programId}, c.* from ${asRows(counted)} c
    on conflict (program_id, student_id) do update set counted_at = now(), ${sql.raw(
      Object.keys(columnTypes)
        .map((name) => `${name} = excluded.${name}`)
        .join(', '),
    )}`.execute(db)
  await sql`insert into progress_count (program_id, counted_on, counted_in)
    values (${programId}, ${today}::date, ${rows[0]!.seen}::pg_snapshot)
    on conflict (program_id) do update set counted_on = excluded.counted_on, counted_in = excluded.counted_in`.execute(
    db,
  )
}
