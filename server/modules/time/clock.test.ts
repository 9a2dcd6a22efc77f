import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { approveTimeRecords, decideTimeChange, undoDecisions } from '#contract/time/approvals.ts'
import * as contract from '#contract/time/clock.ts'
import { editTimeRecord, isTakenBack, listTimeRecords } from '#contract/time/time-records.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let student: MadePerson
let phone: Caller

const failureOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { Code?: string } | null)?.Code,
]

const minute = 60_000
const hour = 60 * minute
const entrance = { Latitude: 41.63, Longitude: -70.93, Accuracy: 14 }
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()
const ahead = (milliseconds: number) => ago(-milliseconds)
/** The day of a moment where the programs of the tests are. */
const dayOf = (moment: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(moment))

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
afterEach(() => void vi.useRealTimers())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  student = await makeStudent(installation.owner, program)
  phone = await installation.as(student)
})

/** A shift of the student around now, at its own site unless one is given. */
const assign = async (
  from = ago(10 * minute),
  to = ahead(8 * hour),
  more: { site?: { Id: number }; rotation?: { Id: number }; of?: MadePerson } = {},
) => {
  const shift = await makeShift(installation.owner, program, more.site ? { site: more.site } : {})
  const rotation = more.rotation ?? (await makeRotation(installation.owner, program))
  const { id } = await makeRow(installation.owner, 'shift_assignment', {
    program_id: program.Id,
    rotation_id: rotation.Id,
    site_shift_id: shift.Id,
    site_id: shift.SiteId,
    student_id: (more.of ?? student).Id,
    date: dayOf(from),
    starts_at: from,
    ends_at: to,
  })
  return { Id: id as number, SiteId: shift.SiteId, RotationId: rotation.Id }
}
let keys = 0
const punch = (
  Kind: 'in' | 'out' | 'mistake',
  body: Record<string, unknown> = entrance,
  key = `key-${process.pid}-${++keys}`,
) => phone.call(contract.punch, { body: { Kind, ...body } as never }, { headers: { 'idempotency-key': key } })
const setSite = (id: number, values: Record<string, unknown>) => {
  const names = Object.keys(values)
  return installation.owner.query(
    `update site set ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')} where id = $1`,
    [id, ...Object.values(values)],
  )
}
const codes = (record: { Reasons: { Code: string }[] }) => record.Reasons.map(({ Code }) => Code)

