import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { getEffectiveness, startFromProfile } from '#contract/graduates/effectiveness.ts'
import { listGraduates } from '#contract/graduates/graduates.ts'
import { importIntoProgram, undoImport } from '#contract/imports/imports.ts'
import { leaveProgram, previewLeaving, undoLeaving } from '#contract/people/leaving.ts'
import * as contract from '#contract/people/merging.ts'
import { getUser, reactivateUser, searchUsers } from '#contract/people/people.ts'
import { decideProof } from '#contract/requirements/proof-review.ts'
import { addShiftAssignments } from '#contract/scheduling/assignments.ts'
import { addStudentNote } from '#contract/students/students.ts'
import { approveTimeRecords, rejectTimeRecords } from '#contract/time/approvals.ts'
import { punch } from '#contract/time/clock.ts'
import { getHoursSummary } from '#contract/time/hours-summary.ts'
import {
  addTimeRecord,
  deleteTimeRecord,
  listTimeRecords,
  restoreTimeRecord,
} from '#contract/time/time-records.ts'
import { getTimeSummaries } from '#contract/time/time-summaries.ts'
import { storedSums } from '#server/stored-sums.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeStudent,
} from '#server/test/factories.ts'
import { untilWaiting } from '#server/test/held-program.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { dayFromNow, makeRequirement, send } from '#server/test/requirement-proofs.ts'
import { wrongSums } from '#server/test/stored-sums.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let kept: MadePerson
let second: MadePerson
let rotation: { Id: number }
let shift: { Id: number; SiteId: number }
/** Days on which hours were worked, and days to come. */
const past = '2026-03-02'
const ahead = '2032-03-01'

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner, as } = installation
  program = await makeProgram(owner, { time_zone: 'UTC' })
  coordinator = await as(await makePerson(owner, Level.Coord, { program }))
  kept = await makeStudent(owner, program, {
    first_name: 'Ada',
    last_name: 'Okafor',
    email: 'ada@school.example',
    student_number: null,
  })
  second = await makeStudent(owner, program, {
    first_name: 'Ada',
    last_name: 'Okafor-Lind',
    email: 'okafor@home.example',
    student_number: 'S-77',
  })
  rotation = await makeRotation(owner, program, {
    start_date: '2026-01-01',
    end_date: '2032-12-31',
  })
  shift = await makeShift(owner, program, {
    capacity: 5,
    start_date: '2026-01-01',
    end_date: '2032-12-31',
  })
})

const params = () => ({ programId: program.Id })
const pair = () => ({ KeptId: kept.Id, MergedId: second.Id })
const place = (studentId: number, date: string) =>
  coordinator.ok(addShiftAssignments, {
    params: params(),
    body: { RotationId: rotation.Id, SiteShiftId: shift.Id, StudentIds: [studentId], Dates: [date] },
  })
/** Eight approved hours on a day. */
const work = async (studentId: number, date: string) => {
  const { Id } = await coordinator.ok(addTimeRecord, {
    params: params(),
    body: {
      StudentId: studentId,
      Kind: 'exception',
      SiteId: shift.SiteId,
      Date: date,
      Time: '07:00',
      EndTime: '15:00',
    },
  })
  await coordinator.ok(approveTimeRecords, { params: params(), body: { Ids: [Id] } })
}
const merge = (more: object = {}) =>
  coordinator.call(contract.mergeAccounts, { params: params(), body: { ...pair(), ...more } })
const hoursOf = async (studentId: number) =>
  (
    await coordinator.ok(getHoursSummary, {
      params: params(),
      query: { RotationId: rotation.Id, pageSize: 100 },
    })
  ).Items.find(({ StudentId }) => StudentId === studentId)?.Approved ?? 0
const expectRightSums = async () => {
  for (const sums of storedSums)
    expect([sums.of, await wrongSums(installation.owner, sums, program.Id)]).toEqual([sums.of, []])
}
const rowsOf = async (personId: number) => {
  const { rows } = await installation.owner.query(
    `select (select count(*)::integer from time_record where student_id = $1) as records,
      (select count(*)::integer from shift_assignment where student_id = $1 and removed_at is null) as shifts,
      (select count(*)::integer from student_note where student_id = $1) as notes,
      (select count(*)::integer from notification where account_id = $1) as notices`,
    [personId],
  )
  return rows[0]
}

