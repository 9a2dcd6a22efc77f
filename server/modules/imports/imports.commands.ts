import { type RawBuilder, sql } from 'kysely'
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

// Runs -----------------------------------------------------------------------------------------------------------

export const startRun = async (
  db: Db,
  run: { programId: number | null; kind: ImportKind; fileName: string; rows: number; accountId: number },
): Promise<number> => {
  const { id } = await db
    .insertInto('import_run')
    .values({
      program_id: run.programId,
      kind: run.kind,
      file_name: run.fileName,
      row_count: run.rows,
      added: 0,
      changed: 0,
      unchanged: 0,
      status: 'running',
      created_by: run.accountId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const updateRun = async (
  db: Db,
  importId: number,
  change: {
    status?: 'done' | 'failed'
    done_rows?: number
    added?: number
    changed?: number
    unchanged?: number
    undone_at?: RawBuilder<string>
    kept?: number
    kept_told?: string[]
  },
): Promise<void> => {
  await db
    .updateTable('import_run')
    .set({ ...change, updated_at: sql`now()` })
    .where('id', '=', importId)
    .execute()
}
