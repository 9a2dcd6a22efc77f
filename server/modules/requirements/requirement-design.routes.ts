import { sql } from 'kysely'
import type { z } from 'zod'
import * as contract from '#contract/requirements/requirement-design.ts'
import type { Db } from '#server/core/database/pool.ts'
import { tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { conflict, notFound, ruleBroken } from '#server/core/runtime/failure.ts'
import { findRequirement, isNameTaken, listRequirements } from './requirement-design.queries.ts'
import { requirementColumns } from './requirement-export.rules.ts'
import { keepStandings } from './standings.commands.ts'
import { lockRules } from './standings.queries.ts'

type Input = z.output<typeof contract.RequirementInput>

const missing = () => notFound('This requirement')

const refuseName = async (db: Db, programId: number, name: string, exceptId?: number): Promise<void> => {
  if (await isNameTaken(db, programId, name, exceptId))
    throw conflict('name_taken', `A requirement named ${name} exists. Choose another name.`, 'Name')
}

/** A rule that nobody could ever meet is refused. */
const refuseRule = ({ Rule, NeedsFile }: Input): void => {
  if (Rule.Kind === 'series') {
    if (Rule.TiterThroughDays < Rule.TiterFromDays)
      throw ruleBroken('titer_days', 'The titer’s last day lies before its first one.', 'Rule')
    if (new Set(Rule.Schedules.map(({ Name }) => Name.toLowerCase())).size < Rule.Schedules.length)
      throw ruleBroken('schedules', 'Two schedules have the same name.', 'Rule')
  }
  if (Rule.Kind === 'signed' && NeedsFile)
    throw ruleBroken('needs_file', 'A text that is signed in the product needs no file.', 'NeedsFile')
}

const columnsOf = (body: Input) => ({
  name: body.Name,
  kind: body.Kind,
  scope: body.Scope,
  rule: JSON.stringify(body.Rule),
  needs_file: body.NeedsFile,
  blocks_placement: body.BlocksPlacement,
  instructions: body.Instructions,
  link: body.Link,
  level_ids: body.LevelIds,
  cohorts: body.Cohorts,
})

/** Keys of an object in one order, as the database keeps them: what is compared is the rule, not its spelling. */
const sameRule = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other)
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => a.localeCompare(b)))
      : each,
  )

export const requirementDesignRoutes = [
  handle(contract.listRequirements, ({ db, params: { programId }, query: { deleted } }) =>
    listRequirements(db, programId, { deleted }),
  ),

  handle(contract.createRequirement, async ({ db, params: { programId }, body, user, audit }) => {
    refuseRule(body)
    await lockRules(db, programId)
    await refuseName(db, programId, body.Name)
    const { rows } = await sql<{ id: number }>`
      insert into requirement (program_id, name, kind, scope, rule, needs_file, blocks_placement, instructions, link, level_ids,
        cohorts, created_by, updated_by, position)
      select ${programId}, ${body.Name}, ${body.Kind}, ${body.Scope}, ${JSON.stringify(body.Rule)}::jsonb, ${body.NeedsFile},
        ${body.BlocksPlacement}, ${body.Instructions}, ${body.Link}, ${body.LevelIds}::smallint[], ${body.Cohorts}::text[],
        ${user.Id}, ${user.Id}, coalesce(max(position), 0) + 1
      from requirement where program_id = ${programId}
      returning id`.execute(db)
    // It was made above, in this transaction.
    const made = (await findRequirement(db, programId, rows[0]!.id))!
    audit.detail = { RequirementId: made.Id, Name: made.Name, Rule: made.Rule }
    return made
  }),

  handle(
    contract.updateRequirement,
    async ({ db, params: { programId, requirementId }, body, user, audit }) => {
      refuseRule(body)
      await lockRules(db, programId)
      const before = await findRequirement(db, programId, requirementId)
      if (!before) throw missing()
      await refuseName(db, programId, body.Name, requirementId)
      const isNewRule = !sameRule(before.Rule, body.Rule)
      const isNewText = isNewRule && body.Rule.Kind === 'signed'
      const { rule, level_ids, cohorts, ...plain } = columnsOf(body)
      await db
        .updateTable('requirement')
        .set({
          ...plain,
          updated_by: user.Id,
          rule: sql`${rule}::jsonb`,
          level_ids: sql`${level_ids}::smallint[]`,
          cohorts: sql`${cohorts}::text[]`,
          ...(isNewRule && { version: sql`version + 1` }),
          ...(isNewText && { text_version: sql`version + 1` }),
        })
        .where('program_id', '=', programId)
        .where('id', '=', requirementId)
        .execute()
      if (isNewRule) {
        await sql`insert into requirement_version (program_id, requirement_id, version, rule, ended_by)
          values (${programId}, ${requirementId}, ${before.Version}, ${JSON.stringify(before.Rule)}::jsonb, ${user.Id})`.execute(
          db,
        )
        await keepStandings(db, programId, { requirementIds: [requirementId] })
      }
      audit.detail = { Before: before, After: body }
      // It was changed above, in this transaction.
      return (await findRequirement(db, programId, requirementId))!
    },
    lockRules,
  ),

  handle(contract.deleteRequirement, async ({ db, params: { programId, requirementId }, user, audit }) => {
    await lockRules(db, programId)
    const before = await findRequirement(db, programId, requirementId)
    if (!before) throw missing()
    await db
      .updateTable('requirement')
      .set({ deleted_at: sql`now()`, updated_by: user.Id })
      .where('program_id', '=', programId)
      .where('id', '=', requirementId)
      .execute()
    audit.detail = { RequirementId: requirementId, Name: before.Name }
  }),

  handle(contract.restoreRequirement, async ({ db, params: { programId, requirementId }, user, audit }) => {
    await lockRules(db, programId)
    const [deleted] = await listRequirements(db, programId, { deleted: true, id: requirementId })
    if (!deleted) throw missing()
    await refuseName(db, programId, deleted.Name)
    await db
      .updateTable('requirement')
      .set({ deleted_at: null, updated_by: user.Id })
      .where('program_id', '=', programId)
      .where('id', '=', requirementId)
      .execute()
    audit.detail = { RequirementId: requirementId, Name: deleted.Name }
    // It was brought back above, in this transaction.
    return (await findRequirement(db, programId, requirementId))!
  }),

  handle(contract.exportRequirements, async ({ db, params: { programId }, query: { Format }, audit }) => {
    const rows = await listRequirements(db, programId)
    audit.detail = { Rows: rows.length }
    return tableFile(Format, 'requirements', requirementColumns, rows)
  }),
]