test('a last day to come stays that of the person, whichever account had it, and undo takes it back', async () => {
  await place(kept.Id, ahead)
  await place(second.Id, addDays(ahead, 1))
  const of = (userId: number) => ({ params: { ...params(), userId } })
  const LastDay = addDays(ahead, -7)
  await coordinator.ok(leaveProgram, { ...of(second.Id), body: { LastDay } })
  const { MergeId } = (await merge()).body
  const leavesOn = async (userId: number) =>
    (await coordinator.ok(previewLeaving, { ...of(userId), query: {} })).LeavesOn
  expect(await leavesOn(kept.Id)).toBe(LastDay)
  expect((await rowsOf(kept.Id)).shifts).toBe(0)
  await coordinator.ok(contract.undoAccountMerge, { params: { ...params(), mergeId: MergeId! } })
  expect(await leavesOn(kept.Id)).toBeNull()
  expect(await leavesOn(second.Id)).toBe(LastDay)
  expect((await rowsOf(kept.Id)).shifts).toBe(1)
})

test('what belongs to the second account belongs to the first, all sums follow, and undo gives it back', async () => {
  const { owner } = installation
  await place(kept.Id, past)
  await place(second.Id, addDays(past, 1))
  await work(kept.Id, past)
  await work(second.Id, addDays(past, 1))
  await makeRow(owner, 'student_note', {
    program_id: program.Id,
    student_id: second.Id,
    text: 'Asked for nights',
  })
  const before = [await rowsOf(kept.Id), await rowsOf(second.Id)]

  const preview = await coordinator.ok(contract.previewMerge, { params: params(), query: pair() })
  expect(preview.Merged).toMatchObject({ Person: { Id: second.Id, StudentNumber: 'S-77' } })
  expect(Object.fromEntries(preview.Merged.Rows.map(({ Kind, Count }) => [Kind, Count]))).toMatchObject({
    time: 1,
    shifts: 1,
    records: 1,
  })

  const { status, body } = await merge({ Take: ['LastName', 'StudentNumber', 'EmailAddress'] })
  expect([status, body]).toMatchObject([200, { Left: [] }])
  expect(await coordinator.ok(getUser, { params: { ...params(), userId: kept.Id } })).toMatchObject({
    FirstName: 'Ada',
    LastName: 'Okafor-Lind',
    StudentNumber: 'S-77',
    EmailAddress: 'okafor@home.example',
  })
  expect(await hoursOf(kept.Id)).toBe(960)
  expect((await rowsOf(kept.Id)).notes).toBe(1)
  const listed = await coordinator.ok(searchUsers, { params: params(), query: { search: 'Okafor' } })
  expect(listed.Items.map(({ Id }) => Id)).toEqual([kept.Id])
  await expectRightSums()

  const [made] = await coordinator.ok(contract.listAccountMerges, {
    params: { ...params(), userId: kept.Id },
  })
  expect(made).toMatchObject({ Name: 'Ada Okafor-Lind', UserName: second.UserName, IsUndone: false })
  // What was changed after the merge is nobody's to take back.
  await owner.query("update account set last_name = 'Lind' where id = $1", [kept.Id])
  const undo = () =>
    coordinator.call(contract.undoAccountMerge, { params: { ...params(), mergeId: made!.Id } })
  expect((await undo()).status).toBe(200)
  expect((await undo()).status).toBe(409)
  expect(
    [await rowsOf(kept.Id), await rowsOf(second.Id)].map(({ records, shifts, notes }) => [
      records,
      shifts,
      notes,
    ]),
  ).toEqual(before.map(({ records, shifts, notes }) => [records, shifts, notes]))
  expect(await coordinator.ok(getUser, { params: { ...params(), userId: second.Id } })).toMatchObject({
    UserName: second.UserName,
    StudentNumber: 'S-77',
    IsActive: true,
  })
  expect(await coordinator.ok(getUser, { params: { ...params(), userId: kept.Id } })).toMatchObject({
    LastName: 'Lind',
    StudentNumber: null,
    EmailAddress: 'ada@school.example',
  })
  expect([await hoursOf(kept.Id), await hoursOf(second.Id)]).toEqual([480, 480])
  await expectRightSums()
})

