import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as grading from '#contract/competencies/exam-grading.ts'
import * as contract from '#contract/competencies/exams.ts'
import * as links from '#contract/links/links.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { type Examining, startExams } from '#server/test/procedure-exams.ts'

/** What a student could try with an exam on their own phone, and what an examiner can do about it. */

let installation: Installation
let at: Examining
let attempt: contract.Attempt
let shortCode: string
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  at = await startExams(installation)
  await at.ready()
  const RosterId = await at.rosterOf()
  attempt = await at.asked({ ExaminerId: null, RosterId, Way: 'handover' })
  shortCode = await at.codeOf(attempt.Id)
})

const proved = async (): Promise<string> => {
  const { status, body } = await at.prove(shortCode, await at.mailedCode(shortCode))
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.Token
}
const attemptRow = async () =>
  (await installation.owner.query('select state, result from exam_attempt where id = $1', [attempt.Id]))
    .rows[0]

test('the phone is handed over: the code goes to the mailbox of the examiner, who grades and signs with it', async () => {
  expect(
    await installation.anonymous.ok(grading.findExam, { body: { ShortCode: shortCode.toLowerCase() } }),
  ).toEqual({
    Program: at.program.Name,
    Examiner: 'Andre Adebayo',
    Credential: 'R.T.(R)',
    Email: 'a…@harbor.example',
  })
  const code = await at.mailedCode(shortCode)
  const [mail] = await at.mails('EXAM_code')
  expect(mail?.recipient).toBe(`andre${at.program.Id}@harbor.example`)
  expect(mail?.subject).not.toMatch(/\d{6}|Chest/)
  const { body } = await at.prove(shortCode, code)
  expect(body.Grading).toMatchObject({ Procedure: 'Chest Routine', Examiner: 'Andre Adebayo' })
  expect(body.Grading.EndsAt).not.toBeNull()
  await installation.anonymous.ok(grading.scoreItemByCode, {
    body: { Token: body.Token, Position: 1, ValueId: at.passes, Comment: '' },
  })
  const again = await installation.anonymous.ok(grading.readGrading, { body: { Token: body.Token } })
  expect(again.Items[0]).toMatchObject({ ValueId: at.passes })
  expect((await at.gradeByToken(body.Token, at.decision())).body).toMatchObject({ Result: 'passed' })
  const detail = await at.ada.ok(contract.getOwnExam, { params: { attemptId: attempt.Id } })
  expect(detail.Signature).toMatchObject({ How: 'code', Name: 'Andre Adebayo', Credential: 'R.T.(R)' })
  const { rows } = await installation.owner.query(
    "select action from audit where program_id = $1 and action like 'exam:%' order by id",
    [at.program.Id],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'exam: code mailed',
    'exam: examiner proved by code',
    'exam: decided by code',
  ])
})

test("the student's session grades nothing, whichever call it takes", async () => {
  const token = await proved()
  const calls = [
    await at.ada.call(grading.getGrading, at.ofAttempt(attempt.Id)),
    await at.ada.call(grading.scoreItem, {
      ...at.ofAttempt(attempt.Id),
      body: { Position: 1, ValueId: at.passes, Comment: '' },
    }),
    await at.grade(at.ada, attempt.Id, at.decision()),
  ]
  expect(calls.map(({ status }) => status)).toEqual([403, 403, 403])
  // The session instead of the token, and a token that is made up.
  for (const Token of ['x'.repeat(43), shortCode.repeat(4)])
    expect((await at.gradeByToken(Token, at.decision(), at.ada)).status).toBe(401)
  expect((await at.ada.call(grading.decideExamByCode, { body: { ...at.decision() } as never })).status).toBe(
    400,
  )
  expect(await attemptRow()).toEqual({ state: 'open', result: null })
  // What the examiner proved goes on.
  expect((await at.gradeByToken(token, at.decision())).status).toBe(200)
})

test('another site cannot make the phone grade: no cookie grades, and foreign origins are refused', async () => {
  const token = await proved()
  const from = { headers: { origin: 'https://evil.example' } }
  expect(
    (await at.ada.call(grading.decideExamByCode, { body: { Token: token, ...at.decision() } }, from)).body,
  ).toMatchObject({ Code: 'foreign_origin' })
  expect(
    (await at.ada.call(grading.mailExamCode, { body: { ShortCode: shortCode } }, from)).body,
  ).toMatchObject({
    Code: 'foreign_origin',
  })
  // The examiner's own session from another site.
  const { Id } = await (async () => {
    await installation.owner.query("update exam_attempt set state = 'withdrawn' where id = $1", [attempt.Id])
    await installation.owner.query('update exam_examiner set account_id = $1 where program_id = $2', [
      at.supervisorId,
      at.program.Id,
    ])
    const { rows } = await installation.owner.query('select id from exam_examiner where program_id = $1', [
      at.program.Id,
    ])
    return at.asked({ ExaminerId: null, RosterId: Number(rows[0].id) })
  })()
  const forged = await at.supervisor.call(
    grading.decideExam,
    { ...at.ofAttempt(Id), body: at.decision() },
    { headers: { 'x-csrf-token': 'forged' } },
  )
  expect(forged.body).toMatchObject({ Code: 'csrf' })
})

