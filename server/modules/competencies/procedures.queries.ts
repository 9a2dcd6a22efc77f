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
export const idsOf = (rows: readonly { id: number }[]): number[] =>
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

export type ProcedureRules = Omit<
  Procedure,
  'Id' | 'Name' | 'CountedLevelIds' | 'ItemCount' | 'PathologyCount'
>

/** The place behind the last of a section, as an expression. */
export const lastPlace = (programId: number, majorStudyId: number): RawBuilder<number> =>
  sql<number>`(select coalesce(max(position), 0) from skill
    where program_id = ${programId} and major_study_id = ${majorStudyId} and deleted_at is null)`

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
