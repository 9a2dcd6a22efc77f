import { sql } from 'kysely'
import { type Doubt, type DoubtCode, insightOf } from '#contract/time/insight.ts'
import { minutesBetween } from '#contract/time/rules-of-hours.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { RowKey } from '#server/core/database/rows.ts'
import { notifyPeople, type Told } from '#server/core/mail/notices.ts'
import { type ChangeableRecord, readDay, type SiteZone, withDoubt } from './changes.queries.ts'
import { creditRecords } from './credit.commands.ts'
import { untilCredited } from './credit.queries.ts'
import { freePartners, rejoinPartners } from './pairs.commands.ts'
import { lengthDoubt, offsetMinutes, toleranceDoubt } from './punch.rules.ts'
import { wallClock } from './zone.rules.ts'

/** How far from its shift a punch can be and still belong to it. */
const shiftReach = 4 * 3_600_000
const isAround = ({ startsAt, endsAt }: { startsAt: number; endsAt: number }, at: number): boolean =>
  at >= startsAt - shiftReach && at <= endsAt + shiftReach

const settled: readonly DoubtCode[] = [
  'change_asked',
  'clock_off',
  'outside_tolerance',
  'overlaps',
  'too_long',
]

/**
 * Gives a record another time (and site) and keeps the old value. A pair's minutes follow; doubts about the time are
 * settled, those about the place too when the site changes.
 */
export const moveRecord = async (
  db: Db,
  programId: number,
  record: ChangeableRecord,
  to: {
    at: number
    endsAt: number | null
    site?: SiteZone | undefined
    by: number
    reason: string
    toleranceMinutes: number
    /** Of a time change that is asked for: declined unless given. */
    changeStatus?: 'asked' | 'accepted' | 'refused' | undefined
  },
): Promise<void> => {
  const zone = to.site?.zone ?? record.zone
  const { date } = wallClock(to.at, zone)
  const isPunch = record.kind === 'in' || record.kind === 'out'
  const isMoved = to.site !== undefined && to.site.id !== record.siteId
  let shift = record.shift
  if (isMoved || !shift || !isAround(shift, to.at)) {
    const siteId = to.site?.id ?? record.siteId ?? undefined
    const { shifts } = await readDay(db, programId, record.studentId, date, siteId, {
      withNightBefore: isPunch,
    })
    shift =
      shifts.toSorted((one, other) => Math.abs(one.startsAt - to.at) - Math.abs(other.startsAt - to.at))[0] ??
      (isMoved ? null : record.shift)
  }
  const offset = isPunch && shift ? offsetMinutes(record.kind as 'in', to.at, shift) : null
  const place: readonly DoubtCode[] = [
    'far_away',
    'unknown_network',
    'poor_accuracy',
    'no_position',
    'impossible_travel',
  ]
  const minutes = isPunch
    ? record.kind === 'out' && record.partnerAt !== null
      ? minutesBetween(record.partnerAt, to.at)
      : 0
    : to.endsAt === null
      ? 0
      : minutesBetween(to.at, to.endsAt)
  const reasons: Doubt[] = [
    ...record.reasons.filter(
      ({ Code }) =>
        (!settled.includes(Code) || (Code === 'change_asked' && to.changeStatus === 'asked')) &&
        !(isMoved && place.includes(Code)) &&
        !(shift && Code === 'no_assignment'),
    ),
    ...toleranceDoubt(offset, to.toleranceMinutes),
    ...(isPunch ? lengthDoubt(minutes, shift) : []),
  ]
  const old = {
    At: new Date().toISOString(),
    By: to.by,
    OccurredAt: new Date(record.at).toISOString(),
    ...(record.endsAt !== null && { EndsAt: new Date(record.endsAt).toISOString() }),
    SiteId: record.siteId,
    Reason: to.reason,
  }
  await sql`update time_record set occurred_at = to_timestamp(${to.at / 1000}), date = ${date},
      ends_at = to_timestamp(${to.endsAt === null ? null : to.endsAt / 1000}::float8), site_id = ${to.site?.id ?? record.siteId},
      assignment_id = ${shift?.assignmentId ?? null}, rotation_id = coalesce(${shift?.rotationId ?? null}::bigint, rotation_id),
      shift_type = ${shift?.shiftType ?? null}, offset_minutes = ${offset}, ${untilCredited(programId, minutes)},
      reasons = ${JSON.stringify(reasons)}::jsonb, insight = ${insightOf(reasons)},
      change_status = case when change_status = 'asked' then ${to.changeStatus ?? 'refused'} else change_status end,
      history = history || ${JSON.stringify([old])}::jsonb, updated_by = ${to.by}
    where program_id = ${programId} and id = ${record.id}`.execute(db)
  if (record.kind === 'in' && record.partnerId !== null && record.partnerAt !== null) {
    const ofPair = minutesBetween(to.at, record.partnerAt)
    const doubts = [
      ...(record.partnerReasons ?? []).filter(({ Code }) => Code !== 'too_long'),
      ...lengthDoubt(ofPair, shift),
    ]
    await sql`update time_record set reasons = ${JSON.stringify(doubts)}::jsonb, insight = ${insightOf(doubts)}
      where program_id = ${programId} and id = ${record.partnerId}`.execute(db)
  }
  await creditRecords(db, programId, [record.id])
}

