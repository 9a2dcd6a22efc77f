import { sql } from 'kysely'
import type { ColumnMapping } from '#contract/imports/imports-rules.ts'
import { type RequirementKind, requirementKinds } from '#contract/requirements/requirement-rules.ts'
import { type RuleWord, ruleOf, ruleWords } from '#contract/requirements/rule-text.ts'
import { type FieldChoices, namedChoices, notAmong } from '#server/core/imports/choices.ts'
import type { ImportDefinition, ProgramRunScope, ProgramScope } from '#server/core/imports/definition.ts'
import { nameKey } from '#server/core/imports/names.ts'
import {
  duplicateKeys,
  type Entity,
  type Existing,
  emptyPlan,
  type Plan,
  planChange,
  type ReadRow,
  type Value,
} from '#server/core/imports/plan.ts'
import { columnTypes, tableStore, usedBy } from '#server/core/imports/table-store.ts'
import { beginVersions, keepVersions } from './requirement-design.commands.ts'
import { keepStandings } from './standings.commands.ts'
import { lockRules } from './standings.queries.ts'

const { text, whole } = columnTypes
const yes = { type: 'boolean', empty: false } as const

const store = tableStore({
  table: 'requirement',
  columns: {
    name: { field: 'Name', ...text },
    kind: { field: 'Kind', type: 'text', empty: 'document' },
    scope: { type: 'text', empty: 'program' },
    rule: { type: 'jsonb', empty: null },
    instructions: { field: 'Detail', ...text },
    blocks_placement: { field: 'BlocksPlacement', ...yes },
    needs_file: { field: 'Evidence', type: 'boolean', empty: true },
    position: { ...whole, empty: 0 },
  },
  name: sql`t.name`,
  uses: () =>
    usedBy('requirement_id', [['has proofs', 'requirement_proof u where u.deleted_at is null and']]),
})

/** Rules with their names in one order, so that the same rule is the same text. */
const spelled = (rule: unknown): string =>
  JSON.stringify(rule, (_name, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => a.localeCompare(b)))
      : each,
  )

const planRequirements = (
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  mapping: ColumnMapping,
): Plan => {
  const nameOf = ({ values }: ReadRow) => (values.Name === undefined ? undefined : nameKey(values.Name))
  const plan = emptyPlan(duplicateKeys(rows, mapping.Name ?? 'Name', nameOf, 'requirement'))
  const doubled = new Set(plan.errors.map(({ Row }) => Row))
  const known = new Map(existing.map((row) => [nameKey(row.name), row]))
  let last = Math.max(0, ...existing.map(({ position }) => Number(position)))
  for (const row of rows) {
    const { Name, Kind, Rule, Detail } = row.values
    if (Name === undefined || row.unread?.length || doubled.has(row.line)) continue
    const found = known.get(nameKey(Name))
    const entity: Entity = store.toEntity(row)
    if (Rule !== undefined || !found) {
      const read = ruleOf((Rule ?? 'expires') as RuleWord, {
        name: String(Name),
        kind: (Kind ?? found?.kind ?? 'document') as RequirementKind,
        detail: String(Detail ?? found?.instructions ?? ''),
      })
      if (!read) {
        plan.errors.push({
          Row: row.line,
          Column: mapping.Detail ?? 'Detail',
          Message:
            Rule === 'months'
              ? 'The detail does not say after how many months, such as “12 months”.'
              : 'The detail does not say the season, such as “dose from 07/01; required from 11/01 until 04/30”.',
        })
        continue
      }
      entity.scope = read.Scope
      // A rule is an object in its column, and travels as one.
      if (!found || spelled(found.rule) !== spelled(read.Rule)) entity.rule = read.Rule as unknown as Value
      // What is signed in the product, and what a vendor sends, is no file of the student's.
      if (!found && (read.Rule.Kind === 'signed' || read.Rule.Kind === 'result')) entity.needs_file = false
    }
    if (found) planChange(plan, found, { ...entity, name: String(found.name) }, row.line)
    else plan.added.push({ needs_file: true, ...entity, position: ++last })
  }
  return plan
}

const yesNo: FieldChoices = {
  offered: ['Y', 'N'],
  read: (told) => {
    if (/^(y|yes|true|1|x)$/i.test(told)) return { value: true }
    if (/^(n|no|false|0)$/i.test(told)) return { value: false }
    return notAmong(told, 'Y or N', ['Y', 'N'])
  },
}
const oneOf = (what: string, values: readonly string[]): FieldChoices =>
  namedChoices(what, new Map(values.map((each) => [each.toLowerCase(), each])), values)

export const requirementImport: ImportDefinition = {
  store: {
    ...store,
    async add(run, rows) {
      await lockRules(run.db, (run as ProgramRunScope).programId)
      await store.add(run, rows)
    },
    // Another rule judges everything that was shown.
    async change(run, changes) {
      const { db, programId } = run as ProgramRunScope
      await lockRules(db, programId)
      const ids = changes.filter(({ after }) => 'rule' in after).map(({ id }) => id)
      await keepVersions(db, programId, ids, run.accountId)
      const changed = await store.change(run, changes)
      await beginVersions(db, programId, ids)
      if (ids.length > 0) await keepStandings(db, programId, { requirementIds: ids })
      return changed
    },
    async undo(run, kept) {
      const { db, programId } = run as ProgramRunScope
      await lockRules(db, programId)
      const count = await store.undo(run, kept)
      await keepStandings(db, programId, {})
      return count
    },
  },

  async listChoices() {
    return {
      Kind: oneOf('a kind of requirement', requirementKinds),
      Rule: oneOf('a rule', ruleWords),
      BlocksPlacement: yesNo,
      Evidence: yesNo,
    }
  },

  async plan(scope: ProgramScope, rows, mapping) {
    return planRequirements(rows, await store.listExisting(scope), mapping)
  },
}
