import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listNotifications } from '#contract/communication/notifications.ts'
import * as grading from '#contract/competencies/exam-grading.ts'
import * as contract from '#contract/competencies/exams.ts'
import { Level } from '#contract/core/levels.ts'
import { makeAttempt, redesign } from '#server/test/competency-changes.ts'
import { makePerson } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { type Examining, startExams } from '#server/test/procedure-exams.ts'

let installation: Installation
let at: Examining
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  at = await startExams(installation)
})

const missing = async () => (await at.exam()).Missing.map(({ Text }) => Text)

test('the last counted log that is verified opens the exam', async () => {
  expect(await missing()).toEqual(['3 more verified logs needed.'])
  await at.log({ Count: 2, LevelId: at.observed })
  const first = await at.log({ Count: 2 })
  const last = await at.log()
  await at.verify(at.supervisor, [first])
  expect(await missing()).toEqual(['1 log waits for verification.'])
  expect((await at.ask()).body).toMatchObject({
    Code: 'logs',
    Message: expect.stringContaining('1 log waits for verification. Nothing was saved.'),
  })
  await at.verify(at.supervisor, [last])
  expect(await at.exam()).toMatchObject({ IsReady: true, Missing: [], Supervision: 'direct', PassedOn: null })
  expect((await at.ask()).status).toBe(200)
})

test('a lab check and exam items are needed where the list asks them', async () => {
  await at.ready()
  await redesign(installation, at.program.Id, 'update skill set needs_lab_check = true where id = $1', [
    at.routine,
  ])
  expect((await at.ask()).body).toMatchObject({ Code: 'lab' })
  const { Exams } = await at.exams()
  const ribs = Exams.find(({ ProcedureId }) => ProcedureId === at.ribs)
  expect(ribs?.Missing.map(({ Kind }) => Kind)).toEqual(['items', 'logs'])
})

test('an attempt is declared, graded in the account of whoever is asked, and both are told', async () => {
  await at.ready()
  const attempt = await at.asked()
  expect(attempt).toMatchObject({
    Number: 1,
    State: 'open',
    Date: at.today,
    Procedure: 'Chest Routine',
    Site: at.site.Name,
    Way: 'account',
    ExaminerId: at.supervisorId,
    Score: null,
  })
  expect((await at.ask()).body).toMatchObject({ Code: 'open' })
  expect(JSON.stringify(await at.supervisor.ok(listNotifications, {}))).toMatch(
    /asks you for an exam in Chest Routine/,
  )
  expect((await at.mails('EXAM_asked'))[0]).toMatchObject({
    subject: 'A student asks you for a competency exam',
  })
  expect(await at.supervisor.ok(grading.listAskedExams, at.inProgram)).toMatchObject([{ Id: attempt.Id }])
  expect(await at.colleague.ok(grading.listAskedExams, at.inProgram)).toEqual([])

  const seen = await at.supervisor.ok(grading.getGrading, at.ofAttempt(attempt.Id))
  expect(seen).toMatchObject({ Procedure: 'Chest Routine', Logged: 3, PassingPercent: 75, EndsAt: null })
  expect(seen.Items.map(({ Text, IsCritical, ValueId }) => [Text, IsCritical, ValueId])).toEqual([
    ['Confirms identity', true, null],
    ['Positions', false, null],
    ['Collimates', false, null],
  ])
  await at.supervisor.ok(grading.scoreItem, {
    ...at.ofAttempt(attempt.Id),
    body: { Position: 2, ValueId: at.passes, Comment: 'calm' },
  })
  expect((await at.supervisor.ok(grading.getGrading, at.ofAttempt(attempt.Id))).Items[1]).toMatchObject({
    ValueId: at.passes,
    Comment: 'calm',
  })
  expect(
    (
      await at.supervisor.call(grading.scoreItem, {
        ...at.ofAttempt(attempt.Id),
        body: { Position: 2, ValueId: 999_999, Comment: '' },
      })
    ).status,
  ).toBe(422)

  expect((await at.grade(at.supervisor, attempt.Id, at.decision())).body).toEqual({
    Result: 'passed',
    Score: 6,
    Highest: 6,
  })
  expect(await at.exam()).toMatchObject({
    IsReady: false,
    PassedOn: at.today,
    Supervision: 'indirect',
    Missing: [{ Kind: 'passed' }],
  })
  const detail = await at.ada.ok(contract.getOwnExam, { params: { attemptId: attempt.Id } })
  expect(detail).toMatchObject({
    State: 'passed',
    ShortCode: '',
    Signature: { How: 'account', Version: 2, DisputedAt: null },
  })
  expect(detail.Signature?.Text).toMatch(/Result: approved/)
  expect(JSON.stringify(await at.ada.ok(listNotifications, {}))).toMatch(
    /graded your exam in Chest Routine: approved/,
  )
  for (const label of ['EXAM_signed', 'EXAM_decided']) {
    const [mail] = await at.mails(label)
    expect(mail?.subject).not.toMatch(/Chest|Ada/)
    expect(mail?.html).toMatch(/Chest Routine/)
  }
})

