import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as contract from '#contract/competencies/examiners.ts'
import { listCandidates } from '#contract/competencies/exams.ts'
import * as supervision from '#contract/competencies/supervision.ts'
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

const person = (more: object = {}) => ({
  FirstName: 'Grace',
  LastName: 'Moreau',
  EmailAddress: `grace${at.program.Id}@harbor.example`,
  Credential: 'R.T.(R)',
  ...more,
})
const add = (more: object = {}, caller = at.coordinator) =>
  caller.call(contract.createExaminers, {
    ...at.inProgram,
    body: { SiteIds: [at.site.Id], ...person(), ...more },
  })
const one = (examinerId: number) => ({ params: { programId: at.program.Id, examinerId } })
const list = async (query: object = {}) =>
  (await at.faculty.ok(contract.listExaminers, { ...at.inProgram, query })).Items
const candidates = async () =>
  (await at.ada.ok(listCandidates, { query: { ProcedureId: at.routine } })).Candidates

test('a person is put on the rosters of several sites, changed, removed and put back', async () => {
  const { body } = await add({ SiteIds: [at.site.Id, at.other.Id], ExpiresOn: at.yesterday })
  expect(body.Ids).toHaveLength(2)
  expect((await add()).body).toMatchObject({ Code: 'taken', Errors: [{ Field: 'EmailAddress' }] })
  expect((await add({ SiteIds: [999_999] })).status).toBe(404)
  expect((await add({ EmailAddress: 'nobody' })).status).toBe(400)
  expect((await add({}, at.faculty)).status).toBe(403)
  expect(await list({ SiteId: at.site.Id, search: 'MOREAU', Expiry: 'expired' })).toMatchObject([
    { Id: body.Ids[0], FirstName: 'Grace', Site: at.site.Name, Exclusions: [], AccountId: null },
  ])
  expect(await list({ Expiry: 'soon' })).toEqual([])
  const changed = await at.coordinator.ok(contract.updateExaminer, {
    ...one(body.Ids[0]!),
    body: { ...person(), ExpiresOn: null, Examines: 'patient-care' },
  })
  expect(changed).toMatchObject({ ExpiresOn: null, Examines: 'patient-care' })
  const ids = { ...at.inProgram, body: { Ids: [body.Ids[0]!] } }
  expect((await at.coordinator.call(contract.removeExaminers, ids)).body).toEqual({ Removed: 1 })
  expect(await list({ SiteId: at.site.Id })).toEqual([])
  expect(await list({ deleted: true })).toMatchObject([{ Id: body.Ids[0] }])
  expect((await at.coordinator.call(contract.restoreExaminers, ids)).body).toEqual({ Restored: 1 })
  await at.coordinator.call(contract.removeExaminers, ids)
  await add()
  expect((await at.coordinator.call(contract.restoreExaminers, ids)).body).toMatchObject({ Code: 'taken' })
})

test('an entry is linked to an account, which is then asked there', async () => {
  const { body } = await add()
  const id = body.Ids[0]!
  const before = await candidates()
  expect(before.find(({ RosterId }) => RosterId === id)).toMatchObject({ HasAccount: false, Why: null })
  const offered = await at.coordinator.ok(contract.listExaminerAccounts, {
    ...at.inProgram,
    query: { Ids: [at.supervisorId, at.student.Id] },
  })
  expect(offered).toMatchObject({ Items: [{ Id: at.supervisorId }], Total: null })
  const found = { ...at.inProgram, query: { search: offered.Items[0]!.Email.toUpperCase() } }
  expect((await at.coordinator.ok(contract.listExaminerAccounts, found)).Items).toMatchObject([
    { Id: at.supervisorId },
  ])
  const linkTo = (AccountId: number) =>
    at.coordinator.call(contract.updateExaminer, { ...one(id), body: { ...person(), AccountId } })
  expect((await linkTo(at.student.Id)).body).toMatchObject({ Code: 'AccountId' })
  expect((await linkTo(at.supervisorId)).body).toMatchObject({ AccountId: at.supervisorId })
  const after = await candidates()
  expect(after.find(({ RosterId }) => RosterId === id)).toMatchObject({ HasAccount: true, Why: null })
  // The account by itself is not offered a second time.
  expect(after.some(({ ExaminerId }) => ExaminerId === at.supervisorId)).toBe(false)
  expect(
    (await add({ EmailAddress: 'other@harbor.example', AccountId: at.supervisorId })).body,
  ).toMatchObject({
    Errors: [{ Field: 'AccountId' }],
  })
})

