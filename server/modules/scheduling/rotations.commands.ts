import { sql } from 'kysely'
import type { In } from '#contract/core/endpoint.ts'
import type { RotationInput } from '#contract/scheduling/rotations.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Sets which levels and areas a rotation takes. */
export const setRotationLists = async (
  db: Db,
  programId: number,
  rotationId: number,
  { StudentLevelIds = [], AreaIds = [] }: Pick<In<typeof RotationInput>, 'StudentLevelIds' | 'AreaIds'>,
): Promise<void> => {
  await sql`with gone as (delete from rotation_level where program_id = ${programId} and rotation_id = ${rotationId}
      and level_id <> all (${StudentLevelIds}::int[]))
    insert into rotation_level (program_id, rotation_id, level_id)
    select ${programId}::bigint, ${rotationId}::bigint, level_id from unnest(${StudentLevelIds}::int[]) as level_id
    on conflict do nothing`.execute(db)
  await sql`with gone as (delete from rotation_area where program_id = ${programId} and rotation_id = ${rotationId}
      and area_id <> all (${AreaIds}::bigint[]))
    insert into rotation_area (program_id, rotation_id, area_id)
    select ${programId}::bigint, ${rotationId}::bigint, area_id from unnest(${AreaIds}::bigint[]) as area_id
    on conflict do nothing`.execute(db)
}
