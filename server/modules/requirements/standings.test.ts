import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { signOf } from '#contract/requirements/matrix.ts'
import * as own from '#contract/requirements/own-requirements.ts'
import * as review from '#contract/requirements/proof-review.ts'
import { updateRequirement } from '#contract/requirements/requirement-design.ts'
import type { RuleField } from '#contract/requirements/requirement-fields.ts'
import {
  isAsked,
  isMet,
  type Rule,
  type StandingStatus,
  stateOn,
} from '#contract/requirements/requirement-rules.ts'
import { transaction } from '#server/core/database/pool.ts'
import {
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { dayFromNow, makeRequirement, proofOf } from '#server/test/requirement-proofs.ts'
import { requirementsOf } from './asked.queries.ts'
import { expiredOn } from './expired.queries.ts'
import { listColumns, pageMatrix } from './matrix.queries.ts'
import { draftPacket } from './packets.queries.ts'
import { checkStandings } from './requirements.jobs.ts'
import { keepStandings } from './standings.commands.ts'
import { countWrongStandings } from './standings.queries.ts'

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const rules: RuleField[] = [
  { Kind: 'until' },
  { Kind: 'months', Months: 6 },
  { Kind: 'once' },
  { Kind: 'months', Months: 24 },
]
const start = async () => {
  const { owner } = installation
  const program = await makeProgram(owner, { time_zone: 'UTC' })
  const students: { Id: number; caller: Caller }[] = []
  for (let index = 0; index < 3; index++) {
    const made = await makeStudent(owner, program)
    students.push({ Id: made.Id, caller: await installation.as(made) })
  }
  const requirement = await makeRequirement(owner, program, { needs_file: false })
  return {
    program,
    students,
    requirement,
    staff: await installation.as(await makePerson(owner, Level.Coord, { program })),
  }
}
type Started = Awaited<ReturnType<typeof start>>

const change = fc.record({
  kind: fc.constantFrom('send', 'send', 'accept', 'return', 'reopen', 'withdraw', 'exempt', 'end', 'rule'),
  student: fc.nat(2),
  number: fc.nat(1_000),
})
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

/** One change of somebody; what is refused because another was faster changes nothing. */
const apply = async (
  { program, students, requirement, staff }: Started,
  { kind, student, number }: Change,
) => {
  const who = students[student]!
  const params = { programId: program.Id, studentId: who.Id }
  const { rows: proofs } = await installation.owner.query(
    'select id, revision from requirement_proof where program_id = $1 and student_id = $2 and deleted_at is null order by id',
    [program.Id, who.Id],
  )
  const one = proofs[number % Math.max(1, proofs.length)]
  const at = one && { params: { ...params, proofId: Number(one.id) } }
  if (kind === 'send')
    await who.caller.call(
      own.sendProof,
      proofOf(requirement, [{ On: dayFromNow(-(number % 300)), Until: dayFromNow((number % 400) - 50) }], {
        Key: randomUUID(),
      }),
      { files: [] },
    )
  else if (kind === 'rule')
    await staff.call(updateRequirement, {
      params: { programId: program.Id, requirementId: requirement.Id },
      body: {
        Name: requirement.Name,
        Kind: 'document',
        Rule: rules[number % rules.length]!,
        NeedsFile: false,
      },
    })
  else if (kind === 'exempt')
    await staff.call(review.grantExemptions, {
      params: { programId: program.Id },
      body: {
        StudentIds: students.map(({ Id }) => Id),
        RequirementId: requirement.Id,
        Kind: 'waiver',
        Reason: 'A test',
        Until: number % 2 ? dayFromNow(number % 90) : null,
      },
    })
  else if (kind === 'end') {
    const { rows } = await installation.owner.query(
      'select id from requirement_exemption where program_id = $1 and ended_at is null limit 2',
      [program.Id],
    )
    if (rows.length > 0)
      await staff.call(review.endExemptions, {
        params: { programId: program.Id },
        body: { Ids: rows.map(({ id }) => Number(id)) },
      })
  } else if (at && kind === 'withdraw')
    await who.caller.call(own.withdrawProof, { params: { proofId: Number(one.id) } })
  else if (at && kind === 'reopen')
    await staff.call(review.reopenProof, { ...at, body: { Revision: one.revision } })
  else if (at)
    await staff.call(review.decideProof, {
      ...at,
      body: { Revision: one.revision, Decision: kind === 'accept' ? 'accept' : 'return', Reason: 'A test' },
    })
}
const inProgram = <T>(programId: number, work: Parameters<typeof transaction<T>>[2]) =>
  transaction(installation.services.pool, { accountId: null, programIds: [programId] }, work)
const wrong = ({ program }: Started) => inProgram(program.Id, (db) => countWrongStandings(db, program.Id))

test('what is kept of students is what was shown, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 8, maxLength: 25 }), async (changes) => {
      const started = await start()
      for (const each of changes) await apply(started, each)
      expect(await wrong(started)).toBe(0)
    }),
    { numRuns: 6, endOnFailure: true },
  )
}, 120_000)