export interface NewTimeRecord {
  studentId: number
  kind: ChangeableRecord['kind']
  siteId: number | null
  at: number
  endsAt: number | null
  date: string
  minutes: number
  /** Of a clock-in that is added to its clock-out, which counts them. */
  minutesOfPair?: number | undefined
  shift: {
    assignmentId: number
    rotationId: number
    shiftType: string
    startsAt: number
    endsAt: number
  } | null
  rotationId: number | null
  source: 'self' | 'staff'
  reasons: Doubt[]
  reason: string
  partnerId: number | null
  by: number
  /** The Idempotency-Key that it is kept with. */
  key?: string | undefined
  /** The fingerprint of what was told with the key. */
  hash?: Buffer | undefined
}

/** Adds a record that was reported by hand and joins it with its other half. */
export const addRecord = async (db: Db, programId: number, record: NewTimeRecord): Promise<number> => {
  const isPunch = record.kind === 'in' || record.kind === 'out'
  const offset = isPunch && record.shift ? offsetMinutes(record.kind as 'in', record.at, record.shift) : null
  const reasons = [...record.reasons, ...(isPunch ? lengthDoubt(record.minutes, record.shift) : [])]
  const { rows } = await sql<{ id: number }>`
    insert into time_record (program_id, student_id, site_id, kind, occurred_at, ends_at, date, source, assignment_id,
      rotation_id, partner_id, minutes, insight, reasons, shift_type, offset_minutes, reason, created_by, idempotency_key,
      request_hash)
    values (${programId}, ${record.studentId}, ${record.siteId}, ${record.kind}, to_timestamp(${record.at / 1000}),
      to_timestamp(${record.endsAt === null ? null : record.endsAt / 1000}::float8), ${record.date}, ${record.source},
      ${record.shift?.assignmentId ?? null}, ${record.shift?.rotationId ?? record.rotationId}, ${record.partnerId},
      ${record.minutes}, ${insightOf(reasons)}, ${JSON.stringify(reasons)}::jsonb,
      ${record.shift?.shiftType ?? null}, ${offset}, ${record.reason}, ${record.by}, ${record.key ?? null},
      ${record.hash ?? null})
    returning id`.execute(db)
  const { id } = rows[0]!
  if (record.partnerId !== null) {
    const ofPair = record.kind === 'in' ? lengthDoubt(record.minutesOfPair ?? 0, record.shift) : []
    // A clock-out that was approved without hours waits for approval again, now that it brings some.
    await sql`update time_record q set partner_id = ${id}, reasons = q.reasons || ${JSON.stringify(ofPair)}::jsonb,
        insight = case when ${ofPair.length > 0} then 3 else q.insight end,
        status = case when q.kind = 'out' then 'pending' else q.status end,
        decided_at = case when q.kind = 'out' then null else q.decided_at end,
        decided_by = case when q.kind = 'out' then null else q.decided_by end
      where q.program_id = ${programId} and q.id = ${record.partnerId}`.execute(db)
  }
  await creditRecords(db, programId, [id])
  return id
}

/** Tells students in the product what became of their records. */
export const notify = (db: Db, programId: number, notes: readonly Omit<Told, 'link'>[]): Promise<void> =>
  notifyPeople(
    db,
    programId,
    notes.map((note) => ({ ...note, link: '/new/hours' })),
  )

/** Deletes a record, softly; its other half is alone. */
export const deleteRecord = async (db: Db, { programId, id }: RowKey, accountId: number): Promise<void> => {
  await sql`update time_record set deleted_at = now(), updated_by = ${accountId}
    where program_id = ${programId} and id = ${id}`.execute(db)
  await freePartners(db, programId, [id])
}

/** Brings a record back and joins it with its other half, which waits for approval since it was alone, as the pair does then. */
export const restoreRecord = async (db: Db, { programId, id }: RowKey, accountId: number): Promise<void> => {
  const isReopened = sql`status = 'approved' and kind in ('in', 'out')`
  await sql`update time_record set deleted_at = null, updated_by = ${accountId},
      status = case when ${isReopened} then 'pending' else status end,
      decided_at = case when ${isReopened} then null else decided_at end,
      decided_by = case when ${isReopened} then null else decided_by end
    where program_id = ${programId} and id = ${id}`.execute(db)
  await rejoinPartners(db, programId, [id])
}

/** Keeps that a student asks for another time of a punch. */
export const askTimeChange = async (
  db: Db,
  { programId, id }: RowKey,
  { at, reason, reasons }: { at: number; reason: string; reasons: readonly Doubt[] },
): Promise<void> => {
  const asked = withDoubt(reasons, 'change_asked', true)
  await sql`update time_record set change_to = to_timestamp(${at / 1000}), change_reason = ${reason},
      change_status = 'asked', change_is_removal = false, reasons = ${JSON.stringify(asked)}::jsonb, insight = ${insightOf(asked)}
    where program_id = ${programId} and id = ${id}`.execute(db)
}