test('hours of both accounts at one time count once: those of the second wait for approval again, and undo approves them', async () => {
  const approvedOf = async (studentId: number) =>
    (
      await installation.owner.query(
        "select sum(minutes)::integer as minutes from time_record where student_id = $1 and status = 'approved'",
        [studentId],
      )
    ).rows[0].minutes
  await work(kept.Id, past)
  await work(second.Id, past)
  await work(second.Id, addDays(past, 1))
  expect((await merge({ DryRun: true })).body).toMatchObject({ Reopened: 1 })
  expect([await approvedOf(kept.Id), await approvedOf(second.Id)]).toEqual([480, 960])
  const { body } = await merge()
  expect(body).toMatchObject({ Left: [], Reopened: 1 })
  expect(await approvedOf(kept.Id)).toBe(960)
  const pending = await coordinator.ok(listTimeRecords, {
    params: params(),
    query: { StudentId: kept.Id, Status: 'pending' },
  })
  expect(pending.Items.map((record) => record.Date)).toEqual([past])
  const again = await coordinator.ok(approveTimeRecords, {
    params: params(),
    body: { Ids: pending.Items.map(({ Id }) => Id) },
  })
  expect(again).toMatchObject({ Approved: 0, LeftOut: [{ Reason: 'overlaps' }] })
  await expectRightSums()
  await coordinator.ok(contract.undoAccountMerge, {
    params: { ...params(), mergeId: (body as { MergeId: number }).MergeId },
  })
  expect([await approvedOf(kept.Id), await approvedOf(second.Id)]).toEqual([480, 960])
  await expectRightSums()
})

test('a pair stays together, and is approved with both halves or not, when the merge of its account is undone', async () => {
  const add = async (StudentId: number, Kind: 'in' | 'out', day: string, Time: string) =>
    (
      await coordinator.ok(addTimeRecord, {
        params: params(),
        body: { StudentId, Kind, SiteId: shift.SiteId, Date: day, Time },
      })
    ).Id
  const next = addDays(past, 1)
  const ids = [await add(second.Id, 'in', past, '08:00'), await add(second.Id, 'out', past, '12:00')]
  await coordinator.ok(approveTimeRecords, { params: params(), body: { Ids: ids } })
  await work(kept.Id, past)
  const lone = await add(second.Id, 'in', next, '08:00')
  const { body } = await merge()
  expect(body).toMatchObject({ Left: [], Reopened: 2 })
  await coordinator.ok(rejectTimeRecords, { params: params(), body: { Ids: [ids[1]!], Reason: 'x' } })
  const end = await add(kept.Id, 'out', next, '12:00')
  await coordinator.ok(contract.undoAccountMerge, {
    params: { ...params(), mergeId: (body as { MergeId: number }).MergeId },
  })
  const { Items } = await coordinator.ok(listTimeRecords, {
    params: params(),
    query: { StudentId: second.Id, pageSize: 100 },
  })
  expect(
    Items.map(({ Id, PartnerId, Status, Minutes }) => [Id, PartnerId, Status, Minutes]).toSorted(
      ([one], [other]) => Number(one) - Number(other),
    ),
  ).toEqual([
    [ids[0], null, 'pending', 0],
    [ids[1], null, 'rejected', 0],
    [lone, end, 'pending', 0],
    [end, lone, 'pending', 240],
  ])
  await expectRightSums()
})

