import { type RawBuilder, sql } from 'kysely'

/** The calendar day it is now where a program is, for statements. */
export const programToday = (programId: number): RawBuilder<string> =>
  sql<string>`(select (now() at time zone p.time_zone)::date from program p where p.id = ${programId})`
