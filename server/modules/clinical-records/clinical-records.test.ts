import { createHash, createPublicKey } from 'node:crypto'
import { UnsignedAchievementCredentialValidator, UnsignedClrCredentialValidator } from '@learncard/types'
import jsonwebtoken from 'jsonwebtoken'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#contract/clinical-records/clinical-records.ts'
import { clearanceText, numberInFile } from '#contract/clinical-records/record-rules.ts'
import { Level } from '#contract/core/levels.ts'
import { getOwnProgress, getStudentProgress } from '#contract/progress/progress.ts'
import { isMet } from '#contract/requirements/requirement-rules.ts'
import { listStudentRequirements } from '#contract/students/students.ts'
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
let ada: Caller
let coordinator: Caller
let director: Caller
let directorName: string

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner, as } = installation
  await owner.query('delete from throttle')
  program = await makeProgram(owner, { time_zone: 'UTC' })
  student = await makeStudent(owner, program, { first_name: 'Ada', last_name: 'Núñez', cohort: '2027' })
  ada = await as(student)
  coordinator = await as(await makePerson(owner, Level.Coord, { program }))
  director = await as(
    await makePerson(owner, Level.Director, { program, first_name: 'Dora', last_name: 'Reyes' }),
  )
  directorName = 'Dora Reyes'
})

const params = () => ({ programId: program.Id })
const ofStudent = (studentId = student.Id) => ({ params: { ...params(), studentId } })
const row = (table: string, columns: Record<string, unknown>) =>
  makeRow(installation.owner, table, { program_id: program.Id, ...columns })

/** Eight approved hours in a rotation of ten. */
const work = async (minutes = 480) => {
  const site = await makeSite(installation.owner, program, { name: 'Harbor General' })
  const rotation = await makeRotation(installation.owner, program, {
    name: 'Clinical I',
    start_date: '2026-01-05',
    end_date: '2026-05-15',
    target_minutes: 600,
  })
  await row('time_record', {
    student_id: student.Id,
    site_id: site.Id,
    rotation_id: rotation.Id,
    kind: 'exception',
    occurred_at: '2026-02-03T20:00:00Z',
    date: '2026-02-03',
    status: 'approved',
    minutes,
  })
}

const design = async () => {
  const list = await row('competency_list', {
    name: 'ARRT',
    effective_on: '2026-01-01',
    is_for_others: true,
    electives_needed: 1,
  })
  const study = await row('major_study', { list_id: list.id, name: 'Chest', position: 1 })
  const skill = (name: string, is_mandatory: boolean, more: object = {}) =>
    row('skill', { major_study_id: study.id, name, is_mandatory, position: 1, ...more })
  return { skill, list, study }
}
const pass = (skillId: number, date: string, number = 1, more: object = {}) =>
  row('exam_attempt', {
    student_id: student.Id,
    skill_id: skillId,
    number,
    state: 'passed',
    result: 'passed',
    date,
    graded_at: `${date}T12:00:00Z`,
    way: 'account',
    short_code: Array.from({ length: 8 }, () => 'ABCDEFGH23456789'[Math.floor(Math.random() * 16)]).join(''),
    ...more,
  })

const read = (caller = coordinator) => caller.ok(contract.getStudentClinicalRecord, ofStudent())
const issue = async (more: object = {}) => {
  const { Records } = await coordinator.ok(contract.issueClinicalRecords, {
    params: params(),
    body: { StudentIds: [student.Id], ...more },
  })
  return Records[0]!
}
const sign = (body: object = {}, caller = director) =>
  caller.call(contract.signClearance, {
    ...ofStudent(),
    body: {
      Name: directorName,
      Version: clearanceText.version,
      Exception: 'Transfer hours are on file',
      ...body,
    },
  })
const fileOf = async (recordId: number, caller = ada): Promise<Buffer> => {
  const path =
    caller === ada
      ? `/own-clinical-records/${recordId}/file`
      : `/programs/${program.Id}/clinical-records/${recordId}/file`
  const response = await fetch(`${installation.url}/new/api${path}`, { headers: caller.headers })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/pdf')
  return Buffer.from(await response.arrayBuffer())
}
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const verify = (body: object) =>
  installation.anonymous.ok(contract.verifyClinicalRecord, { body: body as any })