test('what several people do at once is kept right', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 24, maxLength: 45 }), async (changes) => {
      const started = await start()
      const third = Math.ceil(changes.length / 3)
      const some = [0, 1, 2].map((part) => changes.slice(part * third, (part + 1) * third))
      await Promise.all(
        some.map(async (list) => {
          for (const each of list) await apply(started, each)
        }),
      )
      expect(await wrong(started)).toBe(0)
    }),
    { numRuns: 4, endOnFailure: true },
  )
}, 120_000)

test('a job names what is wrong, and a recount corrects it', async () => {
  const started = await start()
  const { owner, services } = installation
  await apply(started, { kind: 'send', student: 0, number: 60 })
  await expect(checkStandings.work({}, services)).resolves.toBeUndefined()
  await owner.query(
    "update student_requirement set expires_on = current_date + 9, status = 'accepted' where program_id = $1",
    [started.program.Id],
  )
  await expect(checkStandings.work({}, services)).rejects.toThrow(
    `program ${started.program.Id}: 1 of student_requirement`,
  )
  await inProgram(started.program.Id, (db) => keepStandings(db, started.program.Id, {}))
  await expect(checkStandings.work({}, services)).resolves.toBeUndefined()
})

const ruled: Rule[] = [
  { Kind: 'until' },
  { Kind: 'months', Months: 12 },
  { Kind: 'season', DoseFrom: '07-01', AskedFrom: '11-01', AskedThrough: '04-30' },
  { Kind: 'season', DoseFrom: '01-01', AskedFrom: '03-01', AskedThrough: '12-31' },
  { Kind: 'once' },
]
const aStanding = fc.record({
  status: fc.constantFrom('missing', 'accepted', 'accepted', 'inProgress', 'waived'),
  ends: fc.option(fc.integer({ min: -40, max: 90 })),
  is_waiting: fc.boolean(),
  is_returned: fc.boolean(),
})

