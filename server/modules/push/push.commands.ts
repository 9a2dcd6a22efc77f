import { sql } from 'kysely'
import type pg from 'pg'
import type { Language } from '#contract/language/language.ts'
import type { PushAddress, PushKind, PushSettings } from '#contract/push/push.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isRemovalAsked } from '../time/punch.queries.ts'
import { maxClaimedPushes, type PushOwner, quietUntil } from './push.queries.ts'

export const savePushChoice = async (
  db: Db,
  programId: number,
  accountId: number,
  { Kinds, Quiet }: Pick<PushSettings, 'Kinds' | 'Quiet'>,
): Promise<void> => {
  const chosen = {
    kinds: [...new Set(Kinds)],
    quiet_from: Quiet?.From ?? null,
    quiet_until: Quiet?.Until ?? null,
  }
  await db
    .insertInto('push_choice')
    .values({ program_id: programId, account_id: accountId, ...chosen })
    .onConflict((known) => known.columns(['program_id', 'account_id']).doUpdateSet(chosen))
    .execute()
}

/**
 * Keeps the address of a device, which no other device has from then on. False where another account has a device of this id: nobody
 * guesses one, so the browser was copied.
 */
export const savePushDevice = async (
  db: Db,
  { programId, accountId, sessionId }: PushOwner,
  { id, name, address }: { id: string; name: string; address: PushAddress },
): Promise<boolean> => {
  await sql`select claim_push_endpoint(${address.Endpoint}, ${programId}, ${id})`.execute(db)
  const kept = {
    name,
    endpoint: address.Endpoint,
    p256dh: address.P256dh,
    auth: address.Auth,
    public_key: address.PublicKey,
    session_id: sessionId,
    seen_at: sql<string>`now()`,
    ended_at: null,
    end_reason: '',
  }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('push_device')
    .values({ program_id: programId, id, account_id: accountId, ...kept })
    .onConflict((known) =>
      known.columns(['program_id', 'id']).doUpdateSet(kept).where('push_device.account_id', '=', accountId),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Ends a device for good; false when the account has no such device. What waits for it is dropped when it would be sent. */
export const removePushDevice = async (
  db: Db,
  programId: number,
  accountId: number,
  deviceId: string,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('push_device')
    .set({ ended_at: sql`now()`, end_reason: 'removed' })
    .where('program_id', '=', programId)
    .where('account_id', '=', accountId)
    .where('id', '=', deviceId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Queues a test for a device in the caller's transaction; false when the account has no such device. */
export const queuePushTest = async (
  db: Db,
  programId: number,
  accountId: number,
  deviceId: string,
): Promise<boolean> => {
  const { rows } =
    await sql`insert into push_message (program_id, account_id, device_id, kind, topic, link, expires_at)
    select program_id, account_id, id, 'test', 'test', '/new/', now() + interval '15 minutes' from push_device
    where program_id = ${programId} and account_id = ${accountId} and id = ${deviceId}::uuid and ended_at is null
    returning id`.execute(db)
  if (rows.length > 0) await sql`select queue_push_job(${programId})`.execute(db)
  return rows.length > 0
}

/** A person sees tomorrow's shift from this time of the program's clock on. */
const shiftHour = '18:00'

/**
 * Queues what students are told of their shifts of the next day, once a day and device, from the evening on. A shift that is added later
 * that evening is told too, unless one of the day was told before.
 */
export const queueShifts = async (db: Db, programId: number): Promise<number> => {
  const { rows } = await sql`
    with local as (select id, now() at time zone time_zone as at from program where id = ${programId}),
    next as (
      select a.student_id, a.date, min(a.starts_at) as starts_at from local l
      join shift_assignment a on a.program_id = l.id and a.date = l.at::date + 1 and a.removed_at is null
        and a.student_id in (select account_id from push_choice where program_id = l.id and 'shift' = any (kinds))
      where l.at::time >= ${shiftHour}::time group by a.student_id, a.date)
    insert into push_message (program_id, account_id, device_id, kind, topic, link, expires_at)
    select d.program_id, d.account_id, d.id, 'shift', 'shift ' || n.date, '/new/schedule', n.starts_at from next n
    join push_device d on d.program_id = ${programId} and d.account_id = n.student_id and d.ended_at is null
    where n.starts_at > now()
    on conflict (program_id, device_id, topic) where kind in ('shift', 'clock-out') do nothing
    returning id`.execute(db)
  return rows.length
}

/** After the end of a shift people clock out late; without a shift a clock-in is forgotten after half a day. */
const clockOutGrace = sql`interval '30 minutes'`
const longestStay = sql`interval '12 hours'`

/** Queues what students are told who have clocked in and not out: once for each clock-in and device. */
export const queueClockOuts = async (db: Db, programId: number): Promise<number> => {
  const { rows } = await sql`
    with open as (
      select r.id, r.student_id, coalesce(a.ends_at + ${clockOutGrace}, r.occurred_at + ${longestStay}) as late_at
      from push_choice c
      join time_record r on r.program_id = c.program_id and r.student_id = c.account_id and r.kind = 'in' and r.partner_id is null
        and r.status = 'pending' and not ${isRemovalAsked} and r.deleted_at is null
        and r.occurred_at > now() - interval '36 hours'
      left join shift_assignment a on a.program_id = r.program_id and a.id = r.assignment_id and a.removed_at is null
      where c.program_id = ${programId} and 'clock-out' = any (c.kinds))
    insert into push_message (program_id, account_id, device_id, kind, topic, link, expires_at)
    select d.program_id, d.account_id, d.id, 'clock-out', 'clock-out ' || o.id, '/new/clock', o.late_at + interval '12 hours'
    from open o join push_device d on d.program_id = ${programId} and d.account_id = o.student_id and d.ended_at is null
    where o.late_at between now() - interval '12 hours' and now()
    on conflict (program_id, device_id, topic) where kind in ('shift', 'clock-out') do nothing
    returning id`.execute(db)
  return rows.length
}

const claimSeconds = 60

/** A message that this process has claimed, with what it needs to be sent. */
export interface ClaimedPush {
  id: number
  claim: string
  account_id: number
  device_id: string
  kind: PushKind | 'test'
  topic: string
  link: string
  attempts: number
  /** Until the message is no longer worth anything. */
  seconds_left: number
  endpoint: string
  p256dh: string
  auth: string
  language: Language
}

/** Messages `m` whose time has come and that nobody is sending. */
const due = (programId: number) =>
  sql`m.program_id = ${programId} and m.state = 'waiting' and m.next_at <= now() and coalesce(m.claimed_until, '-infinity') < now()`

/** Takes out what is not to be sent any longer, and puts off what quiet hours keep, so that what is claimed may go. */
const sortOut = async (db: Db, programId: number): Promise<void> => {
  await sql`
    with judged as (
      select m.id, case
        when m.expires_at <= now() then 'too late'
        when d.ended_at is not null then 'the device has ended'
        when d.public_key <> s.public_key then 'the device has an old key'
        when a.deactivated_at is not null or a.deleted_at is not null or p.deleted_at is not null then 'the account is closed'
        when m.kind <> 'test' and not m.kind = any (coalesce(c.kinds, '{}')) then 'no longer wanted'
        when m.kind not in ('test', 'evaluation') and a.access_level <> 39 then 'no longer wanted'
        when exists (select from push_message n where n.program_id = m.program_id and n.device_id = m.device_id and n.topic = m.topic
          and n.state = 'waiting' and n.id > m.id) then 'a newer one says it'
      end as note
      from push_message m
      join push_device d on d.program_id = m.program_id and d.id = m.device_id
      join account a on a.program_id = m.program_id and a.id = m.account_id
      join program p on p.id = m.program_id
      join push_service s on true
      left join push_choice c on c.program_id = m.program_id and c.account_id = m.account_id
      where ${due(programId)})
    update push_message m set state = 'dropped', note = j.note, done_at = now(), claim = null, claimed_until = null
    from judged j where m.program_id = ${programId} and m.id = j.id and j.note is not null`.execute(db)
  await sql`
    update push_message m set next_at = q.until
    from push_choice c, program p, lateral (select ${quietUntil(sql`now()`, sql`p.time_zone`, sql`c.quiet_from`, sql`c.quiet_until`)} as until) q
    where ${due(programId)} and m.kind <> 'test'
      and c.program_id = m.program_id and c.account_id = m.account_id and p.id = m.program_id
      and q.until is not null`.execute(db)
}

/** Claims what is due of a program. Whoever claims it and dies leaves it to the next one. */
export const claimPushes = async (db: Db, programId: number): Promise<ClaimedPush[]> => {
  await sortOut(db, programId)
  const { rows } = await sql<ClaimedPush>`
    with due as (
      select m.id from push_message m where ${due(programId)} and exists (select from push_service where is_on)
      order by m.id limit ${maxClaimedPushes} for update skip locked)
    update push_message m set claimed_until = now() + make_interval(secs => ${claimSeconds}), claim = gen_random_uuid(),
      attempts = m.attempts + 1
    from due, push_device d, account a
    where m.program_id = ${programId} and m.id = due.id and d.program_id = m.program_id and d.id = m.device_id
      and a.program_id = m.program_id and a.id = m.account_id
    returning m.id, m.claim, m.account_id, m.device_id, m.kind, m.topic, m.link, m.attempts,
      ceil(extract(epoch from m.expires_at - now()))::int as seconds_left, d.endpoint, d.p256dh, d.auth,
      case when a.access_level < 59 then coalesce(a.language, a.browser_language, 'en') else 'en' end as language`.execute(
    db,
  )
  return rows
}

/** What came of an attempt. */
export type PushOutcome =
  | { state: 'sent' }
  | { state: 'dropped'; note: string }
  /** The device is gone for good. */
  | { state: 'gone'; note: string }
  | { state: 'failed'; note: string }
  | { state: 'waiting'; note: string; waitSeconds: number }

/** Keeps what came of an attempt, unless another process has the message by now. */
export const recordPush = async (
  db: Db,
  programId: number,
  { id, claim, device_id }: ClaimedPush,
  outcome: PushOutcome,
): Promise<void> => {
  const isWaiting = outcome.state === 'waiting'
  const { numUpdatedRows } = await db
    .updateTable('push_message')
    .set({
      state: outcome.state === 'gone' ? 'dropped' : outcome.state,
      note: outcome.state === 'sent' ? '' : outcome.note,
      next_at: sql<string>`now() + make_interval(secs => ${isWaiting ? outcome.waitSeconds : 0})`,
      ...(!isWaiting && { done_at: sql<string>`now()` }),
      claimed_until: null,
      claim: null,
    })
    .where('program_id', '=', programId)
    .where('id', '=', id)
    .where('claim', '=', claim)
    .executeTakeFirst()
  if (numUpdatedRows === 0n || (outcome.state !== 'sent' && outcome.state !== 'gone')) return
  await db
    .updateTable('push_device')
    .set(
      outcome.state === 'sent'
        ? { sent_at: sql<string>`now()` }
        : { ended_at: sql<string>`now()`, end_reason: 'gone' },
    )
    .where('program_id', '=', programId)
    .where('id', '=', device_id)
    .where('ended_at', 'is', null)
    .execute()
}

/** Forgets messages after 30 days, ends devices that were not seen for 90, and forgets those 90 days later. */
export const forgetOldPushes = async (everywhere: pg.Pool): Promise<void> => {
  await everywhere.query(`
    delete from push_message where queued_at < now() - interval '30 days';
    update push_device set ended_at = now(), end_reason = 'gone' where ended_at is null and seen_at < now() - interval '90 days';
    delete from push_device where ended_at < now() - interval '90 days'`)
}
