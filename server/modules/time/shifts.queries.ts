import { type RawBuilder, sql } from 'kysely'
import type { InboxHours } from '#contract/inbox/inbox.ts'
import type { TimeRecord, TimeShift } from '#contract/time/time-records.ts'
import type { Db } from '#server/core/database/pool.ts'
import { insightOfPair, otherHalf } from './insight.queries.ts'
import {
  assignment,
  conditions,
  listRecordsOf,
  type RecordFilter,
  type RecordView,
  running,
} from './records.queries.ts'

interface Sums {
  Shifts: number
  Clean: number
  Minutes: number
}
/** The records of a shift: the head, and its other half. */
interface Found {
  id: number
  otherId: number | null
  minutes: number
  insight: number
}

/**
 * Pending records as one row a shift, as `heads`, and their sums. The hours of a pair belong to its clock-out: it is the row, unless it was
 * decided already. Insight 4 is unmatched.
 */
const pendingHeads = (view: RecordView, filter: RecordFilter) => {
  const { where, joins } = conditions(view, { ...filter, Status: 'pending', Insight: '0' })
  return sql`
    heads as materialized (
      select r.id, r.occurred_at, q.id as other_id, q.status is not distinct from 'pending' as is_other_pending,
        case when r.kind = 'absence' then 0 else r.minutes end as minutes,
        case when not r.is_matched then 4 else ${insightOfPair} end as insight
      from time_record r ${joins} ${assignment} ${otherHalf}
      left join time_record q on q.program_id = r.program_id and q.id = r.partner_id and q.deleted_at is null
        and q.status <> 'rejected'
      where ${where} and not (r.kind = 'in' and q.status is not distinct from 'pending') and not ${running}),
    sums as (select count(*) as "Shifts", count(*) filter (where insight = 1) as "Clean", coalesce(sum(minutes), 0) as "Minutes"
      from heads)`
}

/** Some of the heads as JSON, those that need a look first. */
const asFound = (heads: RawBuilder<unknown>) => sql`
  coalesce((select jsonb_agg(jsonb_build_object('id', f.id, 'otherId', f.other_id, 'minutes', f.minutes,
    'insight', f.insight) order by f.insight = 1, f.occurred_at desc, f.id desc) from (${heads}) f), '[]')`

/** A half whose other one is shown beside it need not name that as its reason. */
const besideOther = (record: TimeRecord): TimeRecord => ({
  ...record,
  Reasons: record.Reasons.filter(({ Code }) => Code !== 'other_half'),
})

/** The shifts with all that is known of their records. */
const withRecords = async (db: Db, programId: number, found: readonly Found[]): Promise<TimeShift[]> => {
  const ids = found.flatMap(({ id, otherId }) => (otherId === null ? [id] : [id, otherId]))
  if (ids.length === 0) return []
  const records = await listRecordsOf(db, programId, ids)
  return found.map(({ id, otherId, minutes, insight }): TimeShift => {
    const Records = records.filter(({ Id }) => Id === id || Id === otherId).map(besideOther)
    return { Records, Minutes: minutes, Insight: insight === 4 ? 'u' : (insight as 1 | 2 | 3) }
  })
}

/** Pending records as one row a shift, those that need a look first, and the sums of all pages. */
export const listPendingShifts = async (
  db: Db,
  view: RecordView,
  filter: RecordFilter,
  page: { page: number; pageSize: number },
) => {
  const { rows } = await sql<Sums & { found: Found[] }>`
    with ${pendingHeads(view, filter)}
    select s.*, ${asFound(sql`select * from heads order by insight = 1, occurred_at desc, id desc
      limit ${page.pageSize} offset ${(page.page - 1) * page.pageSize}`)} as found from sums s`.execute(db)
  const { found, ...Totals } = rows[0]!
  const Items = await withRecords(db, view.programId, found)
  return { Items, Total: Totals.Shifts, Page: page.page, PageSize: page.pageSize, Totals }
}

/**
 * What of the pending shifts a first screen shows: the sums, a few clean ones and at least one that needs a look, the newest of each, and
 * the pending records of the newest clean ones, which one press approves.
 */
export const summarizePendingShifts = async (
  db: Db,
  view: RecordView,
  { few, mostClean }: { few: number; mostClean: number },
): Promise<InboxHours> => {
  const { rows } = await sql<Sums & { found: Found[]; Ids: number[] }>`
    with ${pendingHeads(view, {})},
    placed as materialized (
      select *, row_number() over (partition by insight = 1 order by occurred_at desc, id desc) as place from heads),
    shown as (select least("Clean", ${few} - least("Shifts" - "Clean", 1)) as clean from sums)
    select s.*, ${asFound(sql`select p.* from placed p, shown
      where p.place <= case when p.insight = 1 then shown.clean else ${few} - shown.clean end`)} as found,
      (select coalesce(jsonb_agg(r.id order by r.id), '[]') from placed p
        cross join unnest(case when p.is_other_pending then array[p.id, p.other_id] else array[p.id] end) as r (id)
        where p.insight = 1 and p.place <= ${mostClean}) as "Ids"
    from sums s`.execute(db)
  const { found, Ids, ...Totals } = rows[0]!
  return {
    Totals,
    Items: await withRecords(db, view.programId, found),
    Clean: { Shifts: Math.min(Totals.Clean, mostClean), Ids },
  }
}
