import { type RawBuilder, sql } from 'kysely'
import type { CompetencyList } from '#contract/competencies/competency-lists.ts'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { ListDesign, ListStanding } from './list-design.rules.ts'

/** The students of a program, each with the list of the cohort, or else the one for all others. */
export const listOfStudents = (programId: number) => sql`
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

/** What the lists of a program ask of students. */
export const readDesign = async (db: Db, programId: number): Promise<ListDesign> => {
  const lists = await sql<ListDesign['lists'][number]>`
    select l.id, l.deleted_at is null as "isLive", l.is_for_others as "isForOthers", l.electives_needed as electives,
      array(select c.cohort from competency_list_cohort c where c.program_id = l.program_id and c.list_id = l.id order by 1) as cohorts
    from competency_list l where l.program_id = ${programId}`.execute(db)
  const procedures = await sql<ListDesign['procedures'][number]>`
    select t.id, m.list_id as "listId", m.id as "sectionId", t.lineage, t.deleted_at is null and m.deleted_at is null as "isLive",
      t.is_mandatory as "isMandatory", t.unlock_count as needed, t.needs_lab_check as "needsLabCheck",
      array(select e.level_id from skill_participation_level e
        where e.program_id = t.program_id and e.skill_id = t.id order by 1) as "levelIds"
    from skill t join major_study m on m.program_id = t.program_id and m.id = t.major_study_id
    where t.program_id = ${programId} order by t.id`.execute(db)
  const levels = await sql<ListDesign['levels'][number]>`
    select p.id, m.list_id as "listId", m.id as "sectionId", lower(p.name) as name, p.is_counted as "isCounted",
      p.deleted_at is null as "isLive"
    from participation_level p join major_study m on m.program_id = p.program_id and m.id = p.major_study_id
    where p.program_id = ${programId} order by p.id`.execute(db)
  return { lists: lists.rows, procedures: procedures.rows, levels: levels.rows }
}

/** What a list asks, and how its students stand, by name. */
export const readListStanding = async (db: Db, programId: number, listId: number): Promise<ListStanding> => {
  const { rows } = await sql<ListStanding>`
    select l.electives_needed + (select count(*) from major_study m
        join skill t on t.program_id = m.program_id and t.major_study_id = m.id and t.deleted_at is null and t.is_mandatory
        where m.program_id = l.program_id and m.list_id = l.id and m.deleted_at is null) as asked,
      (select coalesce(json_agg(json_build_object('StudentId', a.id, 'Student', listed_name(a.last_name, a.first_name),
          'cells', s.cells, 'Done', s.done, 'Ready', s.ready) order by a.last_name, a.first_name, a.id), '[]')
        from competency_standing s join account a on a.program_id = s.program_id and a.id = s.student_id
          and a.access_level = ${Level.Student} and a.deleted_at is null and a.deactivated_at is null
        where s.program_id = l.program_id and s.list_id = l.id) as students
    from competency_list l where l.program_id = ${programId} and l.id = ${listId}`.execute(db)
  // Whoever asks has found the list.
  return rows[0]!
}
