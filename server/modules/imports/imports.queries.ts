import { sql } from 'kysely'
import type { ImportKind } from '#contract/imports/import-kinds.ts'
import type { ImportRun } from '#contract/imports/imports.ts'
import type { ColumnMapping, ImportMemory, ValueMapping } from '#contract/imports/imports-rules.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'

/** What emails to added people need. */
export interface AddedPerson {
  id: number
  email: string
  user_name: string
  first_name: string
}
export const listAdded = (db: Db, programId: number, importId: number): Promise<AddedPerson[]> =>
  db
    .selectFrom('account')
    .select(['id', 'email', 'user_name', 'first_name'])
    .where('program_id', '=', programId)
    .where('import_id', '=', importId)
    .where('email', '!=', '')
    .execute()

/** One import of a program at a time: a second one would plan on rows that the first is about to change. */
export const tryLock = (db: Db, programId: number | null): Promise<boolean> =>
  tryLockOf(db, `import:${programId ?? 'colleges'}`)

/** One undo of an import at a time. */
export const tryLockUndo = (db: Db, importId: number): Promise<boolean> => tryLockOf(db, `undo:${importId}`)

const tryLockOf = async (db: Db, name: string): Promise<boolean> => {
  const { rows } = await sql<{ isMine: boolean }>`select
    pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as "isMine"`.execute(db)
  return rows[0]!.isMine
}

// Memory ---------------------------------------------------------------------------------------------------------

/** What the last import of the kind was matched by. */
export const findMemory = async (
  db: Db,
  programId: number | null,
  kind: ImportKind,
): Promise<ImportMemory | undefined> => {
  const row = await db
    .selectFrom('import_memory')
    .select(['mapping', 'columns', 'value_choices'])
    .where('program_id', programId === null ? 'is' : '=', programId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return (
    row && {
      // JSON that only `saveMemory` writes, from this type.
      mapping: row.mapping as unknown as ColumnMapping,
      columns: row.columns,
      // JSON that only `saveMemory` writes, from this type.
      values: row.value_choices as unknown as ValueMapping,
    }
  )
}

const staleMinutes = 5

const runs = (db: Db, programId: number | null) =>
  db
    .selectFrom('import_run as r')
    .leftJoin('account as a', 'a.id', 'r.created_by')
    .select(['r.id as Id', 'r.kind as Kind', 'r.file_name as FileName', 'r.row_count as Rows'])
    .select([
      'r.done_rows as DoneRows',
      'r.added as Added',
      'r.changed as Changed',
      'r.unchanged as Unchanged',
    ])
    .select(['r.created_at as CreateDate', 'r.undone_at as UndoneDate'])
    .select(['r.kept as Kept', 'r.kept_told as KeptTold'])
    .select(personName('a').as('CreateBy'))
    .select(
      sql<ImportRun['Status']>`case when r.undone_at is not null then 'undone'
        when r.status = 'running' and r.updated_at < now() - make_interval(mins => ${staleMinutes}) then 'stopped'
        else r.status end`.as('Status'),
    )
    .where('r.program_id', programId === null ? 'is' : '=', programId)

/** A page of the history, newest first. */
export const pageRuns = async (
  db: Db,
  programId: number | null,
  { kind, page, pageSize }: { kind: ImportKind | undefined; page: number; pageSize: number },
): Promise<{ Items: ImportRun[]; Total: number }> => {
  const items = (await runs(db, programId)
    .$if(kind !== undefined, (query) => query.where('r.kind', '=', kind!))
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .offset((page - 1) * pageSize)
    .limit(pageSize)
    .execute()) as ImportRun[]
  const { total } = await db
    .selectFrom('import_run')
    .select(sql<number>`count(*)`.as('total'))
    .where('program_id', programId === null ? 'is' : '=', programId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .executeTakeFirstOrThrow()
  return { Items: items, Total: total }
}

export const findRun = async (
  db: Db,
  programId: number | null,
  importId: number,
): Promise<ImportRun | undefined> =>
  (await runs(db, programId).where('r.id', '=', importId).executeTakeFirst()) as ImportRun | undefined
