import { type RawBuilder, sql } from 'kysely'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { undoableHours } from '#contract/time/approvals.ts'
import { carefulCodes, type DoubtCode } from '#contract/time/insight.ts'
import type { getTimeRecord } from '#contract/time/time-records.ts'
import { endedPeople } from '#server/core/database/counts.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { inScope } from '../sites/scope.queries.ts'
import { insightOfPair, isGraverThan, otherHalf, reasonsOfPair } from './insight.queries.ts'
import { conditions, type RecordFilter, type RecordView, utc } from './records.queries.ts'

/** What an approval names: single records, or all of a filter. */
export interface Approval {
  Ids?: readonly number[] | undefined
  Filter?: RecordFilter | undefined
  IncludeCareful?: boolean | undefined
}

/** Whether a time change of the record or of its other half waits for a decision. */
export const isAsked = sql`(r.change_status is not distinct from 'asked' or exists (select from time_record h
  where h.program_id = r.program_id and h.id = r.partner_id and h.change_status = 'asked'))`

/**
 * Of a filter, the pending records with both halves that are of somebody's account: what can be approved, once no time change is asked. A
 * pair is of it when one of its halves is: a night shift may begin on the day before, and a filter may name the clock-outs.
 */
const decidable = (view: RecordView, filter: RecordFilter) => {
  const { where, joins } = conditions(view, {})
  const found = conditions(view, filter)
  const isFound = Object.values(filter).some((value) => value !== undefined)
    ? sql`r.id in (select c.id from (select r.id, r.partner_id from time_record r ${found.joins} where ${found.where} and r.status = 'pending' and r.is_matched) f
        cross join unnest(array[f.id, f.partner_id]) c (id))`
    : sql`true`
  return {
    joins,
    where: sql`${where} and ${isFound} and r.status = 'pending' and r.is_matched and r.student_id not in (${endedPeople(view.programId)})`,
  }
}

/** The pending records that an approval takes: never half a pair, and of a filter the careful ones only when it says so. */
export const approvable = (view: RecordView, { Ids, Filter = {}, IncludeCareful = false }: Approval) => {
  const { where, joins } = decidable(view, Filter)
  const excludesCareful = Ids === undefined && !IncludeCareful && Filter.Insight !== '3'
  return {
    joins,
    where: sql`${where} and ${Ids ? sql`r.id = any (${[...Ids]}::bigint[])` : sql`true`}
      and not ${isAsked} and ${excludesCareful ? sql`not ${isGraverThan(view.programId, 2)}` : sql`true`}`,
  }
}

type ReasonCount = { Code: DoubtCode; Count: number }

/** What an approval of a filter would take, and why some of it should be looked at first. */
export const previewApproval = async (db: Db, view: RecordView, filter: RecordFilter) => {
  const { where, joins } = decidable(view, filter)
  const listed = (
    which: RawBuilder<unknown>,
  ) => sql`coalesce((select jsonb_agg(jsonb_build_object('Code', code, 'Count', n)
        order by n desc, code) from reasons where ${which}), '[]')`
  const { rows } = await sql<{
    Records: number
    Minutes: number
    Careful: number
    CarefulMinutes: number
    Reasons: ReasonCount[]
    NeedReview: number
    NeedReviewMinutes: number
    NeedReviewReasons: ReasonCount[]
    ChangeAsked: number
  }>`
    with found as materialized (
      select ${insightOfPair} as insight, ${isAsked} as is_asked, case when r.kind <> 'absence' then r.minutes else 0 end as minutes, ${reasonsOfPair} as reasons
      from time_record r ${joins} ${otherHalf} where ${where}),
    ready as (select * from found where not is_asked),
    reasons as (
      select insight, d ->> 'Code' as code, count(*) as n from ready, jsonb_array_elements(reasons) d group by 1, 2)
    select count(*) as "Records", coalesce(sum(minutes), 0) as "Minutes",
      count(*) filter (where insight = 3) as "Careful",
      coalesce(sum(minutes) filter (where insight = 3), 0) as "CarefulMinutes",
      ${listed(sql`insight = 3 and code in (${sql.join(carefulCodes)})`)} as "Reasons",
      count(*) filter (where insight = 2) as "NeedReview",
      coalesce(sum(minutes) filter (where insight = 2), 0) as "NeedReviewMinutes",
      ${listed(sql`insight = 2`)} as "NeedReviewReasons",
      (select count(*) from found where is_asked) as "ChangeAsked"
    from ready`.execute(db)
  return rows[0]!
}

