import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportAudit, listAudit, listRecordViews } from '#contract/audit/audit.ts'
import { listNotifications } from '#contract/communication/notifications.ts'
import { getScheduledEmail, listScheduledEmails } from '#contract/communication/scheduled-emails.ts'
import { addDays } from '#contract/core/calendar.ts'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { type SensitiveClass, sensitivePlaces } from '#contract/core/sensitive.ts'
import { viewAs } from '#contract/identity/identity.ts'
import { allEndpoints } from '#contract/index.ts'
import { createApiKey, listKeyRights } from '#contract/keys/keys.ts'
import { addRemediationPlan, closeRemediationPlan } from '#contract/progress/progress.ts'
import { declarePregnancy, listDeclarations } from '#contract/safety/declarations.ts'
import { closeIncident, reportIncident } from '#contract/safety/incidents.ts'
import { addStudentNote, listStudentEmails } from '#contract/students/students.ts'
import { makePerson, makeProgram, makeRow, makeStudent } from './factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from './installation.ts'
import { makeRequirement } from './requirement-proofs.ts'

/**
 * Every text of a class has a mark that names it. Everything that can be read is read by those whom it is open to, which proves that
 * the marks are found, and by those whom it is closed to, who must never see one: in no field, list, count or audit row.
 */
let installation: Installation
let program: { Id: number }
let student: { Id: number }
const mark = (of: SensitiveClass, what: string): string => `qz-${of}-${what}-zq`

beforeAll(async () => {
  installation = await startInstallation()
  program = await makeProgram(installation.owner)
  student = await makeStudent(installation.owner, program)
  const own = { program_id: program.Id, student_id: student.Id }
  const add = async (table: string, row: object): Promise<void> => {
    await makeRow(installation.owner, table, { ...own, ...row })
  }
  const { Id: id } = await makeRequirement(installation.owner, program, { name: 'Influenza' })
  await add('pregnancy_declaration', {
    conceived_on: '2026-08-01',
    text: mark('declaration', 'text'),
    signed_name: mark('declaration', 'name'),
    signed_from: '127.0.0.1',
  })
  await add('dose_reading', {
    badge: mark('health', 'badge'),
    from_date: '2026-08-01',
    through_date: '2026-08-31',
    deep: 12,
    is_over: true,
    reviewed_at: '2026-09-02T00:00:00Z',
    review_note: mark('health', 'review'),
  })
  await add('incident_report', {
    kind: 'sharps',
    occurred_on: '2026-08-03',
    description: mark('health', 'incident'),
    action_taken: mark('health', 'action'),
    key: crypto.randomUUID(),
  })
  await add('requirement_request', { requirement_id: id, kind: 'medical', reason: mark('health', 'request') })
  await add('requirement_proof', {
    requirement_id: id,
    state: 'returned',
    return_reason: mark('health', 'returned'),
    note: mark('health', 'proof'),
    version: 1,
    events: JSON.stringify([{ Kind: 'dose', On: '2026-08-01', Until: null, Result: '', Of: '' }]),
    decided_at: '2026-09-02T00:00:00Z',
    key: crypto.randomUUID(),
  })
  await add('requirement_exemption', {
    requirement_id: id,
    kind: 'medical',
    reason: mark('health', 'exemption'),
  })
  await add('student_note', { text: mark('conduct', 'note'), is_shared: true })
  await add('remediation_plan', {
    title: mark('conduct', 'plan'),
    goal: mark('conduct', 'goal'),
    started_on: '2026-08-01',
    due_on: '2027-08-01',
  })
  await installation.as(student)
  await installation.owner.query('update session set agent = $1 where account_id = $2', [
    mark('security', 'agent'),
    student.Id,
  ])
})
afterAll(() => installation?.stop())

const reads = allEndpoints.filter(({ method, answers }) => method === 'GET' && answers !== 'stream')
/** Files are read as text; what is packed in other forms has the same rows. */
const inText = ({ query }: AnyEndpoint): object =>
  'Format' in ((query as { shape?: object } | undefined)?.shape ?? {}) ? { Format: 'csv' } : {}
const params = (endpoint: AnyEndpoint) =>
  Object.fromEntries(
    [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [
      name,
      name === 'programId' ? program.Id : name === 'userId' || name === 'studentId' ? student.Id : 1,
    ]),
  )