describe('clocking in and out', () => {
  test('a punch inside the circle, in time for its shift, is Clean', async () => {
    const { SiteId } = await assign()
    const { status, body } = await punch('in')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      Type: 'in',
      SiteId,
      Insight: 1,
      Reasons: [],
      Status: 'pending',
      IsInside: true,
    })
    expect(body.OffsetMinutes).toBe(10)
    const out = await punch('out')
    expect(out.body).toMatchObject({ Type: 'out', PartnerId: body.Id, Minutes: 0 })
  })

  describe('a new punch is told as it is read afterwards', () => {
    const toldAndRead = async (Kind: 'in' | 'out', body: Record<string, unknown>) => {
      const key = `told-and-read-${++keys}`
      const { status, body: told } = await punch(Kind, body, key)
      expect(status).toBe(200)
      expect((await punch(Kind, body, key)).body).toEqual(told)
      return told
    }
    test('in a shift, and the clock-out with it', async () => {
      await assign(ago(25 * minute))
      const begun = await toldAndRead('in', { ...entrance, OccurredAt: ago(20 * minute), SentAt: ago(0) })
      expect(begun).toMatchObject({ Insight: 3, ShiftType: 'day', PartnerId: null, Source: 'offline' })
      expect(await toldAndRead('out', entrance)).toMatchObject({ Minutes: 20, PartnerId: begun.Id })
    })
    test('after another time was asked for its clock-in', async () => {
      const { SiteId } = await assign(ago(hour), ahead(hour))
      await setSite(SiteId, { time_zone: 'UTC' })
      const begun = await toldAndRead('in', { ...entrance, OccurredAt: ago(hour) })
      const wanted = new Date(Date.parse(begun.OccurredAt) - 5 * minute).toISOString()
      await phone.ok(contract.askTimeChange, {
        params: { recordId: begun.Id },
        body: { Date: wanted.slice(0, 10), Time: wanted.slice(11, 16), Reason: 'The phone was off' },
      })
      const ended = await toldAndRead('out', entrance)
      expect(ended.Insight).toBe(3)
      expect(codes(ended)).toContain('change_asked')
    })
    test('without a shift and a position, at a site on whose network it was made', async () => {
      const { SiteId } = await makeShift(installation.owner, program)
      await makeRow(installation.owner, 'site_network', {
        program_id: program.Id,
        site_id: SiteId,
        name: 'Staff network',
        range: '127.0.0.0/8',
      })
      const begun = await toldAndRead('in', { SiteId })
      expect(begun).toMatchObject({ IPName: 'Staff network', Distance: null, ShiftStart: null })
    })
    test('after so long that it runs no more', async () => {
      const { SiteId } = await makeShift(installation.owner, program)
      const begun = await toldAndRead('in', { SiteId, OccurredAt: ago(17 * hour), SentAt: ago(0) })
      expect(begun).toMatchObject({ Insight: 'u', Status: 'pending' })
    })
  })

  test('the minutes of a pair are on the clock-out and in the pending hours', async () => {
    await assign(ago(3 * hour), ahead(hour))
    expect((await punch('in', { ...entrance, OccurredAt: ago(3 * hour) })).status).toBe(200)
    const { body } = await punch('out')
    expect(body.Minutes).toBe(180)
    const { Ledger } = await phone.ok(contract.getClock)
    expect(Ledger).toMatchObject({ PendingMinutes: 180, ApprovedMinutes: 0, TargetMinutes: 340 * 60 })
    expect(Ledger.OwedMinutes).toBe(340 * 60 - 180)
  })

  test('a second clock-in answers 409 and says since when, and a clock-out without a clock-in too', async () => {
    await assign()
    const out = await punch('out')
    expect(out.status).toBe(409)
    expect((out.body as any).Code).toBe('already_out')
    await punch('in')
    const again = await punch('in')
    expect(again.status).toBe(409)
    expect((again.body as any).Message).toMatch(
      /You are clocked in since \d\d\/\d\d\/\d{4} \d\d:\d\d at Site/,
    )
  })

  test('a punch without an Idempotency-Key is refused', async () => {
    await assign()
    const { status, body } = await phone.call(contract.punch, { body: { Kind: 'in' } })
    expect(status).toBe(400)
    expect((body as any).Errors[0].Field).toBe('Idempotency-Key')
  })

  test('20 parallel punches with one key are one record, and all get its answer', async () => {
    await assign()
    const answers = await Promise.all(Array.from({ length: 20 }, () => punch('in', entrance, 'the-one-key')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.Id)).size).toBe(1)
    const { rows } = await installation.owner.query(
      'select count(*)::int n from time_record where student_id = $1',
      [student.Id],
    )
    expect(rows[0].n).toBe(1)
  })

  test('20 parallel clock-ins with different keys leave exactly one open', async () => {
    await assign()
    const answers = await Promise.all(Array.from({ length: 20 }, () => punch('in')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
  })

  test('the same key with another punch is refused with 422, and the first one stays', async () => {
    const { SiteId } = await assign()
    const begun = { ...entrance, SiteId, OccurredAt: ago(2 * hour) }
    const first = await punch('in', begun, 'one-key-two-punches')
    const other = await makeSite(installation.owner, program)
    const refused = [
      await punch('out', { ...entrance, SiteId }, 'one-key-two-punches'),
      await punch('in', { ...entrance, SiteId: other.Id }, 'one-key-two-punches'),
      await punch('in', { ...entrance, SiteId, Latitude: 41.64 }, 'one-key-two-punches'),
    ]
    for (const { status, body } of refused) expect([status, (body as any).Code]).toEqual([422, 'key_reused'])
    // Other calls that carry a key say the same.
    const headers = { 'idempotency-key': 'one-key-two-absences' }
    const absent = (Reason: string) =>
      phone.call(
        contract.reportException,
        { body: { Kind: 'absence', SiteId, Date: ahead(48 * hour).slice(0, 10), Reason } },
        { headers },
      )
    expect((await absent('Fever')).status).toBe(200)
    expect(await absent('Flu')).toMatchObject({ status: 422, body: { Code: 'key_reused' } })
    const again = await punch('in', begun, 'one-key-two-punches')
    expect(again.body).toEqual(first.body)
    const kept = { OccurredAt: ago(hour) }
    const late = await punch('out', { ...entrance, OccurredAt: ago(minute) }, 'kept-and-sent-twice')
    expect(late.status).toBe(200)
    expect((await punch('out', { ...entrance, ...kept }, 'kept-and-sent-twice')).status).toBe(422)
    expect((await punch('out', entrance, 'kept-and-sent-twice')).body.Id).toBe(late.body.Id)
  })

  test('the same key counts once even when the device tells the punch otherwise the second time', async () => {
    await assign()
    const first = await punch('in', entrance, 'tried-on-line')
    const again = await punch('in', { ...entrance, OccurredAt: ago(minute), SentAt: ago(0) }, 'tried-on-line')
    expect(again.body.Id).toBe(first.body.Id)
  })

  test('a repeat still counts once after the kept answers were cleared away', async () => {
    await assign()
    const first = await punch('in', entrance, 'kept-for-weeks')
    await installation.owner.query('delete from idempotency_key')
    expect((await punch('in', entrance, 'kept-for-weeks')).body.Id).toBe(first.body.Id)
  })

  test.each([
    { Latitude: 91, Longitude: 0 },
    { Latitude: 0, Longitude: -180.5 },
    { Latitude: 41 },
    { Latitude: 41, Longitude: 1, Accuracy: -1 },
    { OccurredAt: 'yesterday' },
    { Where: 'here' },
  ])('input that cannot be is refused with 400: %o', async (body) => {
    expect((await punch('in', body)).status).toBe(400)
  })

  test('positions are kept with the decimals of the program only', async () => {
    await installation.owner.query(`update program set options = '{"PositionDecimals": 2}' where id = $1`, [
      program.Id,
    ])
    await assign()
    await punch('in', { Latitude: 41.63049, Longitude: -70.92951, Accuracy: 20 })
    const { rows } = await installation.owner.query(
      'select latitude, longitude, distance_m from time_record where student_id = $1',
      [student.Id],
    )
    expect(rows[0]).toMatchObject({ latitude: 41.63, longitude: -70.93 })
    expect(rows[0].distance_m).toBeGreaterThan(50)
  })
})