test('a draft says hours by rotation and site, each procedure passed once at its first day, and what clearance asks', async () => {
  await work()
  const { skill, list, study } = await design()
  const chest = await skill('Chest Routine', true)
  await skill('Ribs', true)
  const hand = await skill('Hand', false)
  const foot = await skill('Foot', false)
  await pass(chest.id, '2026-03-02')
  await pass(chest.id, '2026-06-02', 2)
  await pass(hand.id, '2026-03-03')
  await pass(foot.id, '2026-03-04', 1, { is_simulated: true })
  // Of an earlier version of the list.
  const old = await row('competency_list', { name: 'ARRT 2024', effective_on: '2024-01-01' })
  const oldStudy = await row('major_study', { list_id: old.id, name: 'Chest', position: 1 })
  expect([list.id, study.id]).not.toContain(oldStudy.id)
  const { Checks, Clearance, Records, Draft } = await read()
  expect([Clearance, Records]).toEqual([null, []])
  expect(Checks).toEqual({
    Hours: { Done: 480, Needed: 600, IsMet: false },
    Mandatory: { Done: 1, Needed: 2, IsMet: false },
    Electives: { Done: 1, Needed: 1, IsMet: true },
    Requirements: { Done: 0, Needed: 0, IsMet: true },
  })
  expect(Draft.Rotations).toEqual([
    {
      Name: 'Clinical I',
      StartDate: '2026-01-05',
      EndDate: '2026-05-15',
      Sites: [{ Name: 'Harbor General', ApprovedMinutes: 480 }],
      ApprovedMinutes: 480,
      TargetMinutes: 600,
    },
  ])
  expect(
    Draft.Competencies.map(({ Procedure, PassedOn, IsSimulated }) => [Procedure, PassedOn, IsSimulated]),
  ).toEqual([
    ['Chest Routine', '2026-03-02', false],
    ['Foot', '2026-03-04', true],
    ['Hand', '2026-03-03', false],
  ])
})

test('an exam passed in an earlier version of a procedure counts for the present list', async () => {
  const { skill } = await design()
  const chest = await skill('Chest Routine', true)
  const old = await row('competency_list', { name: 'ARRT 2024', effective_on: '2024-01-01' })
  const oldStudy = await row('major_study', { list_id: old.id, name: 'Chest', position: 1 })
  const oldChest = await row('skill', {
    major_study_id: oldStudy.id,
    name: 'Chest',
    is_mandatory: true,
    position: 1,
    lineage: chest.lineage,
  })
  await pass(oldChest.id, '2025-03-02')
  expect((await read()).Checks.Mandatory).toEqual({ Done: 1, Needed: 1, IsMet: true })
})

test('the director clears a student under the own name, with a reason where something is not met, and once', async () => {
  await work()
  const refused = await sign({ Name: 'Dora' })
  expect([refused.status, (refused.body as any).Code]).toEqual([422, 'wrong_name'])
  for (const Exception of ['', '\u200b \u2060']) {
    const noReason = await sign({ Exception })
    expect([noReason.status, (noReason.body as any).Code]).toEqual([422, 'not_met'])
  }
  expect((await sign({ Version: 99 })).status).toBe(409)
  expect((await read()).Clearance).toBeNull()
  const answers = await Promise.all([sign(), sign()])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await read()).Clearance).toMatchObject({
    Name: 'Dora Reyes',
    Text: `I have reviewed this student’s clinical hours, competencies and requirements. The student has not met: clinical hours (8 of 10). By an exception granted by Dora Reyes, program director, the student is cleared for graduation and for the certification examination all the same. Reason: Transfer hours are on file`,
    Exception: 'Transfer hours are on file',
    Checks: { Hours: { Done: 480, Needed: 600, IsMet: false } },
  })
  expect((await sign({}, coordinator)).status).toBe(403)
})