test('what cannot belong to the first account stays with the second, which ends without being lost', async () => {
  await place(kept.Id, ahead)
  await place(second.Id, ahead)
  await place(second.Id, addDays(ahead, 1))
  const look = await merge({ DryRun: true })
  expect(look.body).toMatchObject({ MergeId: null, Left: [{ Kind: 'shifts', Count: 1 }] })
  expect((await rowsOf(second.Id)).shifts).toBe(2)
  const { body } = await merge()
  expect(body).toMatchObject({ Left: [{ Kind: 'shifts', Count: 1 }] })
  expect((await rowsOf(kept.Id)).shifts).toBe(2)
  expect(await coordinator.ok(getUser, { params: { ...params(), userId: second.Id } })).toMatchObject({
    IsActive: false,
  })
  await expectRightSums()
  // It comes back with what belonged to it, and in no other way.
  const back = (endpoint: typeof reactivateUser | typeof undoLeaving) =>
    coordinator.call(endpoint, { params: { ...params(), userId: second.Id } })
  expect((await back(reactivateUser)).status).toBe(409)
  expect((await back(undoLeaving)).status).toBe(409)
  expect((await merge()).status).toBe(409)
  const [made] = await coordinator.ok(contract.listAccountMerges, {
    params: { ...params(), userId: second.Id },
  })
  expect(made).toMatchObject({ Into: { Id: kept.Id }, IsUndone: false })
  const { Refused } = await coordinator.ok(contract.undoAccountMerge, {
    params: { ...params(), mergeId: made!.Id },
  })
  expect(Refused).toEqual([])
  expect([(await rowsOf(kept.Id)).shifts, (await rowsOf(second.Id)).shifts]).toEqual([1, 2])
  await expectRightSums()
})

test('one person is one graduate: the rates count them once, with what either row knew, and undo gives both back', async () => {
  const { owner, as } = installation
  const director = await as(await makePerson(owner, Level.Director, { program }))
  const graduate = (account: MadePerson, row: object) =>
    makeRow(owner, 'graduate', {
      program_id: program.Id,
      account_id: account.Id,
      first_name: 'Ada',
      last_name: 'Lind',
      entered_on: '2020-08-20',
      graduated_on: '2022-05-15',
      ...row,
    })
  await graduate(kept, { placement: 'field', started_work_on: '2022-08-01' })
  await graduate(second, {
    entered_on: '2020-08-21',
    first_attempt_on: '2022-07-01',
    first_attempt_result: 'passed',
    passed_on: '2022-07-01',
    placement: 'seeking',
  })
  await director.ok(startFromProfile, { params: params(), body: { Profile: 'jrcert' } })
  const rates = async () =>
    (await director.ok(getEffectiveness, { params: params() })).Measures.map(({ Result: { Pooled } }) => [
      Pooled?.Numerator,
      Pooled?.Denominator,
    ])
  expect(await rates()).toEqual([
    [1, 1],
    [1, 2],
    [2, 2],
  ])
  const { body } = await merge()
  expect(body).toMatchObject({ Left: [] })
  expect(await rates()).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ])
  const { Items } = await director.ok(listGraduates, { params: params(), query: {} as never })
  expect(Items).toMatchObject([
    { UserId: kept.Id, EnteredOn: '2020-08-20', FirstAttemptResult: 'passed', Placement: 'field' },
  ])
  await coordinator.ok(contract.undoAccountMerge, {
    params: { ...params(), mergeId: body.MergeId! },
  })
  expect(await rates()).toEqual([
    [1, 1],
    [1, 2],
    [2, 2],
  ])
  const again = await director.ok(listGraduates, { params: params(), query: {} as never })
  expect(again.Items.map(({ UserId, FirstAttemptOn }) => [UserId, FirstAttemptOn]).toSorted()).toEqual(
    [
      [kept.Id, null],
      [second.Id, '2022-07-01'],
    ].toSorted(),
  )
})

