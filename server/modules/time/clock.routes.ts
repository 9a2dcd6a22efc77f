import type { z } from 'zod'
import { formatDate } from '#contract/core/calendar.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import * as contract from '#contract/time/clock.ts'
import { timeFailures } from '#contract/time/failures.ts'
import { minutesBetween } from '#contract/time/rules-of-hours.ts'
import { handle } from '#server/core/http/handle.ts'
import { keyReused } from '#server/core/http/idempotency.ts'
import { notifyCoordinators } from '#server/core/mail/notices.ts'
import { Failure, fail } from '#server/core/runtime/failure.ts'
import { addRecord, askTimeChange } from './changes.commands.ts'
import {
  findToldRecord,
  getSiteZone,
  lockRecord,
  momentAt,
  readDay,
  refuseBadPair,
  refuseOverlap,
  refuseOverlapOf,
  spanAt,
} from './changes.queries.ts'
import { listClockShifts, listOwnSites, readLedger } from './clock.queries.ts'
import { refuseAfterLastDay } from './last-day.queries.ts'
import { refuseSamePunch } from './pairs.queries.ts'
import { insertPunch } from './punch.commands.ts'
import { readClockProgram, readPunchContext } from './punch.queries.ts'
import {
  countedMoment,
  type DeviceFacts,
  decidePunch,
  inferSite,
  isLeftOpen,
  isOpen,
  longestPair,
  newRecord,
  type PunchFacts,
} from './punch.rules.ts'
import { kindNames } from './record-file.rules.ts'
import { findOwnRecord, listOwnRecords } from './records.queries.ts'
import { findTakenBack, takeBack, takeBackOwn } from './take-back.commands.ts'
import { isToldAgain, toldHash } from './told.rules.ts'
import { tellRecords } from './told-records.queries.ts'
import { wallClock } from './zone.rules.ts'

const hour = 3_600_000
const day = 24 * hour
/** How far back and ahead hours can be reported. */
const reportableDays = 366

/** A student's program; the account of a student always has one. */
const programOf = (user: { ProgramId: number | null }): number => user.ProgramId!

const deviceOf = (body: z.output<typeof contract.PunchInput>): DeviceFacts => ({
  serverAt: body.ServerAt === undefined ? undefined : Date.parse(body.ServerAt),
  sinceServerAt: body.SinceServerAt,
  beforeSending: body.BeforeSending,
})

