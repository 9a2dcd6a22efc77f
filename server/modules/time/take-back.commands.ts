import { sql } from 'kysely'
import { formatDate } from '#contract/core/calendar.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { timeFailures } from '#contract/time/failures.ts'
import { insightOf } from '#contract/time/insight.ts'
import type { Db } from '#server/core/database/pool.ts'
import { notifyCoordinators } from '#server/core/mail/notices.ts'
import { fail } from '#server/core/runtime/failure.ts'
import {
  type ChangeableRecord,
  lockRecord,
  refuseBadPair,
  refuseOverlap,
  refuseOverlapOf,
  withDoubt,
} from './changes.queries.ts'
import { longestPair, type PunchFacts, takenBackBy } from './punch.rules.ts'
import { wallClock } from './zone.rules.ts'

interface Student {
  programId: number
  id: number
  name: string
}

/** The clock-in that this key has taken back before. */
export const findTakenBack = async (
  db: Db,
  { programId, id }: Student,
  key: string,
): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`select id from time_record
    where program_id = ${programId} and student_id = ${id} and back_key = ${key}`.execute(db)
  return rows[0]?.id
}

/**
 * Takes back the clock-in that runs, or a pair that was over at once: as a slip it is rejected by the student, and stays with
 * its reason; later the program is asked, and the clock-in no longer runs meanwhile. Answers the clock-in and what became of it.
 *
 * @throws Failure 409 where nothing runs, or it is decided already
 */
export const takeBack = async (
  db: Db,
  student: Student,
  { punches, at, key, reason }: { punches: readonly PunchFacts[]; at: number; key: string; reason: string },
): Promise<{ id: number; isAsked: boolean }> => {
  const { programId } = student
  const found = takenBackBy(punches, at)
  if (!found) throw fail(timeFailures.already_out)
  const record = await lockRecord(db, programId, found.begun.id, { studentId: student.id })
  if (!record) throw fail(coreFailures.no_record)
  if (record.status !== 'pending' || record.isPartnerApproved) throw fail(timeFailures.clock_in_reviewed)
  if (!found.isSlip) {
    const reasons = withDoubt(record.reasons, 'change_asked', true)
    await sql`update time_record set change_to = null, change_is_removal = true, change_reason = ${reason}, change_status = 'asked',
        back_key = ${key}, reasons = ${JSON.stringify(reasons)}::jsonb, insight = ${insightOf(reasons)}
      where program_id = ${programId} and id = ${record.id}`.execute(db)
    const { date, time } = wallClock(record.at, record.zone)
    const line = `${student.name}: ${formatDate(date)} ${time}. ${reason}`.trim()
    await notifyCoordinators(db, programId, {
      kind: 'time_change_asked',
      text: `Clocked in by mistake, asks to take it back: ${line}`,
      link: '/new/admin/approve-time-records',
      email: { label: 'TIME_change_asked', key: `record:${record.id}`, line },
    })
    return { id: record.id, isAsked: true }
  }
  const ids = [found.begun.id, ...(found.ended ? [found.ended.id] : [])]
  await sql`update time_record set status = 'rejected', decided_at = date_trunc('milliseconds', clock_timestamp()),
      decided_by = ${student.id}, decision_reason = nullif(${reason}, ''), reasons = reasons || '[{"Code": "taken_back"}]',
      insight = greatest(insight, ${insightOf([{ Code: 'taken_back' }])}), back_key = ${key},
      change_status = case when change_status = 'asked' then 'refused' else change_status end
    where program_id = ${programId} and id = any (${ids}::bigint[]) and status = 'pending'`.execute(db)
  return { id: record.id, isAsked: false }
}

/** An exception, absence or makeup that the student reported: taken back it counts nowhere, and stays with its reason. */
const takeBackReport = async (db: Db, programId: number, record: ChangeableRecord, isTakenBack: boolean) => {
  const wasTakenBack = record.reasons.some(({ Code }) => Code === 'taken_back')
  if (isTakenBack ? record.status !== 'pending' : record.status !== 'rejected' || !wasTakenBack)
    throw fail(timeFailures.report_decided)
  if (!record.reasons.some(({ Code }) => Code === 'self_reported')) throw fail(timeFailures.by_staff)
  const { id, studentId, at, endsAt, kind } = record
  if (!isTakenBack)
    await refuseOverlap(db, programId, studentId, at, endsAt ?? at + 1, [id], {
      withRunning: kind !== 'absence',
    })
  const reasons = withDoubt(record.reasons, 'taken_back', isTakenBack)
  await sql`update time_record set status = ${isTakenBack ? 'rejected' : 'pending'},
      decided_at = ${isTakenBack ? sql`date_trunc('milliseconds', clock_timestamp())` : null}, decided_by = ${isTakenBack ? studentId : null},
      reasons = ${JSON.stringify(reasons)}::jsonb, insight = ${insightOf(reasons)}
    where program_id = ${programId} and id = ${id}`.execute(db)
}

/** What a student asks for a clock-in or clock-out: taken back it is as if never asked, and kept to be asked again. */
const takeBackRequest = async (db: Db, programId: number, record: ChangeableRecord, isTakenBack: boolean) => {
  const { id, kind, changeStatus, changeTo, isRemoval, partnerId, partnerAt } = record
  const isAsked = changeStatus === 'asked'
  const isThere = isTakenBack
    ? isAsked
    : changeStatus === null && (isRemoval ? partnerId === null : changeTo !== null)
  if (record.status !== 'pending' || !isThere) throw fail(timeFailures.request_decided)
  if (!isTakenBack && changeTo !== null) {
    refuseBadPair(kind as 'in', changeTo, partnerAt, longestPair(record.shift))
    await refuseOverlapOf(db, programId, record, changeTo)
  }
  const reasons = withDoubt(record.reasons, 'change_asked', !isTakenBack)
  await sql`update time_record set change_status = ${isTakenBack ? null : 'asked'},
      reasons = ${JSON.stringify(reasons)}::jsonb, insight = ${insightOf(reasons)}
    where program_id = ${programId} and id = ${id}`.execute(db)
}

/**
 * Takes back what a student reported or asked for and nobody has decided yet, or sends it again.
 *
 * @throws Failure 409 where it is decided, or where its hours would overlap others by now
 */
export const takeBackOwn = async (
  db: Db,
  { programId, studentId, recordId }: { programId: number; studentId: number; recordId: number },
  isTakenBack: boolean,
): Promise<void> => {
  const record = await lockRecord(db, programId, recordId, { studentId })
  if (!record) throw fail(coreFailures.no_record)
  const isPunch = record.kind === 'in' || record.kind === 'out'
  await (isPunch ? takeBackRequest : takeBackReport)(db, programId, record, isTakenBack)
}
