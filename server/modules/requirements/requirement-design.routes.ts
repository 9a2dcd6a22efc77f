import type { z } from 'zod'
import { requirementFailures } from '#contract/requirements/failures.ts'
import * as contract from '#contract/requirements/requirement-design.ts'
import type { Db } from '#server/core/database/pool.ts'
import { tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import {
  addRequirement,
  changeRequirement,
  keepVersion,
  setRequirementDeleted,
} from './requirement-design.commands.ts'
import { findRequirement, isNameTaken, listRequirements } from './requirement-design.queries.ts'
import { requirementColumns } from './requirement-export.rules.ts'
import { keepStandings } from './standings.commands.ts'
import { lockRules } from './standings.queries.ts'

type Input = z.output<typeof contract.RequirementInput>

const missing = () => fail(requirementFailures.no_requirement)

const refuseName = async (db: Db, programId: number, name: string, exceptId?: number): Promise<void> => {
  if (await isNameTaken(db, programId, name, exceptId))
    throw fail(requirementFailures.name_taken, { Name: name }, 'Name')
}

/** A rule that nobody could ever meet is refused. */
const refuseRule = ({ Rule, NeedsFile }: Input): void => {
  if (Rule.Kind === 'series') {
    if (Rule.TiterThroughDays < Rule.TiterFromDays) throw fail(requirementFailures.titer_days, 'Rule')
    if (new Set(Rule.Schedules.map(({ Name }) => Name.toLowerCase())).size < Rule.Schedules.length)
      throw fail(requirementFailures.schedule_twice, 'Rule')
  }
  if (Rule.Kind === 'signed' && NeedsFile) throw fail(requirementFailures.needs_file, 'NeedsFile')
}

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
    const id = await addRequirement(db, programId, user.Id, body)
    // It was made above, in this transaction.
    const made = (await findRequirement(db, programId, id))!
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
      const key = { programId, id: requirementId }
      await changeRequirement(db, key, user.Id, body, { isNewRule })
      if (isNewRule) {
        await keepVersion(db, key, user.Id, before)
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
    await setRequirementDeleted(db, { programId, id: requirementId }, user.Id, true)
    audit.detail = { RequirementId: requirementId, Name: before.Name }
  }),

  handle(contract.restoreRequirement, async ({ db, params: { programId, requirementId }, user, audit }) => {
    await lockRules(db, programId)
    const [deleted] = await listRequirements(db, programId, { deleted: true, id: requirementId })
    if (!deleted) throw missing()
    await refuseName(db, programId, deleted.Name)
    await setRequirementDeleted(db, { programId, id: requirementId }, user.Id, false)
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