test('nothing is approved below the rules, and what is not approved says why', async () => {
  await at.ready()
  const { Id } = await at.asked()
  const refused = async (body: grading.AnyDecision) => (await at.grade(at.supervisor, Id, body)).body
  const items = (ValueId: number | null, Comment = '') =>
    [1, 2, 3].map((Position) => ({ Position, ValueId: Position === 1 ? at.passes : ValueId, Comment }))
  expect(await refused(at.decision({ Items: items(null) }))).toMatchObject({ Code: 'unscored' })
  expect(await refused(at.decision({ Items: items(at.fails) }))).toMatchObject({ Code: 'uncommented' })
  expect(await refused(at.decision({ Items: items(at.fails, 'slow') }))).toMatchObject({ Code: 'points' })
  expect(
    await refused(
      at.decision({
        Items: [1, 2, 3].map((Position) => ({
          Position,
          ValueId: Position === 1 ? at.fails : at.passes,
          Comment: 'x',
        })),
      }),
    ),
  ).toMatchObject({ Code: 'critical' })
  expect(await refused(at.decision({ IsSimulated: true }))).toMatchObject({ Code: 'simulation' })
  expect(await refused(at.decision({ Items: items(at.passes).slice(1) }))).toMatchObject({ Code: 'Items' })
  expect(await refused(at.decision({ StatementVersion: 0 }))).toMatchObject({ Code: 'statement' })
  expect(await refused(at.failing({ Comment: '' }))).toMatchObject({ Code: 'comment' })
  expect((await at.grade(at.supervisor, Id, at.failing({ Comment: 'MRN 12345678' }))).status).toBe(400)
  expect((await at.exam()).Missing).toMatchObject([{ Kind: 'open' }])
})

test('a failed attempt waits for its note and its days, and a second one follows', async () => {
  await at.ready()
  const first = await at.asked()
  expect((await at.grade(at.supervisor, first.Id, at.failing())).body).toMatchObject({ Result: 'failed' })
  expect((await at.exam()).Missing.map(({ Kind }) => Kind)).toEqual(['remediation', 'retry'])
  await installation.owner.query(
    "update exam_attempt set remediation = 'Practice markers', remediation_at = now() where id = $1",
    [first.Id],
  )
  expect((await at.ask()).body).toMatchObject({ Code: 'retry' })
  await installation.owner.query('update exam_attempt set retry_from = current_date where id = $1', [
    first.Id,
  ])
  const second = await at.asked()
  expect(second.Number).toBe(2)
  const seen = await at.supervisor.ok(grading.getGrading, at.ofAttempt(second.Id))
  expect(seen.Previous).toMatchObject([
    { Number: 1, State: 'failed', Comment: 'Wrong side', Remediation: 'Practice markers' },
  ])
})

test('an examiner sees what else the student is examined in on the day, and sign that a procedure counts once', async () => {
  await at.ready()
  const { Id } = await at.asked()
  const seen = () => at.supervisor.ok(grading.getGrading, at.ofAttempt(Id))
  expect((await seen()).SameDay).toEqual([])
  const other = { studentId: at.student.Id, skillId: at.ribs }
  const attemptAt = (date: string, state: 'open' | 'failed') =>
    makeAttempt(installation.owner, at.program.Id, { ...other, date, state })
  await attemptAt(at.yesterday, 'failed')
  expect((await seen()).SameDay).toEqual([])
  const beside = await attemptAt(at.today, 'open')
  expect((await seen()).SameDay).toEqual(['Ribs'])
  await installation.owner.query(
    "update exam_attempt set state = 'withdrawn', ended_at = now() where id = $1",
    [beside],
  )
  expect((await seen()).SameDay).toEqual([])
  await at.grade(at.supervisor, Id, at.decision())
  const { Signature } = await at.ada.ok(contract.getOwnExam, { params: { attemptId: Id } })
  expect(Signature?.Text).toMatch(/What I observed counts for no other exam\./)
})