test('a relative never examines, at no site and under no new address', async () => {
  const { body } = await add()
  const id = body.Ids[0]!
  const exclude = (StudentId: number, Reason = 'relative') =>
    at.coordinator.call(contract.addExclusion, {
      ...one(id),
      body: { StudentId, Reason: Reason as 'relative' },
    })
  expect((await exclude(at.supervisorId)).status).toBe(404)
  expect((await exclude(at.student.Id)).body).toMatchObject({
    Exclusions: [{ StudentId: at.student.Id, Reason: 'relative' }],
  })
  const why = async () => (await candidates()).find(({ RosterId }) => RosterId === id)?.Why
  expect(await why()).toMatch(/May not examine you/)
  const moved = await at.coordinator.ok(contract.updateExaminer, {
    ...one(id),
    body: person({ EmailAddress: 'moved@harbor.example' }),
  })
  expect(moved.Exclusions).toHaveLength(1)
  expect(await why()).toMatch(/May not examine you/)
  const params = { ...one(id).params, exclusionId: moved.Exclusions[0]!.Id }
  expect((await at.coordinator.call(contract.removeExclusion, { params })).status).toBe(204)
  expect((await at.coordinator.call(contract.removeExclusion, { params })).status).toBe(404)
  expect(await why()).toBeNull()
})

const siteLink = () => ({ params: { programId: at.program.Id, siteId: at.site.Id } })
const renew = () => at.coordinator.ok(supervision.renewSiteSupervisionLink, siteLink())
const tokenOf = (url: string | null): string => url?.split('/').at(-1) ?? ''
const open = (token: string) => installation.anonymous.call(supervision.getSupervision, { params: { token } })

test("a site's code opens what today's students may do under indirect supervision, and nothing else of them", async () => {
  expect(await at.faculty.ok(supervision.getSiteSupervisionLink, siteLink())).toEqual({
    Site: at.site.Name,
    Url: null,
  })
  const { Url } = await renew()
  expect((await at.faculty.ok(supervision.getSiteSupervisionLink, siteLink())).Url).toBe(Url)
  // The day is the site's own.
  await installation.owner.query("update site set time_zone = 'UTC' where id = $1", [at.site.Id])
  const before = await open(tokenOf(Url))
  expect(before.body).toMatchObject({ Program: at.program.Name, Site: at.site.Name })
  expect(before.body.Students).toMatchObject([{ Studies: [] }])
  await at.ready()
  const { Id } = await at.asked()
  await at.grade(at.supervisor, Id, at.decision())
  const { body } = await open(tokenOf(Url))
  expect(body.Students).toMatchObject([{ Studies: [{ Name: 'Chest', Procedures: ['Chest Routine'] }] }])
  expect(body.Students[0]!.Name).toMatch(/^\S+ \S\.$/)
  expect(JSON.stringify(body)).not.toMatch(/@|Score|comment/i)
  // Surgical and mobile procedures stay direct.
  await installation.owner.query('update skill set is_always_direct = true where id = $1', [at.routine])
  expect((await open(tokenOf(Url))).body.Students[0]!.Studies).toEqual([])
})

test('a new code ends the printed one, and a page can be ended', async () => {
  const first = await renew()
  const second = await renew()
  expect((await open(tokenOf(first.Url))).status).toBe(404)
  expect((await open(tokenOf(second.Url))).status).toBe(200)
  expect((await at.faculty.call(supervision.renewSiteSupervisionLink, siteLink())).status).toBe(403)
  expect((await at.coordinator.call(supervision.endSiteSupervisionLink, siteLink())).status).toBe(204)
  expect((await at.coordinator.call(supervision.endSiteSupervisionLink, siteLink())).status).toBe(404)
  expect((await open(tokenOf(second.Url))).status).toBe(404)
  const { rows } = await installation.owner.query('select * from supervision_link where program_id = $1', [
    at.program.Id,
  ])
  expect(JSON.stringify(rows)).not.toContain(tokenOf(second.Url))
})

test('a student has a page of their own, whichever site they are at', async () => {
  const own = () => at.ada.ok(supervision.getOwnSupervisionLink, {})
  expect(await own()).toMatchObject({ Url: null, Supervised: { Studies: [] } })
  const { Url } = await at.ada.ok(supervision.renewOwnSupervisionLink, {})
  expect((await own()).Url).toBe(Url)
  expect((await open(tokenOf(Url))).body).toMatchObject({ Site: null, Students: [{ Studies: [] }] })
  expect((await open('x'.repeat(43))).status).toBe(404)
})

test('pages by links are left out by search engines and tell nobody their address', async () => {
  for (const path of ['exam', 'exam/abc', 'exam-signature/abc', 'supervision/abc']) {
    const reply = await fetch(`${installation.url}/new/${path}`)
    expect([
      path,
      reply.status,
      reply.headers.get('x-robots-tag'),
      reply.headers.get('referrer-policy'),
    ]).toEqual([path, 200, 'noindex', 'no-referrer'])
  }
})

test('rosters are exported with credentials and their ends, filtered as on the page', async () => {
  await add({ ExpiresOn: at.yesterday })
  const file = async (query: object) => {
    const { status, body } = await at.coordinator.call(contract.exportExaminers, {
      ...at.inProgram,
      query: { Format: 'csv', ...query },
    })
    expect(status).toBe(200)
    return String(body).trim().split(/\r?\n/)
  }
  const [head, ...rows] = await file({})
  expect(head).toMatch(/Site,Last name,First name,Credential,Number,Valid to,Examines,Email/)
  expect(rows.filter((row) => row.includes(person().EmailAddress))).toHaveLength(1)
  expect((await file({ Expiry: 'soon' })).slice(1)).toEqual([])
})