describe('D3-080 the insight of a punch', () => {
  test('no shift at the site is Careful Review', async () => {
    const site = await makeSite(installation.owner, program)
    const { body } = await punch('in', { ...entrance, SiteId: site.Id })
    expect(body.Insight).toBe(3)
    expect(codes(body)).toEqual(['no_assignment'])
  })
  test('far away is Careful Review with the distance, near but outside Need Review', async () => {
    await assign()
    const far = await punch('in', { ...entrance, Latitude: 41.69 })
    expect(far.body.Insight).toBe(3)
    expect(far.body.Reasons).toEqual([{ Code: 'far_away', Value: 6672 }])
    const near = await punch('out', { ...entrance, Latitude: 41.6325 })
    expect(near.body.Reasons.find(({ Code }) => Code === 'unknown_network')?.Value).toBe(278)
  })
  test('outside the tolerance is Need Review and tells the minutes', async () => {
    await assign(ago(40 * minute))
    const { body } = await punch('in')
    expect(body).toMatchObject({ Insight: 2, Reasons: [{ Code: 'outside_tolerance', Value: 40 }] })
  })
  test('without a position it is Need Review, unless the call comes from a known network', async () => {
    const { SiteId } = await assign()
    const without = await punch('in', {})
    expect(without.body).toMatchObject({ Insight: 2, Reasons: [{ Code: 'no_position' }] })
    await makeRow(installation.owner, 'site_network', {
      program_id: program.Id,
      site_id: SiteId,
      name: 'HGH-Imaging',
      range: '127.0.0.0/8',
    })
    const known = await punch('out', {})
    expect(codes(known.body)).not.toContain('no_position')
    expect(known.body.IPName).toBe('HGH-Imaging')
  })
  test('a poor accuracy is Need Review', async () => {
    await assign()
    expect((await punch('in', { ...entrance, Accuracy: 450 })).body).toMatchObject({
      Insight: 2,
      Reasons: [{ Code: 'poor_accuracy', Value: 450 }],
    })
  })
  test('a punch kept off line is Careful Review and counts at its own moment', async () => {
    await assign(ago(2 * hour))
    const at = ago(2 * hour)
    const { body } = await punch('in', { ...entrance, OccurredAt: at, SentAt: ago(0) })
    expect(body).toMatchObject({ Insight: 3, Source: 'offline' })
    expect(Date.parse(body.OccurredAt)).toBe(Date.parse(at))
    expect(codes(body)).toEqual(['offline'])
  })
  test('a kept punch that lies before what the server had said is corrected and marked', async () => {
    await assign(ago(5 * hour))
    const { body } = await punch('in', {
      ...entrance,
      OccurredAt: ago(4 * hour),
      SentAt: ago(0),
      ServerAt: ago(70 * minute),
      SinceServerAt: 10 * minute,
      BeforeSending: 60 * minute,
    })
    expect(Math.abs(Date.parse(body.OccurredAt) - Date.parse(ago(hour)))).toBeLessThan(minute)
    expect(body).toMatchObject({ Insight: 3, Reasons: [{ Code: 'offline' }, { Code: 'clock_off' }, {}] })
  })
  test('a device whose clock is off is told by it, and server time counts', async () => {
    await assign()
    const { body } = await punch('in', { ...entrance, SentAt: ago(22 * minute) })
    expect(body.Reasons).toEqual([{ Code: 'clock_off', Value: 22 }])
    expect(Math.abs(Date.parse(body.OccurredAt) - Date.now())).toBeLessThan(minute)
  })
  test('nobody is at two distant sites within minutes', async () => {
    const far = await makeSite(installation.owner, program, {
      latitude: 42.36,
      longitude: -71.06,
      allow_multiclock: true,
    })
    await assign()
    await punch('in')
    await punch('out')
    const { body } = await punch('in', { Latitude: 42.36, Longitude: -71.06, SiteId: far.Id })
    expect(codes(body)).toContain('impossible_travel')
  })
})

describe('the rules of a site', () => {
  test('RejectInaccuratePins refuses a position vaguer than RejectAccuracy and keeps nothing', async () => {
    const { SiteId } = await assign()
    await setSite(SiteId, { reject_inaccurate_pins: true, reject_accuracy_m: 50 })
    const refused = await punch('in', { ...entrance, Accuracy: 51 })
    expect(refused.status).toBe(422)
    expect((refused.body as any).Code).toBe('RejectInaccuratePins')
    expect((refused.body as any).Message).toMatch(/accurate to 170 ft only; Site \d+ requires 160 ft/)
    expect((await punch('in', { ...entrance, Accuracy: 50 })).status).toBe(200)
  })
  test('without AllowMulticlock a site takes one pair a day, and one within seconds was a slip', async () => {
    // An hour ago was today: it is about noon there, by the database's clock.
    const { rows } = await installation.owner.query(
      `select 'Etc/GMT' || to_char(extract(hour from now() at time zone 'UTC') - 12, 'SG99') as zone`,
    )
    const { SiteId } = await assign()
    await setSite(SiteId, { time_zone: rows[0].zone.replace(/(?<=[+-])[ 0](?=\d)/, '') })
    for (const kind of ['in', 'out', 'in', 'out'] as const) expect((await punch(kind)).status).toBe(200)
    await installation.owner.query(
      `update time_record set occurred_at = occurred_at - case kind when 'in' then interval '50 minutes' else interval '40 minutes' end
      where student_id = $1`,
      [student.Id],
    )
    const refused = await punch('in')
    expect(refused.status).toBe(422)
    expect((refused.body as any).Code).toBe('AllowMulticlock')
    await setSite(SiteId, { allow_multiclock: true })
    expect((await punch('in')).status).toBe(200)
  })
  test('without AllowOvernight a clock-in of yesterday is neither closed nor in the way', async () => {
    vi.setSystemTime('2026-11-23T12:00:00Z')
    const { SiteId } = await assign(ago(20 * hour), ago(12 * hour))
    await setSite(SiteId, { allow_overnight: false, time_zone: 'UTC' })
    const midnight = Date.parse('2026-11-23T00:00:00Z')
    await punch('in', { ...entrance, SiteId, OccurredAt: new Date(midnight - hour).toISOString() })
    const refused = await punch('out', { ...entrance, OccurredAt: new Date(midnight + minute).toISOString() })
    expect(refused.status).toBe(422)
    expect((refused.body as any).Code).toBe('AllowOvernight')
    const next = await punch('in', {
      ...entrance,
      SiteId,
      OccurredAt: new Date(midnight + minute).toISOString(),
    })
    expect(next.status).toBe(200)
  })
  test('a site of another program does not exist', async () => {
    const foreign = await makeSite(installation.owner, await makeProgram(installation.owner))
    expect((await punch('in', { ...entrance, SiteId: foreign.Id })).status).toBe(404)
  })
})

