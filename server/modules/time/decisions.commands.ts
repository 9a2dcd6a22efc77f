import { type RawBuilder, sql } from 'kysely'
import type { LeftOutReason } from '#contract/time/approvals.ts'
import { timeFailures } from '#contract/time/failures.ts'
import { endedPeople } from '#server/core/database/counts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { type Approval, approvable, decided, isAsked, type Undo } from './decisions.queries.ts'
import { lockTimeOfRecords } from './lock.queries.ts'
import { freePartners, rejoinPartners } from './pairs.commands.ts'
import { refuseOverlapsOfRestored } from './pairs.queries.ts'
import { assignment, conditions, type RecordView, running } from './records.queries.ts'

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

/** Hours as they count: of a pair from its clock-in, or as they were reported. */
const counted = sql`(r.kind = 'out' and r.partner_id is not null or r.kind in ('exception', 'makeup') and r.ends_at is not null)`
const begin = sql`coalesce(q.occurred_at, r.occurred_at)`
const end = sql`coalesce(r.ends_at, r.occurred_at)`

/**
 * Of the records `chosen`, those whose hours overlap approved ones of the student, or others among them, as `clash` (id, other_id).
 * Their student's time is locked, so that nobody approves the other ones meanwhile.
 */
const clashes = (programId: number) => sql`
  spans as materialized (
    select r.id, r.student_id, ${begin} as from_at, ${end} as to_at
    from chosen c join time_record r on r.program_id = ${programId} and r.id = c.id
    left join time_record q on q.program_id = r.program_id and q.id = r.partner_id
    where ${counted}),
  clash as materialized (
    select s.id, o.id as other_id from spans s
    cross join lateral (
      select r.id from time_record r
      left join time_record q on q.program_id = r.program_id and q.id = r.partner_id
      where r.program_id = ${programId} and r.student_id = s.student_id and r.deleted_at is null and r.id <> s.id
        and ${counted} and (r.status = 'approved' or r.id in (select id from spans))
        and r.occurred_at between s.from_at - interval '2 days' and s.to_at + interval '2 days'
        and ${begin} < s.to_at and ${end} > s.from_at
      order by r.status = 'approved' desc, r.occurred_at limit 1) o)`

/** A record that an approval named or found, and did not take. */
export interface LeftOut {
  id: number
  reason: LeftOutReason
  /** The record that it overlaps. */
  otherId: number | null
}

interface AllLeftOut {
  total: number
  reasons: { Reason: LeftOutReason; Count: number }[]
  /** Some of them, one by one. */
  told: LeftOut[]
}

/** The most records that an approval tells of one by one. */
const mostTold = 100

/** What an approval of a moment left out, and why: the records that it named, or the pending ones of its filter. */
const listLeftOut = async (
  db: Db,
  view: RecordView,
  { Ids, Filter = {} }: Approval,
  done: { at: string | null; clashing: readonly { id: number; otherId: number }[] },
): Promise<AllLeftOut> => {
  if (Filter.Status !== undefined && Filter.Status !== 'pending') return { total: 0, reasons: [], told: [] }
  const { where, joins } = conditions(view, Ids ? {} : { ...Filter, Status: 'pending' })
  const { rows } = await sql<AllLeftOut>`
    with clash as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(done.clashing)}::jsonb) as c (id bigint, "otherId" bigint)),
    left_out as materialized (
      select r.id, r.occurred_at, c."otherId", case
          when r.status <> 'pending' then 'decided'
          when ${running} then 'running'
          when not r.is_matched then 'unmatched'
          when r.student_id in (${endedPeople(view.programId)}) then 'ended'
          when ${isAsked} then 'change_asked'
          when c.id is not null then 'overlaps'
          else 'careful' end as reason
      from time_record r ${joins} ${Ids || !Filter.Insight || Filter.Insight === '0' ? assignment : sql``}
      left join clash c on c.id in (r.id, case when r.kind = 'in' then r.partner_id end)
      where ${where} and ${Ids ? sql`r.id = any (${[...Ids]}::bigint[])` : sql`true`}
        and (r.status = 'pending' or r.decided_at is distinct from ${done.at}::timestamptz))
    select (select count(*) from left_out) as total,
      coalesce((select jsonb_agg(jsonb_build_object('Reason', reason, 'Count', n) order by n desc, reason)
        from (select reason, count(*) as n from left_out group by 1) c), '[]') as reasons,
      coalesce((select jsonb_agg(jsonb_build_object('id', id, 'reason', reason, 'otherId', "otherId") order by reason = 'careful', occurred_at desc, id)
        from (select * from left_out order by reason = 'careful', occurred_at desc, id limit ${mostTold}) t), '[]') as told`.execute(
    db,
  )
  return rows[0]!
}