test('shifts come back when a merge is undone, judged by the requirements that come back with them', async () => {
  const { owner, as } = installation
  await owner.query(`update program set options = options || '{"ComplianceRule": "block"}' where id = $1`, [
    program.Id,
  ])
  const card = await makeRequirement(owner, program)
  await makeRow(owner, 'site_requirement', {
    program_id: program.Id,
    site_id: shift.SiteId,
    requirement_id: card.Id,
  })
  const showCard = async (person: { Id: number }) => {
    const proofId = await send(await as(person), card)
    await coordinator.ok(decideProof, {
      params: { ...params(), studentId: person.Id, proofId },
      body: { Revision: 1, Decision: 'accept' },
    })
  }
  const days = [dayFromNow(20), dayFromNow(27)]
  for (const [person, day] of [
    [kept, days[0]],
    [second, days[1]],
  ] as const) {
    await showCard(person)
    await place(person.Id, day!)
  }
  await merge()
  const [made] = await coordinator.ok(contract.listAccountMerges, {
    params: { ...params(), userId: kept.Id },
  })
  const { Refused } = await coordinator.ok(contract.undoAccountMerge, {
    params: { ...params(), mergeId: made!.Id },
  })
  expect(Refused).toEqual([])
  expect([(await rowsOf(kept.Id)).shifts, (await rowsOf(second.Id)).shifts]).toEqual([1, 1])
})

test('a shift whose place was taken meanwhile is named when a merge is undone', async () => {
  const { owner } = installation
  const day = ahead
  await owner.query('update site_shift set capacity = 2 where id = $1', [shift.Id])
  await place(kept.Id, day)
  await place(second.Id, day)
  await merge()
  const third = await makeStudent(owner, program)
  await place(third.Id, day)
  const [made] = await coordinator.ok(contract.listAccountMerges, {
    params: { ...params(), userId: kept.Id },
  })
  const { Refused } = await coordinator.ok(contract.undoAccountMerge, {
    params: { ...params(), mergeId: made!.Id },
  })
  expect(Refused).toMatchObject([{ Date: day }])
  expect((await rowsOf(second.Id)).shifts).toBe(0)
  await expectRightSums()
})

test('two roles, one account twice, somebody of another program and whoever may not are refused, and nothing changes', async () => {
  const { owner, as } = installation
  const faculty = await makePerson(owner, Level.Faculty, { program })
  const stranger = await makeStudent(owner)
  expect((await merge({ MergedId: faculty.Id })).status).toBe(422)
  expect((await merge({ MergedId: kept.Id })).status).toBe(422)
  expect((await merge({ MergedId: stranger.Id })).status).toBe(404)
  const call = (caller: Caller) => caller.call(contract.mergeAccounts, { params: params(), body: pair() })
  expect((await call(await as(faculty))).status).toBe(403)
  expect((await call(await as(await makePerson(owner, Level.Coord)))).status).toBe(404)
  expect(
    (await coordinator.call(contract.undoAccountMerge, { params: { ...params(), mergeId: 1 } })).status,
  ).toBe(404)
  expect((await coordinator.ok(getUser, { params: { ...params(), userId: second.Id } })).IsActive).toBe(true)
})

/** So often a race is run: each round goes another way. */
const rounds = 4
const mergeOf = (one: MadePerson, other: MadePerson) =>
  coordinator.call(contract.mergeAccounts, { params: params(), body: { KeptId: one.Id, MergedId: other.Id } })
const undoOf = (mergeId: number) =>
  coordinator.call(contract.undoAccountMerge, { params: { ...params(), mergeId } })
const isThere = async ({ Id }: { Id: number }) =>
  (
    await installation.owner.query(
      'select from account where id = $1 and deleted_at is null and deactivated_at is null',
      [Id],
    )
  ).rows.length === 1
/** Minutes of records that count, whoever has them. */
const minutesOf = async (studentId: number): Promise<number> =>
  (
    await installation.owner.query(
      `select coalesce(sum(minutes), 0)::integer as minutes from time_record where student_id = $1 and deleted_at is null`,
      [studentId],
    )
  ).rows[0].minutes
/** Both pages about hours say the same of all students. */
const expectMinutes = async (minutes: number) => {
  const { Totals } = await coordinator.ok(getTimeSummaries, {
    params: params(),
    query: { By: 'student' } as never,
  })
  const { Items } = await coordinator.ok(getHoursSummary, {
    params: params(),
    query: { pageSize: 100 } as never,
  })
  expect([
    Totals.Approved + Totals.Pending,
    Items.reduce((sum, { Approved, Pending }) => sum + Approved + Pending, 0),
  ]).toEqual([minutes, minutes])
  await expectRightSums()
}
const pairOfStudents = () =>
  Promise.all([makeStudent(installation.owner, program), makeStudent(installation.owner, program)])