export const clockRoutes = [
  handle(contract.getClock, async ({ db, user, from }) => {
    const programId = programOf(user)
    const [{ timeZone, options }, around] = await Promise.all([
      readClockProgram(db, programId, user.Id, false),
      readPunchContext(db, { programId, studentId: user.Id, address: from.address }),
    ])
    const { date } = wallClock(around.now, timeZone)
    const last = around.punches.filter(({ at }) => at <= around.now).at(-1)
    const leftOpen = around.punches
      .filter(
        (each) =>
          isLeftOpen(each, { ...around, at: around.now, timeZone }) &&
          !around.reported.some(({ from, to }) => from < each.at + hour && to > each.at),
      )
      .at(-1)
    const isLastOpen =
      isOpen(last, around.now, around.shifts) && !isLeftOpen(last, { ...around, at: around.now, timeZone })
    const open = isLastOpen ? last : undefined
    const own = (punch: PunchFacts | undefined) =>
      punch ? findOwnRecord(db, programId, user.Id, punch.id).then((found) => found ?? null) : null
    const site =
      around.sites.find(({ siteId }) => siteId === open?.siteId) ??
      inferSite(around.sites, around.shifts, undefined, around.now)
    return {
      Now: new Date(around.now).toISOString(),
      TimeZone: site?.timeZone ?? timeZone,
      Date: date,
      ...(await listClockShifts(db, programId, user.Id, date)),
      Open: await own(open),
      Forgotten: await own(leftOpen),
      Last: await own(last),
      Ledger: await readLedger(db, programId, user.Id, date, options.AbsencesAreMadeUp),
      Site: site
        ? {
            SiteId: site.siteId,
            Name: site.name,
            TimeZone: site.timeZone,
            Latitude: site.latitude,
            Longitude: site.longitude,
            Precision: site.precisionM,
            RejectAccuracy: site.rejectInaccuratePins ? site.rejectAccuracyM : null,
          }
        : null,
      IPName: site?.networkName ?? null,
      Sites: await listOwnSites(db, programId, user.Id),
    }
  }),

  handle(contract.punch, async ({ db, user, body, from, audit, services, afterCommit }) => {
    const programId = programOf(user)
    // Punches are refused without a key (`needsKey`).
    const key = from.key!
    if (body.Kind === 'mistake') {
      const student = { programId, id: user.Id, name: user.Name }
      await readClockProgram(db, programId, user.Id, true)
      const known = await findTakenBack(db, student, key)
      const context = { programId, studentId: user.Id, at: body.OccurredAt, address: from.address, key }
      const around = await readPunchContext(db, context)
      if (around.earlierId !== null) throw keyReused()
      const { at } = countedMoment(
        around.now,
        body.OccurredAt === undefined ? undefined : Date.parse(body.OccurredAt),
        body.SentAt === undefined ? undefined : Date.parse(body.SentAt),
        deviceOf(body),
      )
      const asked = { punches: around.punches, at, key, reason: body.Reason ?? '' }
      const done =
        known === undefined ? await takeBack(db, student, asked) : { id: known, isAsked: undefined }
      audit.subjectId = user.Id
      audit.detail = {
        Records: await tellRecords(db, programId, [done.id]),
        IsAsked: done.isAsked,
        Reason: body.Reason,
      }
      afterCommit(() => services.live.publishPunch(programId))
      const record = await findOwnRecord(db, programId, user.Id, done.id)
      if (!record) throw fail(timeFailures.no_clock_in)
      return record
    }
    const hash = toldHash(
      services.config.secretKey,
      [body.Kind, body.SiteId],
      [
        body.OccurredAt === undefined ? undefined : [Date.parse(body.OccurredAt)],
        body.Latitude === undefined ? undefined : [body.Latitude, body.Longitude],
      ],
    )
    const position =
      body.Latitude === undefined || body.Longitude === undefined
        ? undefined
        : { latitude: body.Latitude, longitude: body.Longitude, accuracy: body.Accuracy }
    // Sent together: the second waits in the database until the first holds the student's lock, and reads what is true then.
    const [{ timeZone, options, rules }, around] = await Promise.all([
      readClockProgram(db, programId, user.Id, true),
      readPunchContext(db, {
        programId,
        studentId: user.Id,
        at: body.OccurredAt,
        siteId: body.SiteId,
        position,
        address: from.address,
        key,
      }),
    ])
    if (around.earlierId !== null) {
      if (around.earlierHash !== null && !isToldAgain(Buffer.from(around.earlierHash, 'hex'), hash))
        throw keyReused()
      const earlier = await findOwnRecord(db, programId, user.Id, around.earlierId)
      if (!earlier) throw fail(timeFailures.punch_deleted)
      return earlier
    }
    if (body.SiteId !== undefined && !around.sites.some(({ siteId }) => siteId === body.SiteId))
      throw fail(siteFailures.no_site)
    const decided = decidePunch({
      kind: body.Kind,
      now: around.now,
      occurredAt: body.OccurredAt === undefined ? undefined : Date.parse(body.OccurredAt),
      sentAt: body.SentAt === undefined ? undefined : Date.parse(body.SentAt),
      processNow: Date.now(),
      device: deviceOf(body),
      siteId: body.SiteId,
      position,
      policy: {
        toleranceMinutes: options.PunchToleranceMinutes,
        positionDecimals: options.PositionDecimals,
        hoursRules: rules,
      },
      timeZone,
      sites: around.sites,
      shifts: around.shifts,
      punches: around.punches,
      reported: around.reported,
    })
    if ('text' in decided) throw new Failure(decided)
    // The exact position is nobody's business later: the audit keeps what the record keeps.
    audit.subjectId = user.Id
    const told = wallClock(decided.at, timeZone)
    audit.detail = {
      Records: [{ Type: kindNames[decided.kind], Date: told.date, Time: told.time, Site: decided.site.name }],
      Insight: decided.insight,
      Source: decided.source,
    }
    afterCommit(() => services.live.publishPunch(programId))
    const id = await insertPunch(
      db,
      { programId, studentId: user.Id, key, hash, address: from.address },
      decided,
    )
    return newRecord(id, decided, around.now)
  }),

  handle(contract.reportException, async ({ db, user, body, audit }) => {
    const programId = programOf(user)
    const { timeZone } = await readClockProgram(db, programId, user.Id, true)
    const { shifts, rotationId } = await readDay(db, programId, user.Id, body.Date, body.SiteId)
    const wanted = body.Time ?? ''
    const startOf = (shift: (typeof shifts)[number]) => wallClock(shift.startsAt, shift.zone).time
    const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
    const shift = shifts.toSorted((one, other) =>
      wanted
        ? Math.abs(minutesOf(startOf(one)) - minutesOf(wanted)) -
          Math.abs(minutesOf(startOf(other)) - minutesOf(wanted))
        : 0,
    )[0]
    const site =
      body.SiteId !== undefined
        ? await getSiteZone(db, programId, body.SiteId)
        : shift
          ? { id: shift.siteId, name: shift.siteName, zone: shift.zone }
          : undefined
    if (!site && body.Kind === 'exception') {
      throw fail(timeFailures.no_shift_then, { Date: formatDate(body.Date) }, 'SiteId')
    }
    if (!body.Time && body.Kind !== 'absence') {
      throw fail(timeFailures.no_begin, 'Time')
    }
    if (body.Kind === 'makeup') await refuseAfterLastDay(db, programId, user.Id, body.Date)
    const zone = site?.zone ?? timeZone
    const span = body.Time
      ? await spanAt(db, programId, { ...body, Time: body.Time }, zone)
      : shift
        ? { at: shift.startsAt, endsAt: null }
        : { at: momentAt(body.Date, '08:00', zone), endsAt: null }
    const endsAt = span.endsAt ?? (shift && shift.endsAt > span.at ? shift.endsAt : null)
    const now = Date.now()
    if (span.at < now - reportableDays * day || span.at > now + reportableDays * day) {
      throw fail(timeFailures.too_far_ahead, { Date: formatDate(body.Date) }, 'Date')
    }
    if (body.Kind === 'exception' && (endsAt ?? span.at) > now + 5 * 60_000) {
      throw fail(timeFailures.not_past, 'Date')
    }
    await refuseOverlap(db, programId, user.Id, span.at, endsAt ?? span.at + 1, [], {
      withRunning: body.Kind !== 'absence',
    })
    const id = await addRecord(db, programId, {
      studentId: user.Id,
      kind: body.Kind,
      siteId: site?.id ?? null,
      at: span.at,
      endsAt,
      date: body.Date,
      minutes: endsAt === null ? 0 : minutesBetween(span.at, endsAt),
      shift: shift ?? null,
      rotationId,
      source: 'self',
      reasons: [{ Code: 'self_reported' }],
      reason: body.Reason,
      partnerId: null,
      by: user.Id,
    })
    audit.subjectId = user.Id
    audit.detail = { Records: await tellRecords(db, programId, [id]), Reason: body.Reason }
    // It was added above, in this transaction.
    return (await findOwnRecord(db, programId, user.Id, id))!
  }),

  handle(contract.reportClockOut, async ({ db, user, params, body, from, audit, services, afterCommit }) => {
    const programId = programOf(user)
    const record = await lockRecord(db, programId, params.recordId, { studentId: user.Id })
    if (!record) throw fail(coreFailures.no_record)
    // It is refused without a key (`needsKey`).
    const key = from.key!
    const hash = toldHash(services.config.secretKey, [
      params.recordId,
      body.Date,
      body.Time,
      body.TimeIsSecond,
    ])
    const earlier = await findToldRecord(db, programId, user.Id, key)
    if (earlier) {
      if (earlier.hash === null || !isToldAgain(earlier.hash, hash)) throw keyReused()
      const kept = await findOwnRecord(db, programId, user.Id, earlier.id)
      if (!kept) throw fail(coreFailures.no_record)
      return kept
    }
    if (record.kind !== 'in' || record.partnerId !== null || record.status === 'rejected')
      throw fail(timeFailures.matched)
    const at = momentAt(body.Date, body.Time, record.zone, { isSecond: body.TimeIsSecond })
    if (at > Date.now()) throw fail(timeFailures.time_ahead, 'Time')
    refuseBadPair('out', at, record.at, longestPair(record.shift))
    await refuseSamePunch(db, programId, { studentId: user.Id, kind: 'out', at })
    await refuseOverlap(db, programId, user.Id, record.at, at, [record.id])
    const id = await addRecord(db, programId, {
      studentId: user.Id,
      kind: 'out',
      siteId: record.siteId,
      at,
      endsAt: null,
      date: wallClock(at, record.zone).date,
      minutes: minutesBetween(record.at, at),
      shift: record.shift,
      rotationId: record.rotationId,
      source: 'self',
      reasons: [{ Code: 'self_reported' }],
      reason: body.Reason ?? '',
      partnerId: record.id,
      by: user.Id,
      key,
      hash,
    })
    audit.subjectId = user.Id
    audit.detail = { Records: await tellRecords(db, programId, [record.id, id]), Reason: body.Reason }
    afterCommit(() => services.live.publishPunch(programId))
    const [begin, end] = [wallClock(record.at, record.zone), wallClock(at, record.zone)]
    const line = `${user.Name}: clocked in ${formatDate(begin.date)} ${begin.time}, left ${formatDate(end.date)} ${end.time}. ${body.Reason ?? ''}`
    await notifyCoordinators(db, programId, {
      kind: 'time_change_asked',
      text: `Clock-out reported later by ${line}`.trim(),
      link: '/new/admin/approve-time-records',
      email: { label: 'TIME_change_asked', key: `record:${id}`, line: line.trim() },
    })
    // It was added above, in this transaction.
    return (await findOwnRecord(db, programId, user.Id, id))!
  }),

  handle(contract.askTimeChange, async ({ db, user, params, body, audit }) => {
    const programId = programOf(user)
    const record = await lockRecord(db, programId, params.recordId, { studentId: user.Id })
    if (!record) throw fail(coreFailures.no_record)
    const { timeZone } = await readClockProgram(db, programId, user.Id, false)
    if (record.kind !== 'in' && record.kind !== 'out') {
      throw fail(timeFailures.not_a_punch)
    }
    if (record.status !== 'pending') {
      // It is locked since it was read above.
      const own = (await findOwnRecord(db, programId, user.Id, record.id))!
      const IsApproved = record.status === 'approved'
      throw own.DecidedBy
        ? fail(timeFailures.decided_by, { IsApproved, By: own.DecidedBy })
        : fail(timeFailures.decided, { IsApproved })
    }
    const at = momentAt(body.Date ?? wallClock(record.at, record.zone).date, body.Time, record.zone, {
      isSecond: body.TimeIsSecond,
    })
    if (
      wallClock(at, record.zone).time === wallClock(record.at, record.zone).time &&
      Math.abs(at - record.at) < 60_000
    )
      throw fail(timeFailures.same_time_as_now, 'Time')
    if (at > Date.now()) throw fail(timeFailures.time_ahead, 'Time')
    refuseBadPair(record.kind, at, record.partnerAt, longestPair(record.shift))
    await refuseOverlapOf(db, programId, record, at)
    await askTimeChange(
      db,
      { programId, id: record.id },
      { at, reason: body.Reason, reasons: record.reasons },
    )
    audit.subjectId = user.Id
    const asked = wallClock(at, timeZone)
    audit.detail = {
      Records: await tellRecords(db, programId, [record.id]),
      AskedDate: asked.date,
      AskedTime: asked.time,
      Reason: body.Reason,
    }
    const [from, to] = [wallClock(record.at, record.zone), wallClock(at, record.zone)]
    const line = `${user.Name}: ${formatDate(from.date)} ${from.time} to ${formatDate(to.date)} ${to.time}. ${body.Reason}`
    await notifyCoordinators(db, programId, {
      kind: 'time_change_asked',
      text: `Time change requested by ${line}`,
      link: '/new/admin/approve-time-records',
      email: { label: 'TIME_change_asked', key: `record:${record.id}`, line },
    })
    // It is locked since it was read above.
    return (await findOwnRecord(db, programId, user.Id, record.id))!
  }),

  handle(
    contract.takeBackOwn,
    async ({ db, user, params: { recordId }, body, audit, services, afterCommit }) => {
      const programId = programOf(user)
      const [Before] = await tellRecords(db, programId, [recordId])
      await takeBackOwn(db, { programId, studentId: user.Id, recordId }, body.IsTakenBack)
      audit.subjectId = user.Id
      audit.detail = { ...body, Records: [Before] }
      afterCommit(() => services.live.publishPunch(programId))
      // It is locked since it was read above.
      return (await findOwnRecord(db, programId, user.Id, recordId))!
    },
  ),

  handle(contract.listOwnRecords, ({ db, user, query }) =>
    listOwnRecords(db, programOf(user), user.Id, query),
  ),
]
