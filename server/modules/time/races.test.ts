import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { getStudentHours } from '#contract/students/students.ts'
import {
  approveTimeRecords,
  decideTimeChange,
  rejectTimeRecords,
  undoDecisions,
} from '#contract/time/approvals.ts'
import { askTimeChange, listOwnRecords, punch, reportException } from '#contract/time/clock.ts'
import { getHoursSummary } from '#contract/time/hours-summary.ts'
import * as contract from '#contract/time/time-records.ts'
import { getTimeSummaries } from '#contract/time/time-summaries.ts'
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
import { wrongSums } from '#server/test/stored-sums.ts'
import { timeSums } from './time-sums.commands.ts'

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

  /** A student's records as they are kept, deleted ones too. */
  interface Raw {
    id: number
    kind: string
    status: 'pending' | 'approved' | 'rejected'
    partner_id: number | null
    minutes: number
    begins: number
    ends: number
    is_deleted: boolean
  }
  const readRaw = async (studentId: number) =>
    (
      await installation.owner.query<Raw>(
        `select id, kind, status, partner_id, minutes, extract(epoch from occurred_at)::float8 / 60 as begins,
          extract(epoch from ends_at)::float8 / 60 as ends, deleted_at is not null as is_deleted
         from time_record where student_id = $1 order by id`,
        [studentId],
      )
    ).rows
  /** What somebody counts who has the records on paper. */
  const countByHand = (raw: readonly Raw[]) => {
    const counts = { approved: 0, pending: 0 }
    const minutesOf = new Map<number, number>()
    const approved = new Set<number>()
    const isLive = (each: Raw | undefined) =>
      each !== undefined && !each.is_deleted && each.status !== 'rejected'
    for (const one of raw.filter(isLive)) {
      const isHalf = one.kind === 'in' || one.kind === 'out'
      const other = raw.find(({ id }) => id === one.partner_id)
      if (isHalf && one.partner_id !== null) {
        const about = JSON.stringify({ one, other })
        expect(isLive(other), about).toBe(true)
        expect([other!.partner_id, other!.kind], about).toEqual([one.id, one.kind === 'in' ? 'out' : 'in'])
        expect(one.kind === 'in' ? one.begins : other!.begins, about).toBeLessThanOrEqual(
          one.kind === 'in' ? other!.begins : one.begins,
        )
      }
      if (one.kind === 'in' || (isHalf && !other)) minutesOf.set(one.id, 0)
      else {
        const [from, to] = isHalf ? [other!.begins, one.begins] : [one.begins, one.ends]
        minutesOf.set(one.id, Math.round(to - from))
        counts[one.status as 'approved'] += Math.round(to - from)
        if (one.status === 'approved') for (let minute = from; minute < to; minute++) approved.add(minute)
      }
    }
    for (const one of raw.filter((each) => !each.is_deleted && each.kind === 'out')) {
      const isAlone = !raw.some(({ id, partner_id }) => id === one.partner_id && partner_id === one.id)
      if (isAlone) minutesOf.set(one.id, 0)
    }
    // No minute of a student is approved twice.
    expect(counts.approved).toBe(approved.size)
    return { ...counts, minutesOf }
  }

  test('every page counts what the pairs count by hand, whatever was pressed, reported, corrected, decided, deleted and brought back', async () => {
    const verb = (...what: string[]) =>
      fc.record({ what: fc.constantFrom(...what), which: fc.nat({ max: 9 }), at: fc.nat({ max: 239 }) })
    const step = fc.oneof(
      { weight: 2, arbitrary: verb('press in', 'press out', 'mistake', 'report') },
      { weight: 2, arbitrary: verb('add in', 'add out', 'edit', 'ask', 'accept') },
      { weight: 4, arbitrary: verb('approve', 'approve all', 'reject', 'undo', 'delete', 'restore') },
    )
    const date = dateOf(1)
    const timeOf = (minute: number) =>
      `${String(8 + Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
    let keys = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 24 }), async (steps) => {
        const student = await makeStudent(installation.owner, program)
        const phone = await installation.as(student)
        await pair({ student, phone, date }, '08:00:00', '09:00:00', 60)
        await pair({ student, phone, date }, '10:00:00', '11:00:00', 60)
        const decided: string[] = []
        const Reason = 'x'
        for (const { what, which, at: minute } of steps) {
          const raw = await readRaw(student.Id)
          const one = raw[which % raw.length]!
          const Time = timeOf(minute)
          const body = { Date: date, Time, Reason }
          const [verb, kind] = what.split(' ') as [string, 'in' | 'out']
          const answer = await (verb === 'press' || verb === 'mistake'
            ? phone.call(
                punch,
                { body: { Kind: kind ?? 'mistake', SiteId: site.Id, OccurredAt: `${date}T${Time}:00Z` } },
                { headers: { 'idempotency-key': `any-order-${++keys}` } },
              )
            : verb === 'report'
              ? phone.call(reportException, {
                  body: { ...body, Kind: 'exception', SiteId: site.Id, EndTime: timeOf(minute + 20) },
                })
              : verb === 'add'
                ? coordinator.call(contract.addTimeRecord, {
                    params: params(),
                    body: { ...body, StudentId: student.Id, Kind: kind, SiteId: site.Id },
                  })
                : verb === 'edit'
                  ? coordinator.call(contract.editTimeRecord, { params: at(one.id), body })
                  : verb === 'ask'
                    ? phone.call(askTimeChange, { params: { recordId: one.id }, body: { Time, Reason } })
                    : verb === 'accept'
                      ? coordinator.call(decideTimeChange, { params: at(one.id), body: { Accept: true } })
                      : verb === 'approve'
                        ? coordinator.call(approveTimeRecords, {
                            params: params(),
                            body:
                              what === 'approve'
                                ? { Ids: [one.id] }
                                : { Filter: { StudentId: student.Id }, IncludeCareful: true },
                          })
                        : verb === 'reject'
                          ? coordinator.call(rejectTimeRecords, {
                              params: params(),
                              body: { Ids: [one.id], Reason, SeenApproved: [one.id] },
                            })
                          : verb === 'undo'
                            ? coordinator.call(undoDecisions, {
                                params: params(),
                                body: {
                                  DecidedAt:
                                    decided[which % Math.max(1, decided.length)] ?? `${date}T00:00:00Z`,
                                },
                              })
                            : verb === 'delete'
                              ? coordinator.call(contract.deleteTimeRecord, { params: at(one.id) })
                              : coordinator.call(contract.restoreTimeRecord, { params: at(one.id) }))
          const told = JSON.stringify([what, one, answer.body])
          expect(answer.status, told).toBeLessThan(500)
          const { DecidedAt } = (answer.body ?? {}) as { DecidedAt?: string | null }
          if (['approve', 'reject'].includes(verb) && typeof DecidedAt === 'string') decided.push(DecidedAt)

          const after = await readRaw(student.Id)
          const { approved, pending, minutesOf } = countByHand(after)
          const staff = await coordinator.ok(contract.listTimeRecords, {
            params: params(),
            query: { StudentId: student.Id, pageSize: 100 },
          })
          const own = await phone.ok(listOwnRecords, { query: { pageSize: 100 } })
          for (const list of [staff.Items, own.Items, own.Items.flatMap(({ In }) => In ?? [])])
            for (const { Id, Minutes, PartnerId, Status } of list) {
              if (minutesOf.has(Id)) expect(Minutes, told).toBe(minutesOf.get(Id))
              const other = after.find(({ id }) => id === PartnerId)
              expect(
                [other?.partner_id, other && (other.status === 'rejected') === (Status === 'rejected')],
                told,
              ).toEqual(PartnerId === null ? [undefined, undefined] : [Id, true])
            }
          const { Items } = await coordinator.ok(getHoursSummary, {
            params: params(),
            query: { pageSize: 100 },
          })
          const hours = Items.find(({ StudentId }) => StudentId === student.Id)
          const { All } = await coordinator.ok(getStudentHours, {
            params: { ...params(), studentId: student.Id },
          })
          const { Totals } = await coordinator.ok(getTimeSummaries, {
            params: params(),
            query: { StudentId: student.Id },
          })
          const file = await coordinator.send(
            'GET',
            `/programs/${program.Id}/time-records/export?Format=csv&StudentId=${student.Id}`,
          )
          const [titles = [], ...lines] = String(file.body)
            .replace('\ufeff', '')
            .split('\r\n')
            .map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
          const inFile = (status: string) =>
            lines
              .filter(
                (line) =>
                  /^(Clock out|Exception)$/.test(line[titles.indexOf('Type')]!) && line.includes(status),
              )
              .reduce((sum, line) => sum + Number(line[titles.indexOf('Hours (minutes)')]), 0)
          expect(
            {
              summary: [hours?.Approved ?? 0, hours?.Pending ?? 0],
              student: [All.Approved, All.Pending],
              totals: [Totals.Approved, Totals.Pending],
              file: [inFile('Approved'), inFile('Pending')],
            },
            told,
          ).toEqual(
            Object.fromEntries(
              ['summary', 'student', 'totals', 'file'].map((page) => [page, [approved, pending]]),
            ),
          )
        }
        expect(await wrongSums(installation.owner, timeSums, program.Id)).toEqual([])
      }),
      // What fails is told as it is: making it smaller takes minutes.
      { numRuns: 10, endOnFailure: true },
    )
  }, 90_000)

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
