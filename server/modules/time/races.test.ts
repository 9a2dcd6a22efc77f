import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import {
  approveTimeRecords,
  decideTimeChange,
  rejectTimeRecords,
  undoDecisions,
} from '#contract/time/approvals.ts'
import { askTimeChange, punch, reportException } from '#contract/time/clock.ts'
import * as contract from '#contract/time/time-records.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRow,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, type Reply, startInstallation } from '#server/test/installation.ts'

/**
 * Writes of one student's time that meet: whatever way each of them goes in, hours never overlap. All of them would
 * be accepted alone; sent together over HTTP, one of them is, and the other one is told why not.
 */
let installation: Installation
let program: MadeProgram
let site: { Id: number; Name: string }
let coordinator: Caller

beforeAll(async () => {
  installation = await startInstallation()
  program = await makeProgram(installation.owner, { time_zone: 'UTC' })
  site = await makeSite(installation.owner, program, { time_zone: 'UTC' })
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
})
afterAll(() => installation?.stop())

const rounds = 5
const day = 86_400_000
const dateOf = (round: number) => new Date(Date.now() - (round + 3) * day).toISOString().slice(0, 10)
const params = () => ({ programId: program.Id })
const at = (recordId: number) => ({ programId: program.Id, recordId })

interface Round {
  student: MadePerson
  phone: Caller
  date: string
}
const record = async (
  { student, date }: Round,
  kind: string,
  from: string,
  more: Record<string, unknown> = {},
) => {
  const { reasons, ...rest } = more
  const { id } = await makeRow(installation.owner, 'time_record', {
    program_id: program.Id,
    student_id: student.Id,
    site_id: site.Id,
    kind,
    occurred_at: `${date}T${from}Z`,
    date,
    ...(reasons !== undefined && { reasons: JSON.stringify(reasons) }),
    ...rest,
  })
  return id as number
}
const span = (round: Round, from: string, to: string, more: Record<string, unknown> = {}) =>
  record(round, 'exception', from, { ends_at: `${round.date}T${to}Z`, minutes: 60, ...more })
const pair = async (
  round: Round,
  from: string,
  to: string,
  minutes: number,
  ofIn: Record<string, unknown> = {},
  ofOut: Record<string, unknown> = {},
) => {
  const inId = await record(round, 'in', from, ofIn)
  const outId = await record(round, 'out', to, { partner_id: inId, minutes, ...ofOut })
  await installation.owner.query('update time_record set partner_id = $1 where id = $2', [outId, inId])
  return { inId, outId }
}

/** Each prepares what it needs and answers the call that brings hours between 12:00 and 14:00. */
const writes: Record<string, (round: Round, isSecond: boolean) => Promise<() => Promise<Reply<unknown>>>> = {
  'a student reports an exception':
    async ({ phone, date }) =>
    () =>
      phone.call(reportException, {
        body: {
          Kind: 'exception',
          SiteId: site.Id,
          Date: date,
          Time: '12:00',
          EndTime: '14:00',
          Reason: 'x',
        },
      }),
  'staff add a record':
    async ({ student, date }) =>
    () =>
      coordinator.call(contract.addTimeRecord, {
        params: params(),
        body: {
          StudentId: student.Id,
          Kind: 'exception',
          SiteId: site.Id,
          Date: date,
          Time: '12:30',
          EndTime: '13:30',
        },
      }),
  'staff edit a record': async (round) => {
    const id = await span(round, '18:00:00', '19:00:00')
    return () =>
      coordinator.call(contract.editTimeRecord, {
        params: at(id),
        body: { Date: round.date, Time: '12:15', EndTime: '13:15', Reason: 'x' },
      })
  },
  'staff accept a time change': async (round, isSecond) => {
    const asked = (time: string) => ({
      change_to: `${round.date}T${time}Z`,
      change_reason: 'Stayed',
      change_status: 'asked',
      reasons: [{ Code: 'change_asked' }],
      insight: 3,
    })
    const recordId = isSecond
      ? (await pair(round, '15:00:00', '18:00:00', 180, asked('12:30:00'), {})).inId
      : (await pair(round, '06:00:00', '11:00:00', 300, {}, asked('13:00:00'))).outId
    return () => coordinator.call(decideTimeChange, { params: at(recordId), body: { Accept: true } })
  },
  'staff undo a rejection': async (round) => {
    const id = await span(round, '12:40:00', '13:40:00')
    const { body } = await coordinator.call(rejectTimeRecords, {
      params: params(),
      body: { Ids: [id], Reason: 'x' },
    })
    return () => coordinator.call(undoDecisions, { params: params(), body: { DecidedAt: body.DecidedAt! } })
  },
  'staff restore a record': async (round) => {
    const id = await span(round, '12:20:00', '13:20:00')
    await coordinator.ok(contract.deleteTimeRecord, { params: at(id) })
    return () => coordinator.call(contract.restoreTimeRecord, { params: at(id) })
  },
}