test('where everything is met no reason is asked, and a clearance that was taken back can be given again', async () => {
  await work(600)
  const signed = await sign({ Exception: '' })
  expect([signed.status, signed.body.Text]).toEqual([200, clearanceText.text])
  const withdraw = () =>
    director.call(contract.withdrawClearance, {
      ...ofStudent(),
      body: { Reason: 'Signed for the wrong student' },
    })
  expect((await withdraw()).status).toBe(204)
  expect((await withdraw()).status).toBe(409)
  expect((await sign({ Exception: '' })).status).toBe(200)
})

test('a record is final after clearance and interim before; the student is told and downloads the same bytes as staff', async () => {
  await work()
  const interim = await issue()
  expect(interim).toMatchObject({ IsFinal: false, State: 'valid', Student: 'Núñez, Ada', Shares: [] })
  await sign()
  const final = await issue()
  expect(final).toMatchObject({ IsFinal: true, State: 'valid' })
  expect(
    (await ada.ok(contract.listOwnClinicalRecords)).Records.map(({ State, ReplacedBy }) => [
      State,
      ReplacedBy,
    ]),
  ).toEqual([
    ['valid', null],
    ['replaced', final.Number],
  ])
  const own = await fileOf(final.Id)
  expect(hashOf(own)).toBe(hashOf(await fileOf(final.Id, coordinator)))
  expect(own.subarray(0, 5).toString()).toBe('%PDF-')
  expect(numberInFile(own.toString('latin1'))).toBe(final.Number)
  const { rows } = await installation.owner.query(
    'select recipient, subject from mail where account_id = $1 order by id',
    [student.Id],
  )
  expect(rows).toHaveLength(2)
  expect(rows[0].subject).toBe('Your clinical record is ready')
})

test('a verified record says nothing but that it is valid, until its holder shares more', async () => {
  await work()
  const { Number: RecordNumber, Id } = await issue()
  const plain = await verify({ Number: RecordNumber.toLowerCase(), Name: 'nunez, ada' })
  expect(plain).toMatchObject({
    State: 'valid',
    Record: {
      Number: RecordNumber,
      Name: 'Ada Núñez',
      IsFinal: false,
      EndedOn: null,
      Hours: null,
      Rotations: null,
      Competencies: null,
    },
  })
  await ada.ok(contract.shareOwnClinicalRecord, { params: { recordId: Id }, body: { Shares: ['hours'] } })
  expect((await verify({ Number: RecordNumber, Name: 'Ada Núñez' })).Record).toMatchObject({
    Hours: { ApprovedMinutes: 480, TargetMinutes: 600 },
    Competencies: null,
  })
  // What is shared goes on with the record in its place.
  const next = await issue()
  expect(next.Shares).toEqual(['hours'])
})

test('another name, another number and no number are unknown, without a word about the person', async () => {
  const { Number: RecordNumber } = await issue()
  const unknown = { State: 'unknown', Record: null }
  expect(await verify({ Number: RecordNumber, Name: 'Ada Other' })).toEqual(unknown)
  expect(await verify({ Number: 'CR-2222-3333-4444', Name: 'Ada Núñez' })).toEqual(unknown)
  expect(await verify({ Number: 'nothing', Name: 'Ada Núñez' })).toEqual(unknown)
  const neither = await installation.anonymous.call(contract.verifyClinicalRecord, {
    body: { Number: RecordNumber },
  })
  expect(neither.status).toBe(400)
})

test('one changed byte of the file answers as an unknown number does, the issued file is valid', async () => {
  const record = await issue()
  const bytes = await fileOf(record.Id)
  expect((await verify({ Number: record.Number, Hash: hashOf(bytes) })).State).toBe('valid')
  bytes[bytes.length - 20] = bytes[bytes.length - 20]! ^ 1
  const changed = await verify({ Number: record.Number, Hash: hashOf(bytes) })
  expect(changed).toEqual({ State: 'unknown', Record: null })
  expect(await verify({ Number: 'CR-0000-0000-0000', Hash: hashOf(bytes) })).toEqual(changed)
})

