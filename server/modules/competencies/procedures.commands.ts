import { type RawBuilder, sql } from 'kysely'
import type {
  ParticipationLevel,
  PathologySetting,
  updateMajorStudy,
} from '#contract/competencies/procedures.ts'
import type { BodyOf } from '#contract/core/endpoint.ts'
import type { Db } from '#server/core/database/pool.ts'
import { changeRow, type RowKey } from '#server/core/database/rows.ts'
import { changeDesign } from './list-design.commands.ts'
import { idsOf, type ListScope, lastPlace, type ProcedureRules } from './procedures.queries.ts'

/** The columns of rules, of those that are given. */
const ruleColumns = (rules: Partial<ProcedureRules>) => ({
  ...(rules.MajorStudyId !== undefined && { major_study_id: rules.MajorStudyId }),
  ...(rules.IsMandatory !== undefined && { is_mandatory: rules.IsMandatory }),
  ...(rules.LogsNeeded !== undefined && { unlock_count: rules.LogsNeeded }),
  ...(rules.MayBeSimulated !== undefined && { may_be_simulated: rules.MayBeSimulated }),
  ...(rules.NeedsLabCheck !== undefined && { needs_lab_check: rules.NeedsLabCheck }),
  ...(rules.IsAlwaysDirect !== undefined && { is_always_direct: rules.IsAlwaysDirect }),
  ...(rules.CommentBelow !== undefined && { comment_below: rules.CommentBelow }),
  ...(rules.PassingPercent !== undefined && { passing_percent: rules.PassingPercent }),
})

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

export const changeMajorStudy = (
  db: Db,
  key: RowKey,
  input: BodyOf<typeof updateMajorStudy>,
): Promise<boolean> =>
  changeRow(db, 'major_study', key, {
    name: input.Name,
    is_patient_care: input.IsPatientCare,
    electives_needed: input.ElectivesNeeded,
  })

export const insertProcedures = async (
  db: Db,
  programId: number,
  names: readonly string[],
  rules: ProcedureRules,
  by: number,
): Promise<number[]> => {
  const { rows } = await changeDesign(db, programId, () =>
    sql<{ id: number }>`
    insert into skill (program_id, name, position, created_by, updated_by, major_study_id, is_mandatory, unlock_count,
      may_be_simulated, needs_lab_check, is_always_direct, comment_below, passing_percent)
    select ${programId}::bigint, n.name, n.nth + ${lastPlace(programId, rules.MajorStudyId)}, ${by}::bigint, ${by}::bigint,
      ${rules.MajorStudyId}::bigint, ${rules.IsMandatory}::boolean, ${rules.LogsNeeded}::integer, ${rules.MayBeSimulated}::boolean,
      ${rules.NeedsLabCheck}::boolean, ${rules.IsAlwaysDirect}::boolean, ${rules.CommentBelow}::numeric,
      ${rules.PassingPercent}::smallint
    from unnest(${[...names]}::text[]) with ordinality as n (name, nth) order by n.nth returning id`.execute(
      db,
    ),
  )
  return idsOf(rows)
}

/** Changes a procedure and the levels that count for it; one that moves goes behind the last of its new section. */
export const changeProcedure = (
  db: Db,
  key: RowKey,
  { Name, ...rules }: { Name: string } & ProcedureRules,
  { isMoved, levelIds, by }: { isMoved: boolean; levelIds: readonly number[]; by: number },
): Promise<void> =>
  changeDesign(db, key.programId, async () => {
    await changeRow(db, 'skill', key, {
      name: Name,
      updated_by: by,
      ...ruleColumns(rules),
      ...(isMoved && { position: sql<number>`1 + ${lastPlace(key.programId, rules.MajorStudyId)}` }),
    })
    await setCountedLevels(db, key, levelIds)
  })

/** Changes the rules of several procedures, those that are given. */
export const changeRules = async (
  db: Db,
  programId: number,
  ids: readonly number[],
  rules: Partial<ProcedureRules>,
  by: number,
): Promise<void> => {
  await changeDesign(db, programId, () =>
    db
      .updateTable('skill')
      .set({ ...ruleColumns(rules), updated_by: by })
      .where('program_id', '=', programId)
      .where('id', 'in', ids)
      .execute(),
  )
}

const setCountedLevels = async (
  db: Db,
  { programId, id }: RowKey,
  levelIds: readonly number[],
): Promise<void> => {
  const ids = [...levelIds]
  await sql`delete from skill_participation_level
    where program_id = ${programId} and skill_id = ${id} and level_id <> all (${ids}::bigint[])`.execute(db)
  await sql`insert into skill_participation_level (program_id, skill_id, level_id)
    select ${programId}, ${id}, level from unnest(${ids}::bigint[]) level on conflict do nothing`.execute(db)
}

/** Adds levels to sections, behind those that are there. */
export const insertLevels = async (
  db: Db,
  programId: number,
  names: readonly string[],
  isCounted: boolean,
  majorStudyIds: readonly number[],
): Promise<number[]> => {
  const { rows } = await changeDesign(db, programId, () =>
    sql<{ id: number }>`
    insert into participation_level (program_id, major_study_id, name, position, is_counted)
    select ${programId}::bigint, m, n.name, n.nth + coalesce((select max(p.position) from participation_level p
        where p.program_id = ${programId} and p.major_study_id = any (${[...majorStudyIds]}::bigint[]) and p.deleted_at is null), 0),
      ${isCounted}::boolean
    from unnest(${[...names]}::text[]) with ordinality as n (name, nth), unnest(${[...majorStudyIds]}::bigint[]) m
    order by m, n.nth
    on conflict (program_id, major_study_id, lower(name)) where deleted_at is null do nothing
    returning id`.execute(db),
  )
  return idsOf(rows)
}

/** Changes the rows of a level, takes it from sections that are not named, and gives it to those that are. */
export const changeLevel = (
  db: Db,
  programId: number,
  level: ParticipationLevel,
  { name, isCounted, majorStudyIds }: { name: string; isCounted: boolean; majorStudyIds: readonly number[] },
): Promise<void> =>
  changeDesign(db, programId, async () => {
    const ids = level.In.map(({ Id }) => Id)
    await sql`update participation_level set name = ${name}, is_counted = ${isCounted},
      deleted_at = case when major_study_id = any (${[...majorStudyIds]}::bigint[]) then null else now() end
    where program_id = ${programId} and id = any (${ids}::bigint[])`.execute(db)
    await sql`insert into participation_level (program_id, major_study_id, name, position, is_counted)
    select ${programId}::bigint, m, ${name}::text, (select min(position) from participation_level
        where program_id = ${programId} and id = any (${ids}::bigint[])), ${isCounted}::boolean
    from unnest(${[...majorStudyIds]}::bigint[]) m
    on conflict (program_id, major_study_id, lower(name)) where deleted_at is null do nothing`.execute(db)
  })

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

export const renamePathology = (db: Db, key: RowKey, name: string): Promise<boolean> =>
  changeRow(db, 'pathology', key, { name })

export const savePathologySetting = async (
  db: Db,
  programId: number,
  { IsAsked, AllowsOther }: PathologySetting,
): Promise<void> => {
  const row = { is_asked: IsAsked, allows_other: AllowsOther }
  await db
    .insertInto('pathology_setting')
    .values({ program_id: programId, ...row })
    .onConflict((conflicting) => conflicting.column('program_id').doUpdateSet(row))
    .execute()
}