const overlaps = async (studentId: number): Promise<number> => {
  const { rows } = await installation.owner.query(
    `with spans as (
       select r.id, coalesce(q.occurred_at, r.occurred_at) as from_at, coalesce(r.ends_at, r.occurred_at) as to_at
       from time_record r left join time_record q on q.id = r.partner_id
       where r.student_id = $1 and r.deleted_at is null and r.status <> 'rejected'
         and (r.kind = 'out' and r.partner_id is not null or r.kind not in ('in', 'out')))
     select count(*)::int as n from spans a join spans b on a.id < b.id and a.from_at < b.to_at and a.to_at > b.from_at`,
    [studentId],
  )
  return rows[0].n
}

const names = Object.keys(writes)
const pairs = names.flatMap((one, index) => names.slice(index).map((other) => [one, other] as const))

describe('E1 two writes of the same hours at once', () => {
  test.each(pairs)('%s while %s: one of them counts', async (one, other) => {
    const student = await makeStudent(installation.owner, program)
    const phone = await installation.as(student)
    for (let round = 0; round < rounds; round++) {
      const about = { student, phone, date: dateOf(round) }
      const calls = [await writes[one]!(about, false), await writes[other]!(about, true)]
      const answers = await Promise.all(calls.map((call) => call()))
      expect(
        answers.map(({ status }) => status).toSorted(),
        JSON.stringify(answers.map(({ body }) => body)),
      ).toEqual([200, 409])
    }
    expect(await overlaps(student.Id)).toBe(0)
  })

  test('edits of both halves of a pair leave the minutes between them', async () => {
    const student = await makeStudent(installation.owner, program)
    const phone = await installation.as(student)
    for (let round = 0; round < 12; round++) {
      const about = { student, phone, date: dateOf(round) }
      const { inId, outId } = await pair(about, '08:00:00', '16:00:00', 480)
      const edit = (id: number, Time: string) =>
        coordinator.ok(contract.editTimeRecord, {
          params: at(id),
          body: { Date: about.date, Time, Reason: 'x' },
        })
      await Promise.all([edit(inId, '07:00'), edit(outId, '17:00')])
      expect((await coordinator.ok(contract.getTimeRecord, { params: at(outId) })).Minutes).toBe(600)
    }
  })

  // A phone sends what was pressed without a connection: at the same hours as the writes above.
  test.each(names)(
    'a clock-out that was kept on a phone while %s: no hours count twice unmarked',
    async (name) => {
      const student = await makeStudent(installation.owner, program)
      const phone = await installation.as(student)
      for (let round = 0; round < rounds; round++) {
        const about = { student, phone, date: dateOf(round) }
        const write = await writes[name]!(about, round % 2 === 0)
        const inId = await record(about, 'in', '11:30:00')
        const [other, out] = await Promise.all([
          write(),
          phone.call(
            punch,
            { body: { Kind: 'out', SiteId: site.Id, OccurredAt: `${about.date}T13:30:00Z` } },
            { headers: { 'idempotency-key': `late-clock-out-${inId}` } },
          ),
        ])
        const told = JSON.stringify([other.body, out.body])
        expect(
          [other.status, out.status].filter((status) => status !== 200 && status !== 409),
          told,
        ).toEqual([])
        if (other.status === 200 && out.status === 200)
          expect(
            out.body.Reasons.map(({ Code }) => Code),
            told,
          ).toContain('overlaps')
        else expect([other.status, out.status].toSorted(), told).toEqual([200, 409])
      }
    },
  )

  /** Each is about the pair or its clock-out. */
  const decisions: Record<
    string,
    (round: Round, ids: { inId: number; outId: number }) => Promise<Reply<unknown>>
  > = {
    'staff approve everything': () =>
      coordinator.call(approveTimeRecords, { params: params(), body: { Filter: {}, IncludeCareful: true } }),
    'staff reject it': (_round, { outId }) =>
      coordinator.call(rejectTimeRecords, { params: params(), body: { Ids: [outId], Reason: 'x' } }),
    'staff delete it': (_round, { outId }) =>
      coordinator.call(contract.deleteTimeRecord, { params: at(outId) }),
    'staff edit it': ({ date }, { outId }) =>
      coordinator.call(contract.editTimeRecord, {
        params: at(outId),
        body: { Date: date, Time: '15:00', Reason: 'x' },
      }),
    'the student asks for another time': ({ phone }, { outId }) =>
      phone.call(askTimeChange, { params: { recordId: outId }, body: { Time: '17:00', Reason: 'x' } }),
  }
  const kinds = Object.keys(decisions)

  test.each(kinds.flatMap((one, index) => kinds.slice(index + 1).map((other) => [one, other] as const)))(
    '%s while %s: nothing is approved that has no other half, or whose time is asked about',
    async (one, other) => {
      const student = await makeStudent(installation.owner, program)
      const phone = await installation.as(student)
      for (let round = 0; round < rounds; round++) {
        const about = { student, phone, date: dateOf(round) }
        const ids = await pair(about, '08:00:00', '16:00:00', 480)
        const answers = await Promise.all([decisions[one]!(about, ids), decisions[other]!(about, ids)])
        const allowed = [200, 204, 404, 409]
        expect(
          answers.filter(({ status }) => !allowed.includes(status)),
          JSON.stringify(answers.map(({ body }) => body)),
        ).toEqual([])
      }
      const { rows } = await installation.owner.query(
        `select r.id, r.kind, r.change_status, r.minutes, q.status as partner from time_record r
         left join time_record q on q.id = r.partner_id and q.deleted_at is null
         where r.student_id = $1 and r.deleted_at is null and r.status = 'approved'
           and (q.id is null or q.status = 'rejected' or r.change_status = 'asked'
             or r.kind = 'out' and r.minutes <> extract(epoch from r.occurred_at - q.occurred_at) / 60)`,
        [student.Id],
      )
      expect(rows).toEqual([])
    },
  )

  test('two approvals of hours that overlap: one of them counts, and the other one is told why not', async () => {
    const student = await makeStudent(installation.owner, program)
    const phone = await installation.as(student)
    const colleague = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    for (let round = 0; round < 10; round++) {
      const about = { student, phone, date: dateOf(round) }
      const { inId, outId } = await pair(about, '08:00:00', '12:00:00', 240)
      const over = await span(about, '11:00:00', '12:00:00')
      const approve = (caller: Caller, Ids: number[]) =>
        caller.ok(approveTimeRecords, { params: params(), body: { Ids } })
      const answers = await Promise.all([approve(coordinator, [inId, outId]), approve(colleague, [over])])
      expect(answers.map(({ Approved }) => Approved > 0).toSorted()).toEqual([false, true])
      const refused = answers.find(({ Approved }) => Approved === 0)!
      expect(refused.LeftOut.map(({ Reason }) => Reason)).toContain('overlaps')
    }
  })

  test('approved minutes are the time of the approved records together, whatever was pressed, reported, corrected and approved', async () => {
    const press = fc.record({ what: fc.constantFrom('in', 'out'), at: fc.nat({ max: 239 }) })
    const report = fc.record({
      what: fc.constant('exception'),
      at: fc.nat({ max: 200 }),
      long: fc.integer({ min: 1, max: 60 }),
    })
    const about = fc.record({
      what: fc.constantFrom('ask', 'accept', 'approve', 'approve all', 'reject'),
      which: fc.nat({ max: 9 }),
      at: fc.nat({ max: 239 }),
    })
    const step = fc.oneof(press, press, report, about)
    const date = dateOf(1)
    const timeOf = (at: number) =>
      `${String(8 + Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
    let keys = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
        const student = await makeStudent(installation.owner, program)
        const phone = await installation.as(student)
        const read = async () =>
          (
            await coordinator.ok(contract.listTimeRecords, {
              params: params(),
              query: { StudentId: student.Id, pageSize: 100 },
            })
          ).Items
        for (const each of steps) {
          const records = await read()
          const one = 'which' in each ? records[each.which % Math.max(1, records.length)] : undefined
          if (each.what === 'in' || each.what === 'out')
            await phone.call(
              punch,
              { body: { Kind: each.what, SiteId: site.Id, OccurredAt: `${date}T${timeOf(each.at)}:00Z` } },
              { headers: { 'idempotency-key': `any-order-${++keys}` } },
            )
          else if ('long' in each)
            await phone.call(reportException, {
              body: {
                Kind: 'exception',
                SiteId: site.Id,
                Date: date,
                Time: timeOf(each.at),
                EndTime: timeOf(each.at + each.long),
                Reason: 'x',
              },
            })
          else if (each.what === 'approve all')
            await coordinator.ok(approveTimeRecords, {
              params: params(),
              body: { Filter: { StudentId: student.Id }, IncludeCareful: true },
            })
          else if (one && each.what === 'ask')
            await phone.call(askTimeChange, {
              params: { recordId: one.Id },
              body: { Time: timeOf(each.at), Reason: 'x' },
            })
          else if (one && each.what === 'accept')
            await coordinator.call(decideTimeChange, { params: at(one.Id), body: { Accept: true } })
          else if (one && each.what === 'approve')
            await coordinator.ok(approveTimeRecords, { params: params(), body: { Ids: [one.Id] } })
          else if (one)
            await coordinator.ok(rejectTimeRecords, {
              params: params(),
              body: { Ids: [one.Id], Reason: 'x', SeenApproved: [one.Id] },
            })
          // Counted by hand: every minute in which any approved record was at work.
          const after = await read()
          const minutes = new Set<number>()
          for (const record of after.filter(({ Status }) => Status === 'approved')) {
            const partner = after.find(({ Id }) => Id === record.PartnerId)
            const from = Date.parse((record.Type === 'out' && partner ? partner : record).OccurredAt)
            const to =
              record.Type === 'exception'
                ? Date.parse(`${date}T${record.EndTime}:00Z`)
                : Date.parse(record.OccurredAt)
            for (let moment = from; moment < to; moment += 60_000) minutes.add(moment)
          }
          const { rows } = await installation.owner.query(
            'select coalesce(sum(approved_minutes), 0)::int as n from student_hours where student_id = $1',
            [student.Id],
          )
          expect(rows[0].n).toBe(minutes.size)
        }
      }),
      // What fails is told as it is: making it smaller takes minutes.
      { numRuns: 12, endOnFailure: true },
    )
  }, 60_000)

  test('a clock-out that meets an exception over its hours is kept and marked', async () => {
    const student = await makeStudent(installation.owner, program)
    const phone = await installation.as(student)
    const from = new Date(Date.now() - 3 * 3_600_000)
    const { id } = await makeRow(installation.owner, 'time_record', {
      program_id: program.Id,
      student_id: student.Id,
      site_id: site.Id,
      kind: 'in',
      occurred_at: from.toISOString(),
      date: from.toISOString().slice(0, 10),
    })
    const wall = (hours: number) => new Date(from.getTime() + hours * 3_600_000).toISOString()
    const [exception, out] = await Promise.all([
      phone.call(reportException, {
        body: {
          Kind: 'exception',
          SiteId: site.Id,
          Date: wall(1).slice(0, 10),
          Time: wall(1).slice(11, 16),
          EndTime: wall(2).slice(11, 16),
          Reason: 'x',
        },
      }),
      phone.call(
        punch,
        { body: { Kind: 'out', SiteId: site.Id } },
        { headers: { 'idempotency-key': `race-about-${id}` } },
      ),
    ])
    expect(out.status).toBe(200)
    const isMarked = out.body.Reasons.some(({ Code }) => Code === 'overlaps')
    expect([exception.status, isMarked]).toEqual(exception.status === 200 ? [200, true] : [409, false])
  })
})
