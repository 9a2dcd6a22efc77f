import { type RawBuilder, sql } from 'kysely'
import type { ImportKind } from '#contract/imports/import-kinds.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow } from '#server/core/database/rows.ts'

/** Keeps that an import begins; answers its id. */
export const startRun = (
  db: Db,
  run: { programId: number | null; kind: ImportKind; fileName: string; rows: number; accountId: number },
): Promise<number> =>
  addRow(db, 'import_run', {
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

/** Keeps how far an import is, or what became of it. */
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

/** Keeps what an import has changed, for its undo. */
export const keepImportChanges = async (
  db: Db,
  importId: number,
  changes: readonly { id: number; before: object; after: object }[],
): Promise<void> => {
  await sql`insert into import_change (import_id, entity_id, before, after)
    select ${importId}::bigint, id, before, after
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as r (id bigint, before jsonb, after jsonb)`.execute(
    db,
  )
}