const atOnce = 8
/** The marks that a caller finds in these calls. */
const marksIn = async (
  calls: readonly AnyEndpoint[],
  caller: Caller,
  headers: Record<string, string> = {},
): Promise<Set<string>> => {
  const found = new Set<string>()
  for (let begin = 0; begin < calls.length; begin += atOnce)
    await Promise.all(
      calls.slice(begin, begin + atOnce).map(async (endpoint) => {
        const { status, body } = await caller.send(
          'GET',
          addressOf(endpoint, { params: params(endpoint), query: inText(endpoint) }),
          {
            headers,
          },
        )
        expect(status, endpoint.path).toBeLessThan(500)
        for (const [seen] of JSON.stringify(body ?? null).matchAll(/qz-\w+-\w+-zq/g))
          found.add(`${seen} in ${endpoint.path}`)
      }),
    )
  return found
}
/** Of calls of a class, or with fields of one. */
const marksOfClasses = async (caller: Caller, headers: Record<string, string> = {}): Promise<string[]> => {
  const classed = reads.filter((endpoint) => endpoint.class || sensitivePlaces(endpoint.answer).length > 0)
  return [...(await marksIn(classed, caller, headers))].map((seen) => seen.split(' ')[0]!)
}
const staff = async (level: Level) =>
  installation.as(await makePerson(installation.owner, level, level === Level.SuperAdmin ? {} : { program }))
const reason = { 'x-reason': encodeURIComponent('Asked by the program’s director') }

test('those whom it is open to find every mark', async () => {
  const found = new Set([
    ...(await marksOfClasses(await installation.as(student))),
    ...(await marksOfClasses(await staff(Level.Director))),
  ])
  for (const needed of [
    mark('health', 'badge'),
    mark('health', 'review'),
    mark('health', 'incident'),
    mark('health', 'request'),
    mark('health', 'returned'),
    mark('health', 'proof'),
    mark('health', 'exemption'),
    mark('conduct', 'note'),
    mark('conduct', 'plan'),
    mark('security', 'agent'),
  ])
    expect(found, needed).toContain(needed)
})

test('nothing of a class is shown to whoever views as somebody else', async () => {
  const director = await makePerson(installation.owner, Level.Director, { program })
  const viewer = await staff(Level.Admin)
  await viewer.ok(viewAs, { params: { programId: program.Id, userId: student.Id } })
  expect([...(await marksIn(reads, viewer))]).toEqual([])
  const other = await staff(Level.Admin)
  await other.ok(viewAs, { params: { programId: program.Id, userId: director.Id } })
  expect(await marksOfClasses(other)).toEqual([])
})

test('nothing of a class is shown to a key, unless it names the class', async () => {
  const admin = await staff(Level.Admin)
  const keyWith = async (Name: string, isNamed: boolean): Promise<Record<string, string>> => {
    const Rights = await rightsOf(admin)
    const { Key } = await admin.ok(createApiKey, {
      params: { programId: program.Id },
      body: {
        Name,
        Rights: Rights.filter((right) => isNamed || !right.startsWith('private.')),
        ExpireDays: 30,
        CallsPerMinute: 6_000,
      } as never,
    })
    return { authorization: `Bearer ${Key}` }
  }
  expect([...(await marksIn(reads, installation.anonymous, await keyWith('Plain', false)))]).toEqual([])
  const named = await marksOfClasses(installation.anonymous, await keyWith('Named', true))
  expect(named).toContain(mark('health', 'exemption'))
  expect(named.filter((seen) => !/^qz-(health|conduct)/.test(seen))).toEqual([])
})

test('nothing of a class is shown to a super admin without a reason, which the student reads', async () => {
  const above = await staff(Level.SuperAdmin)
  expect([...(await marksIn(reads, above))]).toEqual([])
  expect(await marksOfClasses(above, { 'x-reason': 'short' })).toEqual([])
  const unseen = encodeURIComponent('\u200b\u2060'.repeat(20))
  expect(await marksOfClasses(above, { 'x-reason': unseen })).toEqual([])
  const found = await marksOfClasses(above, reason)
  expect(found).toContain(mark('health', 'exemption'))
  expect(found.filter((seen) => seen.startsWith('qz-security'))).toEqual([])
  const { Items } = await (await installation.as(student)).ok(listRecordViews, { query: {} })
  const told = Items.filter(({ Reason }) => Reason === 'Asked by the program’s director')
  expect(told.length).toBeGreaterThan(4)
  expect(told.every(({ Person }) => Person === 'Practicum support')).toBe(true)
})

test('the director alone reads declarations; everybody above gives a reason, and each look names the student', async () => {
  const list = (caller: Caller, headers = {}) =>
    caller.call(listDeclarations, { params: { programId: program.Id }, query: {} as never }, { headers })
  const [director, admin] = [await staff(Level.Director), await staff(Level.Admin)]
  expect((await list(director)).status).toBe(200)
  expect((await list(admin)).body).toMatchObject({ Code: 'reason_required' })
  expect((await list(admin, reason)).status).toBe(200)
  const { rows } = await installation.owner.query(
    "select detail ->> 'WrittenReason' as reason from audit where subject_id = $1 and action = 'GET /programs/:programId/pregnancy-declarations' order by id desc limit 2",
    [student.Id],
  )
  expect(rows).toEqual([{ reason: 'Asked by the program’s director' }, { reason: null }])
})

