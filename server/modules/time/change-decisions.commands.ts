import { sql } from 'kysely'
import { coreFailures } from '#contract/core/failures.ts'
import { Level } from '#contract/core/levels.ts'
import { readOptions } from '#contract/programs/program-options.ts'
import { timeFailures } from '#contract/time/failures.ts'
import { insightOf } from '#contract/time/insight.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { tellOfChange } from './change-notices.commands.ts'
import { moveRecord } from './changes.commands.ts'
import {
  type ChangeableRecord,
  lockRecord,
  refuseBadPair,
  refuseOverlapOf,
  withDoubt,
} from './changes.queries.ts'
import { reject } from './decisions.commands.ts'
import { longestPair } from './punch.rules.ts'
import { conditions, type RecordView } from './records.queries.ts'

export const optionsOf = async (db: Db, programId: number) => {
  const { options } = await db
    .selectFrom('program')
    .select('options')
    .where('id', '=', programId)
    .executeTakeFirstOrThrow()
  return readOptions(options)
}

export const isSupervisor = (user: User): boolean => user.AccessLevel < Level.Faculty

/** Supervisors change pending records of sites that let them. */
export const refuseSupervisor = (record: ChangeableRecord, user: User): void => {
  if (isSupervisor(user)) {
    if (record.forbidsSupervisors) {
      throw fail(timeFailures.site_leaves_changes, { Site: record.siteName ?? '' })
    }
    if (record.status === 'approved' || record.isPartnerApproved) {
      throw fail(timeFailures.approved_already, { IsApproved: record.status === 'approved' })
    }
  }
}

/**
 * Gives a punch the time of a change, or the one before it.
 *
 * @throws Failure 422 where the time cannot be, 409 where it overlaps other hours
 */
const movePunch = async (
  db: Db,
  programId: number,
  record: ChangeableRecord,
  at: number,
  why: { by: number; reason: string; changeStatus: 'asked' | 'accepted' },
): Promise<void> => {
  refuseBadPair(record.kind as 'in' | 'out', at, record.partnerAt, longestPair(record.shift))
  await refuseOverlapOf(db, programId, record, at)
  const { PunchToleranceMinutes: toleranceMinutes } = await optionsOf(db, programId)
  await moveRecord(db, programId, record, { at, endsAt: record.endsAt, toleranceMinutes, ...why })
}

/**
 * Accepts or declines the time that a student asks for, or that a clock-in be taken back, and tells them. Answers whose record it is.
 *
 * @throws Failure 409 where no change is asked for, 422 where the time cannot be
 */
export const decideChange = async (
  db: Db,
  view: RecordView,
  user: User,
  { id, Accept, Reason }: { id: number; Accept: boolean; Reason: string },
): Promise<number> => {
  const { programId, scope } = view
  const record = await lockRecord(db, programId, id, { scope })
  if (!record) throw fail(coreFailures.no_record)
  const { changeTo } = record
  if (record.changeStatus !== 'asked' || (changeTo === null && !record.isRemoval))
    throw fail(timeFailures.no_change)
  if (Accept && changeTo === null) {
    await reject(db, view, { Ids: [record.id], Reason, SeenApproved: [] }, false)
  } else if (Accept && changeTo !== null) {
    refuseSupervisor(record, user)
    await movePunch(db, programId, record, changeTo, {
      by: user.Id,
      reason: Reason || 'Time change accepted',
      changeStatus: 'accepted',
    })
  } else {
    const reasons = withDoubt(record.reasons, 'change_asked', false)
    await sql`update time_record set change_status = 'refused', reasons = ${JSON.stringify(reasons)}::jsonb,
        insight = ${insightOf(reasons)}, decision_reason = nullif(${Reason}, '')
      where program_id = ${programId} and id = ${record.id}`.execute(db)
  }
  await tellOfChange(db, programId, record, { Accept, Reason })
  return record.studentId
}

/** Remembers with which approval the time changes of these records were decided. */
export const noteDecidedWith = async (
  db: Db,
  programId: number,
  ids: readonly number[],
  decidedAt: string,
): Promise<void> => {
  if (ids.length === 0) return
  await sql`update time_record set change_decided_with = ${decidedAt}::timestamptz
    where program_id = ${programId} and id = any (${[...ids]}::bigint[])`.execute(db)
}

/**
 * Asks again for the time changes that were decided together with an approval which is undone: an accepted one gets its former time back,
 * unless somebody has changed it since.
 *
 * @throws Failure 422 where the former time cannot be any longer
 */
export const reopenChangesOf = async (
  db: Db,
  { programId, scope }: RecordView,
  user: User,
  decidedAt: string,
): Promise<void> => {
  const { rows } = await sql<{ id: number; before: number | null }>`
    select r.id, (extract(epoch from (r.history -> -1 ->> 'OccurredAt')::timestamptz) * 1000)::float8 as before
    from time_record r where r.program_id = ${programId} and r.change_decided_with = ${decidedAt}::timestamptz
      and r.status = 'pending' and r.deleted_at is null
      and (r.change_status = 'refused' or r.change_status = 'accepted' and r.occurred_at = r.change_to)
    order by r.id`.execute(db)
  for (const { id, before } of rows) {
    const record = await lockRecord(db, programId, id, { scope })
    if (!record) continue
    const reasons = withDoubt(record.reasons, 'change_asked', true)
    await sql`update time_record set change_status = 'asked', change_decided_with = null,
        reasons = ${JSON.stringify(reasons)}::jsonb, insight = ${insightOf(reasons)}
      where program_id = ${programId} and id = ${id}`.execute(db)
    if (record.changeStatus === 'accepted' && before !== null)
      await movePunch(db, programId, { ...record, reasons }, before, {
        by: user.Id,
        reason: 'Approval undone',
        changeStatus: 'asked',
      })
  }
}

/** Decides the time changes that are asked for these pending records or their other halves alike. Answers the records with their other halves. */
export const decideChangesOf = async (
  db: Db,
  view: RecordView,
  user: User,
  { Ids, TimeChanges }: { Ids: readonly number[]; TimeChanges: 'accept' | 'decline' },
): Promise<{ id: number; partnerId: number | null }[]> => {
  const { where, joins } = conditions(view, {})
  const { rows } = await sql<{ id: number; partnerId: number | null }>`
    select h.id, h.partner_id as "partnerId" from time_record h
    where h.program_id = ${view.programId} and h.status = 'pending' and h.change_status = 'asked' and h.deleted_at is null
      and h.id in (select unnest(array[r.id, r.partner_id]) from time_record r ${joins}
        where ${where} and r.id = any (${[...Ids]}::bigint[]))
    order by h.id`.execute(db)
  for (const { id } of rows)
    await decideChange(db, view, user, { id, Accept: TimeChanges === 'accept', Reason: '' })
  return rows
}
