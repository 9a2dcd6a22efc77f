import { sql } from 'kysely'
import type { Requirement } from '#contract/requirements/requirement-design.ts'
import type { Db } from '#server/core/database/pool.ts'

/** The columns of what is asked, from `requirement q`, under their names on the wire. */
export const askedColumns = sql`q.id as "Id", q.name as "Name", q.kind as "Kind", q.scope as "Scope", q.rule as "Rule",
  q.version as "Version", q.needs_file as "NeedsFile", q.blocks_placement as "BlocksPlacement", q.instructions as "Instructions",
  q.link as "Link"`

export const listRequirements = async (
  db: Db,
  programId: number,
  { deleted = false, id }: { deleted?: boolean; id?: number } = {},
): Promise<Requirement[]> => {
  const { rows } = await sql<Requirement>`
    select ${askedColumns}, q.level_ids::int[] as "LevelIds", q.cohorts as "Cohorts",
      (select count(*) from requirement_proof p where p.program_id = q.program_id and p.requirement_id = q.id
        and p.state = 'submitted' and p.deleted_at is null) as "WaitingCount"
    from requirement q
    where q.program_id = ${programId} and q.deleted_at is ${sql.raw(deleted ? 'not null' : 'null')}
      and ${id === undefined ? sql`true` : sql`q.id = ${id}`}
    order by q.position, lower(q.name), q.id`.execute(db)
  return rows
}

export const findRequirement = async (
  db: Db,
  programId: number,
  id: number,
): Promise<Requirement | undefined> => (await listRequirements(db, programId, { id }))[0]

/** Whether another requirement that is not deleted has the name. */
export const isNameTaken = async (
  db: Db,
  programId: number,
  name: string,
  exceptId = 0,
): Promise<boolean> => {
  const { rows } =
    await sql`select from requirement where program_id = ${programId} and lower(name) = lower(${name})
    and deleted_at is null and id <> ${exceptId}`.execute(db)
  return rows.length > 0
}
