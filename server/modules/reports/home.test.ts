import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { getHome } from '#contract/reports/reports.ts'
import { listAgreements } from '#contract/sites/agreements.ts'
import { countTimeRecords, listTimeRecords } from '#contract/time/time-records.ts'
import { makeAttempt } from '#server/test/competency-changes.ts'
import {
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { makeRequirement } from '#server/test/requirement-proofs.ts'
import { planFirstReads } from './first-reads.queries.ts'

let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const hour = 3_600_000
const at = (hours: number): string => new Date(Date.now() + hours * hour).toISOString()
const today = (): string => new Intl.DateTimeFormat('en-CA', { timeZone: 'UTC' }).format(new Date())
const daysAhead = (days: number): string => new Date(Date.now() + days * 24 * hour).toISOString().slice(0, 10)

const start = async () => {
  const { owner } = installation
  const program = await makeProgram(owner, { time_zone: 'UTC' })
  const coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  const site = await makeSite(owner, program, { time_zone: 'UTC' })
  const student = await makeStudent(owner, program, undefined)
  return {
    owner,
    program,
    coordinator,
    site,
    student,
    home: () => coordinator.ok(getHome, { params: { programId: program.Id } }),
  }
}

test('D1-100 an empty program has nothing that waits', async () => {
  const { home } = await start()
  const answer = await home()
  expect(answer).toMatchObject({
    Rotation: null,
    AtSitesNow: [],
    InWithoutShift: 0,
    Agreements: [],
    Clean: { Count: 0, Minutes: 0, Running: 0, ToleranceMinutes: 15 },
  })
  expect(answer.Careful.Count + answer.Unmatched.Count + answer.LateEvaluations.Count).toBe(0)
  expect(answer.Weeks).toHaveLength(8)
})

test('pending time records are counted by insight, and open punches of today are not unmatched', async () => {
  const { owner, program, site, student, home } = await start()
  const record = (row: object) =>
    makeRow(owner, 'time_record', {
      program_id: program.Id,
      student_id: student.Id,
      site_id: site.Id,
      kind: 'exception',
      occurred_at: at(-30),
      date: today(),
      minutes: 480,
      ...row,
    })
  await record({})
  await record({ insight: 3 })
  await record({ insight: 3, status: 'approved' })
  await record({ kind: 'in', minutes: 0, insight: 2 })
  await record({ kind: 'in', minutes: 0, insight: 2, occurred_at: at(-2) })
  const answer = await home()
  expect(answer.Clean).toEqual({ Count: 1, Minutes: 480, Running: 0, ToleranceMinutes: 15 })
  expect(answer.Careful.Count).toBe(1)
  expect(answer.Unmatched.Count).toBe(1)
})

test('home and Approve Time Records count the same: both halves of a shift with a time change to decide are in Careful Review', async () => {
  const { owner, program, coordinator, site, student, home } = await start()
  const record = (row: object) =>
    makeRow(owner, 'time_record', {
      program_id: program.Id,
      student_id: student.Id,
      site_id: site.Id,
      kind: 'exception',
      occurred_at: at(-30),
      date: today(),
      minutes: 60,
      ...row,
    })
  const pair = async (change: object) => {
    const begun = await record({ kind: 'in', occurred_at: at(-60), minutes: 0 })
    const left = await record({ kind: 'out', occurred_at: at(-52), minutes: 480, ...change })
    for (const [one, other] of [
      [begun, left],
      [left, begun],
    ])
      await owner.query('update time_record set partner_id = $1 where id = $2', [other!.id, one!.id])
    return begun
  }
  await record({})
  await record({ kind: 'in', occurred_at: at(-2), minutes: 0 })
  await pair({})
  const held = await pair({
    change_to: at(-51),
    change_reason: 'The reader was broken',
    change_status: 'asked',
    insight: 3,
    reasons: JSON.stringify([{ Code: 'change_asked' }]),
  })

  const params = { programId: program.Id }
  const page = async (Insight: '1' | '2' | '3' | 'u') =>
    (await coordinator.ok(listTimeRecords, { params, query: { Status: 'pending', Insight } })).Items
  // By hand: the exception, the pair without a request and the clock-in that runs are clean.
  expect(await page('1')).toHaveLength(4)
  const careful = await page('3')
  expect(careful).toHaveLength(2)
  for (const half of careful) expect(half).toMatchObject({ Insight: 3, Reasons: [{ Code: 'change_asked' }] })
  expect(careful.map(({ Id }) => Id)).toContain(held.id)

  const counts = await coordinator.ok(countTimeRecords, { params })
  expect(counts).toMatchObject({ Clean: 4, NeedReview: 0, CarefulReview: 2, Unmatched: 0, All: 6 })
  expect(counts.Ready).toEqual({ Clean: 3, NeedReview: 0, CarefulReview: 0, CleanMinutes: 540 })
  const bySite = await coordinator.ok(countTimeRecords, { params, query: { StudentId: student.Id } })
  expect(bySite).toEqual(counts)
  const { Clean, Careful } = await home()
  expect(Clean).toMatchObject({ Count: 3, Minutes: 540, Running: 1 })
  expect(Careful.Count).toBe(2)
})

test('a student scheduled today without a punch is counted until there is one', async () => {
  const { owner, program, site, student, home } = await start()
  const rotation = await makeRotation(owner, program, { start_date: daysAhead(-30), end_date: daysAhead(60) })
  const shift = await makeShift(owner, program, { site, capacity: 3 })
  const assignment = await makeRow(owner, 'shift_assignment', {
    program_id: program.Id,
    rotation_id: rotation.Id,
    site_shift_id: shift.Id,
    site_id: site.Id,
    student_id: student.Id,
    date: today(),
    starts_at: at(-1),
    ends_at: at(7),
  })
  const before = await home()
  expect(before.NotClockedIn.Count).toBe(1)
  expect(before.AtSitesNow).toMatchObject([
    { ShiftType: 'day', Expected: 1, In: 0, Left: 0, HasBegun: true, HasEnded: false },
  ])
  expect(before.CapacityToday).toMatchObject([{ SiteId: site.Id, Placed: 1, Places: 3 }])
  const clockIn = await makeRow(owner, 'time_record', {
    program_id: program.Id,
    student_id: student.Id,
    site_id: site.Id,
    kind: 'in',
    occurred_at: at(-1),
    date: today(),
    assignment_id: assignment.id,
  })
  const after = await home()
  expect(after.NotClockedIn.Count).toBe(0)
  expect(after.AtSitesNow).toMatchObject([{ In: 1, Left: 0 }])
  const out = await makeRow(owner, 'time_record', {
    program_id: program.Id,
    student_id: student.Id,
    site_id: site.Id,
    kind: 'out',
    occurred_at: at(0),
    date: today(),
    assignment_id: assignment.id,
    partner_id: clockIn.id,
  })
  await owner.query('update time_record set partner_id = $1 where id = $2', [out.id, clockIn.id])
  expect(await home()).toMatchObject({ AtSitesNow: [{ In: 0, Left: 1 }], InWithoutShift: 0 })
  await makeRow(owner, 'time_record', {
    program_id: program.Id,
    student_id: (await makeStudent(owner, program)).Id,
    site_id: site.Id,
    kind: 'in',
    occurred_at: at(-1),
    date: today(),
  })
  expect((await home()).InWithoutShift).toBe(1)
  expect(after.Rotation).toMatchObject({ Id: rotation.Id, TargetMinutes: 340 * 60 })
})

test('A31 approved agreements that end within 30 days wait, as their list counts them, those within 90 are listed', async () => {
  const { owner, program, site, home } = await start()
  for (const days of [10, 60, 200, -5]) {
    await makeRow(owner, 'affiliate_agreement', {
      program_id: program.Id,
      site_id: site.Id,
      termination_date: daysAhead(days),
      is_approved: true,
    })
  }
  await makeRow(owner, 'affiliate_agreement', {
    program_id: program.Id,
    site_id: site.Id,
    termination_date: daysAhead(-1),
  })
  const answer = await home()
  expect(answer.EndingAgreements.Count).toBe(1)
  expect(answer.Agreements.map(({ Days }) => Days)).toEqual([10, 60])
})

test('an agreement that has ended is listed first while students still come, until another one holds', async () => {
  const { owner, program, site, home, coordinator } = await start()
  const agreement = (days: number) =>
    makeRow(owner, 'affiliate_agreement', {
      program_id: program.Id,
      site_id: site.Id,
      termination_date: daysAhead(days),
      is_approved: true,
    })
  const listed = async () => (await home()).Agreements.map(({ Days }) => Days)
  await agreement(-20)
  await agreement(-5)
  expect(await listed()).toEqual([])
  await makeRow(owner, 'shift_assignment', {
    program_id: program.Id,
    rotation_id: (await makeRotation(owner, program)).Id,
    student_id: (await makeStudent(owner, program)).Id,
    site_shift_id: (await makeShift(owner, program, { site })).Id,
    site_id: site.Id,
    date: daysAhead(2),
    starts_at: at(48),
    ends_at: at(56),
  })
  expect(await listed()).toEqual([-5])
  expect((await home()).EndingAgreements).toEqual({ Count: 1, Detail: '', Ended: 1, ShiftsAhead: 1 })
  const toRenew = async () =>
    (
      await coordinator.ok(listAgreements, {
        params: { programId: program.Id },
        query: { Standing: 'to-renew' },
      })
    ).Items.map(({ TerminationDate }) => TerminationDate)
  expect(await toRenew()).toEqual([daysAhead(-5)])
  await agreement(80)
  expect(await listed()).toEqual([80])
  expect((await home()).EndingAgreements).toMatchObject({ Count: 0, Ended: 0, ShiftsAhead: 0 })
  expect(await toRenew()).toEqual([])
})

test('what waits in one program is not counted in another', async () => {
  const first = await start()
  const second = await start()
  await makeRow(first.owner, 'affiliate_agreement', {
    program_id: first.program.Id,
    site_id: first.site.Id,
    termination_date: daysAhead(10),
    is_approved: true,
  })
  expect((await second.home()).EndingAgreements.Count).toBe(0)
  const { status } = await second.coordinator.call(getHome, { params: { programId: first.program.Id } })
  expect(status).toBe(404)
})

test('procedures that nobody has verified for a week wait on the home page, with the first day', async () => {
  const { owner, program, student, home } = await start()
  const major = await makeRow(owner, 'competency_list', {
    program_id: program.Id,
    name: 'List',
    effective_on: today(),
  }).then((list) =>
    makeRow(owner, 'major_study', { program_id: program.Id, list_id: list.id, name: 'Chest', position: 1 }),
  )
  const skill = await makeRow(owner, 'skill', {
    program_id: program.Id,
    major_study_id: major.id,
    name: 'Ribs',
    position: 1,
  })
  const log = (days: number, row: object = {}) =>
    makeRow(owner, 'procedure_log', {
      program_id: program.Id,
      student_id: student.Id,
      skill_id: skill.id,
      date: daysAhead(-days),
      count: 1,
      key: randomUUID(),
      ...row,
    })
  await log(3)
  await log(9, { state: 'verified', decided_at: new Date() })
  await log(20, { deleted_at: new Date() })
  expect((await home()).WaitingLogs).toEqual({ Count: 0, Detail: '' })
  await log(9)
  await log(12)
  expect((await home()).WaitingLogs).toEqual({ Count: 2, Detail: daysAhead(-12) })
})

test('exams that are suspended, and simulated ones that nobody has approved, wait for the coordinator', async () => {
  const { owner, program, student, home } = await start()
  expect(await home()).toMatchObject({
    SuspendedExams: { Count: 0 },
    SimulationsToApprove: { Count: 0, Detail: '' },
  })
  const study = await makeRow(owner, 'major_study', {
    program_id: program.Id,
    name: 'Abdomen',
    position: 2,
    list_id: (
      await makeRow(owner, 'competency_list', {
        program_id: program.Id,
        name: 'Exams',
        effective_on: today(),
      })
    ).id,
  })
  const at = async (name: string) =>
    (
      await makeRow(owner, 'skill', {
        program_id: program.Id,
        major_study_id: study.id,
        name,
        position: 1,
      })
    ).id as number
  const exam = async (row: Omit<Parameters<typeof makeAttempt>[2], 'studentId' | 'skillId'>, name: string) =>
    makeAttempt(owner, program.Id, { studentId: student.Id, skillId: await at(name), ...row })
  const signed = await exam({ state: 'passed' }, 'Upright')
  await owner.query("update exam_attempt set state = 'suspended', ended_at = now() where id = $1", [signed])
  await exam({ state: 'open', isSimulated: true, date: daysAhead(-2) }, 'Supine')
  const approved = await exam({ state: 'open', isSimulated: true }, 'Decubitus')
  await owner.query('update exam_attempt set simulation_approved_at = now() where id = $1', [approved])
  expect(await home()).toMatchObject({
    SuspendedExams: { Count: 1 },
    SimulationsToApprove: { Count: 1, Detail: daysAhead(-2) },
  })
})

test('what staff open first is planned before anybody asks', async () => {
  const fresh = await startInstallation()
  try {
    const { transactions } = fresh.services
    const program = await makeProgram(fresh.owner, { time_zone: 'UTC' })
    const coordinator = await fresh.as(await makePerson(fresh.owner, Level.Coord, { program }))
    await makeRotation(fresh.owner, program, { start_date: daysAhead(-30), end_date: daysAhead(30) })
    await planFirstReads(transactions)
    const isFree = () => expect.poll(() => [transactions.totalCount, transactions.idleCount]).toEqual([2, 2])
    await isFree()
    const planned = async (): Promise<string[]> => {
      const { rows } = await transactions.query(
        `select statement from pg_prepared_statements where statement like '%"NotClockedIn"%' or statement like '%time_record r%'`,
      )
      return rows.map(({ statement }) => statement).toSorted()
    }
    const before = await planned()
    expect(before.length).toBeGreaterThan(2)
    const params = { programId: program.Id }
    await coordinator.ok(getHome, { params })
    await isFree()
    await coordinator.ok(listTimeRecords, { params, query: { Status: 'pending', pageSize: 50 } })
    await isFree()
    expect(await planned()).toEqual(before)
  } finally {
    await fresh.stop()
  }
})

test('proofs that wait are counted, and told are those that keep their student from a shift within a week', async () => {
  const { owner, program, site, student, home } = await start()
  const requirement = await makeRequirement(owner, program)
  const other = await makeStudent(owner, program)
  const proofs = async () => {
    const { WaitingProofs } = await home()
    return [WaitingProofs.Count, WaitingProofs.Detail]
  }
  expect(await proofs()).toEqual([0, '0'])
  for (const who of [student, other])
    await makeRow(owner, 'requirement_proof', {
      program_id: program.Id,
      student_id: who.Id,
      requirement_id: requirement.Id,
      version: 1,
      events: '[]',
      key: randomUUID(),
    })
  expect(await proofs()).toEqual([2, '0'])
  const shift = await makeShift(owner, program, { site, capacity: 9 })
  const rotation = await makeRotation(owner, program)
  const place = (who: { Id: number }, days: number) =>
    makeRow(owner, 'shift_assignment', {
      program_id: program.Id,
      rotation_id: rotation.Id,
      student_id: who.Id,
      site_shift_id: shift.Id,
      site_id: site.Id,
      date: daysAhead(days),
      starts_at: at(24 * days),
      ends_at: at(24 * days + 8),
    })
  await place(student, 2)
  await place(other, 12)
  expect(await proofs()).toEqual([2, '1'])
  await makeRow(owner, 'student_requirement', {
    program_id: program.Id,
    student_id: student.Id,
    requirement_id: requirement.Id,
    status: 'accepted',
    expires_on: daysAhead(2),
  })
  expect(await proofs()).toEqual([2, '0'])
})