describe('the clock screen', () => {
  test("shows today's shift, the site worked out, and no open record", async () => {
    const { Id, SiteId } = await assign()
    const clock = await phone.ok(contract.getClock)
    expect(clock.Shifts.map(({ AssignmentId }) => AssignmentId)).toContain(Id)
    expect(clock.Site?.SiteId).toBe(SiteId)
    expect(clock.Open).toBeNull()
    await punch('in')
    expect((await phone.ok(contract.getClock)).Open).toMatchObject({ Type: 'in', SiteId })
  })
  test('only students have a clock', async () => {
    const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    expect((await coordinator.call(contract.getClock)).status).toBe(403)
  })
  test('the projected finish date is the day on which the assigned shifts reach the target', async () => {
    const rotation = await makeRotation(installation.owner, program, { target_minutes: 900 })
    const site = await makeSite(installation.owner, program)
    for (const days of [1, 2, 3])
      await assign(ahead(days * 24 * hour), ahead(days * 24 * hour + 8 * hour), { site, rotation })
    const { Ledger } = await phone.ok(contract.getClock)
    expect(Ledger.ProjectedFinishDate).toBe(dayOf(ahead(2 * 24 * hour)))
    expect(Ledger.ProjectedMinutes).toBe(3 * 480)
  })
})

describe('who did not clock out yesterday', () => {
  /** In yesterday for an evening shift, today's shift beside it, both at one site whose clock is UTC. */
  const forget = async () => {
    const site = await makeSite(installation.owner, program, { time_zone: 'UTC' })
    const rotation = await makeRotation(installation.owner, program)
    await assign(ago(19 * hour), ago(13 * hour), { site, rotation })
    await assign(ago(10 * minute), ahead(8 * hour), { site, rotation })
    const begun = await punch('in', { ...entrance, OccurredAt: ago(19 * hour - 3 * minute) })
    expect(begun.status).toBe(200)
    return { site, begun: begun.body }
  }
  let reports = 0
  const left = (recordId: number, moment: string, key = `left-${process.pid}-${++reports}`) =>
    phone.call(
      contract.reportClockOut,
      { params: { recordId }, body: { Date: moment.slice(0, 10), Time: moment.slice(11, 16) } },
      { headers: { 'idempotency-key': key } },
    )

  test('is asked when they left, and clocks in for today at once', async () => {
    const { begun } = await forget()
    const before = await phone.ok(contract.getClock)
    expect(before).toMatchObject({ Open: null, Forgotten: { Id: begun.Id, ShiftEndsAt: expect.any(String) } })
    const today = await punch('in')
    expect(today.body).toMatchObject({ Type: 'in', PartnerId: null, Insight: 1 })
    expect(await phone.ok(contract.getClock)).toMatchObject({
      Open: { Id: today.body.Id },
      Forgotten: { Id: begun.Id },
    })
    // The answer is a request: its hours wait, for Careful Review.
    const told = await left(begun.Id, ago(13 * hour))
    expect(told.body).toMatchObject({
      Type: 'out',
      PartnerId: begun.Id,
      Status: 'pending',
      Insight: 3,
      Source: 'self',
      Reasons: [{ Code: 'self_reported' }],
    })
    expect(Math.abs(told.body.Minutes - 357)).toBeLessThanOrEqual(1)
    expect(await phone.ok(contract.getClock)).toMatchObject({
      Open: { Id: today.body.Id },
      Forgotten: null,
    })
    expect((await punch('out')).body).toMatchObject({ PartnerId: today.body.Id })
  })
  test('who is really clocked in is refused as before', async () => {
    await assign(ago(3 * hour), ahead(hour))
    await punch('in', { ...entrance, OccurredAt: ago(2 * hour) })
    expect(await punch('in')).toMatchObject({ status: 409, body: { Code: 'already_in' } })
    expect((await phone.ok(contract.getClock)).Forgotten).toBeNull()
  })
  test('an answer counts once, cannot lie where it cannot be, and closes only what is open', async () => {
    const { site, begun } = await forget()
    expect((await left(begun.Id, ahead(2 * hour))).status).toBe(422)
    expect((await left(begun.Id, ago(20 * hour))).status).toBe(422)
    const other = await installation.as(await makeStudent(installation.owner, program))
    const foreign = await other.call(
      contract.reportClockOut,
      { params: { recordId: begun.Id }, body: { Date: dayOf(ago(0)), Time: '01:00' } },
      { headers: { 'idempotency-key': 'somebody-else' } },
    )
    expect(foreign.status).toBe(404)
    const [from, to] = [ago(15 * hour), ago(14 * hour)]
    await phone.ok(contract.reportException, {
      body: {
        Kind: 'exception',
        SiteId: site.Id,
        Date: from.slice(0, 10),
        Time: from.slice(11, 16),
        EndTime: to.slice(11, 16),
        Reason: 'x',
      },
    })
    expect(await left(begun.Id, ago(13 * hour))).toMatchObject({ status: 409, body: { Code: 'overlap' } })
    const first = await left(begun.Id, ago(16 * hour), 'the-answer')
    expect(first.status).toBe(200)
    expect((await left(begun.Id, ago(16 * hour), 'the-answer')).body.Id).toBe(first.body.Id)
    expect((await left(begun.Id, ago(17 * hour), 'the-answer')).status).toBe(422)
    expect(await left(begun.Id, ago(17 * hour))).toMatchObject({ status: 409, body: { Code: 'matched' } })
  })
  test('an exception for those hours answers the question too', async () => {
    const { site, begun } = await forget()
    const from = ago(19 * hour)
    await phone.ok(contract.reportException, {
      body: {
        Kind: 'exception',
        SiteId: site.Id,
        Date: from.slice(0, 10),
        Time: from.slice(11, 16),
        EndTime: ago(13 * hour).slice(11, 16),
        Reason: `Left at the end, clocked in as ${begun.Id}`,
      },
    })
    expect((await phone.ok(contract.getClock)).Forgotten).toBeNull()
  })
  test('a clock-out of today that closes it all the same is Careful Review', async () => {
    const { begun } = await forget()
    const { body } = await punch('out')
    expect(body).toMatchObject({ PartnerId: begun.Id, Insight: 3 })
    expect(codes(body)).toContain('too_long')
  })
})

