import { type RawBuilder, sql } from 'kysely'
import { type DoubtCode, doubtCodes, doubts } from '#contract/time/insight.ts'
import type { Db } from '#server/core/database/pool.ts'
import { conflict } from '#server/core/runtime/failure.ts'
import { inScope } from '../sites/scope.queries.ts'
import { refuseOverlapsOfRestored } from './changes.queries.ts'
import { lockTimeOfRecords } from './lock.queries.ts'
import { conditions, type RecordFilter, type RecordView } from './records.queries.ts'

const graveCodes = doubtCodes.filter((code) => doubts[code].isGrave)

/**
 * Ids of the records that a decision takes in, as far as the caller sees, after the time of their students was locked. Only
 * those students' are taken: what somebody else recorded while this waited is not decided unseen.
 */
const lockChosen = async (
  db: Db,
  records: { joins: RawBuilder<unknown>; where: RawBuilder<unknown> },
): Promise<RawBuilder<unknown>> => {
  const students = await lockTimeOfRecords(db, records)
  return sql`select r.id from time_record r ${records.joins}
    where ${records.where} and r.student_id = any (${students}::bigint[])
    order by r.student_id, r.id for update of r`
}

/** What an approval names: single records, or all of a filter. */
export interface Approval {
  Ids?: readonly number[] | undefined
  Filter?: RecordFilter | undefined
  IncludeCareful?: boolean | undefined
}

/** The pending records that an approval takes: never half a pair, and of a filter the careful ones only when it says so. */
const approvable = (view: RecordView, { Ids, Filter = {}, IncludeCareful = false }: Approval) => {
  const { where, joins } = conditions(view, Filter)
  const isCareless = Ids === undefined && !IncludeCareful && Filter.Insight !== '3'
  return {
    joins,
    where: sql`${where} and ${Ids ? sql`r.id = any (${[...Ids]}::bigint[])` : sql`true`}
      and r.status = 'pending' and r.is_matched and ${isCareless ? sql`r.insight < 3` : sql`true`}`,
  }
}

/** What an approval of a filter would take, and why some of it should be looked at first. */
export const previewApproval = async (db: Db, view: RecordView, filter: RecordFilter) => {
  const { where, joins } = approvable(view, { Filter: filter, IncludeCareful: true })
  const { rows } = await sql<{
    Records: number
    Minutes: number
    Careful: number
    CarefulMinutes: number
    Reasons: { Code: DoubtCode; Count: number }[]
  }>`
    with ready as materialized (
      select r.insight, case when r.kind <> 'absence' then r.minutes else 0 end as minutes, r.reasons
      from time_record r ${joins} where ${where}),
    reasons as (
      select d ->> 'Code' as code, count(*) as n from ready, jsonb_array_elements(reasons) d
      where insight = 3 group by 1)
    select count(*) as "Records", coalesce(sum(minutes), 0) as "Minutes",
      count(*) filter (where insight = 3) as "Careful",
      coalesce(sum(minutes) filter (where insight = 3), 0) as "CarefulMinutes",
      coalesce((select jsonb_agg(jsonb_build_object('Code', code, 'Count', n) order by n desc, code) from reasons
        where code in (${sql.join(graveCodes)})), '[]') as "Reasons"
    from ready`.execute(db)
  return rows[0]!
}

/**
 * Approves in one statement, whatever the number; a change that was asked for and not decided is refused with it. A clock-in
 * or clock-out without its other half cannot be approved.
 */
export const approve = async (
  db: Db,
  view: RecordView,
  approval: Approval,
): Promise<{
  Approved: number
  Minutes: number
  DecidedAt: string | null
  absences: { studentId: number; dates: string[] }[]
}> => {
  const chosen = await lockChosen(db, approvable(view, approval))
  const { rows } = await sql<{
    Approved: number
    Minutes: number
    DecidedAt: string | null
    absences: { studentId: number; dates: string[] }[]
  }>`
    with chosen as materialized (${chosen}),
    moment as materialized (select date_trunc('milliseconds', clock_timestamp()) as at),
    done as (
      update time_record r set status = 'approved', decided_at = moment.at, decided_by = ${view.accountId},
        decision_reason = null,
        change_status = case when r.change_status = 'asked' then 'refused' else r.change_status end
      from chosen, moment where r.program_id = ${view.programId} and r.id = chosen.id
      returning r.decided_at, r.student_id, r.kind, r.date, case when r.kind <> 'absence' then r.minutes else 0 end as minutes)
    select count(*) as "Approved", coalesce(sum(minutes), 0) as "Minutes", min(decided_at) as "DecidedAt",
      (select coalesce(json_agg(a), '[]') from (select student_id as "studentId", json_agg(date order by date) as dates
        from done where kind = 'absence' group by student_id) a) as absences
    from done`.execute(db)
  return rows[0]!
}

/**
 * Rejects and answers whom to tell. Only with the right to edit are approved records rejected too, and only those whose approval
 * the caller has seen.
 *
 * @throws Failure 409 `approved` when one was approved meanwhile
 */
