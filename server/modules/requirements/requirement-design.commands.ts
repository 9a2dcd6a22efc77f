import { sql } from 'kysely'
import type { z } from 'zod'
import type { RequirementInput } from '#contract/requirements/requirement-design.ts'
import type { Db } from '#server/core/database/pool.ts'
import { changeRow, type RowKey } from '#server/core/database/rows.ts'

type Input = z.output<typeof RequirementInput>

/** Adds a requirement behind the others; answers its id. */
export const addRequirement = async (
  db: Db,
  programId: number,
  accountId: number,
  input: Input,
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into requirement (program_id, name, kind, scope, rule, needs_file, blocks_placement, instructions, link, level_ids,
      cohorts, created_by, updated_by, position)
    select ${programId}, ${input.Name}, ${input.Kind}, ${input.Scope}, ${JSON.stringify(input.Rule)}::jsonb, ${input.NeedsFile},
      ${input.BlocksPlacement}, ${input.Instructions}, ${input.Link}, ${input.LevelIds}::smallint[], ${input.Cohorts}::text[],
      ${accountId}, ${accountId}, coalesce(max(position), 0) + 1
    from requirement where program_id = ${programId}
    returning id`.execute(db)
  // One row was inserted.
  return rows[0]!.id
}

/** Changes a requirement; another rule, and another text to sign, makes a new version. */
export const changeRequirement = (
  db: Db,
  key: RowKey,
  accountId: number,
  input: Input,
  { isNewRule }: { isNewRule: boolean },
): Promise<boolean> =>
  changeRow(db, 'requirement', key, {
    name: input.Name,
    kind: input.Kind,
    scope: input.Scope,
    needs_file: input.NeedsFile,
    blocks_placement: input.BlocksPlacement,
    instructions: input.Instructions,
    link: input.Link,
    updated_by: accountId,
    rule: sql`${JSON.stringify(input.Rule)}::jsonb`,
    level_ids: sql`${input.LevelIds}::smallint[]`,
    cohorts: sql`${input.Cohorts}::text[]`,
    ...(isNewRule && { version: sql<number>`version + 1` }),
    ...(isNewRule && input.Rule.Kind === 'signed' && { text_version: sql<number>`version + 1` }),
  })

/** Keeps the rule of a version that has ended. */
export const keepVersion = async (
  db: Db,
  { programId, id }: RowKey,
  accountId: number,
  { Version, Rule }: { Version: number; Rule: unknown },
): Promise<void> => {
  await sql`insert into requirement_version (program_id, requirement_id, version, rule, ended_by)
    values (${programId}, ${id}, ${Version}, ${JSON.stringify(Rule)}::jsonb, ${accountId})`.execute(db)
}

export const setRequirementDeleted = (
  db: Db,
  key: RowKey,
  accountId: number,
  isDeleted: boolean,
): Promise<boolean> =>
  changeRow(db, 'requirement', key, {
    deleted_at: isDeleted ? sql<string>`now()` : null,
    updated_by: accountId,
  })

/** Keeps the versions of requirements that are about to get another rule; one that is kept already stays. */
export const keepVersions = async (
  db: Db,
  programId: number,
  ids: readonly number[],
  accountId: number | null,
): Promise<void> => {
  await sql`insert into requirement_version (program_id, requirement_id, version, rule, ended_by)
    select program_id, id, version, rule, ${accountId} from requirement
    where program_id = ${programId} and id = any (${[...ids]}::bigint[]) on conflict do nothing`.execute(db)
}

/** Begins the next version of requirements whose rule has changed. */
export const beginVersions = async (db: Db, programId: number, ids: readonly number[]): Promise<void> => {
  await sql`update requirement set version = version + 1,
      text_version = case when rule ->> 'Kind' = 'signed' then version + 1 else text_version end
    where program_id = ${programId} and id = any (${[...ids]}::bigint[])`.execute(db)
}