test('the matrix and its filters, the counts, home and packets say the same of what is met, expires and has expired', async () => {
  const { owner } = installation
  const program = await makeProgram(owner, { time_zone: 'UTC' })
  const requirements: { Id: number; Name: string }[] = []
  for (const rule of ruled) requirements.push(await makeRequirement(owner, program, { rule }))
  const site = await makeSite(owner, program)
  const shift = await makeShift(owner, program, { site, end_date: '2031-12-31', capacity: 20 })
  const rotation = await makeRotation(owner, program)
  const students = await Promise.all(Array.from({ length: 12 }, () => makeStudent(owner, program)))
  for (const { Id } of students)
    await makeRow(owner, 'shift_assignment', {
      program_id: program.Id,
      rotation_id: rotation.Id,
      site_shift_id: shift.Id,
      site_id: site.Id,
      student_id: Id,
      date: '2031-12-01',
      starts_at: '2031-12-01T12:00:00Z',
      ends_at: '2031-12-01T20:00:00Z',
    })
  const ids = students.map(({ Id }) => Id).toSorted((a, b) => a - b)
  const cells = students.flatMap(({ Id }) =>
    requirements.map((requirement, index) => ({ id: Id, requirement, rule: ruled[index]! })),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(aStanding), { minLength: cells.length, maxLength: cells.length }),
      fc.constantFrom('2026-01-15', '2026-03-01', '2026-04-30', '2026-09-12', '2026-12-20'),
      async (kept, day) => {
        const rows = cells.flatMap(({ id, requirement }, index) => {
          const standing = kept[index]
          if (!standing) return []
          const { ends, ...columns } = standing
          return [
            {
              ...columns,
              student_id: id,
              requirement_id: requirement.Id,
              // What has an end was shown.
              expires_on: ends === null || standing.status === 'missing' ? null : addDays(day, ends),
            },
          ]
        })
        await owner.query('delete from student_requirement where program_id = $1', [program.Id])
        await owner.query(
          `insert into student_requirement (program_id, student_id, requirement_id, site_id, status, expires_on, is_waiting, is_returned)
          select $1, student_id, requirement_id, 0, status, expires_on, is_waiting, is_returned from jsonb_to_recordset($2::jsonb)
            as n (student_id bigint, requirement_id bigint, status text, expires_on date, is_waiting boolean, is_returned boolean)`,
          [program.Id, JSON.stringify(rows)],
        )
        // By the rule of the contract alone.
        const byRule = cells.map(({ id, requirement, rule }) => {
          const row = rows.find((each) => each.student_id === id && each.requirement_id === requirement.Id)
          const standing = {
            Status: (row?.status ?? 'missing') as StandingStatus,
            ExpiresOn: row?.expires_on ?? null,
            IsWaiting: row?.is_waiting ?? false,
            IsReturned: row?.is_returned ?? false,
          }
          return { id, requirement, rule, ...standing, state: stateOn(rule, standing, day) }
        })
        const idsWith = (has: (cell: (typeof byRule)[number]) => boolean) =>
          ids.filter((id) => byRule.some((cell) => cell.id === id && has(cell)))
        const named = (list: readonly { id: number; name: string }[]) =>
          list.map(({ id, name }) => `${id} ${name}`).toSorted()
        const expected = {
          states: named(byRule.map(({ id, state }) => ({ id, name: signOf(state) }))),
          notReady: idsWith(({ state }) => !isMet(state)),
          expiring: idsWith(({ state }) => state === 'expiring'),
          met: named(
            byRule
              .filter(({ state }) => isMet(state))
              .map(({ id, requirement }) => ({ id, name: requirement.Name })),
          ),
          // A waiver that has ended is among what is missing; what was sent anew still keeps the student out.
          expired: named(
            byRule
              .filter(
                ({ Status, ExpiresOn, rule }) =>
                  Status !== 'waived' && ExpiresOn !== null && ExpiresOn < day && isAsked(rule, day),
              )
              .map(({ id, requirement }) => ({ id, name: requirement.Name })),
          ),
        }
        const said = await inProgram(program.Id, async (db) => {
          const filter = {
            programId: program.Id,
            on: day,
            scope: { supervisorId: null },
            StudentLevelIds: [],
            search: '',
          }
          const columns = await listColumns(db, program.Id)
          const page = async (Show?: 'notReady' | 'expiring') =>
            (await pageMatrix(db, { ...filter, Show }, columns, { knowsAll: true })).Rows
          const whole = await page()
          const counted = await sql<{
            id: number
            name: string
          }>`with wanted (id) as (select unnest(${ids}::bigint[]))
            select e.student_id as id, e.name from (${requirementsOf(program.Id, sql`${day}::date`)}) e where e.is_met`.execute(
            db,
          )
          const expired = await sql<{
            id: number
            name: string
          }>`select u.id, q.name ${expiredOn(program.Id, day)}`.execute(db)
          const packets = await draftPacket(db, { programId: program.Id, siteId: site.Id, today: day })
          return {
            states: named(whole.flatMap(({ Id, States }) => [...States].map((name) => ({ id: Id, name })))),
            notReady: (await page('notReady')).map(({ Id }) => Id).toSorted((a, b) => a - b),
            expiring: (await page('expiring')).map(({ Id }) => Id).toSorted((a, b) => a - b),
            met: named(counted.rows),
            expired: named(expired.rows),
            packets: named(
              packets.flatMap(({ Id, Lines }) =>
                Lines.filter(({ IsMet }) => IsMet).map(({ Name }) => ({ id: Id, name: Name })),
              ),
            ),
          }
        })
        expect(said).toEqual({ ...expected, packets: expected.met })
      },
    ),
    { numRuns: 25, endOnFailure: true },
  )
}, 120_000)
