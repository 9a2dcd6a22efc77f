import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import type { Blocker, ImportRunScope, ImportScope, ImportStore } from './definition.ts'
import type { Change, Entity, Existing, ReadRow } from './plan.ts'

/** A column that an import writes. */
export interface ImportColumn {
  /** Whose cells it takes as they are read. */
  field?: string
  type: string
  /** What is where a cell is empty. */
  empty: string | number | boolean | null
}

/** The usual columns. */
export const columnTypes = {
  text: { type: 'text', empty: '' },
  optionalText: { type: 'text', empty: null },
  id: { type: 'bigint', empty: null },
  whole: { type: 'integer', empty: null },
  coordinate: { type: 'double precision', empty: null },
  day: { type: 'date', empty: null },
} as const satisfies Record<string, ImportColumn>

/** A table whose rows are imported one for one. It has the columns import_id, created_by, updated_by and deleted_at. */
interface TargetTable {
  table: string
  columns: Readonly<Record<string, ImportColumn>>
  /** A row in messages; `t` is the row. */
  name: RawBuilder<string>
  /** Selects name and reason of what is in use of the run's additions. */
  uses?: (run: ImportRunScope) => readonly RawBuilder<unknown>[]
  /** Takes away what the run added; by itself rows are marked as deleted, so that they can be restored. */
  remove?: (run: ImportRunScope) => Promise<void>
}

export interface TableStore extends ImportStore {
  /** The rows that an import may meet, in the columns it writes. */
  listExisting(scope: Pick<ImportScope, 'db' | 'programId'>): Promise<Existing[]>
  /** A row of the file in the columns of the table. */
  toEntity(row: ReadRow): Entity
}

const maxTold = 4

const inProgram = (programId: number | null, prefix = ''): RawBuilder<unknown> =>
  programId === null ? sql`` : sql`and ${sql.raw(prefix)}program_id = ${programId}`

/** Imports into the rows of a table: set-based, and what a run changes is kept for its undo. */
export const tableStore = ({ table, columns, name, uses = () => [], remove }: TargetTable): TableStore => {
  const names = Object.keys(columns)
  const columnOf = new Map(
    Object.entries(columns).flatMap(([column, { field }]) => (field ? [[field, column] as const] : [])),
  )
  const list = (prefix = '') => sql.raw(names.map((each) => `${prefix}${each}`).join(', '))
  const recordset = (head: string) =>
    sql.raw(`r (${[head, ...names.map((each) => `${each} ${columns[each]!.type}`)].join(', ')})`)
  const target = sql.table(table)

  const findUsed = async (db: Db, branches: readonly RawBuilder<unknown>[]): Promise<Blocker[]> =>
    branches.length === 0
      ? []
      : (
          await sql<Blocker>`select name, reason from (${sql.join(branches, sql` union all `)}) as uses
            order by name limit ${maxTold}`.execute(db)
        ).rows

  const findChangedSince = async ({ db, programId, importId }: ImportRunScope): Promise<Blocker[]> =>
    (
      await sql<Blocker>`select ${name} as name, 'was changed since' as reason
        from import_change c join ${target} t on t.id = c.entity_id ${inProgram(programId, 't.')}
        where c.import_id = ${importId} and not to_jsonb(t) @> c.after order by 1 limit ${maxTold}`.execute(
        db,
      )
    ).rows

  const markDeleted = async ({ db, programId, importId }: ImportRunScope): Promise<void> => {
    await sql`update ${target} set deleted_at = now()
      where import_id = ${importId} and deleted_at is null ${inProgram(programId)}`.execute(db)
  }

  return {
    async listExisting({ db, programId }) {
      const { rows } = await sql<Existing>`select id, ${list()} from ${target}
        where deleted_at is null ${inProgram(programId)}`.execute(db)
      return rows
    },

    toEntity: ({ values }) =>
      Object.fromEntries(
        Object.entries(values).flatMap(([field, value]) => {
          const column = columnOf.get(field)
          return column === undefined ? [] : [[column, value]]
        }),
      ),

    async add({ db, programId, importId, accountId }, entities) {
      const rows = entities.map((entity, place_) => ({
        place_,
        ...Object.fromEntries(names.map((each) => [each, entity[each] ?? columns[each]!.empty])),
      }))
      const program = programId === null ? sql`` : sql`program_id, `
      const programValue = programId === null ? sql`` : sql`${programId}, `
      await sql`insert into ${target} (${program}import_id, created_by, updated_by, ${list()})
        select ${programValue}${importId}::bigint, ${accountId}::bigint, ${accountId}::bigint, ${list('r.')}
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ${recordset('place_ integer')}
        order by r.place_`.execute(db)
    },

    async change({ db, programId, importId }, changes: readonly Change[]) {
      const set = sql.raw(names.map((each) => `${each} = r.${each}`).join(', '))
      const rows = changes.map(({ id, row }) => ({ id, ...row }))
      await sql`update ${target} t set ${set}
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ${recordset('id bigint')}
        where t.id = r.id ${inProgram(programId, 't.')}`.execute(db)
      const kept = changes.map(({ id, before, after }) => ({ id, before, after }))
      await sql`insert into import_change (import_id, entity_id, before, after)
        select ${importId}::bigint, r.id, r.before, r.after
        from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as r (id bigint, before jsonb, after jsonb)`.execute(
        db,
      )
    },

    async findBlockers(run) {
      return [...(await findUsed(run.db, uses(run))), ...(await findChangedSince(run))]
    },

    async undo(run) {
      const set = names
        .map(
          (each) =>
            `${each} = case when c.before ? '${each}' then (c.before ->> '${each}')::${columns[each]!.type} else t.${each} end`,
        )
        .join(', ')
      await sql`update ${target} t set ${sql.raw(set)} from import_change c
        where c.import_id = ${run.importId} and t.id = c.entity_id ${inProgram(run.programId, 't.')}`.execute(
        run.db,
      )
      await (remove ?? markDeleted)(run)
    },
  }
}