test('of two opposite merges sent at once one is done, and the other account stays with the hours of both', async () => {
  for (let round = 0; round < rounds; round++) {
    const [one, other] = await pairOfStudents()
    await work(one.Id, past)
    await work(other.Id, addDays(past, 1))
    const replies = await Promise.all([mergeOf(one, other), mergeOf(other, one)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const [stays, ended] = replies[0].status === 200 ? [one, other] : [other, one]
    expect([await isThere(stays), await isThere(ended)]).toEqual([true, false])
    // Eight hours of each.
    expect([await minutesOf(stays.Id), await minutesOf(ended.Id)]).toEqual([960, 0])
  }
  await expectMinutes(960 * rounds)
})

test('a chain of merges sent at once leaves nothing with an account that has ended', async () => {
  for (let round = 0; round < rounds; round++) {
    const [first, middle] = await pairOfStudents()
    const last = await makeStudent(installation.owner, program)
    for (const [day, { Id }] of [first, middle, last].entries()) await work(Id, addDays(past, day))
    const calls = [() => mergeOf(first, middle), () => mergeOf(middle, last)]
    const replies = await Promise.all((round % 2 ? calls.toReversed() : calls).map((call) => call()))
    for (const { status, body } of replies)
      if (status !== 200)
        expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining('was merged into')])
    for (const each of [first, middle, last])
      if (!(await isThere(each))) expect([each.Id, await minutesOf(each.Id)]).toEqual([each.Id, 0])
  }
  await expectMinutes(3 * 480 * rounds)
})

test('the same merge sent twice is done once, and one undo among several gives all back', async () => {
  for (let round = 0; round < rounds; round++) {
    const [one, other] = await pairOfStudents()
    await work(other.Id, past)
    const replies = await Promise.all([mergeOf(one, other), mergeOf(one, other), mergeOf(one, other)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const { MergeId } = replies.find(({ status }) => status === 200)!.body
    const undone = await Promise.all([undoOf(MergeId!), undoOf(MergeId!)])
    expect(undone.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await coordinator.ok(getUser, { params: { ...params(), userId: other.Id } })).toMatchObject({
      UserName: other.UserName,
      IsActive: true,
    })
    expect([await minutesOf(one.Id), await minutesOf(other.Id)]).toEqual([0, 480])
  }
})

test('merges into one account are undone in any order, also at once; what was merged on goes first', async () => {
  const { owner } = installation
  const take = { Take: ['LastName', 'StudentNumber', 'EmailAddress'] }
  const facts = async () =>
    (
      await owner.query(
        `select last_name, student_number, email, is_email_confirmed, user_name, deleted_at, deactivated_at from account
          where id = any ($1) order by id`,
        [[kept.Id, second.Id, third.Id]],
      )
    ).rows
  const third = await makeStudent(owner, program, {
    last_name: 'Lind',
    email: 'lind@work.example',
    student_number: 'S-78',
  })
  await work(second.Id, past)
  await work(third.Id, addDays(past, 1))
  const before = await facts()
  for (const order of ['first', 'last', 'at once']) {
    const first = (await merge(take)).body.MergeId!
    const last = (await merge({ ...take, MergedId: third.Id })).body.MergeId!
    expect(await minutesOf(kept.Id)).toBe(960)
    if (order === 'at once')
      expect((await Promise.all([undoOf(first), undoOf(last)])).map(({ status }) => status)).toEqual([
        200, 200,
      ])
    else
      for (const id of order === 'first' ? [first, last] : [last, first])
        expect((await undoOf(id)).status).toBe(200)
    expect([order, await facts()]).toEqual([order, before])
    expect([await minutesOf(kept.Id), await minutesOf(second.Id), await minutesOf(third.Id)]).toEqual([
      0, 480, 480,
    ])
  }
  const inner = (await merge()).body.MergeId!
  const outer = (await mergeOf(third, kept)).body.MergeId!
  const refused = await undoOf(inner)
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    409,
    expect.stringContaining('undo the merge'),
  ])
  for (const id of [outer, inner]) expect((await undoOf(id)).status).toBe(200)
  expect(await facts()).toEqual(before)
  await expectMinutes(960)
})