describe('reporting by hand', () => {
  const report = (body: Record<string, unknown>) =>
    phone.call(contract.reportException, { body: body as never })
  const yesterday = ago(24 * hour).slice(0, 10)

  test('a time exception is pending, Careful Review, and ends with its shift', async () => {
    const { SiteId } = await assign(`${yesterday}T12:00:00Z`, `${yesterday}T20:30:00Z`)
    await setSite(SiteId, { time_zone: 'UTC' })
    const { status, body } = await report({
      Kind: 'exception',
      SiteId,
      Date: yesterday,
      Time: '12:00',
      Reason: 'Phone battery died',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      Type: 'exception',
      Status: 'pending',
      Insight: 3,
      Minutes: 510,
      EndTime: '20:30',
      Reason: 'Phone battery died',
    })
  })
  test('a report is taken back before it is decided, is called rejected nowhere, and is sent again', async () => {
    const { SiteId } = await assign(`${yesterday}T12:00:00Z`, `${yesterday}T20:30:00Z`)
    await setSite(SiteId, { time_zone: 'UTC' })
    const body = { Kind: 'exception', SiteId, Date: yesterday, Time: '12:00', Reason: 'Phone battery died' }
    const { Id: recordId } = (await report(body)).body as contract.OwnRecord
    const takeBack = (IsTakenBack: boolean, caller = phone) =>
      caller.call(contract.takeBackOwn, { params: { recordId }, body: { IsTakenBack } })
    const other = await installation.as(await makeStudent(installation.owner, program))
    expect((await takeBack(true, other)).status).toBe(404)
    expect(failureOf(await takeBack(false))).toEqual([409, 'decided'])
    const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    const params = { programId: program.Id }
    const pending = async () =>
      (await coordinator.ok(listTimeRecords, { params, query: { Status: 'pending' } })).Total
    expect(await pending()).toBe(1)
    const back = await takeBack(true)
    expect(isTakenBack(back.body as contract.OwnRecord)).toBe(true)
    expect(await pending()).toBe(0)
    const rejected = async (IsTakenBack: boolean) =>
      (await coordinator.ok(listTimeRecords, { params, query: { Status: 'rejected', IsTakenBack } })).Total
    expect([await rejected(true), await rejected(false)]).toEqual([1, 0])
    const edit = await coordinator.call(editTimeRecord, {
      params: { ...params, recordId },
      body: { Date: yesterday, Time: '12:30', SiteId, Reason: 'As the roster says' },
    })
    expect(failureOf(edit)).toEqual([409, 'taken_back'])
    const list = (Show: 'rejected' | 'all') => phone.ok(contract.listOwnRecords, { query: { Show } })
    expect(await list('rejected')).toMatchObject({ Items: [], PendingCount: 0, RejectedCount: 0 })
    expect((await list('all')).Items).toMatchObject([
      { Id: recordId, Reason: 'Phone battery died', Minutes: 510 },
    ])
    const file = await coordinator.send('GET', `/programs/${program.Id}/time-records/export?Format=csv`)
    expect(String(file.body)).toContain(',Taken back by the student,')
    expect(String(file.body)).not.toContain('Rejected')
    // What counts no longer is in nobody's way, and then cannot come back beside it.
    const instead = (await report({ ...body, EndTime: '13:00' })).body as contract.OwnRecord
    expect(failureOf(await takeBack(false))).toEqual([409, 'overlap'])
    await phone.ok(contract.takeBackOwn, { params: { recordId: instead.Id }, body: { IsTakenBack: true } })
    expect((await takeBack(false)).body).toMatchObject({
      Status: 'pending',
      Insight: 3,
      Minutes: 510,
      DecidedAt: null,
    })
    await coordinator.ok(approveTimeRecords, { params, body: { Ids: [recordId] } })
    expect(failureOf(await takeBack(true))).toEqual([409, 'decided'])
    const { rows } = await installation.owner.query(
      `select detail from audit where program_id = $1 and action = 'POST /clock/records/:recordId/withdrawals' order by id`,
      [program.Id],
    )
    expect(rows.map(({ detail }) => detail.IsTakenBack)).toEqual([true, true, false])
  })

  test('an absence owes the minutes of its shift as makeup, and makeup pays them back', async () => {
    const tomorrow = ahead(30 * hour).slice(0, 10)
    const rotation = await makeRotation(installation.owner, program, {
      start_date: yesterday,
      end_date: ahead(96 * hour).slice(0, 10),
    })
    const { SiteId } = await assign(`${yesterday}T12:00:00Z`, `${yesterday}T20:30:00Z`, { rotation })
    await setSite(SiteId, { time_zone: 'UTC' })
    await assign(`${tomorrow}T12:00:00Z`, `${tomorrow}T20:00:00Z`, { rotation })
    expect((await report({ Kind: 'absence', Date: yesterday, Reason: 'Fever' })).body).toMatchObject({
      Minutes: 510,
    })
    expect((await phone.ok(contract.getClock)).Ledger.MakeupOwedMinutes).toBe(510)
    const later = ahead(72 * hour).slice(0, 10)
    await report({ Kind: 'makeup', SiteId, Date: later, Time: '08:00', EndTime: '12:00', Reason: 'Agreed' })
    expect((await phone.ok(contract.getClock)).Ledger.MakeupOwedMinutes).toBe(510 - 240)
  })
  test('a time that the clocks skip in spring is refused with the reason', async () => {
    vi.setSystemTime('2026-11-23T12:00:00Z')
    const site = await makeSite(installation.owner, program, { time_zone: 'America/New_York' })
    const { status, body } = await report({
      Kind: 'exception',
      SiteId: site.Id,
      Date: '2026-03-08',
      Time: '02:30',
      EndTime: '06:00',
      Reason: 'Forgot',
    })
    expect(status).toBe(422)
    expect((body as any).Message).toBe(
      'On 03/08/2026 the clocks go from 02:00 to 03:00, so 02:30 does not exist. Nothing was saved; pick another time.',
    )
  })
  test('equal times are refused, and an end before the begin is a typing error when no shift is so long', async () => {
    const site = await makeSite(installation.owner, program, { time_zone: 'UTC' })
    const send = (Time: string, EndTime: string, more = {}) =>
      report({
        Kind: 'exception',
        SiteId: site.Id,
        Date: ago(72 * hour).slice(0, 10),
        Time,
        EndTime,
        Reason: 'x',
        ...more,
      })
    expect(await send('09:00', '09:00')).toMatchObject({
      status: 422,
      body: { Code: 'same_time', Errors: [{ Field: 'EndTime' }] },
    })
    // Without a shift anywhere, twelve hours and two more.
    expect(await send('09:00', '08:50')).toMatchObject({ status: 422, body: { Code: 'too_long' } })
    expect(await send('19:00', '09:01')).toMatchObject({ status: 422, body: { Code: 'too_long' } })
    await makeShift(installation.owner, program, { site, start_time: '23:00', end_time: '07:30' })
    expect(await send('19:00', '05:31')).toMatchObject({
      status: 422,
      body: {
        Message: expect.stringMatching(
          /^From 19:00 to 05:31 on the next day are 10 h 31 min, .+ 10 h 30 min at most here/,
        ),
      },
    })
    expect((await send('19:00', '05:30')).body).toMatchObject({ Minutes: 630 })
    expect((await send('06:00', '18:00')).body).toMatchObject({ Minutes: 720 })
  })
  test('a time that comes twice is asked for: the first or the second one', async () => {
    vi.setSystemTime('2026-11-23T12:00:00Z')
    const site = await makeSite(installation.owner, program, { time_zone: 'America/New_York' })
    const night = { Kind: 'exception', SiteId: site.Id, Date: '2026-11-01', Reason: 'Night' }
    expect(await report({ ...night, Time: '01:30', EndTime: '04:00' })).toMatchObject({
      status: 422,
      body: { Code: 'repeated_time', Errors: [{ Field: 'Time' }] },
    })
    expect(await report({ ...night, Time: '00:30', EndTime: '01:10' })).toMatchObject({
      status: 422,
      body: { Code: 'repeated_time', Errors: [{ Field: 'EndTime' }] },
    })
    const minutesOf = async (of: object) => {
      const { body } = await report({ ...night, ...of })
      await installation.owner.query('update time_record set deleted_at = now() where id = $1', [body.Id])
      return body.Minutes
    }
    // From the first 01:30 to the second 01:10 are 40 minutes, not a day.
    expect(
      await minutesOf({ Time: '01:30', TimeIsSecond: false, EndTime: '01:10', EndTimeIsSecond: true }),
    ).toBe(40)
    expect(
      await minutesOf({ Time: '01:30', TimeIsSecond: false, EndTime: '01:30', EndTimeIsSecond: true }),
    ).toBe(60)
    expect(await minutesOf({ Time: '01:30', TimeIsSecond: true, EndTime: '04:00' })).toBe(150)
    expect(await minutesOf({ Time: '01:30', TimeIsSecond: false, EndTime: '04:00' })).toBe(210)
    expect(
      await report({
        ...night,
        Time: '01:30',
        TimeIsSecond: true,
        EndTime: '01:30',
        EndTimeIsSecond: true,
      }),
    ).toMatchObject({ status: 422, body: { Code: 'same_time' } })
  })
  test('hours that lie in a running clock-in are refused; what lies before it, and an absence, are not', async () => {
    const site = await makeSite(installation.owner, program, { time_zone: 'UTC', allow_overnight: true })
    await punch('in', { SiteId: site.Id, OccurredAt: ago(3 * hour) })
    const send = (Kind: string, from: number, to: number) =>
      report({
        Kind,
        SiteId: site.Id,
        Date: ago(from).slice(0, 10),
        Time: ago(from).slice(11, 16),
        EndTime: ago(to).slice(11, 16),
        Reason: 'x',
      })
    const refused = await send('exception', 4 * hour, 2 * hour)
    expect([refused.status, (refused.body as any).Code]).toEqual([409, 'overlap'])
    expect((refused.body as any).Message).toMatch(/^A clock-in of .+ at Site .+ is still running/)
    expect((await send('exception', 5 * hour, 4 * hour)).status).toBe(200)
    expect((await send('absence', 2 * hour, hour)).status).toBe(200)
    expect((await punch('out', { SiteId: site.Id })).body).toMatchObject({ Minutes: 180 })
  })
  test('the parts of the ledger add up to the whole: planned makeup is one of its own', async () => {
    const { RotationId, SiteId } = await assign(ago(3 * hour), ahead(hour))
    await setSite(SiteId, { time_zone: 'UTC' })
    await punch('in', { ...entrance, OccurredAt: ago(3 * hour) })
    await punch('out')
    const later = ahead(72 * hour).slice(0, 10)
    const makeup = await report({
      Kind: 'makeup',
      SiteId,
      Date: later,
      Time: '08:00',
      EndTime: '12:00',
      Reason: 'Agreed',
    })
    await installation.owner.query('update time_record set rotation_id = $2 where id = $1', [
      makeup.body.Id,
      RotationId,
    ])
    const { Ledger } = await phone.ok(contract.getClock)
    expect(Ledger).toMatchObject({ ApprovedMinutes: 0, PendingMinutes: 180, MakeupPlannedMinutes: 240 })
    expect(Ledger.ApprovedMinutes + Ledger.PendingMinutes + Ledger.OwedMinutes).toBe(Ledger.TargetMinutes)
  })
  test('hours over a change of the clocks are real hours', async () => {
    vi.setSystemTime('2026-11-23T12:00:00Z')
    const site = await makeSite(installation.owner, program, { time_zone: 'America/New_York' })
    const spring = await report({
      Kind: 'exception',
      SiteId: site.Id,
      Date: '2026-03-07',
      Time: '23:00',
      EndTime: '07:00',
      Reason: 'Night',
    })
    expect(spring.body.Minutes).toBe(7 * 60)
    const autumn = await report({
      Kind: 'exception',
      SiteId: site.Id,
      Date: '2026-10-31',
      Time: '23:00',
      EndTime: '07:00',
      Reason: 'Night',
    })
    expect(autumn.body.Minutes).toBe(9 * 60)
  })
  test('hours that lie over others are refused with 409 and name them', async () => {
    const site = await makeSite(installation.owner, program, { time_zone: 'UTC' })
    const body = {
      Kind: 'exception',
      SiteId: site.Id,
      Date: yesterday,
      Time: '01:00',
      EndTime: '03:00',
      Reason: 'x',
    }
    expect((await report(body)).status).toBe(200)
    const refused = await report({ ...body, Time: '02:00', EndTime: '04:00' })
    expect(refused.status).toBe(409)
    expect((refused.body as any).Message).toMatch(/already time on .+ from 01:00 to 03:00 at Site/)
  })
  test('a reason is required, and an exception cannot lie in the future', async () => {
    const site = await makeSite(installation.owner, program)
    const body = { Kind: 'exception', SiteId: site.Id, Date: yesterday, Time: '08:00' }
    expect((await report({ ...body, Reason: ' ' })).status).toBe(400)
    expect((await report({ ...body, Date: ahead(72 * hour).slice(0, 10), Reason: 'x' })).status).toBe(422)
  })
})