test('an examiner may write the note of a failed attempt, and a list may allow another one the same day', async () => {
  await at.ready()
  await installation.owner.query('update competency_list set retry_days = 0 where program_id = $1', [
    at.program.Id,
  ])
  const first = await at.asked()
  await at.grade(at.supervisor, first.Id, at.failing({ Remediation: 'Practice markers' }))
  expect((await at.asked()).Number).toBe(2)
})

test('who may not examine is named with the reason, and refused', async () => {
  await at.ready()
  const candidates = async () =>
    (await at.ada.ok(contract.listCandidates, { query: { ProcedureId: at.routine } })).Candidates
  // Without a roster, supervisors of the site and staff of the program examine.
  const open = await candidates()
  expect(open.filter(({ Why }) => Why === null).map(({ ExaminerId }) => ExaminerId)).toContain(
    at.supervisorId,
  )
  expect(open.map(({ Email }) => Email).join()).not.toMatch(/supervisor\d*@/)
  const andre = await at.rosterOf()
  const late = await at.rosterOf({ email: 'late@harbor.example', expires_on: at.yesterday })
  const nurse = await at.rosterOf({ email: 'nurse@harbor.example', examines: 'patient-care' })
  const aunt = await at.rosterOf({ email: 'Aunt@harbor.example' })
  await installation.owner.query(
    "insert into exam_exclusion (program_id, email, student_id, reason) values ($1, 'aunt@harbor.example', $2, 'relative')",
    [at.program.Id, at.student.Id],
  )
  const why = new Map(
    (await candidates()).map(({ RosterId, ExaminerId, Why }) => [RosterId ?? ExaminerId, Why]),
  )
  expect(why.get(andre)).toBeNull()
  expect(why.get(late)).toMatch(/expired/)
  expect(why.get(nurse)).toMatch(/patient care/)
  expect(why.get(aunt)).toMatch(/May not examine you/)
  expect(why.get(at.supervisorId)).toMatch(/Not on the list/)
  for (const RosterId of [late, nurse, aunt])
    expect((await at.ask({ ExaminerId: null, RosterId, Way: 'handover' })).body).toMatchObject({
      Code: 'examiner',
    })
  expect((await at.ask()).body).toMatchObject({ Code: 'examiner' })
  expect((await at.ask({ ExaminerId: null, RosterId: andre, Way: 'account' })).body).toMatchObject({
    Code: 'way',
  })
  expect((await at.ask({ ExaminerId: null, RosterId: 999_999, Way: 'link' })).status).toBe(404)
  expect((await at.ask({ SiteId: at.other.Id })).status).toBe(404)
  expect((await at.ask({ ExaminerId: null, RosterId: andre, Way: 'handover' })).status).toBe(200)
})

test('whoever is excluded or expires after they were asked does not grade', async () => {
  await at.ready()
  const { Id } = await at.asked()
  const { rows } = await installation.owner.query('select email from account where id = $1', [
    at.supervisorId,
  ])
  await installation.owner.query(
    "insert into exam_exclusion (program_id, email, student_id, reason) values ($1, lower($2), $3, 'employer')",
    [at.program.Id, rows[0].email, at.student.Id],
  )
  expect((await at.grade(at.supervisor, Id, at.decision())).body).toMatchObject({ Code: 'examiner' })
})

test('faculty examine without a site, and a list says who examines at all', async () => {
  await at.ready()
  const { rows } = await installation.owner.query<{ id: number }>(
    'select id from account where program_id = $1 and access_level = $2',
    [at.program.Id, Level.Faculty],
  )
  const faculty = Number(rows[0]!.id)
  await installation.owner.query(
    "update competency_list set examiners = '{supervisor}' where program_id = $1",
    [at.program.Id],
  )
  expect((await at.ask({ SiteId: null, ExaminerId: faculty })).body).toMatchObject({ Code: 'examiner' })
  await installation.owner.query("update competency_list set examiners = '{faculty}' where program_id = $1", [
    at.program.Id,
  ])
  const { Id } = await at.asked({ SiteId: null, ExaminerId: faculty })
  expect((await at.grade(at.faculty, Id, at.decision())).status).toBe(200)
})

