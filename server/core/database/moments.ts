import { sql } from 'kysely'

/** A moment of a column in milliseconds, as pure rules count with it. */
export const msOf = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`
