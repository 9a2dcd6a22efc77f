import { type RawBuilder, sql } from 'kysely'
import type { FilterQuery, Filters } from '#contract/core/filters.ts'
import { columnName } from './rows.ts'

type Asked<F extends Filters> = FilterQuery<F>
type Condition<V> = (value: NonNullable<V>) => RawBuilder<unknown>
/** Filters whose names are no columns. */
type Named<F extends Filters> = Extract<F[keyof F], { chip: 'only' | 'cohort' | 'search' }>['names'][number]
type Conditions<F extends Filters> = {
  [Name in keyof Asked<F> & Named<F>]: Condition<Asked<F>[Name]>
} & { [Name in keyof Asked<F>]?: Condition<Asked<F>[Name]> }

/**
 * What a query asks by these filters, as one condition. A value is asked of the column with the name of its filter, days of `date`;
 * `conditions` say what else is meant, also where the column is one of another table.
 */
export const whereOf = <F extends Filters>(
  filters: F,
  asked: Asked<F>,
  table: string,
  conditions: Conditions<F>,
): RawBuilder<unknown> => {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const parts = Object.values(filters)
    .flatMap(({ names }) => names)
    .flatMap((name) => {
      const value = (asked as Record<string, unknown>)[name]
      if (value === undefined || value === null || value === '' || value === false) return []
      const condition = (conditions as Record<string, Condition<unknown> | undefined>)[name]
      if (condition) return [condition(value)]
      if (name === 'FromDate') return [sql`${column('date')} >= ${value}::date`]
      if (name === 'ThroughDate') return [sql`${column('date')} <= ${value}::date`]
      return [sql`${column(columnName(name))} = ${value}`]
    })
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `)
}