export const reject = async (
  db: Db,
  view: RecordView,
  {
    Ids: ids,
    Reason: reason,
    SeenApproved,
  }: { Ids: readonly number[]; Reason: string; SeenApproved: readonly number[] },
  mayApproved: boolean,
) => {
  const { where, joins } = conditions(view, {})
  const chosen = await lockChosen(db, {
    joins,
    where: sql`${where} and r.id = any (${[...ids]}::bigint[])
      and r.status in (${mayApproved ? sql`'pending', 'approved'` : sql`'pending'`})`,
  })
  if (mayApproved) {
    const unseen = await sql<{ id: number }>`select r.id from time_record r ${joins}
      where ${where} and r.id = any (${[...ids]}::bigint[]) and r.status = 'approved'
        and not (r.id = any (${[...SeenApproved]}::bigint[]))`.execute(db)
    const count = unseen.rows.length
    if (count > 0)
      throw conflict(
        'approved',
        `${count === 1 ? '1 of these records was' : `${count} of these records were`} approved since you looked. Nothing was rejected. Load the page again and look at ${count === 1 ? 'it' : 'them'} first.`,
      )
  }
  const { rows } = await sql<{ Id: number; StudentId: number; DecidedAt: string; Date: string }>`
    with chosen as materialized (${chosen}),
    moment as materialized (select date_trunc('milliseconds', clock_timestamp()) as at)
    update time_record r set status = 'rejected', decided_at = moment.at, decided_by = ${view.accountId},
      decision_reason = ${reason},
      change_status = case when r.change_status = 'asked' then 'refused' else r.change_status end
    from chosen, moment where r.program_id = ${view.programId} and r.id = chosen.id
    returning r.id as "Id", r.student_id as "StudentId", r.decided_at as "DecidedAt", r.date as "Date"`.execute(
    db,
  )
  await freePartners(
    db,
    view.programId,
    rows.map(({ Id }) => Id),
  )
  return rows
}

/** The other halves of records that no longer count are unmatched, without hours, and wait for approval again. */
export const freePartners = async (db: Db, programId: number, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`update time_record q set partner_id = null, minutes = 0,
      decided_at = case when q.status = 'approved' then null else q.decided_at end,
      decided_by = case when q.status = 'approved' then null else q.decided_by end,
      status = case when q.status = 'approved' then 'pending' else q.status end
    from time_record r
    where r.program_id = ${programId} and r.id = any (${[...ids]}::bigint[]) and r.partner_id is not null
      and q.program_id = r.program_id and q.id = r.partner_id and q.partner_id = r.id
      and not (q.id = any (${[...ids]}::bigint[]))`.execute(db)
}

/**
 * Of the records, those that count again take their other halves back, unless those have found another one meanwhile. One
 * that is still deleted or rejected waits until it is neither.
 */
export const rejoinPartners = async (db: Db, programId: number, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`update time_record r set partner_id = null, minutes = 0
    where r.program_id = ${programId} and r.id = any (${[...ids]}::bigint[]) and r.kind in ('in', 'out')
      and r.deleted_at is null and r.status <> 'rejected' and r.partner_id is not null and not exists (
        select from time_record q where q.program_id = r.program_id and q.id = r.partner_id and q.deleted_at is null
          and q.status <> 'rejected' and coalesce(q.partner_id, r.id) = r.id)`.execute(db)
  await sql`update time_record q set partner_id = r.id,
      minutes = case when q.kind = 'out' then greatest(0, round(extract(epoch from q.occurred_at - r.occurred_at) / 60))
        else 0 end
    from time_record r
    where r.program_id = ${programId} and r.id = any (${[...ids]}::bigint[]) and r.deleted_at is null
      and r.status <> 'rejected' and r.partner_id is not null
      and q.program_id = r.program_id and q.id = r.partner_id and q.partner_id is null`.execute(db)
}

/** Takes back what the caller decided at one moment; the records are pending again. */
export const undoDecisions = async (db: Db, view: RecordView, decidedAt: string): Promise<number> => {
  const chosen = await lockChosen(db, {
    joins: sql``,
    where: sql`r.program_id = ${view.programId} and r.decided_by = ${view.accountId} and r.decided_at is not null
      and r.decided_at = ${decidedAt}::timestamptz and r.status <> 'pending' and r.deleted_at is null
      and ${inScope(view.scope, 'r.program_id', 'r.site_id')}`,
  })
  const { rows } = await sql<{ id: number; was: string }>`
    with chosen as materialized (${chosen}), old as materialized (
      select r.id, r.status from time_record r join chosen on r.program_id = ${view.programId} and r.id = chosen.id)
    update time_record r set status = 'pending', decided_at = null, decided_by = null, decision_reason = null,
      change_status = case when r.change_status = 'refused' and r.reasons @> '[{"Code": "change_asked"}]' then 'asked'
        else r.change_status end
    from old where r.program_id = ${view.programId} and r.id = old.id returning r.id, old.status as was`.execute(
    db,
  )
  await rejoinPartners(
    db,
    view.programId,
    rows.map(({ id }) => id),
  )
  // What was approved counted before as well.
  await refuseOverlapsOfRestored(
    db,
    view.programId,
    rows.flatMap(({ id, was }) => (was === 'rejected' ? id : [])),
  )
  return rows.length
}
