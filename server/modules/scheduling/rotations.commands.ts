import { sql } from 'kysely'
import type { z } from 'zod'
import type { In } from '#contract/core/endpoint.ts'
import type { RotationInput } from '#contract/scheduling/rotations.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey, setRowDeleted } from '#server/core/database/rows.ts'

type Input = z.output<typeof RotationInput>

const values = (input: Input) => ({
  name: input.Name,
  start_date: input.StartDate,
  end_date: input.EndDate,
  cohorts: [...new Set(input.Cohorts)],
  target_minutes: input.TargetMinutes,
  notes: input.Notes,
})

/** Sets which levels and areas a rotation takes. */
const setRotationLists = async (
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

/** Adds a rotation with its levels and areas; answers its id. */
export const addRotation = async (
  db: Db,
  programId: number,
  accountId: number,
  input: Input,
): Promise<number> => {
  const id = await addRow(db, 'rotation', { program_id: programId, created_by: accountId, ...values(input) })
  await setRotationLists(db, programId, id, input)
  return id
}

export const changeRotation = async (db: Db, key: RowKey, input: Input): Promise<void> => {
  await changeRow(db, 'rotation', key, values(input))
  await setRotationLists(db, key.programId, key.id, input)
}

export const setRotationDeleted = (db: Db, key: RowKey, isDeleted: boolean): Promise<boolean> =>
  setRowDeleted(db, 'rotation', key, isDeleted)