/**
 * Approves in one statement, whatever the number. A clock-in or clock-out without its other half is left out, and so are those for
 * which a time change is asked and hours that would count twice; the answer says which.
 */
export const approve = async (
  db: Db,
  view: RecordView,
  approval: Approval,
): Promise<{
  Approved: number
  Students: number
  Minutes: number
  ShiftMinutes: number
  Halves: number
  DecidedAt: string | null
  absences: { studentId: number; dates: string[] }[]
  leftOut: AllLeftOut
}> => {
  const chosen = await lockChosen(db, approvable(view, approval))
  const { rows } = await sql<{
    Approved: number
    Students: number
    Minutes: number
    ShiftMinutes: number
    Halves: number
    DecidedAt: string | null
    absences: { studentId: number; dates: string[] }[]
    clashing: { id: number; otherId: number }[]
  }>`
    with chosen as materialized (${chosen}), ${clashes(view.programId)},
    moment as materialized (select date_trunc('milliseconds', clock_timestamp()) as at),
    done as (
      update time_record r set status = 'approved', decided_at = moment.at, decided_by = ${view.accountId},
        decision_reason = null
      from chosen, moment where r.program_id = ${view.programId} and r.id = chosen.id
        and not exists (select from clash c where c.id in (r.id, case when r.kind = 'in' then r.partner_id end))
      returning r.id, r.partner_id, r.decided_at, r.student_id, r.kind, r.date, case when r.kind <> 'absence' then r.minutes else 0 end as minutes),
    halves as (
      select d.kind, d.minutes, q.minutes as other_minutes, o.id is not null as is_both, o.id is null and q.status = 'pending' as waits
      from done d left join done o on o.id = d.partner_id
      left join time_record q on q.program_id = ${view.programId} and q.id = d.partner_id)
    select count(*) as "Approved", count(distinct student_id) as "Students", coalesce(sum(minutes), 0) as "Minutes", min(decided_at) as "DecidedAt",
      (select coalesce(sum(case when waits then 0 when kind = 'in' and not is_both then other_minutes else minutes end), 0) from halves) as "ShiftMinutes",
      (select count(*) from halves where waits) as "Halves",
      (select coalesce(json_agg(a), '[]') from (select student_id as "studentId", json_agg(date order by date) as dates
        from done where kind = 'absence' group by student_id) a) as absences,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'otherId', other_id)), '[]') from clash) as clashing
    from done`.execute(db)
  const { clashing, ...done } = rows[0]!
  return { ...done, leftOut: await listLeftOut(db, view, approval, { at: done.DecidedAt, clashing }) }
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
    if (count > 0) throw fail(timeFailures.approved_meanwhile, { Count: count })
  }
  const { rows } = await sql<{ Id: number; StudentId: number; DecidedAt: string; Date: string }>`
    with chosen as materialized (${chosen}),
    moment as materialized (select date_trunc('milliseconds', clock_timestamp()) as at)
    update time_record r set status = 'rejected', decided_at = moment.at, decided_by = ${view.accountId},
      decision_reason = ${reason},
      change_status = case when r.change_status is distinct from 'asked' then r.change_status when r.change_is_removal then 'accepted' else 'refused' end
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

/** Takes back what the caller decided at one moment, or some of it; the records are pending again. */
export const undoDecisions = async (db: Db, view: RecordView, undo: Undo): Promise<number> => {
  const chosen = await lockChosen(db, { joins: sql``, where: decided(view, undo) })
  const { rows } = await sql<{ id: number; was: string }>`
    with chosen as materialized (${chosen}), old as materialized (
      select r.id, r.status from time_record r join chosen on r.program_id = ${view.programId} and r.id = chosen.id)
    update time_record r set status = 'pending', decided_at = null, decided_by = null, decision_reason = null,
      change_status = case when r.change_status = case when r.change_is_removal then 'accepted' else 'refused' end and r.reasons @> '[{"Code": "change_asked"}]' then 'asked'
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
