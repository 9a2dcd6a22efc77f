import { type RawBuilder, sql } from 'kysely'

/** Whether the requirement `q` asks on a day: always, or in its season, which may run over the end of the year. */
export const isAskedOn = (day: RawBuilder<unknown>): RawBuilder<boolean> => {
  const monthAndDay = sql`extract(month from ${day}) * 100 + extract(day from ${day})`
  return sql`(q.asked_from is null or case when q.asked_from <= q.asked_through
    then ${monthAndDay} between q.asked_from and q.asked_through
    else ${monthAndDay} >= q.asked_from or ${monthAndDay} <= q.asked_through end)`
}
