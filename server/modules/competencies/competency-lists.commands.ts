import { type RawBuilder, sql } from 'kysely'
import { examiners, type updateCompetencyList } from '#contract/competencies/competency-lists.ts'
import type { BodyOf } from '#contract/core/endpoint.ts'
import type { Db } from '#server/core/database/pool.ts'
import { changeRow, type RowKey } from '#server/core/database/rows.ts'
import { listOfStudents } from './competency-lists.queries.ts'
import { changeDesign } from './list-design.commands.ts'

interface NewList {
  name: string
  registry: string
  effective_on: string | RawBuilder<string>
  created_by: number
  import_id?: number
}

/** A list without anything in it. The first one of a program is that of all students. Its caller changes the design. */
export const insertList = async (db: Db, programId: number, list: NewList): Promise<number> => {
  const { id } = await db
    .insertInto('competency_list')
    .values({
      program_id: programId,
      updated_by: list.created_by,
      ...list,
      is_for_others: sql<boolean>`not exists (select from competency_list
        where program_id = ${programId} and is_for_others and deleted_at is null)`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes how many electives a list asks in all. */
export const changeElectives = (db: Db, key: RowKey, electives: number): Promise<boolean> =>
  changeDesign(db, key.programId, () =>
    changeRow(db, 'competency_list', key, { electives_needed: electives }),
  )

/** Changes the name and rules of a list, not whose it is. */
export const changeList = (
  db: Db,
  key: RowKey,
  input: BodyOf<typeof updateCompetencyList>,
  accountId: number,
): Promise<boolean> =>
  changeDesign(db, key.programId, () =>
    changeRow(db, 'competency_list', key, {
      name: input.Name,
      registry: input.Registry,
      effective_on: input.EffectiveOn,
      electives_needed: input.ElectivesNeeded,
      most_simulated: input.MostSimulated,
      examiners: examiners.filter((each) => input.Examiners.includes(each)),
      visited_within_days: input.VisitedWithinDays,
      retry_days: input.RetryDays,
      recheck_months: input.RecheckMonths,
      pediatric_max_age: input.PediatricMaxAge,
      geriatric_min_age: input.GeriatricMinAge,
      geriatric_needs_impairment: input.GeriatricNeedsImpairment,
      comment_below: input.CommentBelow,
      passing_percent: input.PassingPercent,
      updated_by: accountId,
    }),
  )

/** Fills a new list with the rules and all parts of another one; procedures keep their lineage. Its caller changes the design. */
export const copyList = async (
  db: Db,
  { programId, from, to, by }: { programId: number; from: number; to: number; by: number },
): Promise<void> => {
  await sql`update competency_list n set electives_needed = o.electives_needed, most_simulated = o.most_simulated,
      examiners = o.examiners, visited_within_days = o.visited_within_days, retry_days = o.retry_days, recheck_months = o.recheck_months,
      pediatric_max_age = o.pediatric_max_age, geriatric_min_age = o.geriatric_min_age,
      geriatric_needs_impairment = o.geriatric_needs_impairment, comment_below = o.comment_below,
      passing_percent = o.passing_percent
    from competency_list o
    where o.program_id = ${programId} and o.id = ${from} and n.program_id = ${programId} and n.id = ${to}`.execute(
    db,
  )
  await sql`insert into major_study (program_id, list_id, name, position, is_patient_care, electives_needed)
    select program_id, ${to}, name, position, is_patient_care, electives_needed from major_study
    where program_id = ${programId} and list_id = ${from} and deleted_at is null order by position, id`.execute(
    db,
  )
  const majors = sql`major_study o join major_study n on n.program_id = o.program_id and n.list_id = ${to}
    and lower(n.name) = lower(o.name) and n.deleted_at is null`
  const ofOld = sql`o.program_id = ${programId} and o.list_id = ${from} and o.deleted_at is null`
  await sql`insert into participation_level (program_id, major_study_id, name, position, is_counted)
    select p.program_id, n.id, p.name, p.position, p.is_counted
    from ${majors} join participation_level p on p.program_id = o.program_id and p.major_study_id = o.id
    where ${ofOld} and p.deleted_at is null order by p.id`.execute(db)
  await sql`insert into skill (program_id, major_study_id, name, position, is_mandatory, unlock_count, lineage,
      may_be_simulated, needs_lab_check, is_always_direct, comment_below, passing_percent, created_by, updated_by)
    select s.program_id, n.id, s.name, s.position, s.is_mandatory, s.unlock_count, s.lineage,
      s.may_be_simulated, s.needs_lab_check, s.is_always_direct, s.comment_below, s.passing_percent, ${by}::bigint, ${by}::bigint
    from ${majors} join skill s on s.program_id = o.program_id and s.major_study_id = o.id
    where ${ofOld} and s.deleted_at is null order by s.id`.execute(db)
  const skills = sql`${majors} join skill s on s.program_id = o.program_id and s.major_study_id = o.id and s.deleted_at is null
    join skill t on t.program_id = o.program_id and t.major_study_id = n.id and t.lineage = s.lineage`
  await sql`insert into skill_participation_level (program_id, skill_id, level_id)
    select o.program_id, t.id, q.id from ${skills}
    join skill_participation_level c on c.program_id = o.program_id and c.skill_id = s.id
    join participation_level p on p.program_id = o.program_id and p.id = c.level_id and p.deleted_at is null
    join participation_level q on q.program_id = o.program_id and q.major_study_id = n.id
      and lower(q.name) = lower(p.name) and q.deleted_at is null
    where ${ofOld}`.execute(db)
  await sql`insert into comp_exam_item (program_id, skill_id, text, score_id, position, is_critical, default_value_id)
    select o.program_id, t.id, i.text, i.score_id, i.position, i.is_critical, i.default_value_id from ${skills}
    join comp_exam_item i on i.program_id = o.program_id and i.skill_id = s.id and i.deleted_at is null
    where ${ofOld} order by i.id`.execute(db)
  await sql`insert into pathology (program_id, skill_id, name, position)
    select o.program_id, t.id, y.name, y.position from ${skills}
    join pathology y on y.program_id = o.program_id and y.skill_id = s.id and y.deleted_at is null
    where ${ofOld} order by y.id`.execute(db)
}

/**
 * Makes a list the one of students whose cohort has none. The cohorts that had the former one through this keep it: it becomes
 * their own. Answers which ones.
 */
export const giveToOthers = async (db: Db, programId: number, listId: number): Promise<string[]> => {
  const { rows } = await sql<{ cohort: string }>`
    insert into competency_list_cohort (program_id, cohort, list_id)
    select distinct ${programId}::bigint, s.cohort, s.list_id from (${listOfStudents(programId)}) s
    where not s.is_own and s.cohort is not null and s.cohort <> '' and s.list_id is not null
    returning cohort`.execute(db)
  await giveToOthersAlone(db, programId, listId)
  return rows.map(({ cohort }) => cohort)
}

/** Makes a list the one of students whose cohort has none, and no other. Its caller changes the design. */
export const giveToOthersAlone = async (db: Db, programId: number, listId: number): Promise<void> => {
  await sql`update competency_list set is_for_others = false
    where program_id = ${programId} and is_for_others and id <> ${listId} and deleted_at is null`.execute(db)
  await sql`update competency_list set is_for_others = true where program_id = ${programId} and id = ${listId}`.execute(
    db,
  )
}

/** Gives the list to these cohorts and no others; a cohort leaves its other list. Its caller changes the design. */
export const setCohorts = async (
  db: Db,
  programId: number,
  listId: number,
  cohorts: readonly string[],
): Promise<void> => {
  const names = [...new Set(cohorts)]
  await sql`delete from competency_list_cohort
    where program_id = ${programId} and list_id = ${listId} and cohort <> all (${names}::text[])`.execute(db)
  await sql`insert into competency_list_cohort (program_id, cohort, list_id)
    select ${programId}, cohort, ${listId} from unnest(${names}::text[]) cohort
    on conflict (program_id, cohort) do update set list_id = excluded.list_id`.execute(db)
}

/** Sets what sections of a list ask at least; answers how many of them the list has. */
export const setSectionElectives = async (
  db: Db,
  programId: number,
  listId: number,
  sections: readonly { MajorStudyId: number; ElectivesNeeded: number }[],
): Promise<number> => {
  const { rows } = await sql`update major_study m set electives_needed = n."ElectivesNeeded"
    from jsonb_to_recordset(${JSON.stringify(sections)}::jsonb) as n ("MajorStudyId" bigint, "ElectivesNeeded" smallint)
    where m.program_id = ${programId} and m.list_id = ${listId} and m.id = n."MajorStudyId" and m.deleted_at is null
    returning m.id`.execute(db)
  return rows.length
}
