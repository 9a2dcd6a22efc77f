import { sql } from 'kysely'
import type { StoredSums } from '#server/core/runtime/sum-check.ts'

const sitesOf = (programId: number) => sql`
  select program_id, skill_id, site_id, week_of(date) as week, sum(count)::integer as count
  from procedure_log where program_id = ${programId} and deleted_at is null and state <> 'returned' and site_id is not null
  group by 1, 2, 3, 4`

/** What students logged, by procedure and by site. */
export const procedureSums: StoredSums = {
  of: 'procedure',
  wrong: (programId) => sql`
      select 'procedure_sum' as name, count(distinct (a.student_id, a.skill_id)) as keys from (
        (select * from count_procedures(${programId}, null, null) except select * from procedure_sum where program_id = ${programId})
        union all
        (select * from procedure_sum where program_id = ${programId} except select * from count_procedures(${programId}, null, null))) a
      union all
      select 'procedure_site_week', count(*) from (
        select from (
          select skill_id, site_id, week, count from procedure_site_week where program_id = ${programId}
          union all select skill_id, site_id, week, -count from (${sitesOf(programId)}) t) a
        group by skill_id, site_id, week having sum(count) <> 0) d`,
  async recount(db, programId) {
    // Nobody logs meanwhile; the sums are few against what they tell.
    await sql`lock table procedure_log in share row exclusive mode`.execute(db)
    await sql`call keep_procedure_sums(${programId}, null, null)`.execute(db)
    await sql`delete from procedure_site_week where program_id = ${programId}`.execute(db)
    await sql`insert into procedure_site_week ${sitesOf(programId)}`.execute(db)
  },
}

/** Each student’s standing on their competency list. */
export const competencySums: StoredSums = {
  of: 'competency',
  wrong: (programId) => sql`
      select 'competency_standing' as name, count(distinct a.student_id) as keys from (
        (select * from judge_competencies(${programId}, null) except select * from competency_standing where program_id = ${programId})
        union all
        (select * from competency_standing where program_id = ${programId} except select * from judge_competencies(${programId}, null))) a`,
  async recount(db, programId) {
    // Lists do not change meanwhile, and nothing is logged or examined.
    await sql`lock table procedure_log, exam_attempt, lab_check in share row exclusive mode`.execute(db)
    await sql`select pg_advisory_xact_lock(hashtextextended('competency-lists:' || ${programId}::bigint, 0))`.execute(
      db,
    )
    await sql`call write_competencies(${programId}, null)`.execute(db)
  },
}