test('a revoked and a replaced record are told, with the day, and show nothing more', async () => {
  await work()
  const first = await issue()
  await ada.ok(contract.shareOwnClinicalRecord, {
    params: { recordId: first.Id },
    body: { Shares: ['hours'] },
  })
  const second = await issue()
  const today = new Date().toISOString().slice(0, 10)
  expect(await verify({ Number: first.Number, Name: 'Ada Núñez' })).toMatchObject({
    State: 'replaced',
    Record: { EndedOn: today, Hours: null },
  })
  const revoke = (recordId: number) =>
    coordinator.call(contract.revokeClinicalRecord, {
      params: { ...params(), recordId },
      body: { Reason: 'Hours were entered twice' },
    })
  expect((await revoke(first.Id)).status).toBe(409)
  expect((await revoke(second.Id)).status).toBe(200)
  expect((await revoke(second.Id)).status).toBe(409)
  expect(await verify({ Number: second.Number, Name: 'Ada Núñez' })).toMatchObject({
    State: 'revoked',
    Record: { EndedOn: today, Hours: null },
  })
  // After a revoked one a new record can be issued.
  expect((await issue()).State).toBe('valid')
})

test('a record is verified after the account is closed and the program’s facts have changed', async () => {
  await work()
  const record = await issue()
  const hash = hashOf(await fileOf(record.Id))
  await installation.owner.query(
    `update account set deleted_at = now(), deactivated_at = now(), first_name = 'Changed', last_name = 'Name' where id = $1`,
    [student.Id],
  )
  await installation.owner.query('update program set name = $1 where id = $2', ['Renamed', program.Id])
  expect(await verify({ Number: record.Number, Hash: hash })).toMatchObject({
    State: 'valid',
    Record: { Name: 'Ada Núñez', Program: program.Name },
  })
})

test('evaluations and requirements are left out unless asked for', async () => {
  const requirement = await row('requirement', { name: 'CPR card', blocks_placement: true })
  await row('student_requirement', {
    requirement_id: requirement.id,
    student_id: student.Id,
    status: 'accepted',
    expires_on: '2099-01-01',
  })
  const contentOf = async (more: object) => {
    const { Id } = await issue(more)
    const { rows } = await installation.owner.query(
      'select content from clinical_record where id = $1 and program_id = $2',
      [Id, program.Id],
    )
    return rows[0].content as contract.RecordContent
  }
  expect(await contentOf({})).toMatchObject({ Evaluations: null, Requirements: null })
  expect(await contentOf({ HasEvaluations: true, HasRequirements: true })).toMatchObject({
    Evaluations: [],
    Requirements: [{ Name: 'CPR card', ValidUntil: '2099-01-01' }],
  })
})

test('one number of requirements: the card, the clearance, the list and the rows of the student say the same', async () => {
  await row('requirement', { name: 'CPR card', blocks_placement: true })
  const flu = await row('requirement', { name: 'Flu shot' })
  await row('requirement', { name: 'Other cohort', cohorts: ['1999'] })
  await row('requirement', { name: 'No longer', deleted_at: new Date() })
  const hospital = await makeSite(installation.owner, program)
  const orientation = await row('requirement', { name: 'Orientation', scope: 'perSite' })
  await row('site_requirement', { site_id: hospital.Id, requirement_id: orientation.id, is_asked: true })
  const numbers = async () => {
    const rows = await coordinator.ok(listStudentRequirements, ofStudent())
    const { Checks, Missing } = await read()
    const [listed] = (await coordinator.ok(contract.listClearance, { params: params(), query: {} })).Items
    const { RequirementsMissing } = await coordinator.ok(getStudentProgress, ofStudent())
    const own = await ada.ok(getOwnProgress, {})
    const open = rows.Requirements.filter(({ State }) => !isMet(State)).length
    expect([RequirementsMissing, own.RequirementsMissing, Missing.length]).toEqual([open, open, open])
    expect(Checks.Requirements).toEqual({
      Done: rows.Requirements.length - open,
      Needed: rows.Requirements.length,
      IsMet: open === 0,
    })
    expect(listed!.Checks.Requirements).toEqual(Checks.Requirements)
    return Missing
  }
  expect(await numbers()).toEqual(['CPR card', 'Flu shot'])
  await row('student_requirement', {
    requirement_id: flu.id,
    student_id: student.Id,
    status: 'accepted',
    expires_on: '2099-01-01',
  })
  expect(await numbers()).toEqual(['CPR card'])
  const shift = await makeShift(installation.owner, program, { site: hospital })
  const rotation = await makeRotation(installation.owner, program, {})
  await row('shift_assignment', {
    rotation_id: rotation.Id,
    site_shift_id: shift.Id,
    site_id: hospital.Id,
    student_id: student.Id,
    date: '2099-01-05',
    starts_at: '2099-01-05T08:00:00Z',
    ends_at: '2099-01-05T16:00:00Z',
  })
  expect(await numbers()).toEqual(['CPR card', 'Orientation'])
  const signed = await sign({ Exception: 'CPR class is on Monday' })
  expect(signed.body.Text).toMatch(
    /not met: .*requirements \(1 of 3; missing: CPR card, Orientation\).*Reason: CPR class is on Monday$/,
  )
})

