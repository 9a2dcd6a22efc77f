import { type RawBuilder, sql } from 'kysely'
import type {
  MajorStudy,
  ParticipationLevel,
  Pathology,
  Procedure,
} from '#contract/competencies/procedures.ts'
import type { Db } from '#server/core/database/pool.ts'

/** A list and, in it, one thing or all of them; the deleted ones in place of the others. */
export interface ListScope {
  programId: number
  listId: number
  id?: number
  isDeleted?: boolean
}

const live = (isDeleted: boolean | undefined, alias: string): RawBuilder<unknown> =>
  isDeleted
    ? sql`${sql.ref(`${alias}.deleted_at`)} is not null`
    : sql`${sql.ref(`${alias}.deleted_at`)} is null`
const idsOf = (rows: readonly { id: number }[]): number[] =>
  rows.map(({ id }) => id).toSorted((a, b) => a - b)
const only = (id: number | undefined, alias: string): RawBuilder<unknown> =>
  id === undefined ? sql`` : sql`and ${sql.ref(`${alias}.id`)} = ${id}`

const ofOne = (column: string, id: number | undefined): RawBuilder<unknown> =>
  id === undefined ? sql`` : sql`and ${sql.ref(column)} = ${id}`

export const isListThere = async (db: Db, programId: number, listId: number): Promise<boolean> =>
  (await db
    .selectFrom('competency_list')
    .select('id')
    .where('program_id', '=', programId)
    .where('id', '=', listId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) !== undefined

export const listMajorStudies = async (
  db: Db,
  { programId, listId, id, isDeleted }: ListScope,
): Promise<MajorStudy[]> => {
  const { rows } = await sql<MajorStudy>`
    select m.id as "Id", m.name as "Name", m.is_patient_care as "IsPatientCare", m.electives_needed as "ElectivesNeeded",
      count(s.id) as "ProcedureCount", count(s.id) filter (where not s.is_mandatory) as "ElectiveCount"
    from major_study m
    left join skill s on s.program_id = m.program_id and s.major_study_id = m.id and s.deleted_at is not distinct from m.deleted_at
    where m.program_id = ${programId} and m.list_id = ${listId} and ${live(isDeleted, 'm')} ${only(id, 'm')}
    group by m.program_id, m.id order by m.position, m.id`.execute(db)
  return rows
}

/** The live rows of a list that are below its live major studies. */
const inMajors = ({ programId, listId }: ListScope, table: string) => sql`
  ${sql.table(table)} t join major_study m on m.program_id = t.program_id and m.id = t.major_study_id
    and m.list_id = ${listId} and m.deleted_at is null and t.program_id = ${programId}`

export const listProcedures = async (db: Db, scope: ListScope): Promise<Procedure[]> => {
  const { rows } = await sql<Procedure>`
    select t.id as "Id", t.name as "Name", t.major_study_id as "MajorStudyId", t.is_mandatory as "IsMandatory",
      t.unlock_count as "LogsNeeded", t.may_be_simulated as "MayBeSimulated", t.needs_lab_check as "NeedsLabCheck",
      t.is_always_direct as "IsAlwaysDirect", t.comment_below as "CommentBelow", t.passing_percent as "PassingPercent",
      l.levels as "CountedLevelIds", coalesce(i.items, 0) as "ItemCount", coalesce(y.pathologies, 0) as "PathologyCount"
    from ${inMajors(scope, 'skill')}
    left join (select c.skill_id, json_agg(c.level_id order by p.position, p.id) as levels from skill_participation_level c
      join participation_level p on p.program_id = c.program_id and p.id = c.level_id and p.deleted_at is null
      where c.program_id = ${scope.programId} ${ofOne('c.skill_id', scope.id)} group by c.skill_id) l on l.skill_id = t.id
    left join (select skill_id, count(*) as items from comp_exam_item
      where program_id = ${scope.programId} and deleted_at is null ${ofOne('skill_id', scope.id)} group by skill_id) i
      on i.skill_id = t.id
    left join (select skill_id, count(*) as pathologies from pathology
      where program_id = ${scope.programId} and deleted_at is null ${ofOne('skill_id', scope.id)} group by skill_id) y
      on y.skill_id = t.id
    where ${live(scope.isDeleted, 't')} ${only(scope.id, 't')}
    order by m.position, m.id, t.position, t.id`.execute(db)
  return rows
}

/** The names of the live procedures of a section. */
export const listProcedureNames = async (
  db: Db,
  programId: number,
  majorStudyId: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('skill')
    .select('name')
    .where('program_id', '=', programId)
    .where('major_study_id', '=', majorStudyId)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ name }) => name)
}

