import { sql } from 'kysely'
import type { ImportKind } from '#contract/imports/import-kinds.ts'
import type { ImportMemory, ValueMapping } from '#contract/imports/imports-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { findMemory } from './imports.queries.ts'

/** Remembers what an import was matched by; values that this file did not have stay remembered. */
export const saveMemory = async (
  db: Db,
  programId: number | null,
  kind: ImportKind,
  { mapping, columns, values }: ImportMemory,
): Promise<void> => {
  const before = await findMemory(db, programId, kind)
  const merged: ValueMapping = { ...before?.values }
  for (const [field, own] of Object.entries(values)) merged[field] = { ...merged[field], ...own }
  await sql`insert into import_memory (program_id, kind, mapping, columns, value_choices)
    values (${programId}, ${kind}, ${JSON.stringify(mapping)}::jsonb, ${[...columns]}::text[],
      ${JSON.stringify(merged)}::jsonb)
    on conflict (program_id, kind) do update set mapping = excluded.mapping, columns = excluded.columns,
      value_choices = excluded.value_choices`.execute(db)
}