/** What the caller decided within a day, by the moment. */
export const listDecisions = async (db: Db, view: RecordView) => {
  const { rows } = await sql<{
    DecidedAt: string
    Status: 'approved' | 'rejected'
    Records: number
    Minutes: number
  }>`select r.decided_at as "DecidedAt", r.status as "Status", count(*) as "Records",
      coalesce(sum(r.minutes) filter (where r.kind <> 'absence'), 0) as "Minutes"
    from time_record r
    where r.program_id = ${view.programId} and r.decided_by = ${view.accountId}
      and r.decided_at > now() - make_interval(hours => ${undoableHours}) and r.status <> 'pending' and r.deleted_at is null
      and ${inScope(view.scope, 'r.program_id', 'r.site_id')}
    group by 1, 2 order by 1 desc limit 50`.execute(db)
  return rows
}

/** What was decided on a record and was undone or replaced since, with the names of who did. */
export const listFormerDecisions = async (db: Db, programId: number, recordId: number) => {
  const { rows } = await sql<AnswerOf<typeof getTimeRecord>['Decisions'][number]>`
    select ${utc(sql`(d.value ->> 'At')::timestamptz`)} as "At", ${personName('u')} as "By", d.value ->> 'Status' as "Status",
      (d.value ->> 'IsTakenBack')::boolean as "IsTakenBack", coalesce(d.value ->> 'Reason', '') as "Reason",
      ${utc(sql`(d.value ->> 'UndoneAt')::timestamptz`)} as "UndoneAt", ${personName('w')} as "UndoneBy"
    from time_record r cross join jsonb_array_elements(r.decisions) with ordinality d
    left join account u on u.id = (d.value ->> 'By')::bigint
    left join account w on w.id = (d.value ->> 'UndoneBy')::bigint
    where r.program_id = ${programId} and r.id = ${recordId} order by d.ordinality`.execute(db)
  return rows
}

/** A decision of the caller to take back: the moment, and which of its records if not all. */
export interface Undo {
  DecidedAt: string
  Ids?: readonly number[] | undefined
}

/** What the caller decided at one moment and is still so, as `r`: all of it, or the named records with their other halves. */
export const decided = ({ programId, accountId, scope }: RecordView, { DecidedAt, Ids }: Undo) =>
  sql`r.program_id = ${programId} and r.decided_by = ${accountId} and r.decided_at is not null
    and r.decided_at = ${DecidedAt}::timestamptz and r.status <> 'pending' and r.deleted_at is null
    and ${inScope(scope, 'r.program_id', 'r.site_id')}
    and ${Ids ? sql`(r.id = any (${[...Ids]}::bigint[]) or r.partner_id = any (${[...Ids]}::bigint[]))` : sql`true`}`

/** The records of a decision that can be taken back; of a page of them, with how many there are. */
export const listDecided = async (
  db: Db,
  view: RecordView,
  undo: Undo,
  page?: { page: number; pageSize: number },
): Promise<{ ids: number[]; total: number }> => {
  const { rows } = await sql<{ id: number; total: number }>`
    select r.id, count(*) over () as total from time_record r
    join account u on u.program_id = r.program_id and u.id = r.student_id
    where ${decided(view, undo)}
    order by listed_name(u.last_name, u.first_name), r.student_id, r.occurred_at, r.id
    ${page ? sql`limit ${page.pageSize} offset ${(page.page - 1) * page.pageSize}` : sql``}`.execute(db)
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 }
}