describe('a clock-in made by mistake', () => {
  const list = async (query: object = {}) => {
    const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    const { Items } = await coordinator.ok(listTimeRecords, { params: { programId: program.Id }, query })
    return { coordinator, Items }
  }
  test('within five minutes is taken back at once, stays with its reason, counts nowhere, and is in nobody’s way', async () => {
    await assign()
    const { body: begun } = await punch('in', { ...entrance, OccurredAt: ago(4 * minute), SentAt: ago(0) })
    const key = `take-back-${process.pid}-${++keys}`
    const back = await punch('mistake', {}, key)
    expect(back.body).toMatchObject({ Id: begun.Id, Status: 'rejected' })
    expect(codes(back.body)).toContain('taken_back')
    const { Open, Ledger } = await phone.ok(contract.getClock)
    expect(Open).toBeNull()
    expect(Ledger.PendingMinutes).toBe(0)
    const { Items } = await list({ Status: 'rejected' })
    expect(Items).toMatchObject([{ Id: begun.Id, DecidedBy: expect.any(String) }])
    expect((await punch('in')).status).toBe(200)
    // A repeat from the queue of a device takes back nothing else, and the key of a clock-in is no key of this.
    expect((await punch('mistake', {}, key)).body).toMatchObject({ Id: begun.Id, Status: 'rejected' })
    expect((await phone.ok(contract.getClock)).Open).not.toBeNull()
    const used = `used-key-${process.pid}-${++keys}`
    await punch('out', entrance, used)
    expect((await punch('mistake', {}, used)).status).toBe(422)
  })
  test('kept off line it counts by its own moment, also for a pair that was over at once', async () => {
    await assign()
    await punch('in', { ...entrance, OccurredAt: ago(90 * minute), SentAt: ago(0) })
    const back = await punch('mistake', { OccurredAt: ago(87 * minute), SentAt: ago(0) })
    expect(back.body).toMatchObject({ Status: 'rejected', TimeChangeRequest: null })
    const { body: begun } = await punch('in', { ...entrance, OccurredAt: ago(60 * minute), SentAt: ago(0) })
    await punch('out', { ...entrance, OccurredAt: ago(57 * minute), SentAt: ago(0) })
    expect((await punch('mistake', {})).body).toMatchObject({ Id: begun.Id, Status: 'rejected' })
    expect((await list({ Status: 'rejected' })).Items).toHaveLength(3)
    expect((await punch('mistake', {})).status).toBe(409)
  })
  test('later the program decides: it runs no longer, and is rejected or runs again', async () => {
    await assign(ago(3 * hour))
    const { body: begun } = await punch('in', { ...entrance, OccurredAt: ago(40 * minute), SentAt: ago(0) })
    const asked = await punch('mistake', { Reason: 'I was still at home.' })
    expect(asked.body).toMatchObject({
      Id: begun.Id,
      Status: 'pending',
      Insight: 3,
      TimeChangeRequest: { IsRemoval: true, Status: 'asked', Reason: 'I was still at home.' },
    })
    expect((await phone.ok(contract.getClock)).Open).toBeNull()
    const { coordinator, Items } = await list({ Insight: '3' })
    expect(Items).toMatchObject([{ Id: begun.Id, TimeChangeRequest: { IsRemoval: true } }])
    const decide = (Accept: boolean) =>
      coordinator.ok(decideTimeChange, {
        params: { programId: program.Id, recordId: begun.Id },
        body: { Accept },
      })
    expect(await decide(false)).toMatchObject({ Status: 'pending', TimeChangeRequest: { Status: 'refused' } })
    expect((await phone.ok(contract.getClock)).Open).toMatchObject({ Id: begun.Id })
    await punch('mistake', { Reason: 'Really.' })
    const done = await decide(true)
    expect(done).toMatchObject({ Status: 'rejected', TimeChangeRequest: { Status: 'accepted' } })
    await coordinator.ok(undoDecisions, {
      params: { programId: program.Id },
      body: { DecidedAt: done.DecidedAt! },
    })
    expect((await list({ Insight: '3' })).Items).toMatchObject([
      { Id: begun.Id, Status: 'pending', TimeChangeRequest: { Status: 'asked' } },
    ])
    const { rows } = await installation.owner.query(
      "select text from notification where account_id = $1 and kind = 'time_change_decided' order by id",
      [student.Id],
    )
    expect(rows.map(({ text }) => text.replace(/of .* (was)/, '$1'))).toEqual([
      'Your clock-in was kept.',
      'Your clock-in was removed.',
    ])
  })
  test('what the program has decided stays, and nobody takes back what is not there', async () => {
    await assign()
    expect((await punch('mistake', {})).status).toBe(409)
    await punch('in', { ...entrance, OccurredAt: ago(4 * minute), SentAt: ago(0) })
    const { body: out } = await punch('out', { ...entrance, OccurredAt: ago(3 * minute), SentAt: ago(0) })
    const { coordinator } = await list()
    for (const id of [out.Id, out.PartnerId!]) {
      await coordinator.ok(approveTimeRecords, { params: { programId: program.Id }, body: { Ids: [id] } })
      expect((await punch('mistake', {})).body).toMatchObject({ Code: 'decided' })
    }
  })
})

