import { type RawBuilder, sql } from 'kysely'
import type { CompetencyList } from '#contract/competencies/competency-lists.ts'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'

/** The students of a program, each with the list of the cohort, or else the one for all others. */
const listOfStudents = (programId: number) => sql`
  select coalesce(c.list_id, o.id) as list_id, a.cohort, c.list_id is not null as is_own
  from account a
  left join competency_list_cohort c on c.program_id = a.program_id and c.cohort = a.cohort
  left join competency_list o on o.program_id = a.program_id and o.is_for_others and o.deleted_at is null
  where a.program_id = ${programId} and a.access_level = ${Level.Student} and a.deleted_at is null and a.deactivated_at is null`

/** What the live sections of lists hold. A section without levels counts every log. */
const sectionSums = (programId: number) => sql`
  select m.list_id, json_agg(json_build_object('Id', m.id, 'Name', m.name, 'IsPatientCare', m.is_patient_care,
      'ElectivesNeeded', m.electives_needed, 'MandatoryCount', k.mandatory, 'ElectiveCount', k.electives,
      'UnreachableCount', case when v.levels > 0 and v.counted = 0 then k.waiting else 0 end,
      'WithoutItemsCount', k.without_items) order by m.position, m.id) as sections
  from major_study m
  cross join lateral (
    select count(*) filter (where s.is_mandatory) as mandatory, count(*) filter (where not s.is_mandatory) as electives,
      count(*) filter (where s.unlock_count > 0 and not exists (select from skill_participation_level o
        join participation_level p on p.program_id = o.program_id and p.id = o.level_id and p.deleted_at is null
        where o.program_id = s.program_id and o.skill_id = s.id)) as waiting,
      count(*) filter (where not exists (select from comp_exam_item i
        where i.program_id = s.program_id and i.skill_id = s.id and i.deleted_at is null)) as without_items
    from skill s where s.program_id = m.program_id and s.major_study_id = m.id and s.deleted_at is null) k
  cross join lateral (
    select count(*) as levels, count(*) filter (where p.is_counted) as counted from participation_level p
    where p.program_id = m.program_id and p.major_study_id = m.id and p.deleted_at is null) v
  where m.program_id = ${programId} and m.deleted_at is null
  group by m.list_id`

const selectLists = async (
  db: Db,
  programId: number,
  where: RawBuilder<unknown>,
): Promise<CompetencyList[]> => {
  const { rows } = await sql<CompetencyList>`
    with holders as (select list_id, count(*) as students from (${listOfStudents(programId)}) s group by list_id),
    sums as (${sectionSums(programId)})
    select l.id as "Id", l.name as "Name", l.registry as "Registry", l.effective_on as "EffectiveOn",
      coalesce((select json_agg(c.cohort order by c.cohort) from competency_list_cohort c
        where c.program_id = l.program_id and c.list_id = l.id), '[]') as "Cohorts",
      l.is_for_others as "IsForOthers", coalesce(h.students, 0) as "StudentCount",
      l.electives_needed as "ElectivesNeeded", l.most_simulated as "MostSimulated", l.examiners as "Examiners",
      l.visited_within_days as "VisitedWithinDays", l.retry_days as "RetryDays", l.recheck_months as "RecheckMonths",
      l.pediatric_max_age as "PediatricMaxAge", l.geriatric_min_age as "GeriatricMinAge",
      l.geriatric_needs_impairment as "GeriatricNeedsImpairment", l.comment_below as "CommentBelow",
      l.passing_percent as "PassingPercent", coalesce(u.sections, '[]') as "Sections"
    from competency_list l left join holders h on h.list_id = l.id left join sums u on u.list_id = l.id
    where l.program_id = ${programId} and ${where}
    order by l.effective_on desc, l.id desc`.execute(db)
  return rows
}

export const listLists = (db: Db, programId: number, isDeleted: boolean): Promise<CompetencyList[]> =>
  selectLists(db, programId, isDeleted ? sql`l.deleted_at is not null` : sql`l.deleted_at is null`)

export const findList = async (
  db: Db,
  programId: number,
  listId: number,
): Promise<CompetencyList | undefined> =>
  (await selectLists(db, programId, sql`l.id = ${listId} and l.deleted_at is null`))[0]

/** The ids and names of the live lists, the newest first. */
export const listListNames = async (db: Db, programId: number): Promise<{ id: number; name: string }[]> =>
  db
    .selectFrom('competency_list')
    .select(['id', 'name'])
    .where('program_id', '=', programId)
    .where('deleted_at', 'is', null)
    .orderBy('effective_on', 'desc')
    .orderBy('id', 'desc')
    .execute()

interface NewList {
  name: string
  registry: string
  effective_on: string | RawBuilder<string>
  created_by: number
  import_id?: number
}

/** A list without anything in it. The first one of a program is that of all students. */
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

/** Fills a new list with the rules and all parts of another one; procedures keep their lineage. */
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

/** Makes a list the one of students whose cohort has none, and no other. */
export const giveToOthersAlone = async (db: Db, programId: number, listId: number): Promise<void> => {
  await sql`update competency_list set is_for_others = false
    where program_id = ${programId} and is_for_others and id <> ${listId} and deleted_at is null`.execute(db)
  await sql`update competency_list set is_for_others = true where program_id = ${programId} and id = ${listId}`.execute(
    db,
  )
}

/** Gives the list to these cohorts and no others; a cohort leaves its other list. */
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

export interface ExportedProcedure {
  Section: string
  Procedure: string
  IsMandatory: boolean
  LogsNeeded: number
  MayBeSimulated: boolean
}

/** The procedures of a list as its file shows them. */
export const listExported = async (
  db: Db,
  programId: number,
  listId: number,
): Promise<ExportedProcedure[]> => {
  const { rows } = await sql<ExportedProcedure>`
    select m.name as "Section", s.name as "Procedure", s.is_mandatory as "IsMandatory", s.unlock_count as "LogsNeeded",
      s.may_be_simulated as "MayBeSimulated"
    from skill s join major_study m on m.program_id = s.program_id and m.id = s.major_study_id and m.deleted_at is null
    where s.program_id = ${programId} and m.list_id = ${listId} and s.deleted_at is null
    order by m.position, m.id, s.position, s.id`.execute(db)
  return rows
}
