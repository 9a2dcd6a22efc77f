import { sql } from 'kysely'
import type { StoredSums } from '#server/core/runtime/sum-check.ts'

/** The groups of anonymous forms. */
const groupsOf = (programId: number) => sql`(
    select array_agg(distinct row(e.template_id, coalesce(e.subject_id, 0), coalesce(e.site_id, 0))::evaluation_group)
    from evaluation e
    join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id and t.is_anonymous
    where e.program_id = ${programId} and e.is_completed and e.deleted_at is null)`

/** The results of evaluations, by day, item and group. */
export const evaluationSums: StoredSums = {
  of: 'evaluation',
  wrong: (programId) => sql`
      with answers as materialized (select * from counted_answer where program_id = ${programId})
      select 'evaluation_sum' as name, count(*) as keys from (
        select from (
          select date, template_id, site_id, answers, shares, low from evaluation_sum where program_id = ${programId}
          union all select date, template_id, site_id, -answers, -shares, -low from answers) a
        group by date, template_id, site_id having (sum(answers), sum(shares), sum(low)) <> (0, 0, 0)) d
      union all
      select 'evaluation_item_day', count(*) from (
        select from (
          select date, item_id, answers, scores, shares, low, fifth_1, fifth_2, fifth_3, fifth_4, fifth_5
          from evaluation_item_day where program_id = ${programId}
          union all
          select date, item_id, -answers, -scores, -shares, -low, -fifth_1, -fifth_2, -fifth_3, -fifth_4, -fifth_5 from answers) a
        group by date, item_id
        having (sum(answers), sum(scores), sum(shares), sum(low), sum(fifth_1), sum(fifth_2), sum(fifth_3), sum(fifth_4), sum(fifth_5))
          <> (0, 0, 0, 0, 0, 0, 0, 0, 0)) d
      union all
      select 'evaluation_item_month', count(*) from (
        select from (
          select subject_id, site_id, month, item_id, answers, scores, shares, low, fifth_1, fifth_2, fifth_3, fifth_4, fifth_5
          from evaluation_item_month where program_id = ${programId}
          union all
          select subject_id, site_id, month, item_id, -answers, -scores, -shares, -low, -fifth_1, -fifth_2, -fifth_3, -fifth_4, -fifth_5
          from answers) a
        group by subject_id, site_id, month, item_id
        having (sum(answers), sum(scores), sum(shares), sum(low), sum(fifth_1), sum(fifth_2), sum(fifth_3), sum(fifth_4), sum(fifth_5))
          <> (0, 0, 0, 0, 0, 0, 0, 0, 0)) d
      union all
      select 'evaluation_three', count(*) from (
        select from (
          select *, 1 as sign from evaluation_three where program_id = ${programId}
          union all
          select *, -1 from count_threes(${programId}, ${groupsOf(programId)})) a
        group by template_id, subject_id, site_id, item_id, date, waiting
        having (sum(sign), sum(sign * answers), sum(sign * scores), sum(sign * shares), sum(sign * low), sum(sign * fifth_1),
          sum(sign * fifth_2), sum(sign * fifth_3), sum(sign * fifth_4), sum(sign * fifth_5)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) d`,
  // Whoever submits or changes an evaluation waits until it is done, so that nothing is counted twice or not at all.
  async recount(db, programId) {
    await sql`select pg_advisory_xact_lock(hashtextextended('evaluation-sums:' || ${programId}::bigint, 0))`.execute(
      db,
    )
    await sql`delete from evaluation_sum where program_id = ${programId}`.execute(db)
    await sql`insert into evaluation_sum (program_id, date, template_id, site_id, answers, shares, low)
      select program_id, date, template_id, site_id, sum(answers), sum(shares), sum(low)
      from counted_answer where program_id = ${programId} group by 1, 2, 3, 4`.execute(db)
    await sql`delete from evaluation_item_day where program_id = ${programId}`.execute(db)
    await sql`insert into evaluation_item_day
      select program_id, date, item_id, sum(answers), sum(scores), sum(shares), sum(low), sum(fifth_1), sum(fifth_2), sum(fifth_3),
        sum(fifth_4), sum(fifth_5)
      from counted_answer where program_id = ${programId} group by 1, 2, 3`.execute(db)
    await sql`delete from evaluation_item_month where program_id = ${programId}`.execute(db)
    // Rows that are read together lie together.
    await sql`insert into evaluation_item_month
      select program_id, subject_id, site_id, month, item_id, sum(answers), sum(scores), sum(shares), sum(low), sum(fifth_1),
        sum(fifth_2), sum(fifth_3), sum(fifth_4), sum(fifth_5)
      from counted_answer where program_id = ${programId} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`.execute(
      db,
    )
    await sql`delete from evaluation_three where program_id = ${programId}`.execute(db)
    await sql`insert into evaluation_three select * from count_threes(${programId}, ${groupsOf(programId)})`.execute(
      db,
    )
  },
}