describe('D3-084 asking for another time', () => {
  test('a change that is asked for makes the punch Careful Review and shows both times', async () => {
    const { SiteId } = await assign(ago(3 * hour), ahead(hour))
    await setSite(SiteId, { time_zone: 'UTC' })
    const { body } = await punch('in', { ...entrance, OccurredAt: ago(3 * hour) })
    const wanted = new Date(Date.parse(body.OccurredAt) - 30 * minute).toISOString()
    const asked = await phone.ok(contract.askTimeChange, {
      params: { recordId: body.Id },
      body: { Date: wanted.slice(0, 10), Time: wanted.slice(11, 16), Reason: 'Orientation ran before' },
    })
    expect(asked.TimeChangeRequest).toMatchObject({ Time: wanted.slice(11, 16), Status: 'asked' })
    expect(asked.Insight).toBe(3)
    expect(codes(asked)).toContain('change_asked')
    // Until it is decided the request is taken back as if never made, and sent again as it was.
    const takeBack = (IsTakenBack: boolean) =>
      phone.call(contract.takeBackOwn, { params: { recordId: body.Id }, body: { IsTakenBack } })
    const before = { TimeChangeRequest: null, Insight: body.Insight, Status: 'pending' }
    expect((await takeBack(true)).body).toMatchObject(before)
    expect(failureOf(await takeBack(true))).toEqual([409, 'decided'])
    const again = (await takeBack(false)).body as contract.OwnRecord
    expect(again).toEqual({ ...asked })
    expect(failureOf(await takeBack(false))).toEqual([409, 'decided'])
  })
  test('a time still to come, a clock-out before the clock-in, and a foreign record are refused', async () => {
    const { SiteId } = await assign(ago(3 * hour), ahead(hour))
    await setSite(SiteId, { time_zone: 'UTC' })
    await punch('in', { ...entrance, OccurredAt: ago(2 * hour) })
    const { body: out } = await punch('out', { ...entrance, OccurredAt: ago(hour) })
    const ask = (moment: string) =>
      phone.call(contract.askTimeChange, {
        params: { recordId: out.Id },
        body: { Date: moment.slice(0, 10), Time: moment.slice(11, 16), Reason: 'x' },
      })
    expect((await ask(ahead(2 * hour))).status).toBe(422)
    expect((await ask(ago(150 * minute))).status).toBe(422)
    const other = await installation.as(await makeStudent(installation.owner, program))
    const foreign = await other.call(contract.askTimeChange, {
      params: { recordId: out.Id },
      body: { Time: '01:00', Reason: 'x' },
    })
    expect(foreign.status).toBe(404)
  })
})

