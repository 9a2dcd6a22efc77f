import { sql } from 'kysely'
import { coreFailures } from '#contract/core/failures.ts'
import { endedPeople } from '#server/core/database/counts.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { DB } from '#server/core/database/types.ts'
import { fail } from './failure.ts'

interface Beneath {
  table: keyof DB
  ids: readonly number[]
  /** What the rows belong to, by which column, and the column that says what that is called. */
  parent: keyof DB
  by: string
  name?: string
}

/** Refuses to bring rows back whose parent is deleted too: nobody would find them. */
export const refuseDeletedParent = async (
  db: Db,
  programId: number,
  { table, ids, parent, by, name = 'name' }: Beneath,
): Promise<void> => {
  const { rows } = await sql<{ name: string }>`select left(p.${sql.ref(name)}, 120) as name
    from ${sql.table(table)} t join ${sql.table(parent)} p on p.program_id = t.program_id and p.id = t.${sql.ref(by)}
    where t.program_id = ${programId} and t.id = any (${[...ids]}::bigint[]) and t.deleted_at is not null and p.deleted_at is not null limit 1`.execute(
    db,
  )
  if (rows[0]) throw fail(coreFailures.parent_deleted, { Name: rows[0].name })
}

/**
 * Refuses to bring records back whose person, by the column `by`, has ended: their hours and results would be nobody's.
 *
 * @throws Failure 409 `person_ended`
 */
export const refuseEndedPerson = async (
  db: Db,
  programId: number,
  { table, ids, by }: Pick<Beneath, 'table' | 'ids' | 'by'>,
): Promise<void> => {
  const { rows } = await sql`select from ${sql.table(table)} t
    where t.program_id = ${programId} and t.id = any (${[...ids]}::bigint[]) and t.deleted_at is not null
      and t.${sql.ref(by)} in (${endedPeople(programId)}) limit 1`.execute(db)
  if (rows[0]) throw fail(coreFailures.person_ended)
}
