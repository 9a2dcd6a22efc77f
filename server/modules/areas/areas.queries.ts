import { sql } from 'kysely'
import type { Area } from '#contract/areas/areas.ts'
import { alphabetical } from '#contract/core/alphabet.ts'
import { isNameTaken } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type FieldChoices, namedChoices } from '#server/core/imports/choices.ts'

const areas = (db: Db, programId: number) =>
  db
    .selectFrom('area as a')
    .select([
      'a.id as Id',
      'a.name as Name',
      'a.is_active as IsActive',
      'a.are_notifications_enabled as AreNotificationsEnabled',
    ])
    .select(
      sql<number>`(select count(*) from account u
        where u.program_id = a.program_id and u.area_id = a.id and u.deleted_at is null)`.as('UserCount'),
    )
    .where('a.program_id', '=', programId)
    .where('a.deleted_at', 'is', null)

/** The areas of a program by name; inactive ones only where `all` asks for them. */
export const listAreas = (db: Db, programId: number, { all }: { all: boolean }): Promise<Area[]> =>
  areas(db, programId)
    .$if(!all, (query) => query.where('a.is_active', '=', true))
    .orderBy(sql`lower(a.name)`)
    .execute()

export const findArea = (db: Db, programId: number, areaId: number): Promise<Area | undefined> =>
  areas(db, programId).where('a.id', '=', areaId).executeTakeFirst()

export const isAreaNameTaken = (
  db: Db,
  programId: number,
  name: string,
  exceptId: number,
): Promise<boolean> =>
  isNameTaken(db, { table: 'area', within: sql`program_id = ${programId}` }, name, exceptId)

/** The areas of a program as files name them. */
export const listAreaChoices = async (db: Db, programId: number): Promise<FieldChoices> => {
  const rows = await db
    .selectFrom('area')
    .select(['id', 'name'])
    .where('program_id', '=', programId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const ids = new Map(rows.map(({ id, name }) => [name.toLowerCase(), id]))
  const names = rows.map(({ name }) => name).toSorted(alphabetical)
  return namedChoices('an area', ids, names)
}
