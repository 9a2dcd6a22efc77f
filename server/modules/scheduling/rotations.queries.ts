import { type RawBuilder, sql } from 'kysely'
import type { Out } from '#contract/core/endpoint.ts'
import type { listRotations as listRotationsCall, Rotation } from '#contract/scheduling/rotations.ts'
import { isNameTaken } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

type Query = Out<NonNullable<(typeof listRotationsCall)['query']>>

const rotations = (db: Db, programId: number) =>
  db.selectFrom('rotation as r').where('r.program_id', '=', programId).where('r.deleted_at', 'is', null)

const columns = [
  'r.id as Id',
  'r.name as Name',
  'r.start_date as StartDate',
  'r.end_date as EndDate',
  'r.cohorts as Cohorts',
  'r.target_minutes as TargetMinutes',
  'r.notes as Notes',
] as const

const gathered = [
  sql<number[]>`coalesce((select array_agg(l.level_id::int order by l.level_id) from rotation_level l
    where l.program_id = r.program_id and l.rotation_id = r.id), '{}')`.as('StudentLevelIds'),
  sql<number[]>`coalesce((select json_agg(x.area_id order by x.area_id) from rotation_area x
    where x.program_id = r.program_id and x.rotation_id = r.id), '[]')`.as('AreaIds'),
  sql<number>`(select count(*) from shift_assignment a
    where a.program_id = r.program_id and a.rotation_id = r.id and a.removed_at is null)`.as(
    'AssignmentCount',
  ),
] as const

/** One page of rotations and how many there are in all. */
export const listRotations = async (
  db: Db,
  programId: number,
  query: Query,
): Promise<{ Items: Rotation[]; Total: number; Page: number; PageSize: number }> => {
  const filtered = rotations(db, programId)
    .where(isFound(sql`r.name`, query.search ?? ''))
    .$if(Boolean(query.FromDate), (found) => found.where('r.end_date', '>=', query.FromDate!))
    .$if(Boolean(query.ThroughDate), (found) => found.where('r.start_date', '<=', query.ThroughDate!))
    .$if(Boolean(query.AreaId), (found) =>
      found.where(sql<boolean>`exists (select from rotation_area x
        where x.program_id = r.program_id and x.rotation_id = r.id and x.area_id = ${query.AreaId})`),
    )
    .$if(Boolean(query.StudentLevelId), (found) =>
      found.where(sql<boolean>`exists (select from rotation_level l
        where l.program_id = r.program_id and l.rotation_id = r.id and l.level_id = ${query.StudentLevelId})`),
    )
  const isDown = query.sort.startsWith('-')
  const field = query.sort.replace('-', '')
  const key = {
    Name: sql`lower(r.name)`,
    StartDate: sql`r.start_date`,
    EndDate: sql`r.end_date`,
    TargetMinutes: sql`r.target_minutes`,
    AssignmentCount: sql`"AssignmentCount"`,
  }[field as 'Name']
  const Items = await filtered
    .select(columns)
    .select(gathered)
    .orderBy(key, isDown ? 'desc' : 'asc')
    .orderBy('r.id')
    .limit(query.pageSize)
    .offset((query.page - 1) * query.pageSize)
    .execute()
  const { Total } = await filtered.select(sql<number>`count(*)`.as('Total')).executeTakeFirstOrThrow()
  return { Items, Total, Page: query.page, PageSize: query.pageSize }
}

export const findRotation = (db: Db, programId: number, rotationId: number): Promise<Rotation | undefined> =>
  rotations(db, programId).select(columns).select(gathered).where('r.id', '=', rotationId).executeTakeFirst()

/** Locks the rotation against assignments and other changes; answers its name, also of a deleted one. */
export const lockRotation = (db: Db, programId: number, rotationId: number) =>
  db
    .selectFrom('rotation')
    .select(['id', 'name', 'deleted_at'])
    .where('program_id', '=', programId)
    .where('id', '=', rotationId)
    .forUpdate()
    .executeTakeFirst()

export const isRotationNameTaken = (
  db: Db,
  programId: number,
  name: string,
  exceptId: number,
): Promise<boolean> =>
  isNameTaken(db, { table: 'rotation', within: sql`program_id = ${programId}` }, name, exceptId)

/** How many of the areas and levels are there, to tell foreign and missing ones. */
export const countAreasAndLevels = async (
  db: Db,
  programId: number,
  areaIds: readonly number[],
  levelIds: readonly number[],
): Promise<{ areas: number; levels: number }> => {
  const { rows } = await sql<{ areas: number; levels: number }>`select
    (select count(*) from area where program_id = ${programId} and deleted_at is null
      and id = any (${[...areaIds]}::bigint[])) as areas,
    (select count(*) from student_level where program_id = ${programId}
      and id = any (${[...levelIds]}::int[])) as levels`.execute(db)
  return rows[0]!
}

/** Whether a rotation takes a student by level and cohort, in SQL: by the aliases of the account and the rotation. */
export const takenBy = (
  u: string,
  r: string,
): RawBuilder<boolean> => sql<boolean>`(cardinality(${sql.ref(`${r}.cohorts`)}) = 0
    or ${sql.ref(`${u}.cohort`)} = any (${sql.ref(`${r}.cohorts`)}))
  and (not exists (select from rotation_level l where l.program_id = ${sql.ref(`${r}.program_id`)} and l.rotation_id = ${sql.ref(`${r}.id`)})
    or exists (select from rotation_level l where l.program_id = ${sql.ref(`${r}.program_id`)} and l.rotation_id = ${sql.ref(`${r}.id`)}
      and l.level_id = ${sql.ref(`${u}.student_level_id`)}))`
