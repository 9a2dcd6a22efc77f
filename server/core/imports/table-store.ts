import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { conflict } from '#server/core/runtime/failure.ts'
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

/** The refusal of an undo that would overwrite what somebody else has written. */
export const changedSinceImport = () =>
  conflict(
    'in_use',
    'Nothing was undone: someone changed a record of this import just now. Their change was kept. Try again to see which record it is.',
  )

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
  const typedOf = (each: string, row: string, side: 'before' | 'after') =>
    `(${row}.${side} ->> '${each}')::${columns[each]!.type}`
  /** Sets the columns that `side` of a change has, and leaves the others of the row as they are. */
  const assigned = (written: readonly string[], row: string, side: 'before' | 'after') =>
    sql.raw(
      written
        .map(
          (each) =>
            `${each} = case when ${row}.${side} ? '${each}' then ${typedOf(each, row, side)} else t.${each} end`,
        )
        .join(', '),
    )
  /** That the row holds what `side` of a change has in a column, if it has it. */
  const holds = (each: string, row: string, side: 'before' | 'after') =>
    `(not ${row}.${side} ? '${each}' or t.${each} is not distinct from ${typedOf(each, row, side)})`

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
      const touched = names.filter((each) => changes.some(({ after }) => each in after))
      const given = sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as r (id bigint, line integer, before jsonb, after jsonb)`
      const isThere = sql`t.id = r.id and t.deleted_at is null ${inProgram(programId, 't.')}`
      const { rows: others } = await sql<{ id: number }>`
        with r as materialized (select * from ${given}),
        written as (update ${target} t set ${assigned(touched, 'r', 'after')} from r
          where ${isThere} and ${sql.raw(touched.map((each) => holds(each, 'r', 'before')).join(' and '))}
          returning t.id),
        kept as (insert into import_change (import_id, entity_id, before, after)
          select ${importId}::bigint, r.id, r.before, r.after from r join written w on w.id = r.id)
        select r.id from r where not exists (select from written w where w.id = r.id)`.execute(db)
      if (others.length === 0) return []
      const differing = sql.raw(
        touched.map((each) => `when not ${holds(each, 'r', 'before')} then '${each}'`).join(' '),
      )
      const { rows } = await sql<{ line: number; column: string | null }>`
        select r.line, case when t.id is null then null ${differing} end as column
        from ${given} left join ${target} t on ${isThere}
        where r.id = any (${others.map(({ id }) => id)}::bigint[]) order by r.line`.execute(db)
      return rows.map(({ line, column }) => ({ line, field: columns[column ?? '']?.field }))
    },

    async findBlockers(run) {
      return [...(await findUsed(run.db, uses(run))), ...(await findChangedSince(run))]
    },

    async undo(run) {
      const { rows } = await sql`
        with back as (update ${target} t set ${assigned(names, 'c', 'before')} from import_change c
          where c.import_id = ${run.importId} and t.id = c.entity_id ${inProgram(run.programId, 't.')}
            and ${sql.raw(names.map((each) => holds(each, 'c', 'after')).join(' and '))} returning t.id)
        select from import_change c join ${target} t on t.id = c.entity_id ${inProgram(run.programId, 't.')}
        where c.import_id = ${run.importId} and not exists (select from back b where b.id = t.id) limit 1`.execute(
        run.db,
      )
      if (rows.length > 0) throw changedSinceImport()
      await (remove ?? markDeleted)(run)
    },
  }
}