test('two people issue at once: one record is valid', async () => {
  const records = await Promise.all([issue(), issue(), issue()])
  expect(new Set(records.map(({ Number: number }) => number)).size).toBe(3)
  const { Records } = await read()
  expect(Records.map(({ State }) => State)).toEqual(['valid', 'replaced', 'replaced'])
})

test('lists: students with their checks by state, and records by name or number', async () => {
  await work()
  const other = await makeStudent(installation.owner, program, {
    first_name: 'Bo',
    last_name: 'Aalto',
    cohort: '2028',
  })
  const list = (query: object) => coordinator.ok(contract.listClearance, { params: params(), query })
  const names = async (query: object) => (await list(query)).Items.map(({ Student }) => Student)
  expect(await names({})).toEqual(['Aalto, Bo', 'Núñez, Ada'])
  await sign()
  const record = await issue()
  expect(await names({ State: 'cleared' })).toEqual(['Núñez, Ada'])
  expect(await names({ State: 'not-cleared' })).toEqual(['Aalto, Bo'])
  expect(await names({ State: 'recorded', Cohort: '2027' })).toEqual(['Núñez, Ada'])
  expect(await names({ search: 'bo aalto' })).toEqual(['Aalto, Bo'])
  const [first] = (await list({ search: 'Núñez' })).Items
  expect(await names({ State: 'exception' })).toEqual(['Núñez, Ada'])
  expect((await list({ search: 'bo aalto' })).Items[0]?.Exception).toBeNull()
  expect(first).toMatchObject({
    ClearedBy: 'Dora Reyes',
    Exception: 'Transfer hours are on file',
    RecordNumber: record.Number,
    IsFinal: true,
    Checks: { Hours: { Done: 480, Needed: 600 } },
  })
  const records = (query: object) => coordinator.ok(contract.listClinicalRecords, { params: params(), query })
  for (const search of [record.Number.toLowerCase(), 'ada', undefined])
    expect((await records({ search })).Items.map(({ Id }) => Id)).toEqual([record.Id])
  expect((await records({ State: 'revoked' })).Items).toEqual([])
  expect(other.Id).not.toBe(student.Id)
})