test('what notices, emails and the audit repeat of a class is closed as the record itself is', async () => {
  const { owner, as } = installation
  const inProgram = { programId: program.Id }
  const amara = await makeStudent(owner, program, { first_name: 'Amara', last_name: 'Okafor' })
  const ofStudent = { params: { ...inProgram, studentId: amara.Id } }
  const director = await staff(Level.Director)
  const self = await as(amara)
  await self.ok(declarePregnancy, { body: { Name: 'Amara Okafor', ConceivedOn: '2026-08-01' } })
  await director.ok(addStudentNote, {
    ...ofStudent,
    body: { Text: mark('conduct', 'written'), IsShared: false },
  })
  const plan = await director.ok(addRemediationPlan, {
    ...ofStudent,
    body: {
      Title: mark('conduct', 'title'),
      Goal: '',
      DueOn: '2099-01-01',
      Tasks: [{ Text: 'Read', DueOn: null }],
    },
  })
  await director.ok(closeRemediationPlan, {
    params: { ...ofStudent.params, planId: plan.Id },
    body: { State: 'canceled', Outcome: mark('conduct', 'outcome') },
  })
  const incident = await self.ok(reportIncident, {
    body: {
      Key: crypto.randomUUID(),
      Kind: 'sharps',
      Date: '2026-08-03',
      SiteId: null,
      Description: 'x',
      Action: '',
      Told: '',
    },
  })
  await director.ok(closeIncident, {
    params: { ...inProgram, incidentId: incident.Id },
    body: { FollowUp: mark('health', 'closing') },
  })
  await makeRow(owner, 'mail', {
    program_id: program.Id,
    account_id: amara.Id,
    label: 'ACCOUNT_proof_code',
    recipient: 'a@school.example',
    subject: `Your code is ${mark('security', 'code')}`,
    html: '',
  })
  const today = new Date().toISOString().slice(0, 10)
  const days = { FromDate: addDays(today, -2), ThroughDate: addDays(today, 2) }
  const marksOf = (answer: unknown) => [
    ...new Set(JSON.stringify(answer).match(/qz-\w+-\w+-zq|regnan/g) ?? []),
  ]
  const audited = async (by: Caller) => ({
    page: marksOf(await by.ok(listAudit, { params: inProgram, query: {} as never })),
    file: marksOf(await by.ok(exportAudit, { params: inProgram, query: { Format: 'csv' } as never })),
  })
  const audits = await audited(director)
  expect(audits.page).toEqual(
    expect.arrayContaining([mark('conduct', 'written'), mark('health', 'closing'), 'regnan']),
  )
  expect(audits.file).toEqual([])
  const { Items } = await self.ok(listRecordViews, { query: {} })
  expect(Items[0]).toMatchObject({ Summary: listAudit.summary })
  const admin = await staff(Level.Admin)
  expect((await audited(admin)).page).not.toContain('regnan')
  const above = await staff(Level.SuperAdmin)
  expect(await audited(above)).toEqual({ page: [], file: [] })
  const emails = (by: Caller) => by.ok(listStudentEmails, { ...ofStudent, query: {} as never })
  for (const by of [director, admin, above, await staff(Level.Faculty)]) {
    expect((await emails(by)).Items.map(({ Subject }) => Subject)).toContain('About a private record')
    expect(marksOf(await emails(by))).toEqual([])
  }
  const ledger = await above.ok(listScheduledEmails, { query: { ...days, pageSize: 100 } as never })
  expect(ledger.Items.length).toBeGreaterThan(2)
  expect(marksOf(ledger)).toEqual([])
  for (const { Id } of ledger.Items)
    expect(marksOf(await above.ok(getScheduledEmail, { params: { emailId: Id } }))).toEqual([])
  expect(marksOf(await self.ok(listNotifications))).toEqual(
    expect.arrayContaining([mark('conduct', 'title'), mark('health', 'closing')]),
  )
  await admin.ok(viewAs, { params: { ...inProgram, userId: amara.Id } })
  expect(marksOf(await admin.ok(listNotifications))).toEqual([])
})

/** Every right that a key can have. */
const rightsOf = async (admin: Caller): Promise<string[]> => {
  return (await admin.ok(listKeyRights, { params: { programId: program.Id } })).map(({ Right }) => Right)
}
