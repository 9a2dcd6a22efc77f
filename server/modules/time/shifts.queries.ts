import { sql } from 'kysely'
import type { TimeRecord, TimeShift } from '#contract/time/time-records.ts'
import type { Db } from '#server/core/database/pool.ts'
import {
  assignment,
  conditions,
  type RecordFilter,
  type RecordView,
  recordColumns,
  recordJoins,
  running,
} from './records.queries.ts'

interface Page {
  Shifts: number
  Clean: number
  Minutes: number
  /** The records of the page: the head of a shift and its other half. */
  found: { id: number; otherId: number | null; minutes: number; insight: number }[]
}

/** Pending records as one row a shift, those that need a look first, and the sums of all pages. */
export const listPendingShifts = async (
  db: Db,
  view: RecordView,
  filter: RecordFilter,
  page: { page: number; pageSize: number },
) => {
  const { where, joins } = conditions(view, { ...filter, Status: 'pending', Insight: '0' })
  // The hours of a pair belong to its clock-out: it is the row, unless it was decided already. 4 is unmatched.
  const { rows } = await sql<Page>`
    with heads as materialized (
      select r.id, r.occurred_at, q.id as other_id, case when r.kind = 'absence' then 0 else r.minutes end as minutes,
        case when not r.is_matched then 4
          else greatest(r.insight, case when q.status = 'pending' then q.insight else 1 end) end as insight
      from time_record r ${joins} ${assignment}
      left join time_record q on q.program_id = r.program_id and q.id = r.partner_id and q.deleted_at is null
        and q.status <> 'rejected'
      where ${where} and not (r.kind = 'in' and q.status is not distinct from 'pending') and not ${running})
    select (select count(*) from heads) as "Shifts", (select count(*) from heads where insight = 1) as "Clean",
      (select coalesce(sum(minutes), 0) from heads) as "Minutes",
      coalesce((select jsonb_agg(jsonb_build_object('id', f.id, 'otherId', f.other_id, 'minutes', f.minutes,
          'insight', f.insight) order by f.insight = 1, f.occurred_at desc, f.id desc)
        from (select * from heads order by insight = 1, occurred_at desc, id desc
          limit ${page.pageSize} offset ${(page.page - 1) * page.pageSize}) f), '[]') as found`.execute(db)
  const { found, ...Totals } = rows[0]!
  const ids = found.flatMap(({ id, otherId }) => (otherId === null ? [id] : [id, otherId]))
  const records = await sql<TimeRecord>`select ${recordColumns} from time_record r ${recordJoins}
    where r.program_id = ${view.programId} and r.id = any (${ids}::bigint[])
    order by r.occurred_at, r.id`.execute(db)
  const Items = found.map(({ id, otherId, minutes, insight }): TimeShift => {
    const Records = records.rows.filter(({ Id }) => Id === id || Id === otherId)
    return { Records, Minutes: minutes, Insight: insight === 4 ? 'u' : (insight as 1 | 2 | 3) }
  })
  return { Items, Total: Totals.Shifts, Page: page.page, PageSize: page.pageSize, Totals }
}