test('rights: faculty read, coordinators issue, students see their own, other programs nothing', async () => {
  const { owner, as } = installation
  const record = await issue()
  const faculty = await as(await makePerson(owner, Level.Faculty, { program }))
  const supervisor = await as(await makePerson(owner, Level.Supervisor, { program }))
  const alumnus = await makePerson(owner, Level.Alumnus, { program })
  const elsewhere = await as(await makePerson(owner, Level.Coord))
  const body = { StudentIds: [student.Id] }
  expect((await faculty.call(contract.getStudentClinicalRecord, ofStudent())).status).toBe(200)
  expect((await faculty.call(contract.issueClinicalRecords, { params: params(), body })).status).toBe(403)
  expect((await supervisor.call(contract.getStudentClinicalRecord, ofStudent())).status).toBe(403)
  expect((await elsewhere.call(contract.getStudentClinicalRecord, ofStudent())).status).toBe(404)
  expect((await elsewhere.call(contract.issueClinicalRecords, { params: params(), body })).status).toBe(404)
  const foreign = await as(await makeStudent(owner, program))
  const own = { params: { recordId: record.Id } }
  expect((await foreign.call(contract.getOwnClinicalRecordFile, own)).status).toBe(404)
  expect((await foreign.call(contract.shareOwnClinicalRecord, { ...own, body: { Shares: [] } })).status).toBe(
    404,
  )
  expect((await coordinator.call(contract.listOwnClinicalRecords)).status).toBe(403)
  expect(
    (
      await coordinator.call(contract.issueClinicalRecords, {
        params: params(),
        body: { StudentIds: [alumnus.Id] },
      })
    ).status,
  ).toBe(200)
  expect((await (await as(alumnus)).ok(contract.listOwnClinicalRecords)).Records).toHaveLength(1)
  const staff = await makePerson(owner, Level.Faculty, { program })
  expect(
    (
      await coordinator.call(contract.issueClinicalRecords, {
        params: params(),
        body: { StudentIds: [staff.Id] },
      })
    ).status,
  ).toBe(404)
})

test('who tries many numbers from one address is slowed down', async () => {
  const statuses = []
  for (let at = 0; at < 62; at++)
    statuses.push(
      (
        await installation.anonymous.call(contract.verifyClinicalRecord, {
          body: { Number: 'CR-2222-3333-4444', Name: 'Ada Núñez' },
        })
      ).status,
    )
  expect(statuses.at(-1)).toBe(429)
})