test('the own history pairs clock-in and clock-out, filters, and pages by cursor', async () => {
  const site = await makeSite(installation.owner, program, { time_zone: 'UTC' })
  for (let days = 1; days <= 5; days++) {
    const date = ago(days * 24 * hour).slice(0, 10)
    await phone.ok(contract.reportException, {
      body: {
        Kind: days === 2 ? 'absence' : 'exception',
        SiteId: site.Id,
        Date: date,
        Time: '01:00',
        EndTime: '02:00',
        Reason: 'x',
      },
    })
  }
  await assign(ago(2 * hour), ahead(hour), { site })
  await punch('in', { ...entrance, OccurredAt: ago(2 * hour) })
  await punch('out', { ...entrance, OccurredAt: ago(hour) })
  const first = await phone.ok(contract.listOwnRecords, { query: { pageSize: 4 } })
  expect(first.Items[0]).toMatchObject({ Type: 'out', Minutes: 60, In: { Type: 'in' } })
  expect(first.PendingCount).toBe(6)
  const second = await phone.ok(contract.listOwnRecords, {
    query: { pageSize: 4, cursor: first.NextCursor! },
  })
  expect([...first.Items, ...second.Items]).toHaveLength(6)
  expect(second.NextCursor).toBeNull()
  const absences = await phone.ok(contract.listOwnRecords, { query: { Show: 'absences' } })
  expect(absences.Items.map(({ Type }) => Type)).toEqual(['absence'])
})
