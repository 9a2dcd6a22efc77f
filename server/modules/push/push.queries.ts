import { type RawBuilder, sql } from 'kysely'
import { type PushSettings, pushKinds } from '#contract/push/push.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isRemovalAsked } from '../time/punch.queries.ts'

/** The time of day without seconds, as calls say it. */
const hourOf = (column: string) => sql<string | null>`to_char(${sql.ref(column)}, 'HH24:MI')`

/** What somebody is offered who has chosen nothing yet. */
const usualQuiet = { From: '22:00', Until: '06:00' }

/** Whether pushes are sent, and the public key for it. */
export const findPushService = async (db: Db): Promise<{ IsOn: boolean; PublicKey: string }> => {
  const row = await db.selectFrom('push_service').select(['is_on', 'public_key']).executeTakeFirst()
  return row?.is_on ? { IsOn: true, PublicKey: row.public_key } : { IsOn: false, PublicKey: '' }
}

const devicesOf = (db: Db, programId: number, accountId: number) =>
  db
    .selectFrom('push_device')
    .where('program_id', '=', programId)
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)

/** Whose devices, and in which session they are now. */
export interface PushOwner {
  programId: number
  accountId: number
  sessionId: number
}

/** What an account has chosen, with its devices, the newest first. */
export const findPush = async (
  db: Db,
  { programId, accountId, sessionId }: PushOwner,
): Promise<PushSettings> => {
  const chosen = await db
    .selectFrom('push_choice')
    .select('kinds')
    .select([hourOf('quiet_from').as('from'), hourOf('quiet_until').as('until')])
    .where('program_id', '=', programId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const quiet = chosen?.from && chosen.until ? { From: chosen.from, Until: chosen.until } : null
  return {
    ...(await findPushService(db)),
    Kinds: pushKinds.filter((kind) => chosen?.kinds.includes(kind)),
    Quiet: chosen ? quiet : usualQuiet,
    Devices: await devicesOf(db, programId, accountId)
      .select(['id as Id', 'name as Name', 'created_at as CreateDate', 'seen_at as SeenDate'])
      .select('sent_at as SentDate')
      .select(sql<boolean>`session_id is not distinct from ${sessionId}::bigint`.as('IsOfSession'))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute(),
  }
}

/** A device of an account as it is kept, also one that has ended; locked. Undefined when nobody has it, or somebody else. */
export const lockPushDevice = (db: Db, programId: number, accountId: number, deviceId: string) =>
  db
    .selectFrom('push_device')
    .select(['ended_at', 'end_reason', 'name'])
    .where('program_id', '=', programId)
    .where('account_id', '=', accountId)
    .where('id', '=', deviceId)
    .forUpdate()
    .executeTakeFirst()

export const countPushDevices = async (db: Db, programId: number, accountId: number): Promise<number> => {
  const { count } = await devicesOf(db, programId, accountId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Locks what an account has chosen, so that its devices are counted one after the other. */
export const lockPushAccount = async (db: Db, accountId: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`push account ${accountId}`}, 0))`.execute(db)
}

/** When the quiet hours end in which a moment is; null outside of them. In the local time of a zone, also where clocks change. */
export const quietUntil = (
  moment: RawBuilder<unknown>,
  zone: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  until: RawBuilder<unknown>,
): RawBuilder<string | null> => sql`(
  select greatest((quiet.end_day + quiet.ends) at time zone ${zone}, ${moment} + interval '1 minute') from (
    select told.ends, case
      when told.begins is null or told.ends is null or told.begins = told.ends then null
      when told.begins < told.ends then case when local.clock >= told.begins and local.clock < told.ends then local.today end
      when local.clock >= told.begins then local.today + 1
      when local.clock < told.ends then local.today
    end as end_day
    from (select (${moment} at time zone ${zone})::date as today, (${moment} at time zone ${zone})::time as clock) local,
      (select ${from}::time as begins, ${until}::time as ends) told) quiet
  where quiet.end_day is not null)`

/** Has the worker send what was queued. */
export const wakePushes = async (db: Db, programId: number): Promise<void> => {
  await sql`select queue_push_job(${programId})`.execute(db)
}
/** So many are on their way at a time. */
export const maxClaimedPushes = 25

/** The shift that a message tells of, as it is now; nothing when the student has none on that day any longer. */
export const findNextShift = async (db: Db, programId: number, studentId: number, date: string) => {
  const { rows } = await sql<{ start: string; end: string; count: number }>`
    select to_char(a.starts_at at time zone s.time_zone, 'HH24:MI') as start,
      to_char(a.ends_at at time zone s.time_zone, 'HH24:MI') as "end", count(*) over () as count
    from shift_assignment a join site s on s.program_id = a.program_id and s.id = a.site_id
    where a.program_id = ${programId} and a.student_id = ${studentId} and a.date = ${date}::date and a.removed_at is null
      and a.starts_at > now()
    order by a.starts_at limit 1`.execute(db)
  return rows[0]
}

/** When somebody clocked in who has not clocked out since; nothing when that was done. */
export const findOpenClockIn = async (db: Db, programId: number, studentId: number, recordId: number) => {
  const { rows } = await sql<{ date: string; time: string }>`
    select to_char(l.at, 'YYYY-MM-DD') as date, to_char(l.at, 'HH24:MI') as time
    from time_record r join program p on p.id = r.program_id
    left join site s on s.program_id = r.program_id and s.id = r.site_id
    cross join lateral (select r.occurred_at at time zone coalesce(s.time_zone, p.time_zone) as at) l
    where r.program_id = ${programId} and r.student_id = ${studentId} and r.id = ${recordId} and r.kind = 'in'
      and r.partner_id is null and r.status = 'pending' and not ${isRemovalAsked} and r.deleted_at is null`.execute(
    db,
  )
  return rows[0]
}

/** How many evaluations somebody has to complete. */
export const countOpenEvaluations = async (db: Db, programId: number, accountId: number): Promise<number> => {
  const { count } = await db
    .selectFrom('evaluation')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('program_id', '=', programId)
    .where('evaluator_id', '=', accountId)
    .where('is_completed', '=', false)
    .where('stopped_at', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