/** Those of the ids that are live procedures of a list. */
export const procedureIdsIn = async (db: Db, scope: ListScope, ids: readonly number[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select t.id from ${inMajors(scope, 'skill')}
    where t.id = any (${[...ids]}::bigint[]) and t.deleted_at is null`.execute(db)
  return idsOf(rows)
}

export const listLevels = async (db: Db, scope: ListScope): Promise<ParticipationLevel[]> => {
  const { rows } = await sql<ParticipationLevel>`
    with grouped as (
      select (array_agg(t.id order by m.position, m.id))[1] as id, min(t.name) as name, t.is_counted, min(t.position) as position,
        json_agg(json_build_object('Id', t.id, 'MajorStudyId', t.major_study_id) order by m.position, m.id) as rows,
        array_agg(t.id) as ids
      from ${inMajors(scope, 'participation_level')}
      where ${live(scope.isDeleted, 't')} group by lower(t.name), t.is_counted, t.deleted_at)
    select id as "Id", name as "Name", is_counted as "IsCounted", rows as "In" from grouped
    ${scope.id === undefined ? sql`` : sql`where ${scope.id} = any (ids)`}
    order by position, lower(name), id`.execute(db)
  return rows
}

const pathologiesOf = ({ programId, listId }: ListScope) => sql`
  pathology y join skill t on t.program_id = y.program_id and t.id = y.skill_id and t.deleted_at is null
  join major_study m on m.program_id = t.program_id and m.id = t.major_study_id and m.list_id = ${listId}
    and m.deleted_at is null and y.program_id = ${programId}`

export const listPathologies = async (db: Db, scope: ListScope): Promise<Pathology[]> => {
  const { rows } = await sql<Pathology>`
    select y.id as "Id", y.skill_id as "ProcedureId", y.name as "Name" from ${pathologiesOf(scope)}
    where ${live(scope.isDeleted, 'y')} ${only(scope.id, 'y')}
    order by m.position, m.id, t.position, t.id, y.position, y.id`.execute(db)
  return rows
}

/** Gives sections the levels that every other section of the list has. */
export const giveCommonLevels = async (
  db: Db,
  { programId, listId }: ListScope,
  sections: readonly number[],
): Promise<void> => {
  const own = [...sections]
  await sql`
    with others as (select id from major_study
      where program_id = ${programId} and list_id = ${listId} and deleted_at is null and id <> all (${own}::bigint[])),
    common as (
      select min(p.name) as name, min(p.position) as position, p.is_counted
      from participation_level p join others o on o.id = p.major_study_id
      where p.program_id = ${programId} and p.deleted_at is null
      group by lower(p.name), p.is_counted having count(*) = (select count(*) from others))
    insert into participation_level (program_id, major_study_id, name, position, is_counted)
    select ${programId}::bigint, s, c.name, c.position, c.is_counted from unnest(${own}::bigint[]) s cross join common c
    order by s, c.position`.execute(db)
}

export const insertMajorStudies = async (
  db: Db,
  scope: ListScope,
  names: readonly string[],
  more: { isPatientCare: RawBuilder<boolean>; electivesNeeded?: number; importId?: number },
): Promise<number[]> => {
  const { programId, listId } = scope
  const { rows } = await sql<{ id: number }>`
    insert into major_study (program_id, list_id, name, position, is_patient_care, electives_needed, import_id)
    select ${programId}::bigint, ${listId}::bigint, n.name, n.nth + coalesce((select max(position) from major_study
        where program_id = ${programId} and list_id = ${listId} and deleted_at is null), 0), ${more.isPatientCare},
      ${more.electivesNeeded ?? 0}::smallint, ${more.importId ?? null}::bigint
    from unnest(${[...names]}::text[]) with ordinality as n (name, nth) order by n.nth returning id`.execute(
    db,
  )
  const ids = idsOf(rows)
  await giveCommonLevels(db, scope, ids)
  return ids
}

export type ProcedureRules = Omit<
  Procedure,
  'Id' | 'Name' | 'CountedLevelIds' | 'ItemCount' | 'PathologyCount'
>

/** The columns of rules, of those that are given. */
export const ruleColumns = (rules: Partial<ProcedureRules>) => ({
  ...(rules.MajorStudyId !== undefined && { major_study_id: rules.MajorStudyId }),
  ...(rules.IsMandatory !== undefined && { is_mandatory: rules.IsMandatory }),
  ...(rules.LogsNeeded !== undefined && { unlock_count: rules.LogsNeeded }),
  ...(rules.MayBeSimulated !== undefined && { may_be_simulated: rules.MayBeSimulated }),
  ...(rules.NeedsLabCheck !== undefined && { needs_lab_check: rules.NeedsLabCheck }),
  ...(rules.IsAlwaysDirect !== undefined && { is_always_direct: rules.IsAlwaysDirect }),
  ...(rules.CommentBelow !== undefined && { comment_below: rules.CommentBelow }),
  ...(rules.PassingPercent !== undefined && { passing_percent: rules.PassingPercent }),
})

/** The place behind the last of a section, as an expression. */
export const lastPlace = (programId: number, majorStudyId: number): RawBuilder<number> =>
  sql<number>`(select coalesce(max(position), 0) from skill
    where program_id = ${programId} and major_study_id = ${majorStudyId} and deleted_at is null)`

export const insertProcedures = async (
  db: Db,
  programId: number,
  names: readonly string[],
  rules: ProcedureRules,
  by: number,
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    insert into skill (program_id, name, position, created_by, updated_by, major_study_id, is_mandatory, unlock_count,
      may_be_simulated, needs_lab_check, is_always_direct, comment_below, passing_percent)
    select ${programId}::bigint, n.name, n.nth + ${lastPlace(programId, rules.MajorStudyId)}, ${by}::bigint, ${by}::bigint,
      ${rules.MajorStudyId}::bigint, ${rules.IsMandatory}::boolean, ${rules.LogsNeeded}::integer, ${rules.MayBeSimulated}::boolean,
      ${rules.NeedsLabCheck}::boolean, ${rules.IsAlwaysDirect}::boolean, ${rules.CommentBelow}::numeric,
      ${rules.PassingPercent}::smallint
    from unnest(${[...names]}::text[]) with ordinality as n (name, nth) order by n.nth returning id`.execute(
    db,
  )
  return idsOf(rows)
}

/** Of levels those of a section by the same names: its own, and those of where a procedure came from. */
export const levelsInSection = async (
  db: Db,
  programId: number,
  majorStudyId: number,
  levelIds: readonly number[],
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select distinct n.id from participation_level o
    join participation_level n on n.program_id = o.program_id and n.major_study_id = ${majorStudyId}
      and lower(n.name) = lower(o.name) and n.deleted_at is null
    where o.program_id = ${programId} and o.id = any (${[...levelIds]}::bigint[]) and o.deleted_at is null`.execute(
    db,
  )
  return idsOf(rows)
}

export const setCountedLevels = async (
  db: Db,
  programId: number,
  procedureId: number,
  levelIds: readonly number[],
): Promise<void> => {
  const ids = [...levelIds]
  await sql`delete from skill_participation_level
    where program_id = ${programId} and skill_id = ${procedureId} and level_id <> all (${ids}::bigint[])`.execute(
    db,
  )
  await sql`insert into skill_participation_level (program_id, skill_id, level_id)
    select ${programId}, ${procedureId}, id from unnest(${ids}::bigint[]) id on conflict do nothing`.execute(
    db,
  )
}

/** Adds levels to sections, behind those that are there. */
export const insertLevels = async (
  db: Db,
  programId: number,
  names: readonly string[],
  isCounted: boolean,
  majorStudyIds: readonly number[],
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    insert into participation_level (program_id, major_study_id, name, position, is_counted)
    select ${programId}::bigint, m, n.name, n.nth + coalesce((select max(p.position) from participation_level p
        where p.program_id = ${programId} and p.major_study_id = any (${[...majorStudyIds]}::bigint[]) and p.deleted_at is null), 0),
      ${isCounted}::boolean
    from unnest(${[...names]}::text[]) with ordinality as n (name, nth), unnest(${[...majorStudyIds]}::bigint[]) m
    order by m, n.nth
    on conflict (program_id, major_study_id, lower(name)) where deleted_at is null do nothing
    returning id`.execute(db)
  return idsOf(rows)
}

/** Changes the rows of a level, takes it from sections that are not named, and gives it to those that are. */
export const changeLevel = async (
  db: Db,
  programId: number,
  level: ParticipationLevel,
  { name, isCounted, majorStudyIds }: { name: string; isCounted: boolean; majorStudyIds: readonly number[] },
): Promise<void> => {
  const ids = level.In.map(({ Id }) => Id)
  await sql`update participation_level set name = ${name}, is_counted = ${isCounted},
      deleted_at = case when major_study_id = any (${[...majorStudyIds]}::bigint[]) then null else now() end
    where program_id = ${programId} and id = any (${ids}::bigint[])`.execute(db)
  await sql`insert into participation_level (program_id, major_study_id, name, position, is_counted)
    select ${programId}::bigint, m, ${name}::text, (select min(position) from participation_level
        where program_id = ${programId} and id = any (${ids}::bigint[])), ${isCounted}::boolean
    from unnest(${[...majorStudyIds]}::bigint[]) m
    on conflict (program_id, major_study_id, lower(name)) where deleted_at is null do nothing`.execute(db)
}

/** Whether another level of the name is in one of the sections. */
export const isLevelTaken = async (
  db: Db,
  programId: number,
  name: string,
  majorStudyIds: readonly number[],
  except: readonly number[],
): Promise<boolean> => {
  const { rows } = await sql`select 1 from participation_level
    where program_id = ${programId} and major_study_id = any (${[...majorStudyIds]}::bigint[]) and lower(name) = lower(${name})
      and deleted_at is null and id <> all (${[...except]}::bigint[]) limit 1`.execute(db)
  return rows.length > 0
}

/** Adds pathologies to each of the procedures, behind those that are there. */
export const insertPathologies = async (
  db: Db,
  programId: number,
  names: readonly string[],
  procedureIds: readonly number[],
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    insert into pathology (program_id, skill_id, name, position)
    select ${programId}::bigint, s, n.name, n.nth + coalesce((select max(y.position) from pathology y
      where y.program_id = ${programId} and y.skill_id = s and y.deleted_at is null), 0)
    from unnest(${[...names]}::text[]) with ordinality as n (name, nth), unnest(${[...procedureIds]}::bigint[]) s
    order by s, n.nth
    on conflict (program_id, skill_id, lower(name)) where deleted_at is null do nothing
    returning id`.execute(db)
  return idsOf(rows)
}