test('a student asks somebody else or withdraws until grading has begun; both stay on record', async () => {
  await at.ready()
  const andre = await at.rosterOf()
  await installation.owner.query('update exam_examiner set account_id = $1 where id = $2', [
    at.supervisorId,
    andre,
  ])
  const first = await at.asked({ ExaminerId: null, RosterId: andre })
  expect(first.ExaminerId).toBe(at.supervisorId)
  const change = (attemptId: number) =>
    at.ada.call(contract.changeExaminer, {
      params: { attemptId },
      body: { ExaminerId: null, RosterId: andre, Way: 'handover' },
    })
  expect((await change(first.Id)).body).toMatchObject({ Way: 'handover' })
  const withdraw = (attemptId: number, Reason = 'Patient was moved') =>
    at.ada.call(contract.withdrawExam, { params: { attemptId }, body: { Reason } })
  expect((await withdraw(first.Id, ' ')).status).toBe(400)
  expect((await withdraw(first.Id)).body).toMatchObject({
    State: 'withdrawn',
    EndedReason: 'Patient was moved',
  })
  expect((await at.grade(at.supervisor, first.Id, at.decision())).body).toMatchObject({ Code: 'decided' })
  const second = await at.asked({ ExaminerId: null, RosterId: andre })
  expect(second.Number).toBe(2)
  await at.supervisor.ok(grading.scoreItem, {
    ...at.ofAttempt(second.Id),
    body: { Position: 1, ValueId: at.fails, Comment: 'wrong patient' },
  })
  // Whoever sees a failing score must not take the exam away.
  expect((await withdraw(second.Id)).body).toMatchObject({ Code: 'grading' })
  expect((await change(second.Id)).body).toMatchObject({ Code: 'grading' })
  expect((await at.exams()).Attempts.map(({ State }) => State)).toEqual(['open', 'withdrawn'])
})

test('of two who decide at once one does, and later changes of the design leave a running exam alone', async () => {
  await at.ready()
  const { Id } = await at.asked()
  await installation.owner.query(
    "update comp_exam_item set text = 'Changed', deleted_at = now() where program_id = $1",
    [at.program.Id],
  )
  await at.design.remove('procedure', [at.routine])
  const seen = await at.supervisor.ok(grading.getGrading, at.ofAttempt(Id))
  expect(seen.Items.map(({ Text }) => Text)).toEqual(['Confirms identity', 'Positions', 'Collimates'])
  const replies = await Promise.all([
    at.grade(at.supervisor, Id, at.decision()),
    at.grade(at.supervisor, Id, at.failing()),
    at.grade(at.supervisor, Id, at.decision()),
  ])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(await at.mails('EXAM_signed')).toHaveLength(1)
  const { rows } = await installation.owner.query(
    'select count(*)::int as count from exam_signature where program_id = $1',
    [at.program.Id],
  )
  expect(rows[0].count).toBe(1)
})

test('of two phones that declare the same exam at once one does', async () => {
  await at.ready()
  const replies = await Promise.all([at.ask(), at.ask(), at.ask()])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
})

test('simulation is asked for where it may be, and waits for a coordinator', async () => {
  await at.ready()
  expect((await at.ask({ IsSimulated: true })).body).toMatchObject({ Code: 'simulation' })
  await installation.owner.query('update skill set may_be_simulated = true where id = $1', [at.routine])
  const { Id } = await at.asked({ IsSimulated: true })
  expect((await at.grade(at.supervisor, Id, at.decision({ IsSimulated: true }))).body).toMatchObject({
    Code: 'simulation',
  })
  // On a patient after all.
  expect((await at.grade(at.supervisor, Id, at.decision())).status).toBe(200)
  expect(await at.exam()).toMatchObject({ IsSimulated: false, PassedOn: at.today })
})

test('a site has to be visited within the days of the list', async () => {
  await at.ready()
  await installation.owner.query('update competency_list set visited_within_days = 5 where program_id = $1', [
    at.program.Id,
  ])
  await installation.owner.query(
    `update shift_assignment set date = current_date - 9, starts_at = starts_at - interval '9 days',
      ends_at = ends_at - interval '9 days' where program_id = $1`,
    [at.program.Id],
  )
  expect((await at.ask()).body).toMatchObject({ Code: 'visited' })
})

test('others neither see nor grade an exam', async () => {
  await at.ready()
  const { Id } = await at.asked()
  const other = await installation.as(
    await makePerson(installation.owner, Level.Student, { program: at.program }),
  )
  expect((await other.call(contract.getOwnExam, { params: { attemptId: Id } })).status).toBe(404)
  expect(
    (await other.call(contract.withdrawExam, { params: { attemptId: Id }, body: { Reason: 'x' } })).status,
  ).toBe(404)
  for (const caller of [at.colleague, at.stranger, at.faculty]) {
    expect((await caller.call(grading.getGrading, at.ofAttempt(Id))).status).toBe(404)
    expect((await at.grade(caller, Id, at.decision())).status).toBe(404)
  }
})