describe('the credential', () => {
  const credentialOf = async (recordId: number): Promise<string> => {
    const response = await fetch(
      `${installation.url}/new/api/own-clinical-records/${recordId}/file?Format=credential`,
      { headers: ada.headers },
    )
    expect(response.status).toBe(200)
    return response.text()
  }
  const published = async (address: string) => {
    const response = await fetch(address)
    expect(response.status).toBe(200)
    return response.json()
  }
  const issueWithWork = async () => {
    await work()
    const { skill } = await design()
    await pass((await skill('Chest Routine', true)).id, '2026-03-02')
    const record = await issue()
    return { record, jwt: await credentialOf(record.Id) }
  }

  test('is signed with the published key of the college, as a verifier of another make tells, and one changed sign is not', async () => {
    const { jwt } = await issueWithWork()
    const { header } = jsonwebtoken.decode(jwt, { complete: true })!
    expect(header).toMatchObject({ alg: 'RS256', typ: 'JWT' })
    const jwk = await published(header.kid!)
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    expect(jsonwebtoken.verify(jwt, key, { algorithms: ['RS256'] })).toMatchObject({
      iss: expect.stringMatching(/\/\.well-known\/issuers\/\d+$/),
      jti: expect.stringMatching(/\/new\/verify\?number=CR-/),
    })
    const at = jwt.indexOf('.') + 40
    const changed = `${jwt.slice(0, at)}${jwt[at] === 'A' ? 'B' : 'A'}${jwt.slice(at + 1)}`
    expect(() => jsonwebtoken.verify(changed, key, { algorithms: ['RS256'] })).toThrow()
    const { keys } = await published(`${installation.url}/.well-known/jwks.json`)
    expect(keys).toContainEqual(jwk)
    expect(JSON.stringify(keys)).not.toContain('"d":')
  })

  test('is a Comprehensive Learner Record 2.0 of Open Badges 3.0 achievements, as another implementation of both checks', async () => {
    const { record, jwt } = await issueWithWork()
    const credential = jsonwebtoken.decode(jwt, { json: true })!
    const checked = UnsignedClrCredentialValidator.safeParse(credential)
    expect(checked.error?.issues ?? []).toEqual([])
    expect(credential.partial).toBe(true)
    const { verifiableCredential } = credential.credentialSubject
    for (const each of verifiableCredential)
      expect(UnsignedAchievementCredentialValidator.safeParse(each).error?.issues ?? []).toEqual([])
    expect(verifiableCredential.map(({ name }: { name: string }) => name)).toEqual([
      'Clinical hours',
      'Chest Routine',
    ])
    expect(verifiableCredential[0].credentialSubject.result[0].value).toBe('8.0')
    expect(credential.id).toContain(record.Number)
    expect(await published(credential.issuer.id)).toMatchObject({
      id: credential.issuer.id,
      name: credential.issuer.name,
    })
  })

  test('is verified by its fingerprint, and listed once it was replaced or revoked', async () => {
    const { record, jwt } = await issueWithWork()
    const hash = hashOf(Buffer.from(jwt))
    expect((await verify({ Number: record.Number, Hash: hash })).State).toBe('valid')
    expect((await verify({ Number: record.Number, Hash: hashOf(Buffer.from(`${jwt} `)) })).State).toBe(
      'unknown',
    )
    const { credentialStatus, id } = jsonwebtoken.decode(jwt, { json: true })!
    expect((await published(credentialStatus.id)).revokedCredential).toEqual([])
    const next = await issue()
    await coordinator.ok(contract.revokeClinicalRecord, {
      params: { ...params(), recordId: next.Id },
      body: { Reason: 'Hours were entered twice' },
    })
    const { revokedCredential } = await published(credentialStatus.id)
    expect(revokedCredential.map((each: { revocationReason: string }) => each.revocationReason)).toEqual([
      'Replaced by a newer record',
      'Revoked by the issuer',
    ])
    expect(revokedCredential[0].id).toBe(id)
    expect(JSON.stringify(revokedCredential)).not.toContain('entered twice')
    expect((await verify({ Number: record.Number, Hash: hash })).State).toBe('replaced')
  })

  test('stays valid under a key that was retired, whose public part stays published', async () => {
    const { jwt } = await issueWithWork()
    await installation.owner.query('update signing_key set retired_at = now()')
    const second = await credentialOf((await issue()).Id)
    const kidOf = (token: string) => jsonwebtoken.decode(token, { complete: true })!.header.kid!
    expect(kidOf(second)).not.toBe(kidOf(jwt))
    for (const token of [jwt, second]) {
      const key = createPublicKey({ key: await published(kidOf(token)), format: 'jwk' })
      expect(jsonwebtoken.verify(token, key, { algorithms: ['RS256'] })).toBeTruthy()
    }
  })

  test('two colleagues who issue a college’s first records at once sign with one key', async () => {
    const bo = await makeStudent(installation.owner, program)
    const both = await Promise.all(
      [student.Id, bo.Id].map((id) =>
        coordinator.ok(contract.issueClinicalRecords, { params: params(), body: { StudentIds: [id] } }),
      ),
    )
    expect(both).toHaveLength(2)
    const { rows } = await installation.owner.query(
      'select count(*)::int as keys from signing_key where college_id = $1',
      [program.CollegeId],
    )
    expect(rows).toEqual([{ keys: 1 }])
  })

  test('keys, issuers and lists that are not there are not found', async () => {
    for (const path of ['keys/nothing', 'issuers/999999', 'issuers/x', 'revocations/0'])
      expect((await fetch(`${installation.url}/.well-known/${path}`)).status).toBe(404)
  })
})

test('a cleared student is endorsed for the registry; before, that is refused', async () => {
  const at = { params: { ...params(), studentId: student.Id } }
  expect((await coordinator.call(contract.getEndorsement, at)).body).toMatchObject({ Code: 'not_cleared' })
  await sign()
  const file = await coordinator.call(contract.getEndorsement, at)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  expect((await faculty.call(contract.getEndorsement, at)).status).toBe(403)
  // What a download was is written down once all of it has been sent.
  await expect
    .poll(async () => {
      const { rows } = await installation.owner.query(
        "select subject_id from audit where program_id = $1 and action like '%/endorsement'",
        [program.Id],
      )
      return rows
    })
    .toEqual([{ subject_id: student.Id }])
})