test('a code works once, also when two devices type it at the same moment', async () => {
  const code = await at.mailedCode(shortCode)
  const replies = await Promise.all([1, 2, 3, 4].map(() => at.prove(shortCode, code)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
  expect((await at.prove(shortCode, code)).body).toMatchObject({ Code: 'wrong_code' })
})

test('a newer code ends the one before, and what it has opened', async () => {
  const first = await at.mailedCode(shortCode)
  const token = (await at.prove(shortCode, first)).body.Token
  const second = await at.mailedCode(shortCode)
  expect((await at.gradeByToken(token, at.decision())).status).toBe(401)
  expect((await at.prove(shortCode, first)).status).toBe(422)
  expect((await at.prove(shortCode, second)).status).toBe(200)
})

test('a code of another attempt opens nothing', async () => {
  await installation.owner.query('update skill set unlock_count = 0 where id = $1', [at.ribs])
  await at.design.items(at.ribs, at.score, 'Positions')
  const other = await at.asked({
    ProcedureId: at.ribs,
    ExaminerId: null,
    RosterId: await at.rosterOf({ email: 'second@harbor.example' }),
    Way: 'handover',
  })
  const otherCode = await at.codeOf(other.Id)
  const code = await at.mailedCode(otherCode)
  await at.mailedCode(shortCode)
  expect((await at.prove(shortCode, code)).body).toMatchObject({ Code: 'wrong_code' })
  // Nor does the token of one grade the other: it names its attempt by itself.
  const token = (await at.prove(otherCode, code)).body.Token
  await at.gradeByToken(token, at.decision({ Items: [{ Position: 1, ValueId: at.passes, Comment: '' }] }))
  expect(await attemptRow()).toEqual({ state: 'open', result: null })
})

test('codes are not guessed: five tries a code, a few codes an attempt, few short codes an address', async () => {
  const code = await at.mailedCode(shortCode)
  const replies = await Promise.all(
    [1, 2, 3, 4, 5, 6, 7].map((step) =>
      at.prove(shortCode, String((Number(code) + step) % 1_000_000).padStart(6, '0')),
    ),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([422, 422, 422, 422, 422, 429, 429])
  // Not even the right one any longer.
  expect((await at.prove(shortCode, code)).status).toBe(429)
  for (let mailed = 1; mailed < 5; mailed++) await at.mailedCode(shortCode)
  expect(
    (await installation.anonymous.call(grading.mailExamCode, { body: { ShortCode: shortCode } })).status,
  ).toBe(429)
  const tried = []
  for (let guess = 0; guess < 60; guess++)
    tried.push(
      (await installation.anonymous.call(grading.findExam, { body: { ShortCode: `ABCDEF${guess + 20}` } }))
        .status,
    )
  expect(tried[0]).toBe(404)
  expect(tried.at(-1)).toBe(429)
})

test('a code and a token end with their time', async () => {
  const code = await at.mailedCode(shortCode)
  await installation.owner.query('update exam_proof set code_expires_at = now() where program_id = $1', [
    at.program.Id,
  ])
  expect((await at.prove(shortCode, code)).status).toBe(422)
  const token = await proved()
  await installation.owner.query('update exam_proof set token_expires_at = now() where program_id = $1', [
    at.program.Id,
  ])
  expect((await at.gradeByToken(token, at.decision())).status).toBe(401)
  expect(await attemptRow()).toEqual({ state: 'open', result: null })
})

test('after the decision neither the token, nor the short code, nor a new code opens it again', async () => {
  const token = await proved()
  expect((await at.gradeByToken(token, at.failing())).status).toBe(200)
  expect((await at.gradeByToken(token, at.decision())).status).toBe(409)
  expect((await installation.anonymous.call(grading.readGrading, { body: { Token: token } })).status).toBe(
    409,
  )
  expect(
    (await installation.anonymous.call(grading.findExam, { body: { ShortCode: shortCode } })).status,
  ).toBe(404)
  expect(await attemptRow()).toEqual({ state: 'failed', result: 'failed' })
})

test('a student does not examine themself under another account, or at a mailbox of theirs', async () => {
  const { rows } = await installation.owner.query('select email from account where id = $1', [at.student.Id])
  await installation.owner.query("update exam_attempt set state = 'withdrawn' where id = $1", [attempt.Id])
  const RosterId = await at.rosterOf({ email: rows[0].email.toUpperCase() })
  const reply = await at.ask({ ExaminerId: null, RosterId, Way: 'handover' })
  expect(reply.body).toMatchObject({ Code: 'examiner', Message: expect.stringContaining('May not examine') })
})

test('a student does not withdraw an exam that an examiner has opened', async () => {
  await proved()
  const reply = await at.ada.call(contract.withdrawExam, {
    params: { attemptId: attempt.Id },
    body: { Reason: 'It goes badly' },
  })
  expect(reply.body).toMatchObject({ Code: 'grading' })
})

test('neither the code nor the token is kept as it is, nor told to the student', async () => {
  const code = await at.mailedCode(shortCode)
  const token = (await at.prove(shortCode, code)).body.Token
  const { rows } = await installation.owner.query('select * from exam_proof where program_id = $1', [
    at.program.Id,
  ])
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(JSON.stringify(await at.exams())).not.toContain(token)
  const { rows: audited } = await installation.owner.query('select detail from audit where program_id = $1', [
    at.program.Id,
  ])
  expect(JSON.stringify(audited)).not.toMatch(new RegExp(`${code}|${token}`))
})

test('two examiners of one attempt: whoever has the link and the code of before grades nothing', async () => {
  const code = await at.mailedCode(shortCode)
  const RosterId = await at.rosterOf({ email: 'second@harbor.example', first_name: 'Berta' })
  const linked = await at.ada.ok(contract.changeExaminer, {
    params: { attemptId: attempt.Id },
    body: { ExaminerId: null, RosterId, Way: 'link' },
  })
  expect(linked).toMatchObject({ Way: 'link', Examiner: 'Berta Adebayo' })
  expect((await at.prove(shortCode, code)).status).toBe(422)
  const [mail] = await at.mails('EXAM_asked')
  expect(mail?.recipient).toBe('second@harbor.example')
  const token = /\/new\/exam\/([\w-]+)"/.exec(mail!.html)![1]!
  // Their link asks for a code that is mailed to them; then their device and another one decide at the same moment.
  const by = (cookie: string) => ({ headers: { cookie } })
  expect((await installation.anonymous.call(grading.getGradingByLink, { params: { token } })).status).toBe(
    401,
  )
  const { Key } = await installation.anonymous.ok(links.mailLinkCode, { params: { token } })
  const [coded] = await at.mails('LINK_code')
  const opened = await installation.anonymous.call(links.openLink, {
    params: { token },
    body: { Key, Code: /\d{6}/.exec(coded!.subject)![0] },
  })
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!
  const seen = await installation.anonymous.call(grading.getGradingByLink, { params: { token } }, by(cookie))
  expect(seen.body).toMatchObject({ Examiner: 'Berta Adebayo' })
  expect(
    (
      await installation.anonymous.call(
        grading.scoreItemByLink,
        { params: { token }, body: { Position: 1, ValueId: at.passes, Comment: '' } },
        by(cookie),
      )
    ).status,
  ).toBe(204)
  const byCode = await proved()
  const replies = await Promise.all([
    installation.anonymous.call(
      grading.decideExamByLink,
      { params: { token }, body: at.decision() },
      by(cookie),
    ),
    at.gradeByToken(byCode, at.failing()),
  ])
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await at.mails('EXAM_signed')).toHaveLength(1)
  // The link is over with the decision.
  expect(
    (await installation.anonymous.call(grading.getGradingByLink, { params: { token } }, by(cookie))).status,
  ).toBe(404)
})

test('This was not me suspends the result and tells the program', async () => {
  await at.gradeByToken(await proved(), at.decision())
  const [mail] = await at.mails('EXAM_signed')
  expect(mail?.html).toMatch(/typed on the student/)
  const Token = /\/new\/exam-signature\/([\w-]+)"/.exec(mail!.html)![1]!
  const body = { Token }
  // Scanners of mail read; only POST disputes.
  expect(await installation.anonymous.ok(grading.readSignature, { body })).toMatchObject({
    Name: 'Andre Adebayo',
    DisputedAt: null,
  })
  expect(await attemptRow()).toEqual({ state: 'passed', result: 'passed' })
  expect((await installation.anonymous.call(grading.disputeSignature, { body })).status).toBe(204)
  expect((await installation.anonymous.call(grading.disputeSignature, { body })).status).toBe(204)
  expect(await attemptRow()).toEqual({ state: 'suspended', result: 'passed' })
  expect(await at.exam()).toMatchObject({
    PassedOn: null,
    Supervision: 'direct',
    Missing: [{ Kind: 'suspended' }],
  })
  expect(
    (await installation.anonymous.call(grading.disputeSignature, { body: { Token: 'x'.repeat(43) } })).status,
  ).toBe(404)
})