test('a punch that waits for the end of its account is refused', async () => {
  await installation.owner.query("update site set time_zone = 'UTC' where id = $1", [shift.SiteId])
  const phone = await installation.as(second)
  const other = await installation.owner.connect()
  try {
    await other.query('begin')
    await other.query("select pg_advisory_xact_lock(hashtextextended('clock:' || $1::bigint, 0))", [
      second.Id,
    ])
    const merging = merge()
    await untilWaiting(installation.owner, 1)
    const punching = phone.call(
      punch,
      { body: { Kind: 'in', SiteId: shift.SiteId } },
      { headers: { 'idempotency-key': 'punch-of-an-ending-account' } },
    )
    await untilWaiting(installation.owner, 2)
    await other.query('rollback')
    expect([(await merging).status, (await punching).status]).toEqual([200, 401])
  } finally {
    await other.query('rollback')
    other.release()
  }
  expect([(await rowsOf(kept.Id)).records, (await rowsOf(second.Id)).records]).toEqual([0, 0])
})

test('what is added for somebody while their import is undone keeps them, or is refused; no minutes are left to nobody', async () => {
  const { owner } = installation
  let minutes = 0
  for (let round = 0; round < rounds * 2; round++) {
    const { body } = await coordinator.call(
      importIntoProgram,
      { params: params(), query: { Kind: 'students' } },
      {
        files: [
          {
            field: 'file',
            name: 'students.csv',
            content: `Student ID,First Name,Last Name,Email,Level,Cohort\nR${round},Bo,Round${round},bo${round}@example.org,Level 1,2027\n`,
          },
        ],
      },
    )
    const { rows } = await owner.query<{ id: number }>('select id from account where import_id = $1', [
      body.ImportId,
    ])
    const StudentId = Number(rows[0]!.id)
    const undo = () => coordinator.call(undoImport, { params: { ...params(), importId: body.ImportId! } })
    const add = () =>
      round % 2
        ? coordinator.call(addTimeRecord, {
            params: params(),
            body: {
              StudentId,
              Kind: 'exception',
              SiteId: shift.SiteId,
              Date: past,
              Time: '07:00',
              EndTime: '15:00',
            },
          })
        : coordinator.call(addStudentNote, {
            params: { ...params(), studentId: StudentId },
            body: { Text: 'Asked for nights' } as never,
          })
    const [added, undone] = await Promise.all([add(), undo()])
    const isAdded = added.status < 300
    expect([added.status, undone.status]).toEqual(isAdded ? [added.status, 409] : [404, 204])
    expect(await isThere({ Id: StudentId })).toBe(isAdded)
    if (isAdded && round % 2) minutes += 480
    if (!isAdded) expect([await minutesOf(StudentId), (await rowsOf(StudentId)).notes]).toEqual([0, 0])
  }
  await expectMinutes(minutes)
})

test('hours of an account that has ended are neither approved nor brought back, and the answer says why', async () => {
  const { owner } = installation
  await work(second.Id, past)
  const records = await coordinator.ok(listTimeRecords, {
    params: params(),
    query: { StudentId: second.Id },
  })
  const at = { params: { ...params(), recordId: records.Items[0]!.Id } }
  await coordinator.ok(deleteTimeRecord, at)
  await owner.query('update account set deleted_at = now() where id = $1', [second.Id])
  expect((await coordinator.call(restoreTimeRecord, at)).status).toBe(409)
  await expectMinutes(0)
  await owner.query("update time_record set deleted_at = null, status = 'pending' where id = $1", [
    at.params.recordId,
  ])
  for (const body of [{ Ids: [at.params.recordId] }, { Filter: {} }])
    expect(await coordinator.ok(approveTimeRecords, { params: params(), body })).toMatchObject({
      Approved: 0,
      LeftOut: [{ Id: at.params.recordId, Reason: 'ended' }],
    })
})
