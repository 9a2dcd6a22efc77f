import { type RawBuilder, sql } from 'kysely'
import { coreFailures } from '#contract/core/failures.ts'
import type { PlainField } from '#contract/core/plain-fields.ts'
import { columnName } from '#server/core/database/rows.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { ImportRunScope, ImportScope, ImportStore, KeptRow } from './definition.ts'
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

type Column<Name extends string> = Name extends `${infer Start}${infer Rest}`
  ? Rest extends Uncapitalize<Rest>
    ? `${Lowercase<Start>}${Column<Rest>}`
    : `${Lowercase<Start>}_${Column<Rest>}`
  : ''

/** The columns of plain fields, which are named like them. */
export const plainColumnsOf = <const Fields extends readonly PlainField[]>(fields: Fields) =>
  Object.fromEntries(
    fields.map(({ name, value }) => {
      const column = columnName(name)
      return [name, { column, field: name, ...columnTypes[value] }]
    }),
  ) as { [Name in Fields[number]['name']]: ImportColumn & { column: Column<Name> } }

/** A table whose rows are imported one for one. It has the columns import_id, created_by, created_at, updated_by, updated_at and deleted_at. */
interface TargetTable {
  table: string
  columns: Readonly<Record<string, ImportColumn>>
  /** A row in messages; `t` is the row. */
  name: RawBuilder<string>
  /** By reason, how one of the run's additions, `t`, is in use. */
  uses?: (run: ImportRunScope) => readonly (readonly [reason: string, isUsed: RawBuilder<unknown>])[]
  /** Takes away what the run added but for these ids; by itself rows are marked as deleted, so that they can be restored. */
  remove?: (run: ImportRunScope, kept: readonly number[]) => Promise<number>
}

export interface TableStore extends ImportStore {
  /** The rows that an import may meet, in the columns it writes. */
  listExisting(scope: Pick<ImportScope, 'db' | 'programId'>): Promise<Existing[]>
  /** A row of the file in the columns of the table. */
  toEntity(row: ReadRow): Entity
}

/** Uses by rows of a program that name an addition in a column: by reason, where they are, as `proof u where u.deleted_at is null and`. */
export const usedBy = (
  column: string,
  uses: readonly (readonly [reason: string, from: string])[],
): (readonly [reason: string, isUsed: RawBuilder<unknown>])[] =>
  uses.map(([reason, from]) => [
    reason,
    sql`exists (select from ${sql.raw(from)} u.program_id = t.program_id and u.${sql.raw(column)} = t.id)`,
  ])

const inProgram = (programId: number | null, prefix = ''): RawBuilder<unknown> =>
  programId === null ? sql`` : sql`and ${sql.raw(prefix)}program_id = ${programId}`

/** The refusal of an undo that would overwrite what somebody else has written. */
export const changedSinceImport = () => fail(coreFailures.import_changed)

/** Whether a row `t` is not as it was made. Another import that changed it and was undone has put it back as it had been. */
const isChangedSince = (programId: number | null): RawBuilder<boolean> =>
  sql`t.updated_at > t.created_at and coalesce((
    select max((c.before ->> 'updated_at')::timestamptz) from import_run r join import_change c on c.import_id = r.id and c.entity_id = t.id
    where r.undone_at = t.updated_at ${programId === null ? sql`and r.program_id is null` : inProgram(programId, 'r.')}), t.updated_at) > t.created_at`

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

  const markDeleted = async (
    { db, programId, importId }: ImportRunScope,
    kept: readonly number[],
  ): Promise<number> => {
    const { numAffectedRows = 0n } = await sql`update ${target} set deleted_at = now()
      where import_id = ${importId} and deleted_at is null and id <> all (${kept}::bigint[]) ${inProgram(programId)}`.execute(
      db,
    )
    return Number(numAffectedRows)
  }

  return {
    fieldOf: (column) => columns[column]?.field,

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
          returning t.id, old.updated_at),
        kept as (insert into import_change (import_id, entity_id, before, after)
          select ${importId}::bigint, r.id, r.before || jsonb_build_object('updated_at', w.updated_at), r.after
          from r join written w on w.id = r.id)
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

    async findKept(run) {
      const { db, programId, importId } = run
      const reasons = [
        ...uses(run).map(([reason, isUsed]) => sql`when ${isUsed} then ${reason}::text`),
        sql`when ${isChangedSince(programId)} then 'was changed since'`,
      ]
      const { rows } = await sql<KeptRow>`
        select * from (
          select t.id, ${name} as name, case ${sql.join(reasons, sql` `)} end as reason from ${target} t
          where t.import_id = ${importId} and t.deleted_at is null ${inProgram(programId, 't.')}
          union all
          select t.id, ${name}, 'was changed since' from import_change c join ${target} t on t.id = c.entity_id ${inProgram(programId, 't.')}
          where c.import_id = ${importId} and not to_jsonb(t) @> c.after) k
        where reason is not null order by name, id`.execute(db)
      return rows
    },

    async undo(run, kept) {
      const changed = sql`import_change c join ${target} t on t.id = c.entity_id ${inProgram(run.programId, 't.')}
        where c.import_id = ${run.importId} and t.id <> all (${kept}::bigint[])`
      const { rows } = await sql<{ asked: number; back: number }>`
        with back as (update ${target} t set ${assigned(names, 'c', 'before')} from import_change c
          where c.import_id = ${run.importId} and t.id = c.entity_id and t.id <> all (${kept}::bigint[]) ${inProgram(run.programId, 't.')}
            and ${sql.raw(names.map((each) => holds(each, 'c', 'after')).join(' and '))} returning t.id)
        select (select count(*)::int from ${changed}) as asked, (select count(*)::int from back) as back`.execute(
        run.db,
      )
      const { asked, back } = rows[0]!
      if (back < asked) throw changedSinceImport()
      return back + (await (remove ?? markDeleted)(run, kept))
    },
  }
}
